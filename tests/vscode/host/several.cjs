// A window with several folders: each is a root, and they come and go.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { actions, apply, at, diagnostics, front, none, open, own, press, ready, rows, run, save, until, uri } = require('./window.cjs');

const roots = async () => {
  const client = await ready();
  const { roots } = await client.request('pathfinder/roots');
  return roots.map(({ path }) => path);
};

exports['each folder is looked after, and what is in none is not'] = async () => {
  assert.equal(vscode.workspace.workspaceFolders.length, 2);
  assert.deepEqual(await roots(), [at('docs'), at('web')]);
  await diagnostics('docs/unopened.md');
  await diagnostics('web/tsconfig.json');
  await open('later/two.md');
  await open('docs/guide.md');
  await diagnostics('docs/guide.md');
  assert.equal(own('later/two.md').length, 0);
};

exports['a folder has settings of its own'] = async () => {
  const settings = vscode.workspace.getConfiguration('pathfinder', uri('docs'));
  const target = vscode.ConfigurationTarget.WorkspaceFolder;
  await settings.update('disable', ['md'], target);
  await none('docs/unopened.md');
  await diagnostics('web/tsconfig.json');
  await settings.update('disable', undefined, target);
  await diagnostics('docs/unopened.md');
};

for (const [name, better] of [['docs/guide.md', 'install.md'], ['web/src/app.ts', './components/button']]) {
  exports[`mended in its own folder: ${name}`] = async () => {
    const { document } = await open(name);
    const [first] = await actions(name);
    assert.ok(first.title.startsWith(`Change to \`${better}\``), first.title);
    await apply(first.edit);
    await save(document);
    await none(name);
  };
}

for (const [asked, path] of [['instal.md', 'docs/install.md'], ['components/confirmation-dialg.ts', 'web/src/components/confirmation-dialog.ts']]) {
  exports[`Resolve Path opens what is in whichever folder: ${asked}`] = async () => {
    const done = run('pathfinder.resolvePath', asked);
    await rows(path.split('/').slice(1).join('/'));
    await press('Enter');
    await done;
    await until('the file in front', () => front() === at(path), front);
  };
}

exports['the agent is given all folders'] = async () => {
  const tools = () => vscode.lm.tools.filter(({ name }) => /pathfinder.*roots_list/.test(name));
  await until('tools', async () => {
    await run('workbench.mcp.startServer', 'pathfinder-dev.pathfinder/pathfinder').then(undefined, () => undefined);
    return tools().length > 0;
  });
  const { content } = await vscode.lm.invokeTool(tools()[0].name, { input: {}, toolInvocationToken: undefined });
  const said = content.map((part) => part.value).join('\n');
  for (const name of ['docs', 'web']) assert.ok(said.includes(at(name)), said);
};

exports['a folder that is added is looked after'] = async () => {
  assert.ok(vscode.workspace.updateWorkspaceFolders(2, 0, { uri: uri('tools') }));
  await diagnostics('tools/report.py');
  await until('three roots', async () => (await roots()).length === 3, roots);
};

exports['of one that is removed nothing is said any more'] = async () => {
  assert.ok(vscode.workspace.updateWorkspaceFolders(1, 1));
  await none('web/tsconfig.json');
  await until('two roots', async () => (await roots()).length === 2, roots);
  await diagnostics('docs/unopened.md');
};
