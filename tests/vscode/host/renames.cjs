// A rename beside another extension, which changes the files of its language.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { read, ready, until, uri } = require('./window.cjs');

const rename = async (from, to) => {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uri(from), uri(to));
  assert.ok(await vscode.workspace.applyEdit(edit));
};
const library = async () => (await vscode.workspace.openTextDocument(uri('crate/src/lib.rs'))).getText();

exports['each text is changed once'] = async () => {
  await ready();
  await until('the other extension', () => vscode.extensions.getExtension('rust-lang.rust-analyzer')?.isActive);
  await rename('crate/src/part.rs', 'crate/src/piece.rs');
  await until('the link on disk', () => read('docs/parts.md') === '[Part](../crate/src/piece.rs)\n', () => read('docs/parts.md'));
  assert.equal(await library(), 'mod piece;\nconst TEXT: &str = include_str!("text.txt");\n');
};

exports['a text that the other extension leaves is changed'] = async () => {
  await rename('crate/src/text.txt', 'crate/src/words.txt');
  assert.equal(await library(), 'mod piece;\nconst TEXT: &str = include_str!("words.txt");\n');
};
