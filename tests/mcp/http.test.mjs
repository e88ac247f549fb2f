// The server over HTTP: access, malformed requests, and many at once.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect as dial } from 'node:net';
import { test } from 'node:test';

import { CLIENTS, connect, serve } from './client.mjs';
import { SECRET, tree } from './tree.mjs';

const TREE = 'src/app.ts: 1\nsrc/lib/a.ts: 2';
const TOKEN = 'a-secret-of-some-length';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/**
 * Sends one request as it is, whatever its headers; gives the status and the beginning of the body. An answer that comes before all
 * was sent may be lost with the connection: then it is sent again.
 */
async function post(url, what, tries = 5) {
  try {
    return await send(url, what);
  } catch (error) {
    if (!['ECONNRESET', 'EPIPE'].includes(error.code) || tries === 1) throw error;
    return post(url, what, tries - 1);
  }
}

async function send(url, { method = 'POST', headers = {}, body = JSON.stringify(INITIALIZE), path } = {}) {
  const { hostname, port, pathname } = new URL(url);
  const sent = request({ hostname, port, path: path ?? pathname, method, agent: false, headers: { ...ACCEPT, ...headers } });
  sent.on('socket', (socket) => socket.on('error', () => {}));
  const answered = new Promise((resolve, reject) => {
    sent.on('response', resolve);
    // What is refused before all of it was sent is no failure of the test: after the answer this says nothing.
    sent.on('error', reject);
  });
  sent.end(body);
  const response = await answered;
  response.on('error', () => {});
  const [first = ''] = await Promise.race([once(response, 'data'), once(response, 'end').then(() => [''])]);
  response.destroy();
  return { status: response.statusCode, text: String(first) };
}

for (const client of CLIENTS) {
  test(`${client}: the same over HTTP`, async (t) => {
    const laid = tree(t, TREE);
    const { url } = await serve(laid);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { tools, resolve, retry } = await connect(laid, { client, url });
    assert.equal(tools.length, 5);
    assert.deepEqual(await resolve({ failed_path: 'lib/a.ts' }), { status: 'resolved', path: 'src/lib/a.ts', why: 'prefix src/ added' });
    assert.equal((await retry({ failed_path: 'lib/a.ts', op: 'read' })).content, '2');
  });
}

/** Headers, and whether they come in: names of hosts and origins as browsers send them. */
const DOORS = [
  [{}, true],
  [{ host: 'localhost:1' }, true],
  [{ host: '[::1]:1' }, true],
  [{ host: 'evil.example' }, false],
  [{ host: '127.0.0.1.evil.example' }, false],
  [{ host: 'localhost.evil.example:80' }, false],
  [{ origin: 'http://localhost:3000' }, true],
  [{ origin: 'https://127.0.0.1' }, true],
  [{ origin: 'http://evil.example' }, false],
  [{ origin: 'http://localhost.evil.example' }, false],
  [{ origin: 'null' }, false],
  [{ origin: 'file://' }, false],
];

test('pages of other hosts do not come in', async (t) => {
  const { url } = await serve(tree(t, TREE));
  for (const [headers, comes] of DOORS) {
    const { status, text } = await post(url, { headers });
    assert.equal(status < 300, comes, `${JSON.stringify(headers)}: ${status}`);
    if (!comes) assert.ok(status >= 400 && status < 500 && !text.includes('serverInfo'), text);
  }
});

test('with a token', async (t) => {
  const laid = tree(t, TREE);
  const { url } = await serve(laid, { env: { PATHFINDER_HTTP_TOKEN: TOKEN } });
  for (const authorization of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
    assert.equal((await post(url, { headers: authorization ? { authorization } : {} })).status, 401, authorization);
  }
  const authorization = `Bearer ${TOKEN}`;
  assert.equal((await post(url, { headers: { authorization, host: 'pathfinder.example' } })).status, 200);
  // A page has no business here even then.
  assert.equal((await post(url, { headers: { authorization, origin: 'http://evil.example' } })).status, 403);
  const { resolve } = await connect(laid, { client: 'auto', url, headers: { authorization } });
  assert.equal((await resolve({ failed_path: 'src/app.ts' })).status, 'exists');
});

/** Addresses and tokens that are not served, and why. */
const REFUSED = [
  [{ address: '0.0.0.0:0' }, /is reachable from other machines: set PATHFINDER_HTTP_TOKEN/],
  [{ address: '0', env: { PATHFINDER_HTTP_TOKEN: 'short' } }, /must have at least 16 characters/],
  [{ address: '999999' }, /cannot listen there/],
  [{ address: 'nonsense' }, /cannot listen there/],
  [{ address: '' }, /cannot listen there/],
];

test('what is not served', async (t) => {
  for (const [how, why] of REFUSED) {
    const { said, ended } = await serve(tree(t, TREE), how);
    assert.match(said, why);
    assert.deepEqual(await ended, [2, null]);
  }
  const { url } = await serve(tree(t, TREE));
  const { said } = await serve(tree(t, TREE), { address: new URL(url).host });
  assert.match(said, /cannot listen there/, 'a port that is taken');
});

test('what is no request', async (t) => {
  const laid = tree(t, TREE);
  const { url, child } = await serve(laid);
  const bad = async (how) => {
    const { status, text } = await post(url, how);
    assert.ok(status >= 400 && status < 500, `${status}: ${text.slice(0, 200)}`);
  };
  await bad({ path: '/' });
  await bad({ path: '/mcp/../etc/passwd' });
  await bad({ body: 'hello' });
  await bad({ body: '{"jsonrpc":"2.0"' });
  await bad({ body: '[]' });
  await bad({ body: '['.repeat(100_000) });
  await bad({ method: 'PUT' });
  await bad({ headers: { accept: 'text/html' } });
  await bad({ headers: { 'content-type': 'text/plain' } });
  await bad({ headers: { 'mcp-session-id': 'none' }, body: JSON.stringify({ ...INITIALIZE, method: 'tools/list', params: {} }) });
  await bad({ headers: { 'mcp-protocol-version': '1999-01-01' } });
  await bad({ body: `"${'x'.repeat(5 << 20)}"` });
  // It is said as soon as the length is: nothing of it need be read.
  assert.equal((await post(url, { body: `"${'x'.repeat(100 << 20)}"` })).status, 413);
  assert.equal((await post(url)).status, 200);
  assert.equal(child.exitCode, null);
});

/** Writes bytes that are no HTTP, or have no end; gives what came back before the connection was closed. */
async function sent(url, write) {
  const { hostname, port } = new URL(url);
  const socket = dial(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await write(socket);
  await closed;
  return Buffer.concat(chunks).toString();
}

test('a head without end is cut off', async (t) => {
  const laid = tree(t, TREE);
  const { url } = await serve(laid);
  const piece = 'x'.repeat(1 << 20);
  const answer = await sent(url, async (socket) => {
    socket.write('POST /mcp?');
    for (let at = 0; at < 100 && !socket.destroyed; at += 1) {
      await new Promise((resolve) => socket.write(piece, resolve));
    }
    socket.end();
  });
  assert.match(answer, /^(HTTP\/1\.1 4|$)/);
  assert.match(await sent(url, (socket) => socket.end('\u0016\u0003\u0001 no http at all\r\n\r\n')), /^(HTTP\/1\.1 4|$)/);
  const { resolve } = await connect(laid, { url });
  assert.equal((await resolve({ failed_path: 'src/app.ts' })).status, 'exists');
});

for (const client of ['sdk 1', '2026-07-28']) {
  test(`${client}: a thousand calls at once, over HTTP`, async (t) => {
    const laid = tree(t, TREE);
    const { url } = await serve(laid);
    const { call } = await connect(laid, { client, url });
    const asked = Array.from({ length: 1000 }, () => call('path_resolve', { failed_path: 'lib/a.ts' }));
    for (const { path } of await Promise.all(asked)) assert.equal(path, 'src/lib/a.ts');
  });
}

test('clients that leave in the middle', async (t) => {
  const laid = tree(t, TREE);
  const { url, child } = await serve(laid);
  const { hostname, port } = new URL(url);
  for (let at = 0; at < 50; at += 1) {
    const socket = dial(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: ${ACCEPT.accept}\r\nContent-Length: 1000\r\n\r\n`;
    socket.write(head + JSON.stringify(INITIALIZE).slice(0, at * 3));
    socket.destroy();
  }
  const { resolve } = await connect(laid, { url });
  assert.equal((await resolve({ failed_path: 'src/app.ts' })).status, 'exists');
  assert.equal(child.exitCode, null);
});

test('ends on a signal with clients connected', async (t) => {
  const laid = tree(t, TREE);
  const { url, child, ended, errors } = await serve(laid);
  const { resolve } = await connect(laid, { url });
  await resolve({ failed_path: 'lib/a.ts' });
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.ok(errors.some((line) => line.includes('"tool":"path_resolve"')), errors.join('\n'));
  assert.ok(!errors.join('\n').includes(SECRET));
});
