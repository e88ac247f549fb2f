// What was installed from a package works.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { ID, actions, api, apply, open, read, ready, save, until } = require('./window.cjs');

exports['it is there, starts, reports and mends'] = async () => {
  const extension = vscode.extensions.getExtension(ID);
  assert.ok(extension?.extensionPath.includes('/ext/'), extension?.extensionPath);
  await until('activation', () => extension.isActive);
  await api();
  const { binary } = await ready();
  assert.equal(binary.from, 'extension');
  assert.ok(binary.path.startsWith(extension.extensionPath));
  const { document } = await open('web/src/app.ts');
  const [first] = await actions('web/src/app.ts');
  await apply(first.edit);
  await save(document);
  assert.match(read('web/src/app.ts'), /'\.\/components\/button'/);
};
