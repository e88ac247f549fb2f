// The extension without a program of its own: there is none on the PATH; one is chosen, downloaded, and put there.

const assert = require('node:assert/strict');
const { existsSync, readdirSync, symlinkSync } = require('node:fs');
const { dirname } = require('node:path');
const vscode = require('vscode');
const { api, appears, at, configure, diagnostics, message, messages, person, press, ready, run, until } = require('./window.cjs');

/** The button of a message. */
const click = async (text) => {
  await message(text);
  await person('click', { selector: '.notification-list-item .monaco-button', text });
};

/** Tries the download again that has failed. */
const again = async () => {
  await message('Nothing was installed');
  await person('click', { selector: '.notification-list-item:has-text("Nothing was installed") .monaco-button', text: 'Try Again' });
};

const stopped = async () => {
  const { client, status } = await api();
  await until('the end', () => client.state.is === 'stopped', () => client.state);
  assert.match(client.state.why, /no program for linux-x64, and there is no pathfinder on the PATH\. Install pathfinder/);
  assert.equal(status.view.is, 'error');
};

exports['without a program it says what to do'] = async () => {
  await stopped();
  assert.match(await message('Install pathfinder'), /Download 0\.[^]*Choose Program[^]*How to Install[^]*Try Again/);
};

exports['How to Install shows a page of the extension'] = async () => {
  await click('How to Install');
  await until('the page', () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes('install.md'))));
  await run('workbench.action.closeAllEditors');
};

/** Names a file in the dialog that lists folders. It drops the key as long as it reads the folder of that path. */
const choose = async (path) => {
  const box = '.quick-input-widget:visible .quick-input-box input';
  const ended = async () => (await person('texts', { selector: box })).length === 0;
  await person('see', { selector: '.quick-input-list .monaco-list-row' });
  await until('the end of the dialog', async () => {
    if (await ended()) return true;
    await person('fill', { selector: box, text: path });
    await press('Enter');
    return appears(ended);
  }, () => person('texts', { selector: '.quick-input-widget' }));
};

exports['a program is chosen'] = async () => {
  await run('pathfinder.restart');
  await click('Choose Program…');
  await choose(process.env.PATHFINDER_TO_LINK);
  const { binary } = await ready();
  assert.deepEqual([binary.from, binary.path], ['setting', process.env.PATHFINDER_TO_LINK]);
  await configure('path', undefined);
  await stopped();
};

exports['a download that is not released, or is another program, installs nothing'] = async () => {
  const { client } = await api();
  await run('notifications.clearAll');
  await run('pathfinder.restart');
  await click('Download 0.');
  assert.match(await message('could not be downloaded'), /\.sha256 could not be downloaded: it is not there, so this version is not released/);
  for (const [what, said] of [['wrong checksum', /the checksum of \S+ is [0-9a-f]{64}, not 1{64}\. Nothing was installed/], ['half', /\.gz is incomplete or broken/], ['page', /\.sha256 is no checksum/]]) {
    await again();
    const shown = await until(what, async () => (await messages()).find((it) => said.test(it)), messages);
    assert.match(shown, /Try Again[^]*How to Install/);
  }
  assert.equal(client.state.is, 'stopped');
  assert.ok(!existsSync(client.downloaded));
};

exports['a download with the right checksum is run'] = async () => {
  await again();
  const { binary, downloaded } = await ready();
  assert.deepEqual([binary.from, binary.path], ['download', downloaded]);
  assert.deepEqual(readdirSync(dirname(downloaded)), ['pathfinder']);
  await diagnostics('docs/unopened.md');
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
