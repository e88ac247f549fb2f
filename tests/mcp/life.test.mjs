// Start and end of a server: with its client, with its parent, by a signal, and with an unread stdout.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { command, connect, raw } from './client.mjs';
import { tree } from './tree.mjs';

const TREE = 'src/app.ts: 1\nsrc/config.ts';

/** What a client does, and how the server ends: status, signal. */
const ENDINGS = [
  ['closes stdin', (server) => server.child.stdin.end()],
  ['says something that is no JSON, and closes', (server) => server.child.stdin.end('hello\n')],
  ['closes in the middle of a line', (server) => server.child.stdin.end('{"jsonrpc":"2.0","id":7,"me')],
  ['closes all of its ends', (server) => ['stdin', 'stdout', 'stderr'].forEach((name) => server.child[name].destroy())],
  ['closes with calls in progress', (server) => {
    for (let id = 0; id < 200; id += 1) server.call(id, 'path_resolve', { failed_path: `src/ap${id}.ts` });
    ['stdin', 'stdout'].forEach((name) => server.child[name].destroy());
  }],
  ['sends SIGTERM', (server) => server.child.kill('SIGTERM')],
  ['sends SIGINT', (server) => server.child.kill('SIGINT')],
];

for (const [what, act] of ENDINGS) {
  for (const initialized of [false, true]) {
    test(`the client ${what}, ${initialized ? 'initialized' : 'at once'}`, async (t) => {
      const server = raw(tree(t, TREE));
      if (initialized) await server.initialize();
      else {
        // Until it answers, a signal may find it before it can catch one.
        server.request(1, 'ping');
        await server.next();
      }
      act(server);
      assert.deepEqual(await server.ended(), [0, null]);
    });
  }
}

test('answers to all that was asked before stdin was closed', async (t) => {
  const server = raw(tree(t, TREE));
  await server.initialize();
  // With the tree read: the library waits for five seconds for what is being answered.
  server.call(50, 'path_resolve', { failed_path: 'src/app.ts' });
  await server.next();
  for (let id = 0; id < 50; id += 1) server.call(id, 'path_resolve', { failed_path: 'src/app.ts' });
  server.child.stdin.end();
  const ids = new Set();
  for (let id = 0; id < 50; id += 1) ids.add((await server.next()).id);
  assert.equal(ids.size, 50);
  assert.deepEqual(await server.ended(), [0, null]);
});

test('through pipes that are no sockets, as node gives them', async (t) => {
  const laid = tree(t, TREE);
  const { command: program, args, cwd, env } = command(laid);
  const shell = spawn('/bin/sh', ['-c', 'cat | "$@" | cat', 'sh', program, ...args], { cwd, env });
  t.after(() => shell.kill('SIGKILL'));
  const answers = [];
  createInterface({ input: shell.stdout }).on('line', (line) => answers.push(JSON.parse(line)));
  for (let id = 0; id < 50; id += 1) shell.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
  shell.stdin.end();
  await once(shell, 'close');
  assert.equal(new Set(answers.map(({ id }) => id)).size, 50);
});

test('the parent dies while another process keeps stdin open', async (t) => {
  const laid = tree(t, TREE);
  const { command: program, args, cwd, env } = command(laid);
  const pipe = join(laid.place, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Opened for reading and writing, the pipe has a writer for as long as it has a reader.
  const script = 'exec 3<>"$0"; "$@" <&3 & wait';
  const shell = spawn('/bin/sh', ['-c', script, pipe, program, ...args], { cwd, env });
  t.after(() => shell.kill('SIGKILL'));
  const lines = createInterface({ input: shell.stdout });
  const ended = once(lines, 'close');
  const spoke = once(lines, 'line');
  await writeFile(pipe, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  await spoke;
  shell.kill('SIGKILL');
  // The server has the last open end of stdout.
  await ended;
});

test('a client that never reads stderr has its answers', async (t) => {
  const server = raw(tree(t, TREE));
  server.child.stderr.pause();
  await server.initialize();
  // More lines than a pipe and the waiting room of the metrics can hold.
  const many = 6000;
  const answers = (async () => {
    for (let seen = 0; seen < many; seen += 1) assert.ok((await server.next()).result);
  })();
  for (let id = 0; id < many; id += 1) server.call(id, 'path_resolve', { failed_path: 'src/app.ts' });
  await answers;
  server.child.stdin.end();
  assert.deepEqual(await server.ended(), [0, null]);
});

test('what was used is known to the next session', async (t) => {
  const laid = tree(t, ['api', 'cli', 'web', 'db'].map((name) => `${name}/handler.py\n${name}/views.py`).join('\n'));
  const ask = async (session) => (await session.resolve({ failed_path: 'handler.py' })).candidates?.[0].path;
  const first = await connect(laid);
  const before = await ask(first);
  const other = before === 'db/handler.py' ? 'web/handler.py' : 'db/handler.py';
  await first.retry({ failed_path: other, op: 'read' });
  await first.client.close();
  assert.equal(await ask(await connect(laid)), other);
});

test('two servers on one project', async (t) => {
  const laid = tree(t, TREE);
  const both = await Promise.all([connect(laid), connect(laid)]);
  const answers = await Promise.all(both.map(({ resolve }) => resolve({ failed_path: 'src/app.ts' })));
  assert.deepEqual(answers.map(({ status }) => status), ['exists', 'exists']);
});

test('settings that mean nothing end it at once', async (t) => {
  const laid = tree(t, TREE);
  for (const args of [['--topk', 'many'], ['--root', laid.at('absent')]]) {
    assert.deepEqual(await raw(laid, { args }).ended(), [2, null]);
  }
});
