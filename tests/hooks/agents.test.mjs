// Agents with the hook: what their models are told when a path is wrong. The agents run for real, the models do not.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { AGENTS, TIMEOUT_MS, has, ran, told } from './agent.mjs';

const CONTENTS = ['fn stream() {}', 'fn other() {}'];
const SURE = 'src/fnd/stream.rs" does not exist. It is "';
const PERHAPS = 'handler.py" does not exist. Perhaps: "';

test('Claude Code', async (t) => {
  const said = await told(t, 'claude-code', 'look at src/fnd/stream.rs', (root) => [
    { tool: 'Read', args: { file_path: `${root}/src/fnd/stream.rs` } },
    { tool: 'Read', args: { file_path: `${root}/handler.py` } },
    { tool: 'Bash', args: { command: 'cat src/fnd/stream.rs | head -5; false' } },
  ]);
  // The prompt; a read that goes right; one that cannot; a command that complains, which leads to no contents.
  has(said, SURE, 'src/find/stream.rs', ...CONTENTS, 'ROOT/src/find/stream.rs" was read instead', PERHAPS, SURE, 'src/find/stream.rs');
  assert.equal(said.split(CONTENTS[1]).length, 2, said);
});

test('Cline', async (t) => {
  const said = await told(t, 'cline', 'look at src/fnd/stream.rs', (root) => [
    { tool: 'read_files', args: { files: [{ path: `${root}/src/fnd/stream.rs` }] } },
    { tool: 'read_files', args: { files: [{ path: `${root}/README.md` }, { path: `${root}/handler.py` }] } },
    { tool: 'run_commands', args: { commands: ['cat src/fnd/stream.rs'] } },
  ]);
  has(said, SURE, 'src/find/stream.rs', PERHAPS, SURE, 'src/find/stream.rs');
  // A path, and no contents.
  assert.ok(!said.includes(CONTENTS[1]), said);
});

test('Codex', async (t) => {
  const said = await told(t, 'codex', 'look at src/fnd/stream.rs', () => [
    { tool: 'exec_command', args: { cmd: "sed -n '1,9p' src/fnd/stream.rs" } },
    { tool: 'exec_command', args: { cmd: 'cat src/fnd/stream.rs | head -5' } },
    { tool: 'exec_command', args: { cmd: 'cat handler.py' } },
  ]);
  has(said, SURE, 'src/find/stream.rs" was read instead', ...CONTENTS, SURE, PERHAPS);
  assert.equal(said.split(CONTENTS[1]).length, 2, said);
});

test('Copilot', async (t) => {
  const said = await told(t, 'copilot', 'look at src/fnd/stream.rs', (root) => [
    { tool: 'view', args: { path: `${root}/src/fnd/stream.rs` } },
    { tool: 'view', args: { path: `${root}/handler.py` } },
    { tool: 'bash', args: { command: 'cat src/fnd/stream.rs | head -5', description: 'x' } },
  ]);
  has(said, ...CONTENTS, 'ROOT/src/find/stream.rs" was read instead', PERHAPS, SURE);
  assert.equal(said.split(CONTENTS[1]).length, 2, said);
});

test('Gemini CLI', async (t) => {
  const said = await told(t, 'gemini', 'look at src/fnd/stream.rs', () => [
    { tool: 'read_file', args: { file_path: 'src/fnd/stream.rs' } },
    { tool: 'read_file', args: { file_path: 'handler.py' } },
    { tool: 'list_directory', args: { dir_path: 'src/fnd' } },
    { tool: 'run_shell_command', args: { command: 'cat src/fnd/stream.rs' } },
    { tool: 'read_file', args: { file_path: 'README.md' } },
  ]);
  has(said, SURE, SURE, ...CONTENTS, PERHAPS, 'src/fnd" does not exist. It is "src/find"', 'In it: "stream.rs"', SURE, 'hello');
  assert.equal(said.split(CONTENTS[1]).length, 2, said);
});

test('opencode', async (t) => {
  const said = await told(t, 'opencode', 'look at src/fnd/stream.rs', (root) => [
    { tool: 'read', args: { filePath: `${root}/src/fnd/stream.rs` } },
    { tool: 'read', args: { filePath: `${root}/handler.py` } },
    { tool: 'bash', args: { command: 'cat src/fnd/stream.rs | head -5', description: 'x' } },
  ]);
  has(said, SURE, ...CONTENTS, 'ROOT/src/find/stream.rs" was read instead', PERHAPS, SURE);
  assert.equal(said.split(CONTENTS[1]).length, 2, said);
});

// Cline's hook is that after a tool alone.
for (const agent of Object.keys(AGENTS).filter((agent) => agent !== 'cline')) {
  test(`${agent}: a session begins, and the tree is read before anything is wrong`, async (t) => {
    const { said, cache } = await ran(t, agent, 'hello', () => []);
    assert.ok(!said.includes('pathfinder'), said);
    // The agent did not wait for it.
    const isKept = () => existsSync(cache) && readdirSync(cache).some((name) => name.endsWith('.listing'));
    const late = Date.now() + TIMEOUT_MS;
    while (!isKept()) {
      assert.ok(Date.now() < late, 'nothing was read');
      await setTimeout(20);
    }
  });
}

test('what is about to be written is left alone', async (t) => {
  const said = await told(t, 'gemini', 'create src/fnd/stream.rs', () => [
    { tool: 'write_file', args: { file_path: 'src/fnd/stream.rs', content: 'new' } },
    { tool: 'read_file', args: { file_path: 'src/fnd/stream.rs' } },
  ]);
  has(said, 'new');
  assert.ok(!said.includes('does not exist'), said);
});
