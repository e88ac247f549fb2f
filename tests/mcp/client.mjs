// A server and a client that talks to it: the official SDKs, or bare lines for what no SDK would send.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { SECRET } from './tree.mjs';

/** The server that is tested. */
export const BINARY = process.env.PATHFINDER_BIN ?? join(import.meta.dirname, '../../target/debug/pathfinder');

// tests/run installs the packages outside of the checkout and says where; `npm ci` beside this file does as well.
const packages = process.env.PATHFINDER_MCP_PACKAGES ?? import.meta.dirname;
const load = createRequire(join(packages, 'package.json'));
const v1 = {
  ...load('@modelcontextprotocol/sdk/client/index.js'),
  ...load('@modelcontextprotocol/sdk/client/stdio.js'),
  ...load('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};
const v2 = { ...load('@modelcontextprotocol/client'), ...load('@modelcontextprotocol/client/stdio') };
const { ElicitRequestSchema, ListRootsRequestSchema, ResourceListChangedNotificationSchema } = load('@modelcontextprotocol/sdk/types.js');

/** Not the minute of the SDK: where a thousand ask at once, the last is answered late, after half a minute on a busy machine. */
const LONG = { timeout: 280_000 };

/** Clients that exist: the SDK before 2.0, and the present one in each way of finding out what the server speaks. */
export const CLIENTS = ['sdk 1', 'legacy', 'auto', '2026-07-28'];

/** How a server is started for a tree. `roots`: undefined is the tree's own; none leaves `--root` out. */
export function command(tree, { roots = [tree.root], args = [], cwd = tree.root, env = {}, unprivileged = false } = {}) {
  const all = ['mcp', ...roots.flatMap((root) => ['--root', root]), ...args];
  const own = { PATH: process.env.PATH, HOME: tree.home, PATHFINDER_CACHE_DIR: join(tree.place, 'cache'), ...env };
  // Permissions do not bind root, and tests often run as root.
  return unprivileged && process.getuid() === 0
    ? { command: 'setpriv', args: ['--bounding-set=-dac_override,-dac_read_search', BINARY, ...all], cwd, env: own }
    : { command: BINARY, args: all, cwd, env: own };
}

/** Starts a server over HTTP; gives its URL, and what it writes to stderr beside that. */
export async function serve(tree, how = {}) {
  const { command: program, args, ...rest } = command(tree, how);
  const child = spawn(program, [...args, '--http', how.address ?? '0'], { ...rest, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  tree.users.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const { value = '' } = await lines.next();
  const url = /serving MCP at (\S+)$/.exec(value)?.[1];
  const errors = [];
  (async () => {
    for await (const line of lines) errors.push(line);
  })();
  return { url, said: value, child, ended, errors };
}

/**
 * Connects a client of one of the kinds above. `clientRoots` are URIs, in an array that may change later; `ask` answers what
 * the server has the client ask its user; `url` is that of a server over HTTP, else one is started for it.
 */
export async function connect(tree, { client: kind = 'sdk 1', clientRoots, ask, changed, url, headers, ...how } = {}) {
  const sdk = kind === 'sdk 1' ? v1 : v2;
  const mode = kind === '2026-07-28' ? { pin: kind } : kind;
  const client = new sdk.Client(
    { name: 'pathfinder-tests', version: '1.0.0' },
    {
      capabilities: { ...(clientRoots ? { roots: { listChanged: true } } : {}), ...(ask ? { elicitation: {} } : {}) },
      ...(sdk === v2 ? { versionNegotiation: { mode } } : {}),
    },
  );
  if (clientRoots) {
    const named = async () => ({ roots: clientRoots.map((uri) => ({ uri })) });
    client.setRequestHandler(sdk === v1 ? ListRootsRequestSchema : 'roots/list', named);
  }
  if (ask) client.setRequestHandler(sdk === v1 ? ElicitRequestSchema : 'elicitation/create', async ({ params }) => ask(params));
  if (changed) client.setNotificationHandler(sdk === v1 ? ResourceListChangedNotificationSchema : 'notifications/resources/list_changed', changed);
  const transport = url
    ? new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new sdk.StdioClientTransport({ ...command(tree, how), stderr: 'pipe' });
  const errors = [];
  transport.stderr?.on('data', (chunk) => errors.push(chunk));
  tree.users.push(() => client.close());
  await client.connect(transport);
  // An SDK checks results against the output schemas that it has seen.
  const { tools } = await client.listTools();
  const call = async (name, args) => {
    const params = { name, arguments: args };
    const result = await (sdk === v1 ? client.callTool(params, undefined, LONG) : client.callTool(params, LONG));
    const { content, structuredContent, isError = false } = result;
    assert.deepEqual(content.map(({ type }) => type), ['text']);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent, 'text and structured content say the same');
    assert.ok(!content[0].text.includes(SECRET), content[0].text);
    return isError ? { isError, ...structuredContent } : structuredContent;
  };
  return {
    client,
    transport,
    tools,
    call,
    resolve: (args) => call('path_resolve', args),
    retry: (args) => call('tool_retry_with_resolve', args),
    stderr: () => Buffer.concat(errors).toString(),
  };
}

/** A server that is spoken to in lines. */
export function raw(tree, how = {}) {
  const { command: program, ...rest } = command(tree, how);
  const child = spawn(program, rest.args, rest);
  // A server that has ended does not read: that is what is tested, and no failure of the test.
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  tree.users.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const send = (message) => child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  const next = async () => {
    const { value, done } = await lines.next();
    assert.ok(!done, 'the server has ended');
    assert.ok(!value.includes(SECRET), value);
    const message = JSON.parse(value);
    assert.equal(message.jsonrpc, '2.0', 'stdout carries nothing but the protocol');
    return message;
  };
  const request = (id, method, params = {}) => send({ jsonrpc: '2.0', id, method, params });
  return {
    child,
    send,
    next,
    request,
    call: (id, name, args) => request(id, 'tools/call', { name, arguments: args }),
    initialize: async () => {
      const clientInfo = { name: 'raw', version: '1' };
      request('initialize', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      assert.equal((await next()).id, 'initialize');
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    },
    /** Exit status, and the signal that ended it. */
    ended: async () => await ended,
  };
}
