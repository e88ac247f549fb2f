// A window without a folder: there is nothing to look after, until a file is opened.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { actions, api, apply, at, diagnostics, message, none, open, ready, run, save, until } = require('./window.cjs');

exports['it runs, and does not say that it is at work'] = async () => {
  assert.equal(vscode.workspace.workspaceFolders, undefined);
  const { client, status } = await api();
  await until('the program', () => client.state.is === 'running', () => client.state);
  await until('rest', () => !status.view.text.includes('sync'), () => status.view);
};

exports['a path that is asked for has no root, and that is said'] = async () => {
  await vscode.env.clipboard.writeText('docs/instal.md');
  await run('pathfinder.resolveClipboard');
  assert.match(await message('Pathfinder:'), /folder/);
  await run('notifications.clearAll');
};

exports['a file that is opened is looked after with what is around it'] = async () => {
  const { document } = await open('docs/guide.md');
  await ready();
  await diagnostics('docs/guide.md');
  const [first] = await actions('docs/guide.md');
  assert.ok(first.title.startsWith('Change to `install.md`'), first.title);
  await apply(first.edit);
  await save(document);
  await none('docs/guide.md');
  const { roots } = await (await ready()).request('pathfinder/roots');
  assert.deepEqual(roots.map(({ path }) => path), [at('docs')]);
};

exports['the agent is given no server: it would have no root'] = async () => {
  assert.deepEqual(vscode.lm.tools.filter(({ name }) => /pathfinder/.test(name)), []);
};
