// Watchman in a tree with very many directories: the server adds no watches of its own. It runs with
// its state in the test's own directory, so that no other one is asked.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { BINARY, connect } from '../mcp/client.mjs';
import { homely, tree } from '../mcp/tree.mjs';
import { program, until } from './stage.mjs';

/** More directories than are watched one by one where there is another way. */
const MANY = 10_050;

/** A large tree, and a `watchman` in the PATH of all programs that are started for it. */
function large(t) {
  const laid = tree(t, 'part1/client.rs');
  for (let at = 0; at < MANY; at += 1) mkdirSync(laid.at(`part${at % 50}/dir${at}`), { recursive: true });
  const bin = join(laid.place, 'bin');
  mkdirSync(bin);
  const loaded = program('watchman-bookworm', 'bin/watchman').map((word) => `'${word}'`).join(' ');
  // Logged: only the test may give it commands.
  const script = `#!/bin/sh\necho "$@" >> '${laid.place}/asked'\nexec ${loaded} "$@"\n`;
  writeFileSync(join(bin, 'watchman'), script, { mode: 0o755 });
  const env = { ...homely(laid, `${bin}:${process.env.PATH}`), USER: 'tester', LOGNAME: 'tester' };
  const state = join(laid.place, 'tester-state');
  /** Starts it; gives what ends it. */
  const start = async () => {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const child = spawn(join(bin, 'watchman'), ['--foreground', '--logfile', join(state, 'log')], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const end = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    laid.users.push(end);
    await until('watchman', () => existsSync(join(state, 'sock')) && listens());
    return end;
  };
  const watchman = (...args) => JSON.parse(execFileSync(join(bin, 'watchman'), ['--no-spawn', ...args], { env, encoding: 'utf8' }));
  // The socket is there before anybody listens.
  const listens = () => {
    try {
      return watchman('version');
    } catch {
      return false;
    }
  };
  const doctor = () => {
    const { status, stdout } = runs(env, ['doctor', '--format=json', '--root', laid.root]);
    assert.equal(status, 0, stdout);
    return JSON.parse(stdout).running.watching;
  };
  return { ...laid, env, start, watchman, doctor, asked: () => readFileSync(join(laid.place, 'asked'), 'utf8') };
}

function runs(env, args) {
  try {
    return { status: 0, stdout: execFileSync(BINARY, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) };
  } catch ({ status, stdout }) {
    return { status, stdout };
  }
}

/** How many directories a process has the system watch. */
function watches(pid) {
  const of = (name) => {
    try {
      return readFileSync(`/proc/${pid}/fdinfo/${name}`, 'utf8').split('\n').filter((line) => line.startsWith('inotify wd'));
    } catch {
      // A file that was closed since they were listed.
      return [];
    }
  };
  return readdirSync(`/proc/${pid}/fdinfo`).flatMap(of).length;
}

/** Asks until the answer is this path. */
const finds = ({ resolve }, asked, path) =>
  until(path, async () => (await resolve({ failed_path: asked })).path === path, () => asked);

test('watchman tells what happens where it watches already', async (t) => {
  const at = large(t);
  const end = await at.start();
  at.watchman('watch', at.root);
  assert.equal(at.doctor(), `watchman 4.9.0, ${MANY + 51} directories`);
  const connection = await connect(at, { env: at.env });
  await finds(connection, 'prat1/client.rs', 'part1/client.rs');
  const { pid } = connection.transport;
  // It has begun when what was made since is known.
  writeFileSync(at.at('part7/fresh_start.rs'), '');
  await finds(connection, 'prat7/fresh_start.rs', 'part7/fresh_start.rs');
  assert.ok(watches(pid) < 10, `${watches(pid)} directories are watched twice`);
  renameSync(at.at('part7'), at.at('moved7'));
  await finds(connection, 'prat7/fresh_start.rs', 'moved7/fresh_start.rs');
  mkdirSync(at.at('deep/er/est'), { recursive: true });
  writeFileSync(at.at('deep/er/est/very_new.rs'), '');
  await finds(connection, 'depe/er/est/very_new.rs', 'deep/er/est/very_new.rs');
  // A name that is no text.
  writeFileSync(Buffer.concat([Buffer.from(at.at('deep/')), Buffer.from([0xff])]), '');
  writeFileSync(at.at('deep/after_it.rs'), '');
  await finds(connection, 'depe/after_it.rs', 'deep/after_it.rs');
  writeFileSync(at.at('deep/still_heard.rs'), '');
  await finds(connection, 'depe/still_heard.rs', 'deep/still_heard.rs');
  assert.ok(watches(pid) < 10, `${watches(pid)} directories are watched twice`);
  // Without it everything goes on.
  await end();
  await until('watches of its own', () => watches(pid) > MANY, connection.stderr);
  writeFileSync(at.at('part9/after_all.rs'), '');
  await finds(connection, 'prat9/after_all.rs', 'part9/after_all.rs');
  assert.doesNotMatch(at.asked().replace(/^--no-spawn watch .*$/m, ''), /watch-project|watch /);
});

test('watchman is neither started nor made to watch', async (t) => {
  const at = large(t);
  assert.match(at.doctor(), /^\d+ directories; the system allows/);
  assert.equal(at.asked(), '--no-spawn --no-local get-sockname\n');
  await at.start();
  assert.match(at.doctor(), /^\d+ directories; the system allows/);
  assert.deepEqual(at.watchman('watch-list').roots, []);
  // Changes in ignored directories would not be reported.
  writeFileSync(at.at('.watchmanconfig'), '{"ignore_dirs": ["part1"]}');
  at.watchman('watch', at.root);
  assert.match(at.doctor(), /^\d+ directories; the system allows/);
});
