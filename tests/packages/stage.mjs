// A folder for one test: a project with a broken path, the packages, and ways to run commands.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const REPOSITORY = join(import.meta.dirname, '../..');
/** The program that is packed. */
export const BINARY = process.env.PATHFINDER_BIN ?? join(REPOSITORY, 'target/debug/pathfinder');
/** Python with pre-commit and PyYAML: tests/run installs it outside of the checkout. */
export const PYTHON = process.env.PATHFINDER_PACKAGES_PYTHON ?? 'python3';
export const VERSION = /^version = "(.*)"/m.exec(readFileSync(join(REPOSITORY, 'Cargo.toml'), 'utf8'))[1];
/** The folder of this version's files. */
export const DOWNLOADS = `${/^repository = "(.*)"/m.exec(readFileSync(join(REPOSITORY, 'Cargo.toml'), 'utf8'))[1]}/releases/download/v${VERSION}`;
export const TARGET = /^host: (.*)$/m.exec(spawnSync('rustc', ['-vV'], { encoding: 'utf8' }).stdout)[1];
/** What other programs need of the environment, and nothing that decides about paths. */
const PLAIN = { PATH: process.env.PATH, LANG: 'C.UTF-8' };

/** Places of this machine's Rust, which packing asks for the libraries of the program. */
export const RUST = Object.fromEntries(['HOME', 'CARGO_HOME', 'RUSTUP_HOME'].filter((name) => process.env[name]).map((name) => [name, process.env[name]]));

const folders = [];
process.on('exit', () => folders.forEach((made) => rmSync(made, { recursive: true, force: true })));

/** A folder that is removed when the tests of this process end. */
export function folder(name) {
  folders.push(mkdtempSync(join(tmpdir(), `pathfinder-packages-${name}-`)));
  return folders.at(-1);
}

export function write(root, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Runs a command to its end. Its home is a folder of its own, so that nothing of this machine's user is read or written. */
export function run(command, args, { cwd, env = {}, status = 0, input } = {}) {
  const home = env.HOME ?? (cwd ? join(cwd, '.home') : tmpdir());
  mkdirSync(home, { recursive: true });
  const done = spawnSync(command, args, { cwd, env: { ...PLAIN, HOME: home, ...env }, input, encoding: 'utf8', maxBuffer: 1 << 26 });
  const said = `${command} ${args.join(' ')}\n${done.error ?? ''}${done.stdout}${done.stderr}`;
  if (status !== null) assert.equal(done.status, status, said);
  return { ...done, said };
}

/** As `run`, without blocking this process, which serves files meanwhile. */
export async function start(command, args, { cwd, env = {} } = {}) {
  const child = spawn(command, args, { cwd, env: { ...PLAIN, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const status = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  return { status, said };
}

/** A git project with a link, an import of a shell script, and a name that is mistyped. */
export function project() {
  const root = folder('project');
  write(root, {
    'README.md': '# Project\n\nRead the [guide](docs/guide.md) and the [notes](docs/notes.md).\n',
    'docs/guide.md': '# Guide\n',
    'docs/notes.md': '# Notes\n\nSee the [guide](guide.md).\n',
    'src/engine.rs': 'fn main() {}\n',
  });
  git(root, 'init', '-q', '-b', 'main');
  commit(root, 'one');
  return root;
}

export function git(root, ...args) {
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false', '-c', 'protocol.file.allow=always'];
  return run('git', [...identity, ...args], { cwd: root, env: { ...env, HOME: tmpdir() } }).stdout;
}

export function commit(root, message) {
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', message);
}

const made = {};

/** The folder of all packages, made once by the one command. */
export function packed() {
  return (made.packed ??= pack((program) => {
    copyFileSync(BINARY, program);
    // The tables of a debugger are most of a debug build.
    if (spawnSync('strip', [program]).status !== 0) assert.fail('strip is needed: apt-get install binutils');
  }));
}

/** As `packed`, with a script that starts the program: it takes a tenth of the time where only manifests are looked at. */
export function manifests() {
  return (made.manifests ??= pack((program) => writeFileSync(program, `#!/bin/sh\nexec '${resolve(BINARY)}' "$@"\n`, { mode: 0o755 })));
}

function pack(makeProgram) {
  const place = folder('all');
  const program = join(place, 'pathfinder');
  makeProgram(program);
  const out = join(place, 'out');
  const site = join(place, 'site');
  write(site, { 'index.html': '<h1>pathfinder</h1>', 'rules/missing-path.html': '<h1>missing-path</h1>' });
  run(join(REPOSITORY, '.ci/package'), ['all', '--program', `${TARGET}=${program}`, '--site', site, '--out', out, '--level', '1'], { cwd: REPOSITORY, env: RUST });
  return { program, out, file: (name) => join(out, name) };
}

/** A file server that may change what it serves: `change(path, bytes)` returns other bytes, or null for none. */
export async function serve(root, change = (_, bytes) => bytes) {
  const server = createServer((request, response) => {
    let bytes;
    try {
      bytes = change(request.url, readFileSync(join(root, request.url)));
    } catch {
      bytes = null;
    }
    if (bytes === null) return response.writeHead(404).end();
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Asks an installed program what users ask: a path, a check, and a question over MCP. */
export async function works(program, env = {}) {
  const root = project();
  const own = { ...env, PATHFINDER_CACHE_DIR: join(root, '.home/cache') };
  assert.equal(run(program, ['--version'], { cwd: root, env: own }).stdout, `pathfinder ${VERSION}\n`);
  assert.equal(run(program, ['resolve', 'src/engin.rs'], { cwd: root, env: own }).stdout.trim().split(/\s/)[0], 'src/engine.rs');
  assert.match(run(program, ['check'], { cwd: root, env: own }).said, /^3 links and imports checked in \d+ files, none broken$/m);
  git(root, 'mv', 'docs/guide.md', 'docs/handbook.md');
  assert.match(run(program, ['check'], { cwd: root, env: own, status: 1 }).stdout, /README\.md:3:\d+: .*\n[^]*docs\/handbook\.md/);
  const server = spawn(program, ['mcp'], { cwd: root, env: { ...PLAIN, HOME: join(root, '.home'), ...own }, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const ask = async (id, method, params) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, `${program} mcp ended before it answered ${method}`);
      const message = JSON.parse(value);
      if (message.id === id) return message.result;
    }
  };
  try {
    const hello = await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
    assert.equal(hello.serverInfo.version, VERSION);
    server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const answer = await ask(2, 'tools/call', { name: 'path_resolve', arguments: { failed_path: 'src/engin.rs' } });
    assert.match(JSON.stringify(answer), /src\/engine\.rs/);
    const ended = new Promise((resolve) => server.on('exit', (code) => resolve(code)));
    server.stdin.end();
    assert.equal(await ended, 0, 'the server ends with its input');
  } finally {
    server.kill();
  }
}
