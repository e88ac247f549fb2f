// Each package is installed from its file, offline, into an empty place, and the program in it is used.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

import { PYTHON, REPOSITORY, RUST, TARGET, VERSION, folder, packed, run, works } from './stage.mjs';

const INCLUDED = ['LICENSE-MIT', 'LICENSE-APACHE', 'THIRD-PARTY.txt', 'man/pathfinder.1', 'completions/pathfinder', 'completions/_pathfinder'];

function find(pattern) {
  const { out } = packed();
  const found = readdirSync(out).filter((name) => pattern.test(name));
  assert.equal(found.length, 1, `${pattern}: ${readdirSync(out)}`);
  return join(out, found[0]);
}

test('one command makes all packages, and their checksums', () => {
  const { out } = packed();
  const names = readdirSync(out).filter((name) => name !== 'SHA256SUMS');
  const sum = (name) => createHash('sha256').update(readFileSync(join(out, name))).digest('hex');
  const expected = names.sort().map((name) => `${sum(name)}  ${name}\n`);
  assert.equal(readFileSync(join(out, 'SHA256SUMS'), 'utf8').split('\n').sort().join('\n').trim(), expected.join('').split('\n').sort().join('\n').trim());
  for (const name of names.filter((name) => statSync(join(out, name)).size < 100_000 && !/\.(gz|tgz)$/.test(name))) {
    assert.doesNotMatch(readFileSync(join(out, name), 'utf8'), /\{\{/, `${name} has an unfilled value`);
  }
});

test('a program of another version is not packed', () => {
  const place = folder('version');
  const program = join(folder('older'), 'pathfinder');
  writeFileSync(program, '#!/bin/sh\necho pathfinder 0.0.1\n', { mode: 0o755 });
  const told = run(join(REPOSITORY, '.ci/package'), ['all', '--program', `${TARGET}=${program}`, '--out', place], { cwd: REPOSITORY, status: 1, env: RUST });
  assert.match(told.stderr, /says it is 'pathfinder 0\.0\.1'/);
  assert.deepEqual(readdirSync(place), []);
});

test('a program for musl that needs a library is not packed', { skip: !TARGET.endsWith('-linux-gnu') }, () => {
  const program = join(folder('dynamic'), 'pathfinder');
  writeFileSync(program, gunzipSync(readFileSync(packed().file(`pathfinder-${TARGET}.gz`))));
  const told = run(join(REPOSITORY, '.ci/package'), ['all', '--program', `${TARGET.replace('gnu', 'musl')}=${program}`, '--out', folder('static')], { cwd: REPOSITORY, status: 1, env: RUST });
  assert.match(told.stderr, /is not static: build it with \.ci\/cross/);
});

test('a release has all targets, or is not made', () => {
  const { targets } = JSON.parse(readFileSync(join(REPOSITORY, '.ci/packages/names.json'), 'utf8'));
  const assets = folder('assets');
  const out = join(folder('release'), 'out');
  const release = (status) => run(join(REPOSITORY, '.ci/package'), ['all', '--assets', assets, '--out', out, '--level', '1'], { cwd: REPOSITORY, env: RUST, status });
  copyFileSync(packed().file(`pathfinder-${TARGET}.gz`), join(assets, `pathfinder-${TARGET}.gz`));
  copyFileSync(packed().file(`pathfinder-${TARGET}.sha256`), join(assets, `pathfinder-${TARGET}.sha256`));
  const { stderr } = release(1);
  for (const target of Object.keys(targets)) assert.equal(stderr.includes(target), target !== TARGET, stderr);
  assert.equal(existsSync(out), false);
  // Programs of other machines do not run here: any bytes do.
  for (const target of Object.keys(targets).filter((target) => target !== TARGET)) {
    writeFileSync(join(assets, `pathfinder-${target}.gz`), gzipSync(target));
    writeFileSync(join(assets, `pathfinder-${target}.sha256`), `${createHash('sha256').update(target).digest('hex')}  pathfinder\n`);
  }
  release(0);
  const names = readdirSync(out);
  for (const name of names.filter((name) => /\.(rb|json|yaml|yml|sh|ps1)$/.test(name))) {
    assert.doesNotMatch(readFileSync(join(out, name), 'utf8'), /0{64}/, name);
  }
  // Each file that a manifest names is one of the release.
  const named = names.flatMap((name) => (/\.(rb|json|yaml|yml)$/.test(name) ? readFileSync(join(out, name), 'utf8').match(/pathfinder[\w.-]*\.(whl|zip|tar\.gz)/g) ?? [] : []));
  assert.ok(named.length > 0);
  for (const file of named) assert.ok(names.includes(file), `${file} is not in ${names}`);
});

test('licences are those of the libraries on all systems', () => {
  const text = run('tar', ['-xzOf', find(/\.tar\.gz$/), `pathfinder-${VERSION}-${TARGET}/THIRD-PARTY.txt`]).stdout;
  const libraries = new Set([...text.matchAll(/^([\w-]+) \d[^:\n]*: /gm)].map((found) => found[1]));
  const { targets } = JSON.parse(readFileSync(join(REPOSITORY, '.ci/packages/names.json'), 'utf8'));
  for (const target of Object.keys(targets)) {
    const tree = run('cargo', ['tree', '--offline', '--locked', '--package', 'pathfinder', '--edges', 'normal', '--prefix', 'none', '--format', '{p}', '--target', target], { cwd: REPOSITORY, env: RUST });
    const linked = tree.stdout.split('\n').filter((line) => line && !line.includes('(/')).map((line) => line.split(' ')[0]);
    assert.ok(linked.length > 50, tree.said);
    assert.deepEqual(linked.filter((name) => !libraries.has(name)), [], target);
  }
});

test('links of a packaged README lead to this version on the web', () => {
  const repository = /^repository = "(.*)"/m.exec(readFileSync(join(REPOSITORY, 'Cargo.toml'), 'utf8'))[1];
  const own = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
  const wheel = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(next(z.read(n).decode() for n in z.namelist() if n.endswith("/METADATA")))';
  const texts = {
    tar: run('tar', ['-xzOf', find(/\.tar\.gz$/), `pathfinder-${VERSION}-${TARGET}/README.md`]).stdout,
    npm: run('tar', ['-xzOf', find(/^pathfinder-dev-pathfinder-\d.*\.tgz$/), 'package/README.md']).stdout,
    wheel: run(PYTHON, ['-c', wheel, find(/\.whl$/)]).stdout,
  };
  const code = (text) => text.match(/^```[^]*?^```$/gm);
  for (const [name, text] of Object.entries(texts)) {
    assert.deepEqual(code(text), code(own), `${name}: examples stay as they are`);
    const links = [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, one, other]) => one ?? other);
    assert.ok(links.length > 20, `${name}: ${links}`);
    for (const link of links) {
      const [, kind, path] = new RegExp(`^${repository}/(blob|raw)/v${VERSION}/([^#]+)`).exec(link) ?? [];
      assert.ok(path ? existsSync(join(REPOSITORY, path)) : link.startsWith('https://'), `${name}: ${link}`);
      if (path) assert.equal(kind, /\.(svg|png|gif)$/.test(path) ? 'raw' : 'blob', link);
    }
  }
});

test('tar', async () => {
  const place = folder('tar');
  run('tar', ['-xzf', find(/\.tar\.gz$/), '-C', place]);
  const root = join(place, `pathfinder-${VERSION}-${TARGET}`);
  for (const path of [...INCLUDED, 'site/index.html', 'site/rules/missing-path.html']) assert.ok(statSync(join(root, path)).size > 0, path);
  await works(join(root, 'pathfinder'));
});

test('npm', async () => {
  const place = folder('npm');
  const platform = find(/^pathfinder-dev-pathfinder-[a-z].*\.tgz$/);
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', place, platform, find(/^pathfinder-dev-pathfinder-\d.*\.tgz$/)], { cwd: place });
  for (const path of INCLUDED) assert.ok(statSync(join(place, 'node_modules/@pathfinder-dev/pathfinder', path)).size > 0, path);
  await works(join(place, 'node_modules/.bin/pathfinder'));
  const npx = run('npx', ['--offline', '--no-install', 'pathfinder', '--version'], { cwd: place });
  assert.equal(npx.stdout, `pathfinder ${VERSION}\n`);
});

test('npm without the program says what is missing', () => {
  const place = folder('npm-without');
  run('npm', ['install', '--offline', '--omit=optional', '--no-audit', '--no-fund', '--prefix', place, find(/^pathfinder-dev-pathfinder-\d.*\.tgz$/)], { cwd: place });
  const told = run(join(place, 'node_modules/.bin/pathfinder'), ['--version'], { cwd: place, status: 2 });
  assert.match(told.stderr, /@pathfinder-dev\/pathfinder-.* is not installed: run npm install again/);
});

test('wheel', async () => {
  const place = folder('wheel');
  run(PYTHON, ['-m', 'venv', place]);
  run(join(place, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--no-index', find(/\.whl$/)], { cwd: place });
  assert.ok(statSync(join(place, 'share/man/man1/pathfinder.1')).size > 0);
  const shown = run(join(place, 'bin/pip'), ['show', '--files', 'pathfinder-paths'], { cwd: place }).stdout;
  assert.match(shown, /licenses\/THIRD-PARTY\.txt/);
  const metadata = join(/^Location: (.*)$/m.exec(shown)[1], `pathfinder_paths-${VERSION}.dist-info/METADATA`);
  assert.match(readFileSync(metadata, 'utf8'), /^License-Expression: MIT OR Apache-2\.0$/m);
  await works(join(place, 'bin/pathfinder'));
  run(join(place, 'bin/pip'), ['uninstall', '--quiet', '--yes', 'pathfinder-paths'], { cwd: place });
  assert.ok(!readdirSync(join(place, 'bin')).includes('pathfinder'), 'all of it is removed');
});

// Each of them installs the wheel without a registry, and has a place of its own for environments and links.
const INSTALLERS = {
  uvx: (place, wheel) => ({ command: join(dirname(PYTHON), 'uvx'), args: ['--from', wheel, 'pathfinder'] }),
  pipx: (place, wheel) => {
    const env = { PIPX_HOME: join(place, 'home'), PIPX_BIN_DIR: join(place, 'bin'), PIPX_MAN_DIR: join(place, 'man') };
    run(join(dirname(PYTHON), 'pipx'), ['install', '--backend', 'uv', wheel], { cwd: place, env: { ...OFFLINE, ...env } });
    assert.ok(statSync(join(place, 'man/man1/pathfinder.1')).size > 0);
    return { command: join(place, 'bin/pathfinder'), args: [] };
  },
};
const OFFLINE = { UV_OFFLINE: '1', UV_NO_INDEX: '1', UV_PYTHON_DOWNLOADS: 'never', PIP_NO_INDEX: '1' };

for (const [name, install] of Object.entries(INSTALLERS)) {
  test(`wheel by ${name}`, async () => {
    const place = folder(name);
    const { command, args } = install(place, find(/\.whl$/));
    const program = join(place, 'program');
    const quoted = [command, ...args].map((word) => `'${word}'`).join(' ');
    writeFileSync(program, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
    await works(program, { ...OFFLINE, UV_CACHE_DIR: join(place, 'cache') });
  });
}

test('Debian package', async () => {
  const place = folder('debian');
  const file = find(/\.deb$/);
  const depends = run('dpkg-deb', ['--field', file, 'Depends', 'Version']).stdout;
  assert.match(depends, /libc6 \(>= 2\.\d+\)/);
  assert.match(depends, new RegExp(`Version: ${VERSION.replaceAll('.', '\\.')}`));
  if (process.getuid() === 0) {
    // An empty system: what the package depends on is this machine's.
    mkdirSync(join(place, 'var/lib/dpkg/updates'), { recursive: true });
    mkdirSync(join(place, 'var/lib/dpkg/info'), { recursive: true });
    run('sh', ['-c', ': >"$1/var/lib/dpkg/status"', 'sh', place]);
    run('dpkg', [`--root=${place}`, '--force-depends', '--install', file]);
    assert.match(run('dpkg', [`--root=${place}`, '--status', 'pathfinder']).stdout, /Status: install ok installed/);
  } else {
    run('dpkg-deb', ['--extract', file, place]);
  }
  for (const path of ['usr/share/man/man1/pathfinder.1.gz', 'usr/share/bash-completion/completions/pathfinder', 'usr/share/doc/pathfinder/copyright']) {
    assert.ok(statSync(join(place, path)).size > 0, path);
  }
  await works(join(place, 'usr/bin/pathfinder'));
});
