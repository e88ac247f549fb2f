// One engine for all processes of Windows that ask about the same roots, over a named pipe: as tests/mcp/share.test.mjs has it for
// sockets. Numbers of processes are those of Windows, which only the server knows.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from '../mcp/client.mjs';
import { editor } from '../mcp/editor.mjs';
import { midway } from '../mcp/midway.mjs';
import { SOCKETS, engine, lay, run, until } from './windows.mjs';

const TREE = `
  web/client.go: web
  vllm/client.go: vllm
  reranker/client.go: reranker
  src/app.ts: one
  src/config.ts: two
`;
const WRONG = { failed_path: 'src/confg.ts' };

/** How many calls a connection has made. */
const calls = new WeakMap();

const right = async (connection) => {
  const { status, path } = await connection.resolve(WRONG);
  assert.deepEqual({ status, path }, { status: 'resolved', path: 'src/config.ts' });
  calls.set(connection, (calls.get(connection) ?? 0) + 1);
};

/** The leader, when it is of this kind. */
const host = (laid, edge) =>
  until(async () => {
    const { host } = (await engine(laid)).running.engine;
    return host?.edge === edge && host;
  });

/** Whose one more answer was, if it was another process's. */
async function asks(connection) {
  await right(connection);
  const lines = () => connection.stderr().split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  await until(() => lines().length === calls.get(connection));
  return JSON.parse(lines().at(-1)).host;
}

test('the second of two agents asks the first, and is the next host when that is killed', async (t) => {
  const laid = lay(t, TREE);
  const one = await connect(laid, laid.how);
  await right(one);
  const first = await host(laid, 'agent');
  const two = await connect(laid, laid.how);
  assert.equal(await until(() => asks(two)), first.pid);
  // Under load a guest gives up on a slow host and comes again: for a moment it is none or two.
  await until(async () => (await host(laid, 'agent')).guests === 1);
  process.kill(one.transport.pid, 'SIGKILL');
  await right(two);
  await until(async () => (await host(laid, 'agent')).pid !== first.pid);
  // With the last one its file is gone, and so is what the killed one left.
  await two.client.close();
  await until(() => !readdirSync(SOCKETS).some((name) => name.endsWith('.sock')));
});

test('a host that is killed in the middle of calls', async (t) => {
  const laid = lay(t, TREE);
  await midway(laid, laid.how, WRONG, 'src/config.ts');
});

test('a host that is stopped', async (t) => {
  const laid = lay(t, TREE);
  const one = await connect(laid, laid.how);
  await right(one);
  const two = await connect(laid, laid.how);
  await until(() => asks(two));
  process.kill(one.transport.pid, 'SIGSTOP');
  await until(async () => !(await asks(two)));
  process.kill(one.transport.pid, 'SIGCONT');
  await right(one);
});

test('an editor comes, goes, and comes again', async (t) => {
  const laid = lay(t, TREE);
  const agent = await connect(laid, laid.how);
  await right(agent);
  const first = await editor(laid.drive, laid.how);
  const { pid } = await host(laid, 'editor');
  await until(async () => (await asks(agent)) === pid);
  await first.kill();
  await right(agent);
  await host(laid, 'agent');
  await editor(laid.drive, laid.how);
  const again = await host(laid, 'editor');
  await until(async () => (await asks(agent)) === again.pid);
});

test('what the editor opens wins ties for the agent', async (t) => {
  const laid = lay(t, TREE);
  const at = await editor(laid.drive, laid.how);
  await host(laid, 'editor');
  const agent = await connect(laid, laid.how);
  const first = async () => {
    const { path, candidates } = await agent.resolve({ failed_path: 'client.go' });
    return candidates?.[0].path ?? path;
  };
  const before = await first();
  for (const name of ['web/client.go', 'vllm/client.go', 'reranker/client.go'].filter((name) => name !== before)) {
    at.open(name);
    await until(async () => {
      if ((await first()) === name) return true;
      at.save(name);
      return false;
    });
  }
});

/** What one can find where the name of the pipe should be. */
const SQUATTERS = [
  ['nonsense', (at) => writeFileSync(at, 'mine')],
  ['a directory', (at) => mkdirSync(at)],
  ['a pipe of another program', (at) => writeFileSync(at, 'epmapper')],
  ['a path that leads elsewhere', (at) => writeFileSync(at, 'pathfinder-1\\..\\epmapper')],
  ['much', (at) => writeFileSync(at, 'pathfinder-'.padEnd(100_000, '0'))],
];

for (const [what, squat] of SQUATTERS) {
  test(`in the place of the pipe's name: ${what}`, async (t) => {
    const laid = lay(t, TREE);
    const { socket } = (await engine(laid)).running.engine;
    const at = join(SOCKETS, socket.split('\\').at(-1));
    mkdirSync(SOCKETS, { recursive: true });
    squat(at);
    t.after(() => rmSync(at, { recursive: true }));
    await right(await connect(laid, laid.how));
    assert.equal((await run(laid, ['resolve', 'src/confg.ts'])).stdout, 'src/config.ts\n');
    const { running, problems } = await engine(laid);
    assert.equal(running.engine.host, null);
    assert.deepEqual(problems.map(({ code }) => code), ['engine-not-shared']);
    const there = await editor(laid.drive, laid.how);
    assert.equal(there.child.exitCode, null);
    assert.ok(existsSync(at));
  });
}

test('a pipe that is gone', async (t) => {
  const laid = lay(t, TREE);
  const { socket } = (await engine(laid)).running.engine;
  const at = join(SOCKETS, socket.split('\\').at(-1));
  mkdirSync(SOCKETS, { recursive: true });
  writeFileSync(at, 'pathfinder-1-0000000000000000');
  await right(await connect(laid, laid.how));
  await host(laid, 'agent');
  assert.notEqual(readFileSync(at, 'utf8'), 'pathfinder-1-0000000000000000');
});

test('a command is answered by the other process', async (t) => {
  const laid = lay(t, TREE);
  const one = await connect(laid, laid.how);
  await right(one);
  await host(laid, 'agent');
  const env = { PATHFINDER_LOG: 'pathfinder=info' };
  for (const args of [['resolve', 'src/confg.ts'], ['find', 'config'], ['resolve', '--batch']]) {
    const answered = await run(laid, args, { env, input: '{"failed_path":"src/confg.ts"}\n' });
    assert.doesNotMatch(answered.stderr, /indexed/, `${args} has read the tree`);
    const alone = await run(laid, [...args, '--share', 'off'], { env, input: '{"failed_path":"src/confg.ts"}\n' });
    assert.match(alone.stderr, /indexed/, `${args} has read no tree`);
    const without = (text) => text.replaceAll(/"elapsed_us":\d+/g, '');
    assert.equal(without(answered.stdout), without(alone.stdout));
  }
});

test('what comes and goes is known', async (t) => {
  const laid = lay(t, TREE);
  const one = await connect(laid, laid.how);
  await right(one);
  writeFileSync(laid.at('src/brandnew.ts'), '');
  await until(async () => (await one.resolve({ failed_path: 'src/brandnw.ts' })).path === 'src/brandnew.ts');
  rmSync(laid.at('src/brandnew.ts'));
  await until(async () => (await one.resolve({ failed_path: 'src/brandnw.ts' })).path !== 'src/brandnew.ts');
});
