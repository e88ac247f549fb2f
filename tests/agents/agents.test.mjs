// Agents that can be run without an account connect to the server and list its tools.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { codex } from '../hooks/codex.mjs';
import { command } from '../mcp/client.mjs';
import { tree } from '../mcp/tree.mjs';

const TOOLS = ['path_find', 'path_resolve', 'reindex_paths', 'roots_list', 'tool_retry_with_resolve'];
const installed = (name) => join(process.env.PATHFINDER_AGENTS, 'node_modules', name);
const bin = (name) => installed(join('.bin', name));

/** The code blocks below a heading of docs/mcp.md, by the order in which they stand there. */
function snippets(heading) {
  const text = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  assert.ok(section, `mcp.md has no ${heading}`);
  return [...section.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, code]) => code);
}

/** A project, a home of its own in which an agent is configured, and how to run one there. */
function stage(t) {
  const laid = tree(t, 'src/app.ts: one\n.git/');
  // The snippets take the program from the PATH.
  symlinkSync(command(laid).command, join(laid.place, 'pathfinder'));
  const env = { PATH: `${laid.place}:${process.env.PATH}`, HOME: laid.home, PATHFINDER_CACHE_DIR: join(laid.place, 'cache') };
  const how = { cwd: laid.root, env, timeout: 120_000 };
  const configure = (name, text) => {
    mkdirSync(join(laid.home, name, '..'), { recursive: true });
    writeFileSync(join(laid.home, name), text);
  };
  const run = async (file, ...rest) => {
    // Without it they wait for keyboard input.
    const running = promisify(execFile)(file, rest, how);
    running.child.stdin?.end();
    const { stdout, stderr } = await running.catch((error) => error);
    return `${stdout}${stderr}`;
  };
  /** They give a server some seconds to start, which a busy machine may not have: then they are asked again. */
  const lists = async (expected, ...command) => {
    let said;
    for (let tries = 3; tries > 0; tries -= 1) {
      said = await run(...command);
      if (expected.test(said)) return;
    }
    assert.match(said, expected);
  };
  return { laid, how, configure, run, lists };
}

test('claude', async (t) => {
  const { laid, configure, run, lists } = stage(t);
  const claude = installed('@anthropic-ai/claude-code-linux-x64/claude');
  await run(claude, 'mcp', 'add', '--scope', 'user', 'pathfinder', '--', 'pathfinder', 'mcp');
  await lists(/pathfinder: .*✔ Connected/, claude, 'mcp', 'list');
  // What a project brings is only used when its user has agreed, but it is read.
  await run(claude, 'mcp', 'remove', 'pathfinder');
  configure('../root/.mcp.json', snippets('Claude Code')[0]);
  assert.match(await run(claude, 'mcp', 'list'), /pathfinder: .*Pending approval/, laid.root);
});

test('gemini', async (t) => {
  const { configure, lists } = stage(t);
  const settings = { ...JSON.parse(snippets('Gemini CLI')[0]), security: { folderTrust: { enabled: false } } };
  configure('.gemini/settings.json', JSON.stringify(settings));
  await lists(/✓ pathfinder: .*Connected/, bin('gemini'), 'mcp', 'list');
});

test('opencode', async (t) => {
  const { laid, lists } = stage(t);
  writeFileSync(laid.at('opencode.json'), snippets('opencode')[0]);
  const off = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };
  const set = Object.entries(off).map(([name, value]) => `${name}=${value}`);
  await lists(/pathfinder.*connected/s, 'env', ...set, installed('opencode-linux-x64-baseline/bin/opencode'), 'mcp', 'list');
});

test('codex', async (t) => {
  const { laid, how, configure } = stage(t);
  configure('.codex/config.toml', snippets('Codex')[0]);
  // What it does not know in it would be an error.
  const { ask } = await codex(laid, [bin('codex'), '--strict-config'], { cwd: how.cwd, env: how.env });
  const { data } = await ask('mcpServerStatus/list', {});
  const [{ tools }] = data.filter(({ name }) => name === 'pathfinder');
  assert.deepEqual(Object.keys(tools).sort(), TOOLS);
  // For its own list it has started one in its home; each thread has one in the thread's directory.
  const { thread } = await ask('thread/start', { cwd: laid.root, ephemeral: true });
  const called = { threadId: thread.id, server: 'pathfinder', tool: 'path_resolve', arguments: { failed_path: 'app.ts' } };
  const { structuredContent } = await ask('mcpServer/tool/call', called);
  assert.equal(structuredContent.path, 'src/app.ts');
  const uri = `file://${laid.at('src/app.ts')}`;
  const { contents } = await ask('mcpServer/resource/read', { threadId: thread.id, server: 'pathfinder', uri });
  assert.equal(contents[0].text, 'one');
});
