---@brief
---
--- https://github.com/pathfinder-dev/pathfinder
---
--- Finds broken paths in your files (imports, includes, links, configuration) and suggests the right ones. It answers for files of
--- all types. Where another server reports the same broken path, its diagnostic stands alone; `vim.lsp.buf.code_action()` offers the
--- fixes there too. `settings.pathfinder` is described in `docs/protocol.md`.

-- What other servers say of a path that is broken. A spelling or a style at the same place is another matter.
local codes = {
  ['2306'] = true, ['2307'] = true, ['2732'] = true, ['2792'] = true, ['5083'] = true, ['6053'] = true,
  reportMissingImports = true, reportMissingModuleSource = true,
  ['unresolved-module'] = true, E0583 = true, pp_file_not_found = true,
}
local words = { 'cannot find', "can't find", 'could not find', 'cannot resolve', 'could not be resolved', 'unable to resolve', 'unresolved', 'not found', 'no such file', 'does not exist' }

---@param it vim.Diagnostic
local function says_broken(it)
  if it.severity > vim.diagnostic.severity.WARN then return false end
  local message = it.message:lower()
  return codes[tostring(it.code)] or vim.iter(words):any(function(word) return message:find(word, 1, true) end)
end

---@param a vim.Diagnostic
---@param b vim.Diagnostic
local function overlaps(a, b)
  local function before(line, col, other_line, other_col) return line < other_line or line == other_line and col < other_col end
  return not before(a.end_lnum or a.lnum, a.end_col or a.col, b.lnum, b.col)
    and not before(b.end_lnum or b.lnum, b.end_col or b.col, a.lnum, a.col)
end

-- All diagnostics of the server, by buffer.
local all = {}
local busy = false

-- Shows those that no other server reports.
local function show(namespace, buffer)
  local others = vim.tbl_filter(function(it) return it.namespace ~= namespace and says_broken(it) end, vim.diagnostic.get(buffer))
  local shown = vim.tbl_filter(function(own)
    return not vim.iter(others):any(function(it) return overlaps(own, it) end)
  end, all[buffer] or {})
  if #shown == #vim.diagnostic.get(buffer, { namespace = namespace }) then return end
  busy = true
  vim.diagnostic.set(namespace, buffer, shown)
  busy = false
end

---@type vim.lsp.Config
return {
  cmd = { 'pathfinder', 'lsp' },
  root_markers = { 'pathfinder.toml', '.git' },
  handlers = {
    ['textDocument/publishDiagnostics'] = function(err, result, ctx)
      busy = true
      vim.lsp.diagnostic.on_publish_diagnostics(err, result, ctx)
      busy = false
      local buffer = vim.uri_to_bufnr(result.uri)
      local namespace = vim.lsp.diagnostic.get_namespace(ctx.client_id)
      all[buffer] = vim.diagnostic.get(buffer, { namespace = namespace })
      show(namespace, buffer)
    end,
  },
  on_attach = function(client, buffer)
    vim.api.nvim_create_autocmd('DiagnosticChanged', {
      buffer = buffer,
      callback = function()
        if not busy then show(vim.lsp.diagnostic.get_namespace(client.id), buffer) end
      end,
    })
  end,
}
