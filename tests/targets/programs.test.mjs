// The program as zig links it for each target (link.sh): its header and libraries, and a run without any file beside it.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { PYTHON, REPOSITORY, RUST, TARGET, VERSION, folder, run, works } from '../packages/stage.mjs';

/** The folder that link.sh filled. */
const PROGRAMS = process.env.PATHFINDER_PROGRAMS;
const { targets } = JSON.parse(readFileSync(join(REPOSITORY, '.ci/packages/names.json'), 'utf8'));

const GLIBC = ['libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1', 'libutil.so.1', 'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'];
/** Part of each macOS. The linker compares the symbols of the frameworks with .ci/frameworks. */
const APPLE = [
  '/usr/lib/libSystem.B.dylib',
  '/usr/lib/libcharset.1.dylib',
  '/usr/lib/libiconv.2.dylib',
  '/usr/lib/libobjc.A.dylib',
  '/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation',
  '/System/Library/Frameworks/CoreServices.framework/Versions/A/CoreServices',
];
/** Part of each Windows 10. */
const WINDOWS = /^(api-ms-win-[\w-]+|advapi32|bcrypt|bcryptprimitives|combase|crypt32|iphlpapi|kernel32|msvcrt|ntdll|ole32|oleaut32|powrprof|psapi|rpcrt4|secur32|shell32|user32|userenv|ws2_32)\.dll$/;
/** The oldest glibc that the wheels, the Debian packages and the install script name. */
const OLDEST_GLIBC = [2, 17];

const gnu = (machine, loader) => ({ machine, loader, known: (name) => GLIBC.includes(name) });
const musl = (machine) => ({ machine, loader: null, known: () => false });
const apple = (machine) => ({ machine, known: (name) => APPLE.includes(name) });
const ROWS = {
  'x86_64-unknown-linux-gnu': gnu('X86_64', '/lib64/ld-linux-x86-64.so.2'),
  'aarch64-unknown-linux-gnu': gnu('AARCH64', '/lib/ld-linux-aarch64.so.1'),
  'x86_64-unknown-linux-musl': musl('X86_64'),
  'aarch64-unknown-linux-musl': musl('AARCH64'),
  'x86_64-apple-darwin': apple('X86_64'),
  'aarch64-apple-darwin': apple('ARM64'),
  // A release is built for msvc, on Windows.
  'x86_64-pc-windows-gnu': { machine: 'AMD64', known: (name) => WINDOWS.test(name) },
};

function program(target) {
  const path = join(PROGRAMS, target, 'debug', target.includes('windows') ? 'pathfinder.exe' : 'pathfinder');
  assert.ok(existsSync(path), `${path} was not linked: see above`);
  return path;
}

function check(t, target, { machine, loader, known }) {
  const path = program(target);
  const facts = JSON.parse(run(PYTHON, [join(import.meta.dirname, 'facts.py'), path]).stdout);
  t.diagnostic(`${statSync(path).size} bytes, ${JSON.stringify(facts)}`);
  assert.equal(facts.machine, machine);
  assert.deepEqual(facts.libraries.filter((name) => !known(name)), [], 'libraries that not every system has');
  if (loader !== undefined) assert.equal(facts.loader, loader);
  if (target.endsWith('-linux-gnu')) {
    const [major, minor] = facts.glibc.split('.').map(Number);
    assert.ok(major === OLDEST_GLIBC[0] && minor <= OLDEST_GLIBC[1], `it needs glibc ${facts.glibc}`);
  }
  if (target.includes('apple')) {
    assert.ok(facts.is_bound && facts.imported > 100, 'each symbol names its library');
    // What the wheel says, pip believes.
    assert.equal(`macosx_${facts.system.replace('.', '_')}`, /^macosx_\d+_\d+/.exec(targets[target].wheel)[0]);
  }
}

for (const [target, row] of Object.entries(ROWS)) test(`${target}: header and libraries`, (t) => check(t, target, row));

test('every target of a release has a row, but for those of Microsoft', () => {
  assert.deepEqual(Object.keys(targets).filter((target) => !target.endsWith('-msvc') && !(target in ROWS)), []);
});

test('the program of the static tar works where there is no other file, as in the container image', async () => {
  const target = 'x86_64-unknown-linux-musl';
  const [place, out] = [folder('static'), folder('out')];
  // The manual page and the completions are printed by the program of this machine, which is the same one.
  const programs = [TARGET, target].flatMap((one) => ['--program', `${one}=${program(target)}`]);
  run(join(REPOSITORY, '.ci/package'), ['all', ...programs, '--out', out, '--level', '1'], { cwd: REPOSITORY, env: RUST });
  const root = join(place, 'root');
  mkdirSync(root);
  // As the Dockerfile does.
  run('tar', ['-xzf', join(out, `pathfinder-${VERSION}-${target}.tar.gz`), '-C', root, '--strip-components', '1']);
  for (const name of readdirSync(root).filter((name) => name !== 'pathfinder')) rmSync(join(root, name), { recursive: true });
  // The project is the one thing that is mounted, at its own path, as with `docker run -v`.
  const inside = 'mkdir -p "$ROOT$PWD" && mount --bind "$PWD" "$ROOT$PWD" && exec unshare --root="$ROOT" --wd="$PWD" /pathfinder "$@"';
  writeFileSync(join(place, 'run'), `#!/bin/sh\nROOT=${root} exec unshare --map-root-user --mount sh -c '${inside}' sh "$@"\n`, { mode: 0o755 });
  await works(join(place, 'run'));
});
