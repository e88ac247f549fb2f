// An editor of few words: it opens a root and files in it, and asks what can stand somewhere.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

import { command } from './client.mjs';

/** Starts a language server on the root of a tree; it is ready when this is. `uri` says how it writes them. */
export async function editor(tree, { uri = (path) => pathToFileURL(path).href, ...how } = {}) {
  const { command: program, ...rest } = command(tree, { ...how, roots: [] });
  const child = spawn(program, ['lsp'], { ...rest, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => {});
  tree.users.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const waiting = new Map();
  const states = [];
  const published = new Map();
  let heard = () => {};
  let bytes = Buffer.alloc(0);
  child.stdout.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const head = bytes.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(bytes.subarray(0, head).toString())[1]);
      if (bytes.length < head + 4 + length) return;
      const message = JSON.parse(bytes.subarray(head + 4, head + 4 + length).toString());
      bytes = bytes.subarray(head + 4 + length);
      if (message.method === undefined) waiting.get(message.id)?.(message.result);
      else if (message.id !== undefined) send({ id: message.id, result: null });
      else if (message.method === 'pathfinder/status') states.push(message.params.state);
      else if (message.method === 'textDocument/publishDiagnostics') published.set(message.params.uri, message.params.diagnostics);
      heard();
    }
  });
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let id = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const tell = (method, params) => send({ method, params });
  await ask('initialize', { processId: process.pid, rootUri: uri(tree.root), capabilities: {} });
  tell('initialized', {});
  while (!states.includes('ready')) await new Promise((resolve) => (heard = resolve));
  return {
    child,
    ended,
    open: (name, text = '') => {
      const document = { uri: uri(tree.at(name)), languageId: 'plaintext', version: 1, text };
      tell('textDocument/didOpen', { textDocument: document });
    },
    /** What was said last of a file, by the URI that this client has for it. */
    told: (name) => published.get(uri(tree.at(name))),
    save: (name) => tell('textDocument/didSave', { textDocument: { uri: uri(tree.at(name)) } }),
    /** The labels of what can stand at a place of an open text, in their order. */
    complete: async (name, line, character) => {
      const place = { textDocument: { uri: uri(tree.at(name)) }, position: { line, character } };
      return (await ask('textDocument/completion', place)).items.map(({ label }) => label);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
