// What is said of the tools, and the metrics on stderr.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CLIENTS, connect } from './client.mjs';
import { tree } from './tree.mjs';

const TREE = 'src/app.ts: 1\nsrc/lib/a.ts\ndocs/';
const TOOLS = ['tool_retry_with_resolve', 'path_resolve', 'path_find', 'roots_list', 'reindex_paths'];

for (const client of CLIENTS) {
  test(`${client}: five tools that only read`, async (t) => {
    const { tools } = await connect(tree(t, TREE), { client });
    assert.deepEqual(tools.map(({ name }) => name), TOOLS);
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      const { title, ...hints } = annotations;
      assert.deepEqual(hints, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
      assert.ok(title && description);
      assert.equal(inputSchema.type, 'object');
      assert.equal(outputSchema.type, 'object');
    }
  });

  test(`${client}: instructions`, async (t) => {
    const { client: connected } = await connect(tree(t, TREE), { client });
    assert.match(connected.getInstructions(), /^For reading, listing or checking files in this project use tool_retry_with_resolve/);
  });

  test(`${client}: roots and counts`, async (t) => {
    const laid = tree(t, TREE);
    const { call } = await connect(laid, { client });
    const counts = { files: 2, directories: 3 };
    assert.deepEqual(await call('roots_list', {}), { roots: [{ path: laid.root, ...counts, state: 'ready' }] });
    laid.add('src/b.ts');
    const { elapsed_ms: elapsed, ...indexed } = await call('reindex_paths', {});
    assert.deepEqual(indexed, { ...counts, files: 3 });
    assert.ok(elapsed >= 0);
  });

  test(`${client}: a tool that is none`, async (t) => {
    const { client: connected } = await connect(tree(t, TREE), { client });
    const called = connected.callTool({ name: 'delete_everything', arguments: {} });
    await assert.rejects(called, /there is no tool of this name; there are: tool_retry_with_resolve/);
  });
}

/** Requests of `path_find` beside the query, the directory of twelve files of that name, and how many are named of them. */
const COUNTS = [
  [{}, 'src', 10],
  [{}, 'a/long/way/below/what/anybody/would/ever/want/to/read/in/one/line', 10],
  [{}, 'beyond/'.repeat(40), 10],
  [{ limit: 8 }, 'beyond/'.repeat(40), 8],
  [{ limit: null }, 'beyond/'.repeat(40), 10],
  [{ limit: '4' }, 'beyond/'.repeat(40), 4],
];
for (const [more, directory, named] of COUNTS) {
  test(`path_find ${JSON.stringify(more)} in ${directory.slice(0, 20)}: ${named}`, async (t) => {
    const files = Array.from({ length: 12 }, (_, at) => `${directory.replace(/\/$/, '')}/${at}/ledger.rs`);
    const { call } = await connect(tree(t, files.join('\n')));
    await call('reindex_paths', {});
    const found = await call('path_find', { query: 'ledger', ...more });
    assert.equal(found.results.length, named, found.results.join('\n'));
    // The reason is the same for all of them, and said once.
    assert.deepEqual(found.results.filter((line) => line.includes('  ')), [found.results[0]]);
  });
}

test('path_resolve: the position that the request names comes back', async (t) => {
  const { call } = await connect(tree(t, TREE));
  const { status, path, line, column } = await call('path_resolve', { failed_path: 'lib/a.ts:12:5' });
  assert.deepEqual({ status, path, line, column }, { status: 'resolved', path: 'src/lib/a.ts', line: 12, column: 5 });
});

/** Calls, and what the metrics say of each beside its times. */
const METRICS = [
  ['path_resolve', { failed_path: 'lib/a.ts' }, { status: 'resolved', confidence: 'number', candidates: 'number' }],
  ['path_resolve', { failed_path: 'src/app.ts' }, { status: 'exists', confidence: 'number', candidates: 'number' }],
  ['path_resolve', { failed_path: 'x/y.sql' }, { status: 'not_found', confidence: 'number', candidates: 'number' }],
  ['path_resolve', { failed_path: '' }, { error: 'BadRequest' }],
  ['tool_retry_with_resolve', { failed_path: 'src/app.ts', op: 'read' }, { status: 'exists', confidence: 'number', candidates: 'number', attempts: 'number' }],
  ['tool_retry_with_resolve', { failed_path: 'src/app.ts', op: 'list' }, { status: 'all_failed', confidence: 'number', candidates: 'number', attempts: 'number' }],
  ['path_find', { query: 'app' }, { status: 'found', candidates: 'number' }],
  ['path_find', { query: ' ' }, { error: 'BadRequest' }],
  ['path_find', { query: 'app', limit: 0 }, { error: 'BadRequest' }],
  ['roots_list', {}, { status: 'ready' }],
  ['reindex_paths', {}, { status: 'indexed', elapsed_ms: 'number' }],
];

test('metrics: one line of JSON for each query, all of them written before the end', async (t) => {
  const { call, client, transport, stderr } = await connect(tree(t, TREE));
  for (const [name, args] of METRICS) await call(name, args);
  const closed = new Promise((resolve) => transport.stderr.on('end', resolve));
  await client.close();
  await closed;
  const lines = stderr().trimEnd().split('\n').map((line) => JSON.parse(line));
  const seen = lines.map(({ event, tool, elapsed_us: elapsed, stages_us: stages, ...rest }) => {
    assert.equal(event, 'query');
    if ('confidence' in rest) {
      assert.ok(elapsed >= Object.values(stages).reduce((sum, one) => sum + one, 0));
    }
    const typed = ([key, value]) => [key, typeof value === 'number' ? 'number' : value];
    return [tool, Object.fromEntries(Object.entries(rest).map(typed))];
  });
  assert.deepEqual(seen, METRICS.map(([name, , expected]) => [name, expected]));
});
