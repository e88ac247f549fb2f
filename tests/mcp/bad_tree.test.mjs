// What no tree should have, and paths that lead out: a clear error or a result, and nothing from outside.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from './client.mjs';
import { SECRET, tree } from './tree.mjs';

const TREE = `
  .gitignore: .env\\n*.log
  .env: PASSWORD=1
  .git/config: [remote]
  src/app.ts: 1
  src/config.ts: 2
  plain.txt: plain
`;
const LONG = 'a'.repeat(1 << 20);

/** A tree with all that one would rather not open. */
function trapped(t) {
  const laid = tree(t, TREE);
  symlinkSync(laid.outside, laid.at('way_out'));
  symlinkSync(join(laid.outside, 'passwords.txt'), laid.at('secret_link.txt'));
  symlinkSync('../outside/passwords.txt', laid.at('relative_link.txt'));
  symlinkSync('loop_b', laid.at('loop_a'));
  symlinkSync('loop_a', laid.at('loop_b'));
  symlinkSync('/dev/zero', laid.at('zero_link'));
  execFileSync('mkfifo', [laid.at('pipe')]);
  symlinkSync('pipe', laid.at('pipe_link'));
  writeFileSync(laid.at('huge.txt'), 'first\n');
  truncateSync(laid.at('huge.txt'), 10 * 2 ** 30);
  writeFileSync(laid.at('unreadable.txt'), 'x');
  chmodSync(laid.at('unreadable.txt'), 0);
  mkdirSync(laid.at('closed'), { mode: 0 });
  writeFileSync(laid.at('odd\u001bname\n.txt'), 'odd');
  writeFileSync(Buffer.concat([Buffer.from(laid.at('not')), Buffer.from([0xff]), Buffer.from('utf8.txt')]), 'bytes');
  return laid;
}

/** Paths that lead out, and those in the tree that are no files. Whatever is said of them, it is said soon. */
const PATHS = (laid) => [
  '', ' ', '.', '..', '/', '//', '~', '\\', '\0', 'a\0b', 'src/app.ts\0', '../outside/passwords.txt', 'src/../../outside/passwords.txt',
  '../'.repeat(10_000), '/etc/passwd', '/etc/shadow', '/proc/self/environ', '/proc/1/root/etc/passwd', '/dev/zero', '/dev/stdin',
  join(laid.outside, 'passwords.txt'), `file://${laid.outside}/passwords.txt`, '%2e%2e/outside/passwords.txt', '..%2foutside%2fpasswords.txt',
  'way_out/passwords.txt', 'way_out', 'way_out/..', 'secret_link.txt', 'relative_link.txt', 'loop_a', 'loop_a/x', 'zero_link',
  'pipe', 'pipe_link', 'huge.txt', 'unreadable.txt', 'closed', 'closed/x', '.git', '.git/config', '.env', 'odd\u001bname\n.txt', 'not\ufffdutf8.txt',
  LONG, `${LONG}/${LONG}`, 'a/'.repeat(200_000), '\u202e\u0000\u001b[2J', '\ud800', '💥'.repeat(1000), '*'.repeat(1000), '**/*', '[', '{{{',
  '$HOME', '`id`', '; rm -rf /', 'CON', 'C:\\Windows\\system32', '\\\\server\\share\\x', 'file:///', 'http://example.org/passwords.txt',
];

test('every bad path, through every tool and with everything that can be done', async (t) => {
  const laid = trapped(t);
  const { call, resolve, retry } = await connect(laid, { unprivileged: true });
  const sizes = [];
  const check = async (asked) => {
    // What is no text at all is refused as a request.
    const answer = await asked.catch((error) => ({ error_kind: 'BadRequest', message: error.message }));
    const text = JSON.stringify(answer);
    assert.ok(!text.includes(SECRET) && !text.includes('root:x:0'), text);
    assert.ok(answer.status ?? answer.error_kind, text);
    if (answer.error_kind === 'Internal') assert.fail(text);
    sizes.push(text.length);
  };
  for (const failed_path of PATHS(laid)) {
    for (const op of ['read', 'list', 'stat', 'edit', 'write']) await check(resolve({ failed_path, op }));
    for (const op of ['read', 'list', 'stat']) {
      await check(retry({ failed_path, op }));
      await check(retry({ failed_path, op, min_confidence: 0, evidence: { contains: 'root' } }));
    }
    for (const name of ['intent_text', 'root_hint', 'from_file']) await check(resolve({ failed_path: 'ap.ts', [name]: failed_path }));
    await check(resolve({ failed_path: 'ap.ts', history: [failed_path, failed_path] }));
    await check(resolve({ failed_path: 'ap.ts', evidence: { contains: failed_path } }));
  }
  // A megabyte that was asked does not come back.
  assert.ok(Math.max(...sizes) < 10_000, `${Math.max(...sizes)} characters`);
  assert.equal((await call('roots_list', {})).roots.length, 1);
});

/** What cannot be read, and why. */
const REFUSED = [
  ['pipe', 'read', 'is a named pipe, which is not read'],
  ['pipe_link', 'read', 'is a named pipe, which is not read'],
  ['unreadable.txt', 'read', 'cannot be read: Permission denied (os error 13)'],
  ['closed', 'list', 'cannot be read: Permission denied (os error 13)'],
];

test('what cannot be read says why', async (t) => {
  const laid = trapped(t);
  const { retry } = await connect(laid, { unprivileged: true });
  for (const [path, op, error] of REFUSED) {
    const refused = await retry({ failed_path: path, op });
    assert.deepEqual(refused.attempts, [{ path, error }], path);
  }
  const huge = await retry({ failed_path: 'huge.txt', op: 'read' });
  assert.deepEqual([huge.binary, huge.bytes], [true, 10 * 2 ** 30]);
  assert.equal((await retry({ failed_path: 'odd\u001bname\n.txt', op: 'read' })).content, 'odd');
  const { entries } = await retry({ failed_path: '.', op: 'list' });
  assert.ok(entries.includes('odd\u001bname\n.txt') && entries.includes('not\ufffdutf8.txt'));
  assert.ok(!entries.includes('.env') && !entries.includes('.git/'));
});

test('what is ignored is not suggested', async (t) => {
  // A client that names it exactly reads it where the user allows that; nothing else leads to it, not even in the same session.
  const { resolve, retry } = await connect(tree(t, TREE), { args: ['--allow-ignored'] });
  assert.equal((await retry({ failed_path: '.env', op: 'read' })).content, 'PASSWORD=1');
  for (const failed_path of ['.en', 'env', '.git/confg', 'git/config', '.env.local']) {
    for (const answer of [await resolve({ failed_path }), await retry({ failed_path, op: 'read', min_confidence: 0 })]) {
      const named = [answer.path, ...(answer.candidates ?? []).map(({ path }) => path)];
      assert.ok(!named.includes('.env') && !named.some((path) => path?.startsWith('.git/config')), JSON.stringify(answer));
    }
  }
});

test('what is ignored is not read', async (t) => {
  const { resolve, retry } = await connect(tree(t, TREE));
  const { isError, error_kind: kind, why, content } = await retry({ failed_path: '.env', op: 'read' });
  assert.deepEqual([isError, kind, content], [true, 'Ignored', undefined]);
  assert.match(why, /it is not read; to allow it, start the server with --allow-ignored/);
  // That it exists is no secret.
  assert.deepEqual(await resolve({ failed_path: '.env' }), { status: 'exists', path: '.env' });
  assert.equal((await retry({ failed_path: '.env', op: 'stat' })).kind, 'file');
});

test('a file that comes and goes while it is asked for', async (t) => {
  const laid = tree(t, TREE);
  const { retry } = await connect(laid);
  let changing = true;
  const forms = [
    // As a whole: a file that is just being written is empty for a moment, and read as that.
    (path) => {
      writeFileSync(laid.at('new'), 'here');
      renameSync(laid.at('new'), path);
    },
    (path) => mkdirSync(path),
    (path) => symlinkSync(join(laid.outside, 'passwords.txt'), path),
    (path) => execFileSync('mkfifo', [path]),
  ];
  const change = (async () => {
    for (let at = 0; changing; at += 1) {
      rmSync(laid.at('src/app.ts'), { recursive: true, force: true });
      forms[at % forms.length](laid.at('src/app.ts'));
      await new Promise(setImmediate);
    }
  })();
  try {
    for (let round = 0; round < 40; round += 1) {
      const asked = Array.from({ length: 10 }, () => retry({ failed_path: 'src/app.ts', op: 'read', evidence: { contains: 'here' } }));
      for (const answer of await Promise.all(asked)) assert.ok(answer.content === 'here' || answer.isError, JSON.stringify(answer));
    }
  } finally {
    changing = false;
    await change;
  }
});

test('directories of thirty thousand entries, ignored and not', async (t) => {
  const laid = tree(t, TREE);
  for (const [directory, ending] of [['many', 'txt'], ['logs', 'log']]) {
    mkdirSync(laid.at(directory));
    execFileSync('sh', ['-c', `seq 30000 | sed 's/$/.${ending}/' | xargs touch`], { cwd: laid.at(directory) });
  }
  const { retry } = await connect(laid);
  const many = await retry({ failed_path: 'many', op: 'list' });
  assert.deepEqual([many.entries.length, many.more], [1000, true]);
  assert.deepEqual(many.entries.slice(0, 3), ['1.txt', '10.txt', '100.txt']);
  const logs = await retry({ failed_path: 'logs', op: 'list' });
  assert.deepEqual(logs, { status: 'exists', path: 'logs', attempts: 1, entries: [], ignored: 30_000 });
});
