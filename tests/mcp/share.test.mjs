// One engine for all processes on the same roots: leader, clients, and the end of either.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { CLIENTS, command, connect } from './client.mjs';
import { editor } from './editor.mjs';
import { midway } from './midway.mjs';
import { tree } from './tree.mjs';

const TREE = `
  web/client.go: web
  vllm/client.go: vllm
  reranker/client.go: reranker
  src/app.ts: one
  src/config.ts: two
`;
const WRONG = { failed_path: 'src/confg.ts' };
const RIGHT = { status: 'resolved', path: 'src/config.ts' };
const sockets = (laid) => join(laid.place, 'cache/sockets');

/** Whether there is still time: longer than a client skips a busy leader. */
function patience() {
  const end = Date.now() + 90_000;
  return () => Date.now() < end;
}

/** Runs a command in the tree; gives what it printed, and its exit status. */
async function run(laid, args, { cwd = laid.root, input } = {}) {
  const { command: program, env } = command(laid);
  const running = promisify(execFile)(program, args, { cwd, env });
  running.child.stdin.end(input);
  const { stdout, stderr, code = 0 } = await running.catch((error) => error);
  return { stdout, stderr, code };
}

/** The leader, as `doctor` reports it. */
async function host(laid, root = laid.root) {
  const { stdout } = await run(laid, ['doctor', '--format=json', '--root', root]);
  return JSON.parse(stdout).running.engine.host;
}

/** Waits until that is this process. */
async function hosts(laid, pid, root) {
  for (const inTime = patience(); ; ) {
    const found = await host(laid, root);
    if (found?.pid === pid) return found;
    assert.ok(inTime(), `${JSON.stringify(found)}, not ${pid}`);
  }
}

const right = async ({ resolve }) => {
  const { status, path } = await resolve(WRONG);
  assert.deepEqual({ status, path }, RIGHT);
};

/** Whom the server of a connection has asked, once for each of so many calls, by the lines that it writes. */
async function asked(connection, calls) {
  for (const inTime = patience(); ; ) {
    const lines = connection.stderr().split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    if (lines.length >= calls) return lines.map((line) => JSON.parse(line).host);
    assert.ok(inTime(), `${lines.length} lines, not ${calls}`);
    await sleep(5);
  }
}

/** Waits until the server of a connection has written this to its log, which is another pipe than that of its answers. */
async function said(connection, what) {
  for (const inTime = patience(); !what.test(connection.stderr()); await sleep(5)) {
    assert.ok(inTime(), `${what} in ${connection.stderr()}`);
  }
}

/** Repeats a question until the server asks this process: a client skips a busy leader for a while. */
async function joined(connection, pid, ask = right) {
  for (const inTime = patience(); ; ) {
    const calls = connection.stderr().split('\n').length;
    await ask(connection);
    if ((await asked(connection, calls)).at(-1) === pid) return;
    assert.ok(inTime(), `does not ask ${pid}`);
  }
}

test('the second of two agents asks the first', async (t) => {
  const laid = tree(t, TREE);
  const one = await connect(laid);
  await right(one);
  const two = await connect(laid);
  await joined(two, one.transport.pid);
  assert.deepEqual(await asked(one, 1), [undefined]);
  assert.deepEqual(await host(laid), { pid: one.transport.pid, edge: 'agent', version: '0.1.0', guests: 1 });
  assert.equal(statSync(sockets(laid)).mode & 0o777, 0o700);
});

for (const client of CLIENTS) {
  test(`${client}: all of the protocol through another process`, async (t) => {
    const laid = tree(t, TREE);
    const one = await connect(laid, { client });
    await right(one);
    const ask = () => ({ action: 'accept', content: { path: 'vllm/client.go' } });
    const two = await connect(laid, { client, ask, args: ['--ask'] });
    await joined(two, one.transport.pid);
    const before = (await asked(two, 1)).length;
    const both = async (question) => assert.deepEqual(await question(two), await question(one));
    await both(({ call }) => call('path_find', { query: 'config' }));
    await both(({ call }) => call('roots_list', {}));
    await both(({ retry }) => retry({ failed_path: 'src/confg.ts', op: 'read' }));
    await both(({ call }) => call('path_resolve', {}));
    await both(({ client: at }) => at.listResources().then(({ resources }) => resources));
    await both(({ client: at }) => at.readResource({ uri: `file://${laid.at('src/app.ts')}` }).then(({ contents }) => contents));
    // Only one file is like this one: recorded uses, which come to an index at any time, change nothing of the answer.
    await both(({ client: at }) => at.readResource({ uri: `file://${laid.at('src/confg.ts')}` }).catch(({ code, message }) => [code, message]));
    await both(({ client: at }) => at.getPrompt({ name: 'right_path', arguments: { path: 'src/confg.ts' } }).then(({ messages }) => messages));
    const reference = { ref: { type: 'ref/resource', uri: 'file:///{path}' }, argument: { name: 'path', value: laid.at('src/').slice(1) } };
    await both(({ client: at }) => at.complete(reference).then(({ completion }) => completion));
    assert.deepEqual(await two.resolve({ failed_path: 'client.go' }), { status: 'resolved', path: 'vllm/client.go', why: 'chosen by the user' });
    assert.ok((await asked(two, before + 6)).slice(before).every((pid) => pid === one.transport.pid));
  });
}

/** How the leader of the new roots was started, when the one that comes to them has `--topk=10`. */
const OTHERS = [
  ['which another process has', ['--topk=10']],
  ['which another process has with other settings', ['--topk=20']],
];

for (const [what, args] of OTHERS) {
  test(`a host whose client names other roots, ${what}`, async (t) => {
    const laid = tree(t, 'one/src/config.ts: a\n two/src/confg_loader.ts: b\n two/src/confg.tsx: c');
    const [one, two] = [laid.at('one'), laid.at('two')];
    const other = await connect(laid, { roots: [two], args });
    assert.equal((await other.resolve({ failed_path: 'src/confg.tsx' })).status, 'exists');
    const clientRoots = [`file://${one}`];
    const first = await connect(laid, { roots: [], clientRoots, args: ['--topk=10'] });
    await right(first);
    const guest = await connect(laid, { roots: [one], args: ['--topk=10'] });
    await joined(guest, first.transport.pid);
    clientRoots[0] = `file://${two}`;
    await first.client.sendRootsListChanged();
    for (const inTime = patience(); (await first.call('roots_list', {})).roots[0].path !== two; await sleep(5)) assert.ok(inTime());
    await right(guest);
    await right(await connect(laid, { roots: [one], args: ['--topk=10'] }));
    assert.equal((await run(laid, ['resolve', '--root', one, 'src/confg.ts'])).stdout, 'src/config.ts\n');
    assert.notEqual((await host(laid, one))?.pid, first.transport.pid);
  });
}

test('a host that is killed in the middle of calls', async (t) => {
  const laid = tree(t, TREE);
  const two = await midway(laid, undefined, WRONG, 'src/config.ts');
  await hosts(laid, two.child.pid);
});

test('of several guests one is the next host, and the others are its guests', async (t) => {
  const laid = tree(t, TREE);
  const all = [await connect(laid)];
  for (let more = 0; more < 4; more += 1) all.push(await connect(laid));
  for (const one of all) await right(one);
  for (const left of [4, 3, 2, 1]) {
    const inTime = patience();
    let found;
    do found = await host(laid);
    while (found?.guests !== left && inTime());
    assert.equal(found?.guests, left);
    const { pid } = found;
    process.kill(pid, 'SIGKILL');
    all.splice(all.findIndex(({ transport }) => transport.pid === pid), 1);
    await Promise.all(all.map(right));
  }
});

test('a host that is stopped', async (t) => {
  const laid = tree(t, TREE);
  const one = await connect(laid);
  await right(one);
  const two = await connect(laid);
  await right(two);
  process.kill(one.transport.pid, 'SIGSTOP');
  // It may still answer once: a process does not stop at once.
  for (let calls = 2; (await asked(two, calls - 1)).at(-1) === one.transport.pid; calls += 1) await right(two);
  process.kill(one.transport.pid, 'SIGCONT');
  await right(one);
});

test('an editor comes, goes, and comes again', async (t) => {
  const laid = tree(t, TREE);
  const agent = await connect(laid);
  await right(agent);
  const first = await editor(laid);
  await hosts(laid, first.child.pid);
  await joined(agent, first.child.pid);
  await first.kill();
  await right(agent);
  await hosts(laid, agent.transport.pid);
  const second = await editor(laid);
  await joined(agent, second.child.pid);
});

test('what the editor opens wins ties for the agent', async (t) => {
  const laid = tree(t, TREE);
  const at = await editor(laid);
  await hosts(laid, at.child.pid);
  const agent = await connect(laid);
  const first = async () => {
    const { path, candidates } = await agent.resolve({ failed_path: 'client.go' });
    return candidates?.[0].path ?? path;
  };
  const before = await first();
  for (const name of ['web/client.go', 'vllm/client.go', 'reranker/client.go'].filter((name) => name !== before)) {
    at.open(name);
    // An answer that comes before the editor was heard is used as well, and then it is the later one.
    const inTime = patience();
    for (let seen = await first(); seen !== name; seen = await first()) {
      assert.ok(inTime(), `${seen}, not ${name}`);
      at.save(name);
    }
  }
});

test("what the agent resolves is the first of the editor's completion", async (t) => {
  const laid = tree(t, `${TREE}\n docs/a.md\n docs/b.md\n docs/c.md\n README.md: [x](docs/)\n`);
  const at = await editor(laid);
  await hosts(laid, at.child.pid);
  const agent = await connect(laid);
  await joined(agent, at.child.pid);
  at.open('README.md', '[x](docs/)\n');
  assert.deepEqual(await at.complete('README.md', 0, 9), ['a.md', 'b.md', 'c.md']);
  await agent.resolve({ failed_path: 'docs/c.md' });
  await agent.resolve({ failed_path: 'docs/b.md' });
  assert.deepEqual(await at.complete('README.md', 0, 9), ['b.md', 'c.md', 'a.md']);
});

test('a process with other settings uses its own engine and logs why', async (t) => {
  const laid = tree(t, `${TREE}\n.gitignore: build\n.git/\nbuild/output.js`);
  const one = await connect(laid);
  const path = async ({ resolve }) => (await resolve({ failed_path: 'build/outptu.js' })).status;
  assert.equal(await path(one), 'not_found');
  const two = await connect(laid, { args: ['--include-dirs', 'build'], env: { PATHFINDER_LOG: 'warn' } });
  assert.equal(await path(two), 'resolved');
  await said(two, /include_dirs = none, and this one was started with build/);
  const off = await connect(laid, { args: ['--share', 'off'] });
  await right(off);
  assert.deepEqual(await asked(off, 1), [undefined]);
});

/** What one can find in the place of the socket. `at` is its path; gives what is to be closed. */
const SQUATTERS = [
  ['a file', async (at) => writeFileSync(at, 'mine')],
  ['a directory', async (at) => mkdirSync(at)],
  ['a program that says nothing', (at) => listen(at, () => {})],
  ['a program that hangs up', (at) => listen(at, (socket) => socket.destroy())],
  ['a program that talks nonsense', (at) => listen(at, (socket) => socket.write('hello\n{}\n[]\n{"id":0}\n'))],
  ['half a message', (at) => listen(at, (socket) => socket.end(greeting({ version: '0.1.0', edge: 'agent' }).subarray(0, 20)))],
  ['another program that sends messages of this form', (at) => listen(at, (socket) => socket.write(message(Buffer.from('something!else'.padEnd(100, '\0')))))],
  ['another version', (at) => listen(at, imitate({ version: '9.9.9', edge: 'editor' }))],
  ['another version with other messages', (at) => listen(at, imitate({ version: '9.9.9', edge: 'editor', protocol: 99 }))],
  ['other messages of this version', (at) => listen(at, imitate({ version: '0.1.0', edge: 'editor', protocol: 99 }))],
  ['a huge message', (at) => listen(at, (socket) => socket.write(Buffer.from([255, 255, 255, 255, 1, 2, 3])))],
  ['a message that never ends', (at) => listen(at, (socket) => { for (let sent = 0; sent < 20; sent += 1) socket.write(Buffer.alloc(1 << 20)); })],
];

/** A message: its length in four bytes, and its bytes. */
function message(body) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

/** A leader's first message. */
function greeting({ version, edge, protocol = 1 }) {
  const text = (value) => [value.length, ...Buffer.from(value)];
  const [pid, roots, settings, clients] = [1, 0, 0, 1];
  const info = [protocol, ...text(version), edge === 'editor' ? 0 : 1, pid, roots, settings, clients];
  return message(Buffer.from([...Buffer.from('pathfinder'), ...info]));
}

/** A process that greets like a leader, and never answers. */
const imitate = (about) => (socket) => socket.once('data', () => socket.write(greeting(about)));

async function listen(at, serve) {
  const open = new Set();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise((resolve) => server.listen(at, resolve));
  return () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
}

/** The path of the socket of a tree. */
async function place(laid) {
  const one = await connect(laid);
  await right(one);
  const { stdout } = await run(laid, ['doctor', '--format=json']);
  await one.client.close();
  const at = JSON.parse(stdout).running.engine.socket;
  for (const inTime = patience(); existsSync(at); await sleep(5)) assert.ok(inTime(), 'the socket is left');
  return at;
}

for (const [what, squat] of SQUATTERS) {
  test(`in the place of the socket: ${what}`, async (t) => {
    const laid = tree(t, TREE);
    const at = await place(laid);
    const close = await squat(at);
    t.after(() => close?.());
    await right(await connect(laid));
    const { stdout } = await run(laid, ['resolve', 'src/confg.ts']);
    assert.equal(stdout, 'src/config.ts\n');
    const { stdout: said } = await run(laid, ['doctor', '--format=json']);
    const { running, problems } = JSON.parse(said);
    assert.equal(running.engine.host?.version, /version/.exec(what) ? (/^another/.exec(what) ? '9.9.9' : '0.1.0') : undefined);
    // A machine that does much else may walk slowly.
    assert.deepEqual(problems.map(({ code }) => code).filter((code) => code !== 'slow-walk'), ['engine-not-shared']);
    // An editor takes nothing away from what it does not know.
    const before = statSync(at).ino;
    const there = await editor(laid);
    assert.equal(there.child.exitCode, null);
    assert.equal(statSync(at).ino, before);
  });
}

test('a host that stops answering while it is asked', async (t) => {
  const laid = tree(t, TREE);
  const at = await place(laid);
  t.after(await listen(at, imitate({ version: '0.1.0', edge: 'agent' })));
  const one = await connect(laid);
  await right(one);
  assert.deepEqual(await asked(one, 1), [undefined]);
});

test('where the path of a socket would be too long', async (t) => {
  const laid = tree(t, TREE);
  const env = { PATHFINDER_CACHE_DIR: join(laid.place, 'long'.repeat(40)), TMPDIR: laid.place };
  const one = await connect(laid, { env });
  await right(one);
  await joined(await connect(laid, { env }), one.transport.pid);
});

test('a directory of sockets that others can look into is not used', async (t) => {
  const laid = tree(t, TREE);
  mkdirSync(sockets(laid), { recursive: true, mode: 0o755 });
  chmodSync(sockets(laid), 0o755);
  const one = await connect(laid, { env: { PATHFINDER_LOG: 'warn' } });
  await right(one);
  assert.deepEqual(readdirSync(sockets(laid)), []);
  await said(one, /not this user's alone/);
});

test('a socket that a killed process has left', async (t) => {
  const laid = tree(t, TREE);
  const one = await connect(laid);
  await right(one);
  process.kill(one.transport.pid, 'SIGKILL');
  const two = await connect(laid);
  await right(two);
  await hosts(laid, two.transport.pid);
  await two.client.close();
  const isLeft = () => readdirSync(sockets(laid)).some((name) => name.endsWith('.sock'));
  for (const inTime = patience(); isLeft(); await sleep(5)) assert.ok(inTime());
});

test('workspaces of one name, and one inside the other', async (t) => {
  const laid = tree(t, 'a/app/src/only_a.ts\nb/app/src/only_b.ts\na/app/inner/src/only_inner.ts');
  const all = [['a/app', 'src/only_a.ts'], ['b/app', 'src/only_b.ts'], ['a/app/inner', 'src/only_inner.ts']];
  for (const [root, name] of all) {
    const finds = async ({ resolve }) => assert.equal((await resolve({ failed_path: name.replace('only', 'onyl') })).path, name);
    const one = await connect(laid, { roots: [laid.at(root)] });
    await finds(one);
    const two = await connect(laid, { roots: [laid.at(root)] });
    await joined(two, one.transport.pid, finds);
    const { roots } = await two.call('roots_list', {});
    assert.deepEqual(roots.map(({ path }) => path), [laid.at(root)]);
  }
});

test('the roots that a client offers', async (t) => {
  const laid = tree(t, TREE);
  const one = await connect(laid);
  await right(one);
  const two = await connect(laid, { roots: [], cwd: laid.place, clientRoots: [`file://${laid.root}`] });
  await joined(two, one.transport.pid);
});

test('relative paths are relative to the client', async (t) => {
  const laid = tree(t, 'one/src/app.ts\ntwo/src/app.ts\ntwo/src/deep/x.ts');
  const one = await connect(laid, { cwd: laid.at('one') });
  const path = async ({ resolve }) => (await resolve({ failed_path: 'src/app.ts' })).path;
  assert.equal(await path(one), 'one/src/app.ts');
  const two = await connect(laid, { cwd: laid.at('two') });
  await joined(two, one.transport.pid, async () => assert.equal(await path(two), 'two/src/app.ts'));
});

/** Commands and their input; with and without a leader they print the same. */
const COMMANDS = [
  [['resolve', 'src/confg.ts']],
  [['resolve', '--format=json', 'src/confg.ts']],
  [['resolve', 'client.go']],
  [['resolve', '--format=json', '--intent', 'reranker', 'client.go']],
  [['resolve', 'src/app.ts']],
  [['resolve', 'nothing/like/it.py']],
  [['resolve', '../outside/passwords.txt']],
  [['resolve', '']],
  [['resolve', '--explain', 'src/confg.ts']],
  [['resolve', 'app.ts'], undefined, 'src'],
  [['resolve', '--batch'], '{"id":1,"failed_path":"src/confg.ts"}\n{"failed_path":"client.go"}\nnonsense\n{"id":2}\n'],
  [['find', 'config']],
  [['find', '--format=json', 'config']],
  [['find', 'xyzzyplugh']],
  [['find', '--batch'], '{"id":1,"query":"app"}\n{"query":"config"}\n{"id":3}\n'],
  [['hook', 'claude-code'], 'PostToolUseFailure'],
];

test('commands and hooks ask the leader, and print the same', async (t) => {
  const laid = tree(t, TREE);
  const all = async () => {
    const printed = [];
    for (const [args, input, below = ''] of COMMANDS) {
      const event = { hook_event_name: input, cwd: laid.root, tool_name: 'Read', tool_input: { file_path: laid.at('src/confg.ts') }, error: 'File does not exist.' };
      const given = args[0] === 'hook' ? JSON.stringify(event) : input;
      const { stdout, stderr, code } = await run(laid, args, { cwd: laid.at(below), input: given });
      // A single command reads no contents for a sure name; the leader knows them, and they count in the score.
      const scored = args[0] === 'find' ? stdout.replaceAll(/"score":[\d.]+/g, '"score":0') : stdout;
      printed.push({ args, stdout: scored.replaceAll(/"elapsed_us":\d+/g, '"elapsed_us":0'), stderr, code });
    }
    return printed;
  };
  const alone = await all();
  const one = await connect(laid);
  await right(one);
  const inTime = patience();
  while ((await hosts(laid, one.transport.pid)).guests > 0) assert.ok(inTime(), 'unknown clients');
  assert.deepEqual(await all(), alone);
  // The engine has answered: with its trees taken away the commands would know nothing without it.
  assert.match(alone.at(-1).stdout, /src\/config\.ts/);
});

test('a command is answered by the other process', async (t) => {
  const laid = tree(t, TREE);
  const one = await connect(laid);
  await right(one);
  const log = async (args, input) => {
    const { command: program, env } = command(laid);
    const running = promisify(execFile)(program, args, { cwd: laid.root, env: { ...env, PATHFINDER_LOG: 'pathfinder=info' } });
    running.child.stdin.end(input);
    return (await running.catch((error) => error)).stderr;
  };
  for (const args of [['resolve', 'src/confg.ts'], ['find', 'config'], ['resolve', '--batch'], ['find', '--batch']]) {
    // A client that waits for a greeting in vain uses its own engine.
    const inTime = patience();
    while (/indexed/.test(await log(args, ''))) assert.ok(inTime(), `${args} has read the tree`);
    assert.match(await log([...args, '--share', 'off'], ''), /indexed/, `${args} has read no tree`);
  }
});

test('a batch goes on when its leader is gone', async (t) => {
  const laid = tree(t, TREE);
  const one = await connect(laid);
  await right(one);
  const { command: program, env } = command(laid);
  const running = promisify(execFile)(program, ['resolve', '--batch'], { cwd: laid.root, env });
  const { stdin, stdout } = running.child;
  const ask = async (id) => {
    stdin.write(`${JSON.stringify({ id, ...WRONG })}\n`);
    const [line] = await new Promise((resolve) => stdout.once('data', (data) => resolve(String(data).split('\n'))));
    return JSON.parse(line);
  };
  for (const id of [1, 2, 3]) {
    const { path, id: of } = await ask(id);
    assert.deepEqual([of, path], [id, 'src/config.ts']);
    if (id === 1) process.kill(one.transport.pid, 'SIGKILL');
  }
  stdin.end();
  await running;
});
