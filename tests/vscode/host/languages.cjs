// Paths in files of several languages: reported, mended, completed, followed.

const assert = require('node:assert/strict');
const { rmSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');
const { ID, actions, api, at, configure, diagnostics, front, none, open, own, provided, read, ready, run, until, uri } = require('./window.cjs');

/** A file, its language, what is wrong in it, and what the first fix makes of that. */
const BROKEN = [
  ['web/src/app.ts', 'typescript', './components/buton', './components/button'],
  ['tools/report.py', 'python', 'helpers.fromat', 'helpers.format'],
  ['service/src/main.rs', 'rust', 'confg', 'config'],
  ['native/main.c', 'c', 'include/buffr.h', 'include/buffer.h'],
  ['docs/guide.md', 'markdown', 'instal.md', 'install.md'],
  ['web/tsconfig.json', 'jsonc', './tsconfig.bsae.json', './tsconfig.base.json'],
];

exports['it is activated, and its program runs'] = async () => {
  const extension = vscode.extensions.getExtension(ID);
  assert.ok(extension, 'the extension is there');
  const { client, status } = await api();
  await ready();
  assert.equal(client.binary.from, 'extension');
  assert.match(client.binary.version, /^\d+\.\d+\.\d+$/);
  assert.match(status.view.text, /broken paths?$/);
  const commands = await vscode.commands.getCommands(true);
  for (const { command } of extension.packageJSON.contributes.commands) assert.ok(commands.includes(command), command);
};

exports['files that are not open are reported of'] = async () => {
  const [{ message, code, severity }] = await diagnostics('docs/unopened.md');
  assert.match(message, /docs\/absent\.md does not exist/);
  assert.equal(code.value, 'missing-path');
  assert.equal(severity, vscode.DiagnosticSeverity.Warning);
};

for (const [name, language, literal, better] of BROKEN) {
  exports[`${language}: reported, mended and saved`] = async () => {
    const { document } = await open(name);
    assert.equal(document.languageId, language);
    const before = read(name);
    const [{ range }] = await diagnostics(name);
    assert.equal(document.getText(range), literal);
    const [first] = await actions(name);
    assert.ok(first.title.startsWith(`Change to \`${better}\``), first.title);
    assert.ok(await vscode.workspace.applyEdit(first.edit));
    assert.ok(await document.save());
    assert.equal(read(name), before.replace(literal, better), 'on disk');
    await none(name);
  };
}

exports['a missing file is created'] = async () => {
  // In a tab that stays when the new file is shown: VS Code asks no more about what has none, and the test keeps it open.
  await open('docs/create.md', { preview: false });
  await diagnostics('docs/create.md');
  const [{ range }] = own('docs/create.md');
  const create = await until('the action', async () => {
    const list = await provided('CodeAction', uri('docs/create.md'), range);
    return list.find(({ title }) => title.startsWith('Create'));
  });
  await run(create.command.command, ...create.command.arguments);
  assert.equal(read('docs/decisions/0002-language.md'), '');
  await until('the new file in front', () => front() === at('docs/decisions/0002-language.md'), front);
  await none('docs/create.md');
};

exports['all of a file is mended by command'] = async () => {
  const { document } = await open('web/src/all.ts');
  await diagnostics('web/src/all.ts', 2);
  await run('pathfinder.fixFile');
  await until('change', () => document.isDirty);
  await document.save();
  assert.match(read('web/src/all.ts'), /'\.\/components\/button'.*\n.*'\.\/components\/confirmation-dialog'/);
  await none('web/src/all.ts');
};

exports['all of a file is mended by source.fixAll'] = async () => {
  const { document } = await open('web/src/more.ts');
  await diagnostics('web/src/more.ts', 1);
  const fixed = await until('the action', async () => {
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const [action] = await provided('CodeAction', document.uri, whole, 'source.fixAll.pathfinder');
    return action;
  });
  await vscode.workspace.applyEdit(fixed.edit);
  await document.save();
  assert.match(read('web/src/more.ts'), /'\.\/components\/button'/);
};

exports['paths are links'] = async () => {
  await open('docs/links.md');
  await ready();
  const links = await until('links', async () => {
    const list = await provided('Link', uri('docs/links.md'), 100);
    return list.some(({ target }) => target?.fsPath === at('docs/images/plan.svg')) && list;
  });
  assert.ok(links.some(({ target }) => target?.fsPath === at('web/src/components/button.ts')), JSON.stringify(links));
};

exports['paths are completed'] = async () => {
  const { document } = await open('native/complete.c');
  const position = new vscode.Position(0, '#include "include/bu'.length);
  const { items } = await provided('CompletionItem', document.uri, position);
  const labels = items.map(({ label }) => label.label ?? label);
  assert.ok(labels.includes('buffer.h'), labels.join(', '));
};

exports['a rename changes files of other languages'] = async () => {
  await ready();
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uri('web/src/components/button.ts'), uri('web/src/components/knob.ts'));
  assert.ok(await vscode.workspace.applyEdit(edit));
  // What other files say is changed in them, and not saved.
  const links = vscode.workspace.textDocuments.find((it) => it.uri.fsPath === at('docs/links.md'));
  await until('changes', () => links.getText().includes('knob'), () => [links.getText(), links.isDirty]);
  for (const document of vscode.workspace.textDocuments) if (document.isDirty) await document.save();
  assert.match(read('docs/links.md'), /components\/knob\.ts/);
  assert.match(read('web/src/app.ts'), /'\.\/components\/knob'/);
  await none('docs/links.md');
};

exports['a file that comes and goes elsewhere changes what is reported'] = async () => {
  await diagnostics('docs/unopened.md');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(at('docs'), 'absent.md'));
  let created = false;
  watcher.onDidCreate(() => (created = true));
  // Not by the editor, which would know of it.
  writeFileSync(at('docs/absent.md'), '# Here\n');
  await none('docs/unopened.md');
  // VS Code drops a creation that is followed by a deletion before it has told of it, and a check may have seen the file by then.
  await until('the creation', () => created);
  rmSync(at('docs/absent.md'));
  await diagnostics('docs/unopened.md');
  watcher.dispose();
};

exports['settings are followed at once'] = async () => {
  await diagnostics('docs/unopened.md');
  await configure('diagnostics', false);
  await none('docs/unopened.md');
  await configure('diagnostics', undefined);
  await diagnostics('docs/unopened.md');
};
