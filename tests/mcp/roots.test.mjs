// Where paths are looked for: roots that are given, that a client offers, that change, that are too wide, or gone.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { connect, raw } from './client.mjs';
import { tree } from './tree.mjs';

const TREE = `
  one/src/app.ts: one
  one/src/only_one.ts
  two/src/app.ts: two
  two/src/only_two.ts
`;
const uri = (path) => pathToFileURL(path).href;
const paths = async (call) => (await call('roots_list', {})).roots.map(({ path }) => path);

/** Waits until what `look` gives is `expected`: the server is told of a change, and does not say when it is made. */
async function becomes(look, expected) {
  for (const end = Date.now() + 90_000; ; ) {
    const now = await look();
    try {
      return assert.deepEqual(now, expected);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** `--root`s, what the client offers, the current directory, and the roots that are used; all below the tree. */
const ROOTS = [
  ['given', ['one'], undefined, '', ['one']],
  ['given, the client has no say', ['one'], ['two'], '', ['one']],
  ['several', ['one', 'two'], undefined, '', ['one', 'two']],
  ['nested are one', ['one', 'one/src'], undefined, '', ['one']],
  ['none given', [], undefined, 'one', ['one']],
  ['offered by the client', [], ['two'], 'one', ['two']],
  ['several offered', [], ['one', 'two'], '', ['one', 'two']],
  ['none of those offered is here', [], ['absent'], 'one', ['one']],
  ['offered, but empty', [], [], 'one', ['one']],
];

for (const [what, given, offered, cwd, expected] of ROOTS) {
  test(`roots: ${what}`, async (t) => {
    const laid = tree(t, TREE);
    const at = (names) => names?.map(laid.at);
    const clientRoots = at(offered)?.map(uri);
    const { call } = await connect(laid, { roots: at(given), cwd: laid.at(cwd), clientRoots });
    assert.deepEqual(await paths(call), at(expected));
  });
}

/** Only older revisions have roots; a client that offers them in vain gets the default root. */
for (const [client, expected] of [['sdk 1', 'two'], ['legacy', 'two'], ['auto', 'one'], ['2026-07-28', 'one']]) {
  test(`roots: offered by ${client}`, async (t) => {
    const laid = tree(t, TREE);
    const { call } = await connect(laid, { client, roots: [], cwd: laid.at('one'), clientRoots: [uri(laid.at('two'))] });
    assert.deepEqual(await paths(call), [laid.at(expected)]);
  });
}

test('roots: one that cannot be listed does not spoil the others', async (t) => {
  const laid = tree(t, TREE);
  mkdirSync(laid.at('closed'), { mode: 0 });
  const clientRoots = [uri(laid.at('closed')), uri(laid.at('one/src/app.ts')), 'https://example.org/', 'junk', uri(laid.at('two'))];
  const { call } = await connect(laid, { roots: [], cwd: laid.at('one'), clientRoots, unprivileged: true });
  assert.deepEqual(await paths(call), [laid.at('two')]);
});

test('roots: the client changes its mind', async (t) => {
  const laid = tree(t, TREE);
  const clientRoots = [uri(laid.at('one'))];
  const { call, client, resolve } = await connect(laid, { roots: [], cwd: laid.at('two'), clientRoots });
  assert.equal((await resolve({ failed_path: 'src/only_one.ts' })).status, 'exists');
  clientRoots[0] = uri(laid.at('two'));
  await client.sendRootsListChanged();
  await becomes(() => paths(call), [laid.at('two')]);
  assert.equal((await resolve({ failed_path: 'src/only_two.ts' })).status, 'exists');
  assert.notEqual((await resolve({ failed_path: 'src/only_one.ts' })).status, 'exists');
});

test('roots: those that were given do not change', async (t) => {
  const laid = tree(t, TREE);
  const clientRoots = [uri(laid.at('two'))];
  const { call, client } = await connect(laid, { roots: [laid.at('one')], clientRoots });
  await client.sendRootsListChanged();
  await call('reindex_paths', {});
  assert.deepEqual(await paths(call), [laid.at('one')]);
});

test('roots: a client that offers them and never names them is served from the default root', async (t) => {
  const laid = tree(t, TREE);
  const { request, next, send, call } = raw(laid, { roots: [], cwd: laid.at('one') });
  const capabilities = { roots: { listChanged: true } };
  request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } });
  assert.equal((await next()).id, 1);
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.equal((await next()).method, 'roots/list');
  call(2, 'roots_list', {});
  const { id, result } = await next();
  assert.equal(id, 2);
  assert.deepEqual(result.structuredContent.roots.map(({ path }) => path), [laid.at('one')]);
});

test('roots: a client that offers them and never says that it is ready is served as well', async (t) => {
  const laid = tree(t, TREE);
  const { request, next, call } = raw(laid, { roots: [], cwd: laid.at('one') });
  const capabilities = { roots: {} };
  request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } });
  assert.equal((await next()).id, 1);
  call(2, 'roots_list', {});
  assert.equal((await next()).id, 2);
});

test('several roots: each path says which it is below', async (t) => {
  const laid = tree(t, TREE);
  const [one, two] = [laid.at('one'), laid.at('two')];
  const { resolve, retry } = await connect(laid, { roots: [one, two] });
  const sure = await resolve({ failed_path: 'only_two.ts' });
  assert.deepEqual([sure.status, sure.path, sure.root], ['resolved', 'src/only_two.ts', two]);
  const { candidates } = await resolve({ failed_path: 'ap.ts' });
  for (const { root } of candidates ?? []) assert.ok([one, two].includes(root));
  const read = await retry({ failed_path: join(two, 'src/app.ts'), op: 'read' });
  assert.deepEqual([read.path, read.content], [join(two, 'src/app.ts'), 'two']);
});

/** An absolute request gets an absolute answer. */
const ABSOLUTE = [
  ['src/only_on.ts', 'src/only_one.ts'],
  ['/src/only_on.ts', 'ROOT/src/only_one.ts'],
  ['ROOT/src/only_on.ts', 'ROOT/src/only_one.ts'],
  ['ROOT/src/only_one.ts', 'ROOT/src/only_one.ts'],
  ['/home/elsewhere/one/src/only_one.ts', 'ROOT/src/only_one.ts'],
  ['C:\\work\\one\\src\\only_one.ts', 'ROOT/src/only_one.ts'],
  ['file://ROOT/src/only_one.ts', 'ROOT/src/only_one.ts'],
];

test('an absolute question has an absolute answer', async (t) => {
  const laid = tree(t, TREE);
  const root = laid.at('one');
  const { resolve } = await connect(laid, { roots: [root] });
  for (const [asked, expected] of ABSOLUTE) {
    const answer = await resolve({ failed_path: asked.replace('ROOT', root) });
    assert.equal(answer.path, expected.replace('ROOT', root), JSON.stringify(answer));
  }
});

/** Default roots that are no project. */
const WIDE = [['the whole disk', () => '/', undefined], ['the home directory', (laid) => laid.home, undefined],
  ['the whole disk, offered by the client', (laid) => laid.root, () => ['file:///']],
  ['the home directory, offered by the client', (laid) => laid.root, (laid) => [uri(laid.home)]]];

for (const [what, cwd, offered] of WIDE) {
  test(`${what} is not read by itself`, async (t) => {
    const laid = tree(t, TREE);
    const { call } = await connect(laid, { roots: [], cwd: cwd(laid), clientRoots: offered?.(laid) });
    for (const tool of ['path_resolve', 'tool_retry_with_resolve', 'roots_list', 'reindex_paths']) {
      const { isError, error_kind: kind, message } = await call(tool, { failed_path: 'a', op: 'read' });
      assert.deepEqual([isError, kind], [true, 'BadRoot'], tool);
      assert.match(message, /no project.*--root/);
    }
  });
}

test('the home directory is read where it was given', async (t) => {
  const laid = tree(t, TREE);
  const { call } = await connect(laid, { roots: [laid.home] });
  assert.deepEqual(await paths(call), [laid.home]);
});

test('a root that goes and comes back', async (t) => {
  const laid = tree(t, TREE);
  const root = laid.at('one');
  const { call, resolve, retry } = await connect(laid, { roots: [root] });
  assert.equal((await resolve({ failed_path: 'src/app.ts' })).status, 'exists');
  renameSync(root, laid.at('away'));
  for (const gone of [await resolve({ failed_path: 'src/app.ts' }), await retry({ failed_path: 'src/app.ts', op: 'read' })]) {
    assert.deepEqual([gone.isError, gone.error_kind], [true, 'RootGone']);
  }
  assert.equal((await call('roots_list', {})).roots[0].state, 'gone');
  assert.equal((await call('reindex_paths', {})).error_kind, 'BadRoot');
  renameSync(laid.at('two'), root);
  assert.equal((await retry({ failed_path: 'src/app.ts', op: 'read' })).content, 'two');
  await call('reindex_paths', {});
  assert.equal((await resolve({ failed_path: 'only_two.ts' })).path, 'src/only_two.ts');
  rmSync(root, { recursive: true });
  assert.equal((await call('path_resolve', { failed_path: 'x' })).error_kind, 'RootGone');
});
