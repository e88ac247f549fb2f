#!/usr/bin/env node
// What answers cost: tokens of the text that `path_resolve` of `pathfinder mcp` answers, median and 95th percentile.
//
// A model reads every token of an answer and pays for it, and a tool that speaks at length is used less well. Tokens are
// those of o200k, which comes with the package gpt-tokenizer; also counted is what a client shows a model before it asks
// anything: instructions, and the tools' names, descriptions and argument schemas.
//
// A case is one JSON object per line with `failed_path` and what else a request has, and `tree`, the name of
// trees/<tree>.txt.gz beside the case file: every path of a repository, one per line. The cases of one tree are asked in
// one session, in the order of the files.
//
// Usage: npm install --prefix DIR gpt-tokenizer@4.0.0
//        tokens.mjs --bin PATH --packages DIR [--trees N] CASES.jsonl...
//        tokens.mjs --bin PATH --packages DIR --find N CHECKOUT...
//
// The second way asks `path_find` of each checkout N questions: one or two words, in turn, of paths that lie as far from each
// other in git's list.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const { values, positionals } = parseArgs({
  options: { bin: { type: 'string' }, packages: { type: 'string' }, trees: { type: 'string', default: '1000' }, find: { type: 'string' } },
  allowPositionals: true,
});
const { countTokens } = createRequire(join(resolve(values.packages), 'package.json'))('gpt-tokenizer/encoding/o200k_base');
const ASKED = ['failed_path', 'op', 'intent_text', 'root_hint', 'from_file', 'history'];

/** Cases by the file of their tree. */
function read(files) {
  const trees = new Map();
  for (const file of files) {
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const one = JSON.parse(line);
      const tree = join(dirname(file), 'trees', `${one.tree}.txt.gz`);
      trees.set(tree, [...(trees.get(tree) ?? []), one]);
    }
  }
  return trees;
}

/** The tree as empty files. */
function layOut(tree, root) {
  const paths = gunzipSync(readFileSync(tree)).toString().split('\n').filter(Boolean);
  for (const directory of new Set(paths.map(dirname))) mkdirSync(join(root, directory), { recursive: true });
  for (const path of paths) writeFileSync(join(root, path), '');
}

/** A session; `ask` gives the result of one request. */
function session(root, cache) {
  const env = { ...process.env, PATHFINDER_CACHE_DIR: cache };
  const child = spawn(values.bin, ['mcp', '--root', root], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method, params) => {
    send({ id: 1, method, params });
    const { result, error } = JSON.parse((await lines.next()).value);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { ask, send, end: () => child.stdin.end() };
}

/** Begins a session as clients do, and says what a model is shown of it. */
async function begin({ ask, send }) {
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tokens', version: '1' } };
  const { instructions } = await ask('initialize', client);
  send({ method: 'notifications/initialized' });
  const { tools } = await ask('tools/list', {});
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return [instructions, shown, tools].map((one) => countTokens(typeof one === 'string' ? one : JSON.stringify(one)));
}

const call = async ({ ask }, name, args) => (await ask('tools/call', { name, arguments: args })).content[0].text;

/** Tokens of answers of `path_resolve` by kind of answer. */
async function resolved(scratch, counts) {
  let before;
  for (const [tree, cases] of [...read(positionals)].sort().slice(0, Number(values.trees))) {
    const root = join(scratch, 'tree');
    mkdirSync(root);
    layOut(tree, root);
    const server = session(root, join(scratch, 'cache'));
    before = await begin(server);
    for (const one of cases) {
      const given = ASKED.filter((name) => one[name] !== undefined && one[name] !== null);
      const text = await call(server, 'path_resolve', Object.fromEntries(given.map((name) => [name, one[name]])));
      const { status } = JSON.parse(text);
      const kind = ['exists', 'resolved'].includes(status) ? 'certain' : status;
      (counts[kind] ??= []).push(countTokens(text));
    }
    server.end();
    rmSync(root, { recursive: true });
  }
  return before;
}

/** Tokens of answers of `path_find` by checkout: of all, of those with ten files, and of those with fewer that are cut. */
async function found(scratch, counts) {
  let before;
  for (const root of positionals) {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n').filter(Boolean);
    const server = session(resolve(root), join(scratch, 'cache'));
    before = await begin(server);
    await call(server, 'reindex_paths', {});
    const step = files.length / Number(values.find);
    for (let number = 0; number < Number(values.find); number += 1) {
      const words = files[Math.floor(number * step)].split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      // The word before the extension, and the directory's before it.
      const query = words.slice(-2 - (number % 2), -1).join(' ') || words.at(-1);
      const text = await call(server, 'path_find', { query });
      const { results } = JSON.parse(text);
      const name = basename(resolve(root));
      (counts[name] ??= []).push(countTokens(text));
      if (results.length >= 10) (counts[`${name}, ten files`] ??= []).push(countTokens(text));
      if (process.env.DUMP) console.error(JSON.stringify([countTokens(text), Buffer.byteLength(text), results.length, query, text]));
    }
    server.end();
  }
  return before;
}

const counts = {};
let before;
const scratch = mkdtempSync(join(tmpdir(), 'pathfinder-tokens-'));
try {
  before = await (values.find ? found : resolved)(scratch, counts);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

console.log('| answer | n | median | p95 | most |\n|---|---|---|---|---|');
for (const [kind, all] of Object.entries(counts)) {
  all.sort((left, right) => left - right);
  const at = (share) => all[Math.min(all.length - 1, Math.floor(share * all.length))];
  console.log(`| ${kind} | ${all.length} | ${at(0.5)} | ${at(0.95)} | ${all.at(-1)} |`);
}
console.log(`instructions ${before[0]}, tools as a model sees them ${before[1]}, the whole of tools/list ${before[2]}`);
