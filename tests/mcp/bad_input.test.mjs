// What no client should send: arguments that make no sense, lines that are no requests, a thousand calls at once.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { connect, raw } from './client.mjs';
import { tree } from './tree.mjs';

const TREE = 'src/app.ts: 1\nsrc/config.ts: 2';
const LONG = 'a'.repeat(1 << 20);
const TOOLS = ['path_resolve', 'tool_retry_with_resolve', 'path_find', 'roots_list', 'reindex_paths'];

/** Arguments that make no sense, and what is said of them. */
const ARGUMENTS = [
  [{}, 'failed_path is missing: give the path that could not be found'],
  [{ failed_path: 7 }, 'failed_path must be a text'],
  [{ failed_path: ['a'] }, 'failed_path must be a text'],
  [{ failed_path: { path: 'a' } }, 'failed_path must be a text'],
  [{ failed_path: 'a', history: 'a' }, 'history must be a list of texts'],
  [{ failed_path: 'a', history: [1] }, 'history must be a list of texts'],
  [{ failed_path: 'a', evidence: 'a' }, 'evidence must be an object such as {"contains":"text in the file"}'],
  [{ failed_path: 'a', evidence: [] }, 'evidence must be an object such as {"contains":"text in the file"}'],
  [{ failed_path: 'a', evidence: { contains: 1 } }, 'evidence.contains must be a text'],
  [{ failed_path: 'a', intent_text: {} }, 'intent_text must be a text'],
  [{ failed_path: 'a', root_hint: 1 }, 'root_hint must be a text'],
];

test('arguments that make no sense', async (t) => {
  const { resolve, retry } = await connect(tree(t, TREE));
  for (const [args, message] of ARGUMENTS) {
    for (const answer of [await resolve(args), await retry({ op: 'read', ...args })]) {
      assert.deepEqual(answer, { isError: true, error_kind: 'BadRequest', message });
    }
  }
  assert.equal((await resolve({ failed_path: 'a', op: 'delete' })).message, 'op must be read, list, stat, edit or write');
  assert.equal((await retry({ failed_path: 'a', op: 'delete' })).message, 'op must be read, list or stat');
});

test('requests that are none', async (t) => {
  const server = raw(tree(t, TREE));
  await server.initialize();
  const { request, call, next, send } = server;
  for (const line of ['hello', '[', '{"a":', '\u0000', '"text"', '[]', '[1,2]', '7', 'null', '{}', '{"jsonrpc":"1.0","id":1}', '[['.repeat(100_000)]) send(`${line}\n`);
  send(Buffer.from([0xff, 0xfe, 0x0a]));
  request(10, 'no/such/method');
  request(11, 'tools/call', { name: 'path_resolve', arguments: 'junk' });
  request(12, 'tools/call', { name: 'path_resolve', arguments: ['junk'] });
  request(13, 'tools/call', { name: 7 });
  request(14, 'tools/call', {});
  request(15, 'tools/call', 'junk');
  call(16, 'path_resolve', null);
  call(17, '', {});
  call(18, LONG, {});
  call('text', 'path_resolve', { failed_path: 'src/app.ts' });
  call('same', 'path_resolve', { failed_path: 'src/app.ts' });
  call('same', 'path_resolve', { failed_path: 'src/config.ts' });
  send(`{"jsonrpc":"2.0","id":19,"method":"tools/call","params":{"name":"path_resolve","arguments":${'{"a":'.repeat(120)}1${'}'.repeat(120)}}}\n`);
  const expected = new Set([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 'text', 'same']);
  while (expected.size > 0) {
    const { id, result, error } = await next();
    assert.ok(result || (error.code < 0 && error.message.length < 1000), JSON.stringify(error));
    if (typeof id === 'number' && id !== 16 && id !== 19) assert.ok(error, `${id}: ${JSON.stringify(result)}`);
    expected.delete(id);
  }
  call('last', 'path_resolve', { failed_path: 'src/app.ts' });
  for (let id; id !== 'last';) ({ id } = await next());
});

test('requests before the beginning', async (t) => {
  const server = raw(tree(t, TREE));
  server.call(1, 'path_resolve', { failed_path: 'src/app.ts' });
  server.request(2, 'tools/list');
  for (let seen = 0; seen < 2; seen += 1) assert.ok([1, 2].includes((await server.next()).id));
});

test('a thousand calls at once', async (t) => {
  const { call } = await connect(tree(t, TREE));
  const asked = Array.from({ length: 1000 }, (_, at) => {
    const tool = at % 100 === 0 ? TOOLS[3 + ((at / 100) % 2)] : TOOLS[at % 3];
    return call(tool, { failed_path: 'src/app.ts', query: 'app', op: 'read' });
  });
  for (const answer of await Promise.all(asked)) assert.equal(answer.isError, undefined, JSON.stringify(answer));
});

/** The most memory that a process has ever held, in megabytes. */
const peak = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

/** A request of 100 megabytes, up to its end or not. */
async function long({ child }, whole) {
  const write = async (text) => child.stdin.write(text) || (await once(child.stdin, 'drain'));
  await write('{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"path_resolve","arguments":{"failed_path":"');
  for (let at = 0; at < 100; at += 1) await write(LONG);
  if (whole) await write('"}}}\n');
}

test('a request of 100 megabytes is dropped, and what comes behind it is answered', async (t) => {
  const server = raw(tree(t, TREE));
  await server.initialize();
  const before = peak(server.child.pid);
  await long(server, true);
  server.call('next', 'path_resolve', { failed_path: 'src/app.ts' });
  const { id, result } = await server.next();
  assert.deepEqual([id, result?.structuredContent.status], ['next', 'exists']);
  // The line's first 16 MiB, in a buffer that grows by doubling, and not its hundred.
  const grown = peak(server.child.pid) - before;
  assert.ok(grown < 64, `${grown} MB more`);
});

test('a client that leaves in the middle of 100 megabytes', async (t) => {
  const server = raw(tree(t, TREE));
  await server.initialize();
  await long(server, false);
  server.child.stdin.end();
  assert.deepEqual(await server.ended(), [0, null]);
});
