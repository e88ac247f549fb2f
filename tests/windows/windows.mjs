// A tree as Windows sees it: Wine has this machine's files on drive Z.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { BINARY, command } from '../mcp/client.mjs';
import { tree } from '../mcp/tree.mjs';

/** One Windows for all tests of a file: to make one takes seconds. */
const HOME = realpathSync(mkdtempSync(join(tmpdir(), 'pathfinder-windows-')));
// Windows' own services begin with the first program and end some time after the last. They would hold the pipes of the program that started them.
const alone = { env: { PATH: process.env.PATH, HOME, PATHFINDER_SHARE: 'off' }, cwd: HOME };
const first = spawn(BINARY, ['mcp'], { ...alone, stdio: ['pipe', 'ignore', 'ignore'] });
const ended = once(first, 'exit');
// On a busy machine the second program of a Windows that is still being made ends at once with status 1.
for (let left = 20; ; left -= 1) {
  try {
    execFileSync(BINARY, ['--version'], { ...alone, stdio: 'ignore' });
    break;
  } catch (error) {
    if (left === 0) throw error;
    await sleep(500);
  }
}
after(async () => {
  first.stdin.end();
  await ended;
  // As in tree.mjs.
  await rm(HOME, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});

/** What the server's own directory of sockets is there. */
export const SOCKETS = join(HOME, '.wine/drive_c/users', userInfo().username, 'AppData/Local/pathfinder/sockets');

/** A path as Windows has it. */
export const windows = (path) => `Z:${path.replaceAll('/', '\\')}`;

/** Lays out a tree (as `tree`), and how a server is started in it. */
export function lay(t, text) {
  const laid = { ...tree(t, text), home: HOME };
  const how = { roots: [], cwd: laid.root, env: { PATHFINDER_CACHE_DIR: windows(join(laid.place, 'cache')) } };
  // For a client that says where its root is.
  const drive = { ...laid, root: `/Z:${laid.root}`, at: (name) => `/Z:${laid.at(name)}` };
  return { ...laid, how, drive };
}

/** Runs a command in the tree; gives what it printed, and its exit status. */
export async function run(laid, args, { input, below = '', env } = {}) {
  const { command: program, env: own } = command(laid, laid.how);
  const running = promisify(execFile)(program, args, { cwd: laid.at(below), env: { ...own, ...env } });
  running.child.stdin.end(input);
  const { stdout, stderr, code = 0 } = await running.catch((error) => error);
  return { stdout, stderr, code };
}

/** The leader, as `doctor` reports it. */
export async function engine(laid) {
  const { stdout, stderr } = await run(laid, ['doctor', '--format=json']);
  assert.ok(stdout, stderr);
  return JSON.parse(stdout);
}

/** Waits until `look` gives something. */
export async function until(look) {
  const end = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    assert.ok(Date.now() < end, `${look}`);
    await sleep(20);
  }
}
