// Ways out of the root, through everything that takes a path: each tool, resources, completion and prompts, in both eras and over
// both transports. What is outside is never seen, neither its contents nor the names of its files.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';

import { connect, serve } from './client.mjs';
import { SECRET, tree } from './tree.mjs';

const TREE = `
  src/app.ts: one
  src/Config.ts: two
  .git/config: GIT-OF-THIS-PROJECT
  out -> ../outside
  src/file_out.txt -> ../../outside/passwords.txt
  twice -> out
`;

/** Ways to the file outside. */
const WAYS = ({ place, root, outside }) => [
  // Traversal: plain, doubled, encoded once and twice, overlong, with backslashes, absolute.
  '../outside/passwords.txt', 'src/../../outside/passwords.txt', './/..//outside//passwords.txt', '....//outside/passwords.txt',
  `${root}/../outside/passwords.txt`, `//${outside}/passwords.txt`, `${outside}/passwords.txt`, `${outside}/passwords.tx`, outside, place,
  '%2e%2e/outside/passwords.txt', '..%2foutside%2fpasswords.txt', '%252e%252e%252foutside%252fpasswords.txt', '..%c0%afoutside/passwords.txt',
  '..\\outside\\passwords.txt', '..%5coutside%5cpasswords.txt', `/proc/self/cwd/../outside/passwords.txt`, `/proc/self/root${outside}/passwords.txt`,
  `file://${outside}/passwords.txt`, `file://localhost${outside}/passwords.txt`, `FILE://${outside}/passwords.txt`, `${root}-x/../outside/passwords.txt`,
  // Links: of a directory, of a file, of a link, and through them.
  'out/passwords.txt', 'out', 'out/', 'out/.', 'out/../outside/passwords.txt', 'src/file_out.txt', 'twice/passwords.txt', 'src/../twice/passwords.txt',
  // Case: this disk tells letters apart, so that none of these is anything.
  'OUT/passwords.txt', 'out/PASSWORDS.TXT', '../OUTSIDE/passwords.txt', `${outside.toUpperCase()}/PASSWORDS.TXT`, `${root.toUpperCase()}/out/passwords.txt`,
  '.GIT/config', '.Git/CONFIG', '.git/config', '/ETC/passwd', '/etc/passwd', '/Etc/Passwd',
  // What ends a string elsewhere, and the disks and shares of another system.
  '../outside/passwords.txt\0', 'src/app.ts\0/../../../outside/passwords.txt', 'out\0/passwords.txt',
  `C:${outside}/passwords.txt`, 'C:\\outside\\passwords.txt', 'c:..\\outside\\passwords.txt', `\\\\?\\C:\\..\\outside\\passwords.txt`,
  `\\\\localhost\\C$\\outside\\passwords.txt`, `//localhost${outside}/passwords.txt`, `//?/${outside}/passwords.txt`,
];

/** All that takes a path, given one. */
const ASKS = {
  ...Object.fromEntries(
    ['read', 'list', 'stat', 'edit', 'write'].map((op) => [`path_resolve ${op}`, (client, path) => tool(client, 'path_resolve', { failed_path: path, op })]),
  ),
  'path_resolve evidence': (client, path) => tool(client, 'path_resolve', { failed_path: path, evidence: { contains: SECRET } }),
  'path_resolve from_file': (client, path) => tool(client, 'path_resolve', { failed_path: './passwords.txt', from_file: path }),
  'path_resolve root_hint': (client, path) => tool(client, 'path_resolve', { failed_path: 'passwords.txt', root_hint: path }),
  'path_resolve history': (client, path) => tool(client, 'path_resolve', { failed_path: 'passwords.txt', history: [path] }),
  ...Object.fromEntries(
    ['read', 'list', 'stat'].map((op) => [
      `tool_retry_with_resolve ${op}`,
      (client, path) => tool(client, 'tool_retry_with_resolve', { failed_path: path, op, min_confidence: 0 }),
    ]),
  ),
  path_find: (client, path) => tool(client, 'path_find', { query: path }),
  roots_list: (client, path) => tool(client, 'roots_list', { root: path, path }),
  reindex_paths: (client, path) => tool(client, 'reindex_paths', { root: path, path, root_hint: path }),
  resource: (client, path) => client.readResource({ uri: path }),
  'resource of a file': (client, path) => client.readResource({ uri: `file://${path.startsWith('/') ? '' : '/'}${path}` }),
  'completion of a resource': (client, path) =>
    client.complete({ ref: { type: 'ref/resource', uri: 'file:///{path}' }, argument: { name: 'path', value: path } }),
  'completion of a prompt': (client, path) => client.complete({ ref: { type: 'ref/prompt', name: 'right_path' }, argument: { name: 'path', value: path } }),
  'prompt right_path': (client, path) => client.getPrompt({ name: 'right_path', arguments: { path } }),
  'prompt find_file': (client, path) => client.getPrompt({ name: 'find_file', arguments: { what: path } }),
};

const tool = (client, name, args) => client.callTool({ name, arguments: args });

/** What was answered, an error as well, without what was asked: that may come back. */
async function said(asking, path) {
  const answer = await asking.then(JSON.stringify, (error) => `${error.message} ${JSON.stringify(error.data ?? null)}`);
  const quoted = (text) => JSON.stringify(text).slice(1, -1);
  return [path, quoted(path), quoted(quoted(path))].reduce((text, part) => text.replaceAll(part, 'ASKED'), answer);
}

for (const [kind, way] of [['sdk 1', 'stdio'], ['2026-07-28', 'stdio'], ['2026-07-28', 'http']]) {
  test(`${kind}, ${way}: there is no way out`, async (t) => {
    const laid = tree(t, TREE);
    // A name that no request mentions.
    symlinkSync('/nowhere', `${laid.outside}/NEIGHBOUR`);
    const url = way === 'http' ? (await serve(laid)).url : undefined;
    const { client, resolve, retry } = await connect(laid, { client: kind, url });
    for (const path of WAYS(laid)) {
      for (const [name, ask] of Object.entries(ASKS)) {
        const answer = await said(ask(client, path), path);
        for (const hidden of [SECRET, 'NEIGHBOUR', 'root:x:0']) assert.ok(!answer.includes(hidden), `${name} ${path}: ${answer}`);
        // Whatever is named lies in the root: of the tree's place nothing else is.
        const named = answer.replaceAll(laid.root, '').replaceAll(basename(laid.home), '');
        assert.ok(!named.includes(`${laid.place}/`), `${name} ${path}: ${answer}`);
      }
    }
    // All of it was seen to by a server that still works, and that the test would have seen through.
    assert.equal((await retry({ failed_path: 'src/app.ts', op: 'read' })).content, 'one');
    // Letters of the other case lead to what is there, by its own name.
    assert.equal((await resolve({ failed_path: 'SRC/config.TS' })).path, 'src/Config.ts');
  });
}
