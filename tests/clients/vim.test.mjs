// Vim with ALE, both of Debian's stable release.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { beside, broken, installed, named, program, snippets, stage, steps } from './stage.mjs';

const FOLDER = 'vim-trixie';

const FILES = ['web/src/app.ts', 'tools/report.py', 'service/src/main.rs', 'docs/guide.md'];

/** Runs the steps of vim.vim on files with these settings; gives what was seen. Nothing is waited for longer than `limit` seconds. */
async function run(at, settings, files, limit) {
  at.add('docs/plain.md: [set it up](instal.md)\\n');
  at.configure('.vimrc', settings);
  const out = join(at.place, 'seen');
  // Its package is found where Debian puts it. Silent mode has no other settings than those that are named.
  const own = ['--cmd', `set packpath^=${installed(FOLDER, 'usr/share/vim/vimfiles')}`, '-N', '-u', `${at.home}/.vimrc`];
  await at.run([...program(FOLDER, 'bin/vim.basic'), '-es', '-n', '-i', 'NONE', ...own, '-S', beside('vim.vim')], {
    ROOT: at.root,
    OUT: out,
    FILES: files.join(' '),
    LIMIT_S: `${limit}`,
    VIM: installed(FOLDER, 'usr/share/vim'),
    VIMRUNTIME: installed(FOLDER, 'usr/share/vim/vim91'),
  });
  return steps(at.read('../seen'));
}

test('vim', async (t) => {
  const at = stage(t);
  const [ale, languages] = snippets('Vim');
  const seen = await run(at, `${ale}\n${languages}`, [...FILES, 'docs/plain.md'], 60);
  assert.equal(seen.missed, undefined);
  for (const name of FILES) {
    // It takes UTF-16 units for bytes.
    const shown = seen[name].map(({ line, columns, message }) => ({ line, columns, literal: named(message) }));
    assert.deepEqual(shown, broken(at, name, 'utf-16'), name);
  }
  assert.deepEqual(seen['web/src/app.ts'].map(({ type }) => type), ['E']);
  assert.deepEqual(seen['docs/plain.md'].map(({ columns, type }) => ({ columns, type })), [{ columns: [12, 21], type: 'W' }]);
  assert.deepEqual(seen.listed.map(named), ['instal.md'], 'the list of the window');
  assert.match(seen.offered.join('\n'), /^1\) Change to `install\.md` \(/m);
  assert.equal(at.read('docs/plain.md'), '[set it up](install.md)\n');
  await at.ended();
});

// Short, since waiting in vain is what is seen.
for (const [why, settings, file] of [
  ['a language whose linters have to be named', snippets('Vim')[0], 'tools/report.py'],
  ['without the configuration', 'filetype plugin on', 'docs/guide.md'],
]) {
  test(`vim: ${why}`, async (t) => {
    const at = stage(t);
    assert.deepEqual(await run(at, settings, [file], 3), { missed: `diagnostics in ${file}: []` });
    assert.deepEqual(at.wire(), [], 'no server is started');
  });
}
