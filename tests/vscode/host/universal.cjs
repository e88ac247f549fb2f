// The extension without a program of its own: there is none on the PATH, and then there is.

const assert = require('node:assert/strict');
const { symlinkSync } = require('node:fs');
const { api, at, diagnostics, message, ready, run, until } = require('./window.cjs');

exports['without a program it says what to do'] = async () => {
  const { client, status } = await api();
  await until('the end', () => client.state.is === 'stopped', () => client.state);
  assert.match(client.state.why, /no program for linux-x64, and there is no pathfinder on the PATH\. Install pathfinder/);
  assert.equal(status.view.is, 'error');
  assert.match(await message('Install pathfinder'), /How to Install[^]*Try Again/);
};

exports['once it is on the PATH, it is found'] = async () => {
  symlinkSync(process.env.PATHFINDER_TO_LINK, at('../bin/pathfinder'));
  assert.ok(process.env.PATH.split(':').includes(at('../bin')), process.env.PATH);
  await run('pathfinder.restart');
  const { binary } = await ready();
  assert.equal(binary.from, 'PATH');
  assert.equal(binary.path, at('../bin/pathfinder'));
  await diagnostics('docs/unopened.md');
};
