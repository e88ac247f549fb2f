// The README's commands, run as they stand there: what they print is what it says.

import assert from 'node:assert/strict';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

const REPOSITORY = join(import.meta.dirname, '../..');
const BINARY = resolve(process.env.PATHFINDER_BIN ?? join(REPOSITORY, 'target/debug/pathfinder'));
const README = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
/** Code blocks by their language, with the paragraph before each. */
const BLOCKS = [...README.matchAll(/([^\n]*)\n\n```(\w*)\n([^]*?)```\n/g)].map(([, before, language, text]) => ({ before, language, text }));
/** Commands that ask once read history, declarations and contents in parts of a few seconds. */
const MAX_STARTS = 100;

const place = mkdtempSync(join(tmpdir(), 'pathfinder-readme-'));
const shop = join(place, 'shop');
const env = { PATH: `${join(place, 'bin')}:${process.env.PATH}`, HOME: place, LANG: 'C.UTF-8', PATHFINDER_CACHE_DIR: join(place, 'cache') };
const run = (line, cwd, input) => {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8', input });
  return { out: stdout, said: stderr, status };
};

before(() => {
  mkdirSync(join(place, 'bin'));
  symlinkSync(BINARY, join(place, 'bin/pathfinder'));
  assert.equal(run(`'${join(REPOSITORY, 'docs/pictures/shop.sh')}' '${shop}'`, place).status, 0);
  // An answer says that something is unread. The words of the question are in no file, since a sure answer would not say it.
  const words = ['unread', 'question', 'words'].map((word) => [...word].reverse().join('') + word);
  for (const command of ['resolve core/src/engin.rs', `find ${words.join(' ')}`]) {
    for (let starts = 0; /still being read|known so far|not all contents|time was up/.test(run(`pathfinder ${command}`, REPOSITORY).said); starts += 1) {
      assert.ok(starts < MAX_STARTS, command);
    }
  }
});
after(() => rmSync(place, { recursive: true, force: true }));

/** Lines of declarations move with every change of their file. */
const plain = (text) => text.replaceAll(/(\.rs):\d+/g, '$1:N').replaceAll(shop, '/tmp/shop');

test('the two commands of the repository', () => {
  const [first, second] = BLOCKS.find(({ language }) => language === 'sh').text.trim().split('\n');
  const [, args, printed] = /^cargo run --release -q -- (.*?) +# .*prints (\S+)$/.exec(first);
  assert.deepEqual(run(`pathfinder ${args}`, REPOSITORY).out, `${printed}\n`);
  accessSync(join(REPOSITORY, second.split(' ')[0]), constants.X_OK);
});

test('examples print what stands below them', () => {
  const examples = BLOCKS.filter(({ language }) => language === 'console');
  assert.equal(examples.length, 3);
  for (const { before, text } of examples) {
    const [command, ...lines] = text.split('\n');
    const { out } = run(`{ ${command.slice(2)}; } 2>&1`, before.startsWith('A project') ? shop : REPOSITORY);
    assert.equal(plain(out), plain(lines.join('\n')), command);
  }
});

test('the agent is told what stands there', () => {
  const { text } = BLOCKS.find(({ before }) => before.includes('/tmp/shop'));
  const event = {
    session_id: '1', cwd: shop, hook_event_name: 'PostToolUseFailure', tool_name: 'Read',
    tool_input: { file_path: join(shop, 'src/component/Buton.tsx') }, error: 'File does not exist.',
  };
  const { out } = run('pathfinder hook claude-code', shop, JSON.stringify(event));
  assert.equal(`${plain(JSON.parse(out).hookSpecificOutput.additionalContext)}\n`, text);
});

test('fix writes both, as the picture of it shows', () => {
  const letters = (text) => text.replaceAll(/\s/g, '');
  const picture = readFileSync(join(REPOSITORY, 'docs/pictures/check.svg'), 'utf8').split('</style>')[1];
  const shown = picture.replaceAll(/<[^>]*>/g, '').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  let printed = '';
  for (const line of ['pathfinder check', 'pathfinder fix', 'pathfinder check']) printed += `$ ${line}\n${run(`${line} 2>&1`, shop).out}`;
  assert.equal(letters(shown), letters(printed), 'run docs/pictures/make.py check');
  assert.match(printed, /none broken\n$/);
});

test('the README fits a screen or two', () => {
  assert.ok(README.split('\n').length <= 131, 'at most 130 lines');
  assert.ok(Buffer.byteLength(README) <= 8192, 'at most 8 KiB');
});
