-- What a person does in Neovim, step by step; what is seen then is printed as lines of JSON.

local root = vim.env.ROOT

local function say(step, value)
  io.stdout:write(vim.json.encode({ step = step, value = value }) .. '\n')
end

local function await(what, holds)
  if not vim.wait(60000, holds, 20) then
    io.stdout:write('no ' .. what .. ' in 60 s: ' .. vim.inspect(vim.diagnostic.get()) .. '\n')
    os.exit(1)
  end
end

local function diagnostics()
  return vim.diagnostic.get(0)
end

local function open(name)
  vim.cmd.edit(root .. '/' .. name)
  await('diagnostics in ' .. name, function() return #diagnostics() > 0 end)
end

-- Columns are bytes here, whatever the server counts in.
local function seen()
  return vim.tbl_map(function(it)
    return {
      line = it.lnum + 1,
      columns = { it.col, it.end_col },
      message = it.message,
      code = it.code,
      severity = it.severity,
      source = it.source,
    }
  end, diagnostics())
end

-- What a menu offers is written down, and the entry that `wanted` takes is chosen.
local offered
local wanted
vim.ui.select = function(items, options, choose)
  offered = vim.tbl_map(options.format_item or tostring, items)
  for at, title in ipairs(offered) do
    if wanted(at, title) then return choose(items[at], at) end
  end
  choose(nil, nil)
end

local function act(take, options)
  offered, wanted = nil, take
  vim.lsp.buf.code_action(options)
end

local function first(at) return at == 1 end

local function none(what)
  await('end of the diagnostics of ' .. what, function() return #diagnostics() == 0 end)
end

vim.cmd('filetype plugin on')
vim.o.swapfile = false

for _, name in ipairs({ 'web/src/app.ts', 'tools/report.py', 'service/src/main.rs', 'docs/guide.md' }) do
  open(name)
  local all = seen()
  while #diagnostics() > 0 do
    local before = #diagnostics()
    table.sort(all, function(a, b) return a.columns[1] < b.columns[1] end)
    local at = diagnostics()[1]
    vim.api.nvim_win_set_cursor(0, { at.lnum + 1, at.col })
    act(first)
    await('effect of an action', function() return #diagnostics() < before end)
  end
  vim.cmd.write()
  none(name)
  say(name, { diagnostics = all, offered = offered })
end

open('web/src/all.ts')
-- Another server reports the same place: one of both stands there, and the fix is offered.
if vim.lsp.config and vim.lsp.config.pathfinder then
  local function own()
    return #vim.tbl_filter(function(it) return it.source == 'pathfinder' and it.lnum == 0 end, diagnostics())
  end
  local at = vim.tbl_filter(function(it) return it.lnum == 0 end, diagnostics())[1]
  local before = own()
  local compiler = vim.api.nvim_create_namespace('compiler')
  vim.diagnostic.set(compiler, 0, {
    { lnum = 0, col = at.col - 1, end_col = at.end_col + 1, severity = 1, source = 'ts', code = 2307, message = "Cannot find module." },
    { lnum = 1, col = 0, end_col = 80, severity = 2, source = 'style', message = 'Strings must use doublequote.' },
  })
  await('one diagnostic', function() return own() == 0 and #diagnostics() == 3 end)
  local beside = own()
  vim.api.nvim_win_set_cursor(0, { 1, at.col })
  act(function() return false end)
  await('a menu', function() return offered end)
  vim.diagnostic.reset(compiler, 0)
  await('ours again', function() return own() == before end)
  say('doubles', { before = before, beside = beside, offered = offered[1]:find('^Change to') ~= nil, after = own() })
end

-- All of a file at once.
act(first, { context = { only = { 'source.fixAll' }, diagnostics = {} }, apply = true })
none('all.ts')
vim.cmd.write()

-- Nobody tells the server that this file is made. Neovim does not watch files on Linux.
open('docs/later.md')
vim.fn.mkdir(root .. '/docs/decisions', 'p')
assert(io.open(root .. '/docs/decisions/0001-record.md', 'w')):close()
none('later.md')
-- And is gone again.
os.remove(root .. '/docs/decisions/0001-record.md')
await('diagnostic of what is gone', function() return #diagnostics() == 1 end)
assert(io.open(root .. '/docs/decisions/0001-record.md', 'w')):close()
none('later.md')

-- A command, which has the editor make the file.
open('docs/create.md')
local maker = vim.api.nvim_get_current_buf()
vim.api.nvim_win_set_cursor(0, { 1, diagnostics()[1].col })
act(function(_, title) return title:find('^Create') end)
await('new file', function() return vim.api.nvim_get_current_buf() ~= maker end)
say('created', { name = vim.api.nvim_buf_get_name(0), offered = offered })
vim.api.nvim_set_current_buf(maker)
none('create.md')

-- What a path leads to.
vim.cmd.edit(root .. '/docs/links.md')
local column = vim.api.nvim_get_current_line():find('../web', 1, true) - 1
vim.api.nvim_win_set_cursor(0, { 1, column })
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
vim.lsp.buf.hover()
local float
await('window', function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then float = window end
  end
  return float
end)
say('hover', vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false))
vim.api.nvim_win_close(float, true)

local function ask(method, position)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0) }
  if position then params = vim.lsp.util.make_position_params(0, client.offset_encoding) end
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  return assert(answers and answers[client.id], 'no answer to ' .. method).result
end

local text = vim.api.nvim_get_current_line()
local function byte(position)
  if client.offset_encoding == 'utf-8' then return position.character end
  return vim.str_byteindex(text, position.character, true)
end
say('links', vim.tbl_map(function(link)
  return { text = text:sub(byte(link.range.start) + 1, byte(link.range['end'])), target = link.target }
end, ask('textDocument/documentLink')))

-- What can stand behind `images/`.
vim.api.nvim_win_set_cursor(0, { 1, text:find('images/', 1, true) + #'images/' - 1 })
local items = ask('textDocument/completion', true).items
say('completion', vim.tbl_map(function(item) return item.label end, items))
vim.lsp.util.apply_text_edits({ items[1].textEdit }, vim.api.nvim_get_current_buf(), client.offset_encoding)
say('completed', vim.api.nvim_get_current_line())
vim.cmd('edit!')

vim.api.nvim_win_set_cursor(0, { 1, column })
vim.lsp.buf.definition()
await('definition', function() return vim.api.nvim_buf_get_name(0):find('button.ts', 1, true) end)

say('left', vim.tbl_map(function(it) return it.message end, vim.diagnostic.get()))
say('clients', #vim.lsp.get_clients())

-- Who leaves waits for no server (`exit_timeout`), and what is asked then may never be heard.
for _, it in ipairs(vim.lsp.get_clients()) do it.stop() end
await('end of the server', function() return #vim.lsp.get_clients() == 0 end)
vim.cmd('qall!')
