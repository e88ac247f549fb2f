// The install script against a local server: good downloads, and bad ones.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { PYTHON, REPOSITORY, TARGET, VERSION, folder, packed, serve, start, works } from './stage.mjs';

/** Runs the script with a prefix of its own. */
async function install({ prefix = join(folder('prefix'), 'local'), change, env = {}, script, unprivileged = false } = {}) {
  const { out, file } = packed();
  const server = await serve(out, change);
  const command = ['sh', script ?? file('install.sh')];
  // Permissions do not bind root, and tests often run as root.
  if (unprivileged && process.getuid() === 0) command.unshift('setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-dac_override,-dac_read_search');
  try {
    const done = await start(command[0], command.slice(1), { cwd: folder('cwd'), env: { HOME: folder('home'), PREFIX: prefix, DOWNLOADS: server.url, ...env } });
    return { ...done, prefix, left: existsSync(join(prefix, 'bin')) ? readdirSync(join(prefix, 'bin')) : [] };
  } finally {
    server.close();
  }
}

test('installs the program, its manual page and completions', async () => {
  const { status, said, prefix, left } = await install();
  assert.equal(status, 0, said);
  assert.match(said, new RegExp(`pathfinder ${VERSION} is installed: .*/bin/pathfinder\n`));
  assert.match(said, /add it to the PATH/);
  assert.deepEqual(left, ['pathfinder']);
  for (const path of ['man/man1/pathfinder.1', 'bash-completion/completions/pathfinder', 'zsh/site-functions/_pathfinder', 'fish/vendor_completions.d/pathfinder.fish']) {
    assert.ok(readFileSync(join(prefix, 'share', path)).length > 0, path);
  }
  await works(join(prefix, 'bin/pathfinder'));
});

const bad = [
  ['a wrong checksum', (path, bytes) => (path.endsWith('.sha256') ? Buffer.from(`${'1'.repeat(64)}  pathfinder\n`) : bytes), /the checksum of pathfinder-.* is [0-9a-f]{64}, not 1{64}; nothing was installed/],
  ['half a download', (path, bytes) => (path.endsWith('.gz') ? bytes.subarray(0, bytes.length / 2) : bytes), /incomplete or broken; run this again/],
  ['a page instead of the checksum', (path, bytes) => (path.endsWith('.sha256') ? Buffer.from('<!DOCTYPE html>\n<html><title>Sign in</title></html>\n') : bytes), /the checksum of pathfinder-\S+ is [0-9a-f]{64}, not <!DOCTYPE[^]*; nothing was installed/],
  ['an empty checksum', (path, bytes) => (path.endsWith('.sha256') ? Buffer.from('') : bytes), /the checksum of pathfinder-\S+ is [0-9a-f]{64}, not ; nothing was installed/],
  ['a page instead of the program', (path, bytes) => (path.endsWith('.gz') ? Buffer.from('<html>') : bytes), /incomplete or broken/],
  ['a program that is not there', (path, bytes) => (path.endsWith('.gz') ? null : bytes), /could not be downloaded/],
];
for (const [name, change, message] of bad) {
  test(`${name} installs nothing, and an older version stays`, async () => {
    const fresh = await install({ change });
    assert.notEqual(fresh.status, 0, fresh.said);
    assert.match(fresh.said, message);
    assert.deepEqual(fresh.left, []);
    const prefix = older();
    const again = await install({ change, prefix });
    assert.notEqual(again.status, 0, again.said);
    assert.deepEqual(again.left, ['pathfinder']);
    assert.match(readFileSync(join(prefix, 'bin/pathfinder'), 'utf8'), /0\.0\.1/);
  });
}

/** A prefix that has an older version. */
function older() {
  const prefix = folder('older');
  mkdirSync(join(prefix, 'bin'));
  writeFileSync(join(prefix, 'bin/pathfinder'), '#!/bin/sh\necho pathfinder 0.0.1\n');
  chmodSync(join(prefix, 'bin/pathfinder'), 0o755);
  return prefix;
}

test('an older version beside it is replaced, and one that comes first on the PATH is named', async () => {
  const prefix = older();
  const first = older();
  const { status, said, left } = await install({ prefix, env: { PATH: `${join(first, 'bin')}:${process.env.PATH}` } });
  assert.equal(status, 0, said);
  assert.ok(said.includes(`pathfinder ${VERSION} is installed: ${prefix}/bin/pathfinder (before: pathfinder 0.0.1)\n`), said);
  assert.ok(said.includes(`another one comes first on the PATH: ${first}/bin/pathfinder (pathfinder 0.0.1)`), said);
  assert.deepEqual(left, ['pathfinder']);
  await works(join(prefix, 'bin/pathfinder'));
});

for (const [name, answer, target] of [
  ['no glibc, as on Alpine', 'exit 1', 'musl'],
  ['a glibc that is too old', 'echo glibc 2.12', 'musl'],
  ['one of before 2.10', 'echo glibc 2.5', 'musl'],
  ['the oldest glibc', 'echo glibc 2.17', 'gnu'],
  ['a glibc of today', 'echo glibc 2.41', 'gnu'],
]) {
  test(`Linux with ${name} gets the program for ${target}`, async () => {
    const bin = folder('libc');
    writeFileSync(join(bin, 'getconf'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    const asked = [];
    const { said } = await install({ env: { PATH: `${bin}:${process.env.PATH}` }, change: (path, bytes) => (asked.push(path), bytes) });
    // The tests pack no program for musl: the script says which file is not there.
    assert.match(asked[0] ?? said, new RegExp(`pathfinder-\\w+-unknown-linux-${target}\\.gz`));
  });
}

test('a read-only prefix is told before anything is downloaded', async () => {
  const prefix = folder('read-only');
  mkdirSync(join(prefix, 'bin'));
  chmodSync(join(prefix, 'bin'), 0o555);
  const asked = [];
  const { status, said, left } = await install({ prefix, unprivileged: true, change: (path, bytes) => (asked.push(path), bytes) });
  chmodSync(join(prefix, 'bin'), 0o755);
  assert.equal(status, 1, said);
  assert.match(said, /cannot be written; choose another place: PREFIX=DIR/);
  assert.deepEqual([left, asked], [[], []]);
});

test('half of the script does nothing', async () => {
  const text = readFileSync(packed().file('install.sh'), 'utf8');
  const script = join(folder('half'), 'install.sh');
  for (const part of [0.3, 0.6, 0.9, 0.99]) {
    writeFileSync(script, text.slice(0, Math.floor(text.length * part)));
    const { left, prefix } = await install({ script });
    assert.deepEqual([left, existsSync(prefix)], [[], false], `${part}`);
  }
});

test('pip installs from the repository: the release is downloaded and compared', async () => {
  const place = folder('pip');
  assert.equal((await start(PYTHON, ['-m', 'venv', place], { cwd: place })).status, 0);
  const { out } = packed();
  const pip = async (change) => {
    const server = await serve(out, change);
    const env = { HOME: place, PATHFINDER_DOWNLOADS: server.url, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
    const done = await start(join(place, 'bin/pip'), ['install', REPOSITORY], { cwd: place, env });
    server.close();
    return done;
  };
  const wrong = await pip((path, bytes) => (path.endsWith('.sha256') ? Buffer.from(`${'1'.repeat(64)}  x\n`) : bytes));
  assert.notEqual(wrong.status, 0);
  assert.match(wrong.said, /has the checksum [0-9a-f]{64}, not 1{64}/);
  const half = await pip((path, bytes) => (path.endsWith('.gz') ? bytes.subarray(0, bytes.length / 2) : bytes));
  assert.notEqual(half.status, 0);
  assert.match(half.said, /could not be downloaded/);
  const good = await pip();
  assert.equal(good.status, 0, good.said);
  assert.ok(existsSync(join(place, 'bin/pathfinder')), TARGET);
});
