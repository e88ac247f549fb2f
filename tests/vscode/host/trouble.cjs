// Programs that crash, are not there, or are for another machine: what happens is said, with a way out.

const assert = require('node:assert/strict');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { api, at, configure, diagnostics, message, messages, none, processes, ready, run, until } = require('./window.cjs');

const stopped = async (why) => {
  const { client, status } = await api();
  await until('the end', () => client.state.is === 'stopped' && why.test(client.state.why), () => client.state);
  assert.equal(status.view.is, 'error');
};

/** A program that is put beside the project, and named in the settings. */
async function use(name, text, mode = 0o755) {
  const path = `${at('..')}/${name}`;
  if (text !== undefined) writeFileSync(path, text, { mode });
  await configure('path', path);
  return path;
}

exports['after a crash it is started again'] = async () => {
  const { binary } = await ready();
  const [pid] = processes(binary.path, 'lsp');
  process.kill(pid, 'SIGKILL');
  await until('another one', () => processes(binary.path, 'lsp').some((it) => it !== pid));
  await ready();
  await diagnostics('docs/unopened.md');
};

exports['Restart ends it well, and starts it'] = async () => {
  const { binary } = await ready();
  const [pid] = processes(binary.path, 'lsp');
  await run('pathfinder.restart');
  await ready();
  const now = processes(binary.path, 'lsp');
  assert.equal(now.length, 1);
  assert.notEqual(now[0], pid);
};

exports['a program that is not there'] = async () => {
  await configure('path', '/nowhere/pathfinder');
  await stopped(/pathfinder\.path names \/nowhere\/pathfinder, but there is no such file/);
  const shown = await message('/nowhere/pathfinder');
  for (const way of ['Open Settings', 'Open Log', 'Try Again']) assert.ok(shown.includes(way), shown);
  await none('docs/unopened.md');
  await run('notifications.clearAll');
};

exports['a command without a program says why'] = async () => {
  await run('pathfinder.reindexWorkspace');
  assert.match(await message('is not running'), /no such file/);
  await run('notifications.clearAll');
};

exports['a path that is not absolute'] = async () => {
  await configure('path', 'bin/pathfinder');
  await stopped(/no absolute path/);
};

exports['a program for another machine'] = async () => {
  const head = Buffer.alloc(4096);
  head.write('\x7fELF\x02\x01\x01', 'latin1');
  head.writeUInt16LE(2, 16);
  head.writeUInt16LE(0xb7, 18);
  await use('pathfinder-arm64', head);
  await stopped(/built for linux-arm64, and this machine is linux-x64/);
};

exports['a program that is not executable'] = async () => {
  await use('pathfinder-plain', '#!/bin/sh\n', 0o644);
  await stopped(/not executable.*chmod \+x/);
};

exports['a program that is another one'] = async () => {
  await use('pathfinder-other', '#!/bin/sh\necho nginx 1.2.3\n');
  await stopped(/does not say that it is pathfinder/);
};

exports['a program that is too old'] = async () => {
  await use('pathfinder-old', '#!/bin/sh\necho pathfinder 0.0.9\n');
  await stopped(/is pathfinder 0\.0\.9, and this extension needs 0\.1\.0 or later/);
};

exports['a program that crashes again and again'] = async () => {
  await run('notifications.clearAll');
  const { client } = await api();
  const seen = new Set();
  const listening = client.onDidChange(() => seen.add(client.state.is));
  await use('pathfinder-crashing', '#!/bin/sh\n[ "$1" = --version ] && echo pathfinder 0.1.0 && exit 0\nexit 3\n');
  await stopped(/has crashed 5 times in a row/);
  listening.dispose();
  assert.ok(seen.has('waiting'), 'there were pauses');
  const shown = await message('has crashed 5 times');
  for (const way of ['Open Settings', 'Open Log', 'Try Again']) assert.ok(shown.includes(way), shown);
  assert.equal((await messages()).length, 1, 'and nothing else is said');
  await run('notifications.clearAll');
};

exports['a program that does not answer is ended'] = async () => {
  const pid = at('../hanging.pid');
  await use('pathfinder-hanging', `#!/bin/sh\n[ "$1" = --version ] && echo pathfinder 0.1.0 && exit 0\necho $$ >'${pid}'\nexec sleep 1000\n`);
  const number = Number(await until('its process', () => existsSync(pid) && readFileSync(pid, 'utf8').trim()));
  await configure('path', undefined);
  await ready();
  await until('its end', () => !existsSync(`/proc/${number}`));
};

exports['the right program again'] = async () => {
  await configure('path', undefined);
  const { binary } = await ready();
  assert.equal(binary.from, 'extension');
  await diagnostics('docs/unopened.md');
};
