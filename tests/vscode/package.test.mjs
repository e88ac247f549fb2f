// The package of the extension: what lies in it, and that its script refuses one that is too large.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { INSTALLED } from './editor.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');
/** The program as it is shipped, where it was built. */
const RELEASE = join(REPOSITORY, 'target/release/pathfinder');

const place = mkdtempSync(join(tmpdir(), 'pathfinder-vsix-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));
const vsix = join(place, 'out.vsix');

/** A program of this size, which no compression makes smaller. */
function noise(bytes) {
  const path = join(place, 'noise');
  writeFileSync(path, randomFillSync(Buffer.alloc(bytes)));
  return path;
}

/** Makes a package, with a program or for all platforms. Returns the status and what was said. */
function pack(program) {
  rmSync(vsix, { force: true });
  const args = ['--out', vsix, ...(program ? ['--target', 'linux-x64', '--binary', program] : [])];
  const env = { ...process.env, PATHFINDER_VSCODE_PACKAGES: join(INSTALLED, 'extension') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(REPOSITORY, 'vscode-extension/package.mjs'), ...args], { env, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

const read = (name) => execFileSync('python3', ['-c', 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))', vsix, name]);
const names = () => execFileSync('python3', ['-m', 'zipfile', '-l', vsix], { encoding: 'utf8' }).split('\n').map((line) => line.split(/ {2,}/)[0]);

test('the package for all platforms is within its budget, and has the pictures of its pages', () => {
  const { status, said } = pack();
  assert.equal(status, 0, said);
  const inside = names();
  for (const name of ['extension/media/icon.png', 'extension/media/vscode.gif', 'extension/readme.md', 'extension/LICENSE-MIT']) assert.ok(inside.includes(name), `${name} is not in ${inside}`);
  // Only addresses are shown, and those of a branch would change under a published page.
  const version = /^version = "(.*)"/m.exec(execFileSync('cat', [join(REPOSITORY, 'Cargo.toml')], { encoding: 'utf8' }))[1];
  const pictures = [...read('extension/readme.md').toString().matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, address]) => address);
  assert.ok(pictures.length > 0);
  for (const address of pictures) {
    const path = address.split(`/raw/v${version}/`)[1];
    assert.ok(address.startsWith('https://') && path && existsSync(join(REPOSITORY, path)), address);
  }
  for (const page of inside.filter((name) => /^extension\/media\/.*\.md$/.test(name))) {
    for (const [, path] of read(page).toString().matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)) assert.ok(inside.includes(`extension/media/${path}`), `${page}: ${path}`);
  }
});

for (const [name, program, isRefused] of [
  ['a program of 16.1 MB', () => noise(16_100_000), true],
  ...(existsSync(RELEASE) ? [['the release program of this checkout', () => RELEASE, false]] : []),
]) {
  test(`the package with ${name} is ${isRefused ? 'refused' : 'made'}`, (t) => {
    const { status, said } = pack(program());
    t.diagnostic(said.trim().split('\n').at(-1));
    assert.equal(status, isRefused ? 1 : 0, said);
    assert.equal(existsSync(vsix), !isRefused);
    if (isRefused) assert.match(said, /would have 16\d{6} bytes, and the budget is 16000000: see what grew/);
  });
}
