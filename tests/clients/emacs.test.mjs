// Emacs and its own client, Eglot.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { beside, installed, mended, program, snippets, stage, steps } from './stage.mjs';

const FOLDER = 'emacs-trixie';

/** Folders below one, and itself. */
function folders(at) {
  const below = readdirSync(at, { withFileTypes: true, recursive: true }).filter((entry) => entry.isDirectory());
  return [at, ...below.map((entry) => join(entry.path, entry.name))];
}

test('emacs', async (t) => {
  const at = stage(t);
  const [settings] = snippets('Emacs');
  at.configure('.emacs.d/init.el', settings);
  const [version] = readdirSync(installed(FOLDER, 'usr/share/emacs')).filter((name) => /^\d/.test(name));
  const own = installed(FOLDER, 'usr/share/emacs', version);
  const programs = installed(FOLDER, 'usr/libexec/emacs', version, 'x86_64-linux-gnu');
  const dump = join(programs, readdirSync(programs).find((name) => name.endsWith('.pdmp')));
  const emacs = [...program(FOLDER, 'bin/emacs-nox'), `--dump-file=${dump}`, '--batch', '--no-site-file'];
  const { out } = await at.run([...emacs, '-l', `${at.home}/.emacs.d/init.el`, '-l', beside('emacs.el')], {
    ROOT: at.root,
    EMACSDATA: join(own, 'etc'),
    EMACSDOC: join(own, 'etc'),
    EMACSPATH: programs,
    EMACSLOADPATH: folders(join(own, 'lisp')).filter((name) => !name.endsWith('/obsolete')).sort().join(':'),
  });
  const seen = steps(out);
  // Emacs counts characters, and would like the server to do so too.
  assert.equal(at.answer('initialize').result.capabilities.positionEncoding, 'utf-32');
  mended(at, seen, 'utf-32');
  assert.match(seen.hover, /^images\/plan\.svg \(md\.link\) leads to docs\/images\/plan\.svg/);
  assert.equal(seen.definition, at.at('web/src/components/button.ts'));
  assert.equal(seen['docs/guide.md'].diagnostics[0].type, 'eglot-warning');
  assert.equal(seen['web/src/app.ts'].diagnostics[0].type, 'eglot-error');
  await at.ended(true);
});
