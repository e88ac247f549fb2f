// An untrusted folder that names a program of its own.

const assert = require('node:assert/strict');
const { existsSync } = require('node:fs');
const vscode = require('vscode');
const { api, at, diagnostics, message, ready } = require('./window.cjs');

exports['its program is not run, and its paths are checked'] = async () => {
  assert.equal(vscode.workspace.isTrusted, false);
  const { client } = await api();
  await ready();
  assert.equal(client.binary.from, 'extension');
  assert.equal(existsSync(at('../run')), false, 'the program of the workspace was not run');
  await diagnostics('docs/unopened.md');
};

exports['that is said, with a way out'] = async () => {
  const shown = await message('this workspace names a program of its own');
  assert.ok(shown.includes(at('../hostile')) && shown.includes('Manage Workspace Trust'), shown);
};

exports['nor is it for the agent'] = async () => {
  const { client } = await api();
  assert.equal((await client.program()).from, 'extension');
  assert.equal(existsSync(at('../run')), false);
};
