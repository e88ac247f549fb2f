// A project on disk, an editor that is set up as docs/editors.md says, and what it says to the server.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { homely, tree } from '../mcp/tree.mjs';

/** The server that is tested. */
export const BINARY = process.env.PATHFINDER_BIN ?? join(import.meta.dirname, '../../target/debug/pathfinder');

/** Folders that debian.sh has made, or the packages of npm. */
const CLIENTS = process.env.PATHFINDER_CLIENTS;

/** How long anything may take on a machine that does much else. */
const TIMEOUT_MS = 60_000;

/** One of the files beside this one. */
export const beside = (name) => join(import.meta.dirname, name);

/** Waits until `look` gives something, and gives that. If it does not in time, `explain` says what there is instead. */
export async function until(what, look, explain = () => '') {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) assert.fail(`no ${what} in ${TIMEOUT_MS / 1000} s\n${explain()}`);
    await sleep(20);
  }
}

/** The code blocks below a heading of docs/editors.md, by the order in which they stand there. */
export function snippets(heading) {
  const text = readFileSync(join(import.meta.dirname, '../../docs/editors.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  assert.ok(section, `editors.md has no ${heading}`);
  return [...section.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, code]) => code);
}

/** A Debian folder's program, and how it is started with the libraries that are beside it; `name` is below `usr`. */
export function program(folder, name) {
  assert.ok(CLIENTS, 'PATHFINDER_CLIENTS is not set: tests/run sets it');
  const at = join(CLIENTS, folder);
  const libraries = join(at, 'usr/lib/x86_64-linux-gnu');
  // Not in the environment: what the program starts has libraries of its own.
  return [join(libraries, 'ld-linux-x86-64.so.2'), '--library-path', libraries, join(at, 'usr', name)];
}

/** A file of what was installed. */
export const installed = (...names) => join(CLIENTS, ...names);

/** Whether the process is alive; a zombie is not. */
function isRunning(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Lays out the project of project.txt, a home without anything in it, and a `pathfinder` in the PATH that writes down all. */
export function stage(t) {
  const laid = tree(t, readFileSync(beside('project.txt'), 'utf8'));
  const [bin, log] = [join(laid.place, 'bin'), join(laid.place, 'wire')];
  mkdirSync(bin);
  const quoted = [process.execPath, beside('record.mjs'), log, BINARY].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, 'pathfinder'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const env = homely(laid, `${bin}:${process.env.PATH}`);
  const git = (...args) => execFileSync('git', args, { cwd: laid.root, env, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--message', 'all');
  /** What was said until now, in its order. The last line is not whole while it is written. */
  const wire = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line)) : []);
  const last = () => wire().slice(-40).map((line) => JSON.stringify(line).slice(0, 240)).join('\n');
  const said = (from, method) => wire().filter((line) => line.from === from && line.message.method === method);
  const answer = (method) => {
    const id = said('client', method)[0]?.message.id;
    return wire().find((line) => line.from === 'server' && line.message.id === id && !line.message.method)?.message;
  };
  const read = (name) => readFileSync(laid.at(name), 'utf8');
  const names = [...Object.keys(BROKEN), 'web/src/all.ts', 'docs/later.md', 'docs/create.md', 'docs/links.md'];
  const before = Object.fromEntries(names.map((name) => [name, read(name)]));
  return {
    ...laid,
    env,
    wire,
    /** Parameters of what one of them has sent by this name. */
    said: (from, method) => said(from, method).map(({ message }) => message.params),
    read,
    /** Whether a file is there and says something else than in the beginning. Editors replace files, so that for a moment it
     *  may be gone. */
    isChanged: (name) => {
      try {
        return read(name) !== before[name];
      } catch (error) {
        if (error.code === 'ENOENT') return false;
        throw error;
      }
    },
    /** What was in the files before. */
    before,
    last,
    /** A file of the editor's settings. */
    configure: (name, text) => {
      mkdirSync(dirname(join(laid.home, name)), { recursive: true });
      writeFileSync(join(laid.home, name), text);
    },
    /** What the editor knows of a file: what it has asked for; if it does not ask, what it was told. */
    told: (name) => {
      const uri = `file://${laid.at(name)}`;
      const asked = new Map();
      let [told, answered] = [];
      for (const { from, message } of wire()) {
        if (from === 'client' && message.method === 'textDocument/diagnostic') asked.set(message.id, message.params.textDocument.uri);
        if (from !== 'server') continue;
        if (message.method === 'textDocument/publishDiagnostics' && message.params.uri === uri) told = message.params.diagnostics;
        // Of one that is the same as before nothing is said but that.
        if (!message.method && asked.get(message.id) === uri) answered = message.result?.items ?? answered;
      }
      return answered ?? told;
    },
    /** The answer to the first request of this name. */
    answer,
    /** Runs a program that ends by itself, and gives what it prints. */
    run: async ([command, ...args], more = {}) => {
      const child = spawn(command, args, { cwd: laid.root, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
      laid.users.push(async () => {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
      });
      const out = [];
      const errors = [];
      child.stdout.on('data', (chunk) => out.push(chunk));
      child.stderr.on('data', (chunk) => errors.push(chunk));
      const [status, signal] = await once(child, 'close', { signal: AbortSignal.timeout(3 * TIMEOUT_MS) });
      const said = { out: Buffer.concat(out).toString(), errors: Buffer.concat(errors).toString() };
      assert.equal(status ?? signal, 0, `${said.out}\n${said.errors}\n${last()}`);
      return said;
    },
    /** All servers have ended, in whatever way they were told; `asked`: was it asked to, as the protocol wants it? */
    ended: async (asked) => {
      const servers = wire().filter((line) => line.server);
      await until('the end of the server', () => !servers.some(({ server }) => isRunning(server)), last);
      // The server may have ended before its last words are written down.
      if (asked) await until('the answer to shutdown', () => answer('shutdown'), last);
      else if (asked === false) assert.ok(!answer('shutdown'), last());
      for (const { exit = 0 } of wire()) assert.equal(exit, 0);
    },
  };
}

/** The lines of JSON that a driver prints, by their `step`. */
export function steps(out) {
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ step, value }) => [step, value]));
}

/** What is broken in the files of project.txt, and what its first action makes of it. */
const BROKEN = {
  'web/src/app.ts': [['./components/buton', './components/button']],
  'tools/report.py': [['helpers.fromat', 'helpers.format']],
  'service/src/main.rs': [['confg', 'config']],
  'docs/guide.md': [['instal.md', 'install.md'], ['images/plann.svg', 'images/plan.svg']],
};

/** Of all.ts, of which it is sure. */
const SURE = [['./components/buton', './components/button'], ['./components/confirmation_dialog', './components/confirmation-dialog']];

/** Where a literal stands in its line, in bytes, UTF-16 units and code points. */
function columns(text, literal) {
  const line = text.split('\n').find((line) => line.includes(literal));
  const before = line.slice(0, line.indexOf(literal));
  const of = (count) => [count(before), count(before + literal)];
  return {
    'utf-8': of((text) => Buffer.byteLength(text)),
    'utf-16': of((text) => text.length),
    'utf-32': of((text) => [...text].length),
  };
}

/** What is broken in a file as it was laid out: columns in a unit. */
export const broken = (at, name, unit) =>
  BROKEN[name].map(([literal]) => ({ line: 1, columns: columns(at.before[name], literal)[unit], literal }));

/** What is broken by the message of a diagnostic; editors put something before it. */
export const named = (message) => /Broken path: `([^`]+)`\. /.exec(message)?.[1];

/** What an editor has shown stood where it is, and all files are on disk as they should be. The editor counts columns in `unit`. */
export function mended(at, seen, unit) {
  const right = (text, changes) => changes.reduce((text, [from, to]) => text.replace(`${from}`, to), text);
  for (const [name, changes] of Object.entries(BROKEN)) {
    const text = at.before[name];
    const { diagnostics, offered } = seen[name];
    const shown = diagnostics.map(({ line, columns, message }) => ({ line, columns, literal: named(message) }));
    assert.deepEqual(shown, broken(at, name, unit), name);
    assert.equal(at.read(name), right(text, changes), name);
    // Of the last one.
    const [literal, better] = changes.at(-1);
    assert.ok(offered[0].startsWith(`Change to \`${better}\` (`), offered[0]);
    assert.ok(offered.includes(`Ignore \`${literal}\` here`), offered.join('\n'));
  }
  assert.equal(at.read('web/src/all.ts'), right(at.before['web/src/all.ts'], SURE));
  for (const name of ['docs/later.md', 'docs/create.md', 'docs/links.md']) assert.equal(at.read(name), at.before[name], name);
  assert.equal(at.read('docs/decisions/0002-language.md'), '', 'it was created');
  assert.deepEqual(seen.left, [], 'nothing is left');
}
