// Neovim, in the version that Debian's stable release has, and in the present one.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from '../mcp/client.mjs';
import { beside, installed, mended, program, snippets, stage, steps, until } from './stage.mjs';

const [present, before] = snippets('Neovim');
const EDITORS = join(import.meta.dirname, '../../server/editors');

for (const [folder, settings, encoding] of [['neovim-forky', present, 'utf-8'], ['neovim-trixie', before, 'utf-16']]) {
  test(folder, async (t) => {
    const at = stage(t);
    at.configure('.config/nvim/init.lua', settings);
    cpSync(join(EDITORS, 'neovim/lsp'), join(at.home, '.config/nvim/lsp'), { recursive: true });
    const nvim = [...program(folder, 'bin/nvim'), '--headless', '-i', 'NONE', '--cmd', `set rtp^=${installed(folder, 'usr/lib/nvim')},${at.home}/.config/nvim`, '-u', `${at.home}/.config/nvim/init.lua`];
    const { out } = await at.run([...nvim, '-l', beside('neovim.lua')], {
      ROOT: at.root,
      VIMRUNTIME: installed(folder, 'usr/share/nvim/runtime'),
    });
    const seen = steps(out);
    assert.equal(at.answer('initialize').result.capabilities.positionEncoding, encoding);
    // Its own columns are bytes.
    mended(at, seen, 'utf-8');
    assert.equal(seen['docs/guide.md'].diagnostics[0].severity, 2);
    assert.equal(seen['web/src/app.ts'].diagnostics[0].severity, 1);
    assert.equal(seen['web/src/app.ts'].diagnostics[0].code, 'missing-path');
    assert.equal(seen['web/src/app.ts'].diagnostics[0].source, 'pathfinder');
    assert.equal(seen.created.name, at.at('docs/decisions/0002-language.md'));
    assert.match(seen.hover.join('\n'), /button\.ts` \(md\.link\) leads to .*web\/src\/components\/button\.ts/);
    assert.deepEqual(seen.links, [
      { text: '../web/src/components/button.ts', target: `file://${at.at('web/src/components/button.ts')}` },
      { text: 'images/plan.svg', target: `file://${at.at('docs/images/plan.svg')}` },
    ]);
    assert.deepEqual(seen.completion, ['plan.svg']);
    assert.equal(`${seen.completed}\n`, at.read('docs/links.md'));
    assert.equal(seen.clients, 1, 'one server for all of the project');
    // The configuration of 0.11 and later.
    if (folder === 'neovim-forky') assert.deepEqual(seen.doubles, { before: 1, beside: 0, offered: true, after: 1 });
    await at.ended(true);
  });
}

test('lazy.nvim', async (t) => {
  const at = stage(t);
  // What lazy.nvim does with it, which is not installed here.
  at.configure('lazy.lua', `
    local spec = dofile(${JSON.stringify(join(EDITORS, 'neovim/lazy.lua'))})
    assert(spec[1] == 'pathfinder-dev/pathfinder')
    spec.config({ dir = ${JSON.stringify(join(EDITORS, '../..'))} })
    vim.cmd.edit('docs/guide.md')
    assert(vim.wait(60000, function() return #vim.diagnostic.get(0) == 2 end, 20), vim.inspect(vim.diagnostic.get(0)))
    for _, it in ipairs(vim.lsp.get_clients()) do it:stop() end
    vim.wait(60000, function() return #vim.lsp.get_clients() == 0 end, 20)
    vim.cmd('qall!')
  `);
  const nvim = [...program('neovim-forky', 'bin/nvim'), '--clean', '--headless', '-i', 'NONE', '--cmd', `set rtp^=${installed('neovim-forky', 'usr/lib/nvim')}`];
  await at.run([...nvim, '-l', `${at.home}/lazy.lua`], { VIMRUNTIME: installed('neovim-forky', 'usr/share/nvim/runtime') });
  await at.ended(true);
});

/** A site whose pages link by a convention of their own, and another one without pages to learn it from. */
const LINKS = '[a](/docs/a) [b](/docs/b) [a](/docs/a) [b](/docs/b) [a](/docs/a)';
const SITES = ['site', 'other'].flatMap((site) => [`${site}/.eleventy.js: `, `${site}/src/docs/a.md: # A`, `${site}/src/docs/b.md: # B`]);

test('a new page of a site', async (t) => {
  const at = stage(t);
  for (const line of [...SITES, `site/src/docs/one.md: ${LINKS}`, `site/src/docs/two.md: ${LINKS}`]) at.add(line);
  at.configure('.config/nvim/init.lua', present);
  cpSync(join(EDITORS, 'neovim/lsp'), join(at.home, '.config/nvim/lsp'), { recursive: true });
  // The page is only in the editor until it is written.
  at.configure('new.lua', `
    local function all() return vim.diagnostic.get(0) end
    local function broken()
      return vim.tbl_map(function(it) return it.message:match('Broken path: \`([^\`]+)\`') end, all())
    end
    local function see(site, count)
      vim.cmd.edit(vim.env.ROOT .. '/' .. site .. '/src/docs/new.md')
      vim.api.nvim_buf_set_lines(0, 0, -1, false, { '[a](/docs/a)', '[g](/docs/gone)', '[n](none.md)' })
      assert(vim.wait(60000, function() return #all() == count end, 20), site .. ': ' .. vim.inspect(all()))
      local unwritten = broken()
      assert(vim.fn.filereadable(vim.fn.expand('%')) == 0)
      vim.cmd.write()
      vim.api.nvim_buf_set_lines(0, 2, 3, false, { '[n](a.md)' })
      assert(vim.wait(60000, function() return #all() == count - 1 end, 20), site .. ': ' .. vim.inspect(all()))
      io.stdout:write(vim.json.encode({ step = site, value = { unwritten = unwritten, written = broken() } }) .. '\\n')
    end
    see('site', 2)
    see('other', 1)
    for _, it in ipairs(vim.lsp.get_clients()) do it:stop() end
    vim.wait(60000, function() return #vim.lsp.get_clients() == 0 end, 20)
    vim.cmd('qall!')
  `);
  const nvim = [...program('neovim-forky', 'bin/nvim'), '--headless', '-i', 'NONE', '--cmd', `set rtp^=${installed('neovim-forky', 'usr/lib/nvim')},${at.home}/.config/nvim`, '-u', `${at.home}/.config/nvim/init.lua`];
  const { out } = await at.run([...nvim, '-l', `${at.home}/new.lua`], { ROOT: at.root, VIMRUNTIME: installed('neovim-forky', 'usr/share/nvim/runtime') });
  const { site, other } = steps(out);
  assert.deepEqual(site.unwritten.sort(), ['/docs/gone', 'none.md']);
  assert.deepEqual(Array.from(site.written), ['/docs/gone']);
  // Without other pages, nothing shows where such a link leads.
  assert.deepEqual(other.unwritten, ['none.md']);
  assert.deepEqual(Array.from(other.written), []);
  await at.ended(true);
});

/** Megabytes of memory that a process holds. */
const memory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

test('Neovim and an agent: one engine', async (t) => {
  const at = stage(t);
  for (const name of ['one', 'two', 'three']) at.add(`${name}/client.go: ${name}`);
  at.configure('.config/nvim/init.lua', present);
  cpSync(join(EDITORS, 'neovim/lsp'), join(at.home, '.config/nvim/lsp'), { recursive: true });
  const environment = { ...at.env, VIMRUNTIME: installed('neovim-forky', 'usr/share/nvim/runtime') };
  const nvim = [...program('neovim-forky', 'bin/nvim'), '-i', 'NONE', '--cmd', `set rtp^=${installed('neovim-forky', 'usr/lib/nvim')},${at.home}/.config/nvim`, '-u', `${at.home}/.config/nvim/init.lua`];
  let starts = 0;
  /** An editor, and how it is told what to do. Its server is a child of what writes down the conversation. */
  const edit = async () => {
    starts += 1;
    const address = join(at.place, `nvim${starts}`);
    const child = spawn(nvim[0], [...nvim.slice(1), '--headless', '--listen', address], { cwd: at.root, env: environment, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // Its server ends by that, and still writes down what it knows.
    const gone = (pid) => !existsSync(`/proc/${pid}`);
    const kill = async () => {
      child.kill('SIGKILL');
      await ended;
      await until('the end of the server', () => at.wire().every(({ server }) => !server || gone(server)));
    };
    at.users.push(kill);
    await until('an editor', () => existsSync(address));
    const open = (name) => execFileSync(nvim[0], [...nvim.slice(1), '--server', address, '--remote-expr', `execute('edit ${at.at(name)} | write')`], { env: environment });
    open('web/src/app.ts');
    return { open, kill, server: await until('a server', () => at.wire().filter((line) => 'server' in line)[starts - 1]?.server) };
  };

  const first = await edit();
  const agent = await connect(at, { env: { PATH: at.env.PATH } });
  const asked = () => agent.stderr().split('\n').filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line).host).at(-1);
  const best = async () => {
    const { path, candidates } = await agent.resolve({ failed_path: 'client.go' });
    return path ?? candidates[0].path;
  };
  const asks = (pid) => until(`answer of ${pid}`, async () => (await best(), asked() === pid));
  await asks(first.server);
  // What is edited wins the tie, one after the other.
  for (const name of ['three/client.go', 'one/client.go', 'two/client.go']) {
    // An answer that comes before the editor was heard is used as well, and then it is the later one.
    await until(name, async () => {
      first.open(name);
      return (await best()) === name;
    });
  }
  // The guest has no tree and no engine.
  assert.ok(memory(agent.transport.pid) < memory(first.server), `${memory(agent.transport.pid)} and ${memory(first.server)} MB`);
  await first.kill();
  assert.equal((await agent.resolve({ failed_path: 'wbe/src/app.ts' })).path, 'web/src/app.ts');
  await asks(undefined);
  const second = await edit();
  await asks(second.server);
});
