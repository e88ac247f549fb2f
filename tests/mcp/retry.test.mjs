// tool_retry_with_resolve: read, list and stat, windows and caps, the order of attempts, evidence.

import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { connect } from './client.mjs';
import { tree } from './tree.mjs';

const LINES = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}\n`).join('');
const TREE = `
  .gitignore: *.log\\nbuild/
  build/a.log
  build/b.txt
  linked -> src
  notes.txt: one\\ntwo\\nthree
  empty.txt
  src/app.ts: export const port = 1
  src/trace.log: ignored
  src/deep/x.ts
  api/handler.py: def one(): pass
  web/handler.py: def two(): pass
  cli/handler.py: def three(): pass
`;

/** `actual` has at least these members. */
function has(actual, expected) {
  const some = Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key]]));
  assert.deepEqual(some, expected, JSON.stringify(actual).slice(0, 2000));
}

async function connected(t) {
  const laid = tree(t, TREE);
  // Ignore files count without a repository as well; `.git` makes it one.
  laid.add('.git/');
  writeFileSync(laid.at('long.txt'), LINES);
  writeFileSync(laid.at('wide.txt'), `${'é'.repeat(100_000)}\nnext\n`);
  writeFileSync(laid.at('picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
  writeFileSync(laid.at('late.bin'), Buffer.concat([Buffer.alloc(9000, 'a'), Buffer.from([0])]));
  writeFileSync(laid.at('latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'));
  return { laid, ...(await connect(laid)) };
}

/** Arguments, and members of the result. */
const RESULTS = [
  ['a file', { failed_path: 'notes.txt', op: 'read' }, { replaced: undefined, status: 'exists', path: 'notes.txt', attempts: 1, content: 'one\ntwo\nthree', next_offset: undefined }],
  ['an empty file', { failed_path: 'empty.txt', op: 'read' }, { status: 'exists', content: '' }],
  ['a corrected file', { failed_path: 'nots.txt', op: 'read' }, { status: 'resolved', path: 'notes.txt', content: 'one\ntwo\nthree' }],
  ['a window', { failed_path: 'notes.txt', op: 'read', offset: 2, limit: 1 }, { content: 'two\n', next_offset: 3 }],
  ['numbers as texts', { failed_path: 'notes.txt', op: 'read', offset: '2', limit: '1.0' }, { content: 'two\n', next_offset: 3 }],
  ['the last line', { failed_path: 'notes.txt', op: 'read', offset: 3, limit: 9e15 }, { content: 'three', next_offset: undefined }],
  ['2000 lines at once', { failed_path: 'long.txt', op: 'read' }, { content: LINES.slice(0, LINES.indexOf('line 2001\n')), next_offset: 2001 }],
  ['the rest of them', { failed_path: 'long.txt', op: 'read', offset: 2001 }, { content: LINES.slice(LINES.indexOf('line 2001\n')), next_offset: undefined }],
  ['a line that is too long', { failed_path: 'wide.txt', op: 'read' }, { content: 'é'.repeat(32_768), cut: true, next_offset: 2 }],
  ['the line after it', { failed_path: 'wide.txt', op: 'read', offset: 2 }, { content: 'next\n', cut: undefined }],
  ['a binary file', { failed_path: 'picture.png', op: 'read' }, { binary: true, bytes: 7, content: undefined }],
  ['binary further on', { failed_path: 'late.bin', op: 'read' }, { binary: true, bytes: 9001 }],
  ['another encoding', { failed_path: 'latin1.txt', op: 'read' }, { content: 'caf\ufffd\n', replaced: true }],
  ['a directory', { failed_path: 'src', op: 'list' }, { entries: ['app.ts', 'deep/'], ignored: 1, more: undefined }],
  ['a corrected directory', { failed_path: 'scr/deep', op: 'list' }, { path: 'src/deep', entries: ['x.ts'] }],
  ['a directory behind a link', { failed_path: 'linked', op: 'list' }, { path: 'linked', entries: ['app.ts', 'deep/'], ignored: 1 }],
  ['a file behind a link', { failed_path: 'linked/app.ts', op: 'read' }, { content: 'export const port = 1' }],
  ['the root', { failed_path: '.', op: 'list' }, { ignored: 1 }],
  ['a file stated', { failed_path: 'notes.txt', op: 'stat' }, { kind: 'file', bytes: 13 }],
  ['a directory stated', { failed_path: 'src/', op: 'stat' }, { kind: 'directory', bytes: undefined, path: 'src' }],
  ['evidence that holds', { failed_path: 'notes.txt', op: 'read', evidence: { contains: 'two' } }, { status: 'exists' }],
  ['evidence that tells twins apart', { failed_path: 'handler.py', op: 'read', evidence: { contains: 'def two' } }, { path: 'web/handler.py', content: 'def two(): pass' }],
  ['evidence, in the order of scores', { failed_path: 'handler.py', op: 'read', evidence: { contains: 'def two' }, min_confidence: 0, strategy: 'score_desc' }, { path: 'web/handler.py', attempts: 3 }],
  ['evidence that is null', { failed_path: 'notes.txt', op: 'read', evidence: null }, { status: 'exists' }],
  ['whatever there is', { failed_path: 'handler.py', op: 'read', min_confidence: 0 }, { status: 'resolved', attempts: 1 }],
];

for (const [what, args, expected] of RESULTS) {
  test(`reads: ${what}`, async (t) => {
    const { retry } = await connected(t);
    has(await retry(args), { isError: undefined, ...expected });
  });
}

/** Arguments, and the error. */
const ERRORS = [
  ['a directory that is ignored', { failed_path: 'build', op: 'list' }, { status: 'exists', error_kind: 'Ignored', failed_path: 'build', entries: undefined, path: undefined }],
  ['a file that is ignored', { failed_path: 'src/trace.log', op: 'read' }, { status: 'exists', error_kind: 'Ignored', path: undefined }],
  ['git\'s own', { failed_path: '.git', op: 'list' }, { status: 'exists', error_kind: 'Ignored', path: undefined }],
  ['behind the end', { failed_path: 'notes.txt', op: 'read', offset: 4 }, { status: 'all_failed', attempts: [{ path: 'notes.txt', error: 'has 3 lines only' }] }],
  ['far behind the end', { failed_path: 'notes.txt', op: 'read', offset: 1e308 }, { status: 'all_failed', attempts: [{ path: 'notes.txt', error: 'has 3 lines only' }] }],
  ['a directory read', { failed_path: 'src', op: 'read' }, { status: 'all_failed', attempts: [{ path: 'src', error: 'is a directory' }] }],
  ['a file listed', { failed_path: 'notes.txt', op: 'list' }, { status: 'all_failed', attempts: [{ path: 'notes.txt', error: 'is not a directory' }] }],
  ['evidence that does not hold', { failed_path: 'nots.txt', op: 'read', evidence: { contains: 'absent' } }, { status: 'all_failed' }],
  ['evidence in a directory', { failed_path: 'src', op: 'list', evidence: { contains: 'x' } }, { status: 'all_failed', attempts: [{ path: 'src', error: 'cannot be searched for the evidence' }] }],
  ['not sure enough', { failed_path: 'handler.py', op: 'read' }, { error_kind: 'Ambiguous' }],
  ['surer than it can be', { failed_path: 'nots.txt', op: 'read', min_confidence: 1 }, { error_kind: 'Ambiguous', status: 'ambiguous' }],
  ['nothing like it', { failed_path: 'billing/schema.sql', op: 'read' }, { status: 'not_found', error_kind: 'NotFound', candidates: undefined }],
  ['a write', { failed_path: 'notes.txt', op: 'write' }, { error_kind: 'BadRequest', message: 'op must be read, list or stat: edits and writes are never redirected; get the path from path_resolve' }],
  ['an edit', { failed_path: 'nots.txt', op: 'edit' }, { error_kind: 'BadRequest' }],
  ['no lines', { failed_path: 'notes.txt', op: 'read', limit: 0 }, { error_kind: 'BadRequest', message: 'limit must be a whole number, at least 1' }],
  ['fewer than none', { failed_path: 'notes.txt', op: 'read', offset: -1 }, { error_kind: 'BadRequest', message: 'offset must be a whole number, at least 1' }],
  ['no attempts', { failed_path: 'notes.txt', op: 'read', top_n: 0 }, { error_kind: 'BadRequest', message: 'top_n must be a whole number, at least 1' }],
  ['surer than sure', { failed_path: 'notes.txt', op: 'read', min_confidence: 2 }, { error_kind: 'BadRequest', message: 'min_confidence must be a number from 0 to 1' }],
  ['another strategy', { failed_path: 'notes.txt', op: 'read', strategy: 'random' }, { error_kind: 'BadRequest', message: 'strategy must be best_first or score_desc' }],
];

for (const [what, args, expected] of ERRORS) {
  test(`refuses: ${what}`, async (t) => {
    const { retry } = await connected(t);
    has(await retry(args), { isError: true, content: undefined, ...expected });
  });
}

test('what the user allows to be read', async (t) => {
  const laid = tree(t, TREE);
  const { retry } = await connect(laid, { args: ['--allow-ignored'] });
  has(await retry({ failed_path: 'build', op: 'list' }), { entries: ['a.log', 'b.txt'], ignored: undefined });
  has(await retry({ failed_path: 'src/trace.log', op: 'read' }), { content: 'ignored' });
});

test('directories that the user has indexed are read', async (t) => {
  const laid = tree(t, TREE);
  const { retry } = await connect(laid, { args: ['--include-dirs', 'build'] });
  has(await retry({ failed_path: 'build/b.txt', op: 'read' }), { status: 'exists' });
  // A project's own settings come with the repository.
  const theirs = tree(t, TREE);
  theirs.add('pathfinder.toml: include_dirs = ["build"]');
  const another = await connect(theirs);
  has(await another.retry({ failed_path: 'build/b.txt', op: 'read' }), { error_kind: 'Ignored' });
});

test('attempts: in order of rank or of score, at most so many', async (t) => {
  const { retry, resolve } = await connected(t);
  const { candidates } = await resolve({ failed_path: 'handler.py' });
  for (const strategy of ['best_first', 'score_desc']) {
    const failed = await retry({ failed_path: 'handler.py', op: 'read', offset: 9, top_n: 3, min_confidence: 0, strategy });
    has(failed, { isError: true, status: 'all_failed' });
    const tried = failed.attempts.map(({ path }) => path);
    assert.deepEqual(tried, candidates.map(({ path }) => path), strategy);
  }
  const two = await retry({ failed_path: 'handler.py', op: 'read', offset: 9, min_confidence: 0, top_n: 2 });
  assert.equal(two.attempts.length, 2);
});

test('a file that grows is read as it is', async (t) => {
  const { retry, laid } = await connected(t);
  await retry({ failed_path: 'notes.txt', op: 'read' });
  appendFileSync(laid.at('notes.txt'), '\nfour');
  has(await retry({ failed_path: 'notes.txt', op: 'read', offset: 4 }), { content: 'four' });
});
