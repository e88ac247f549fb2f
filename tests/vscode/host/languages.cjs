// Paths in files of several languages: reported, mended, completed, followed.

const assert = require('node:assert/strict');
const { rmSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');
const { ID, actions, api, apply, at, configure, diagnostics, front, message, none, open, own, provided, read, ready, run, save, until, uri } = require('./window.cjs');

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
  const extension = await until('the extension', () => vscode.extensions.getExtension(ID));
  const { client, status } = await api();
  await ready();
  assert.equal(client.binary.from, 'extension');
  assert.match(client.binary.version, /^\d+\.\d+\.\d+$/);
  await until('the count', () => /Pathfinder: \d+ broken$/.test(status.view.text), () => status.view);
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
    await apply(first.edit);
    await save(document);
    assert.equal(read(name), before.replace(literal, better), 'on disk');
    await none(name);
  };
}

exports['a diagnostic says what was meant, and its hover says it once'] = async () => {
  await open('web/src/more.ts');
  const [{ range }] = await until('what was meant', () => {
    const list = own('web/src/more.ts');
    return list.length === 1 && list[0].message === 'Broken path: `./components/buton`. Did you mean `./components/button`?' && list;
  }, () => own('web/src/more.ts').map(({ message }) => message));
  // For a moment after it is opened VS Code has dropped what was said of the file on disk, and not yet asked for the document: then
  // only the hover says it.
  const said = async () => {
    const hovers = await provided('Hover', uri('web/src/more.ts'), range.start.translate(0, 3));
    return hovers.flatMap(({ contents }) => contents.map((it) => it.value ?? it)).filter((text) => /path/i.test(text));
  };
  await until('hover that leaves it to the diagnostic', async () => (await said()).length === 0, said);
};

exports['all of a file is in the menu of each finding, and what was tried is shown on request'] = async () => {
  await open('web/src/all.ts');
  const [{ range }] = await diagnostics('web/src/all.ts', 2);
  const list = await until('the action', async () => {
    const list = await provided('CodeAction', uri('web/src/all.ts'), range);
    return list.some(({ title }) => title === 'Fix all broken paths in this file (2)') && list;
  });
  const { command } = list.find(({ title }) => title.startsWith('Show where'));
  await run(command.command, ...command.arguments);
  assert.match(await message('was looked for at web/src/components/buton'), /components/);
  await run('notifications.clearAll');
};

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
  await save(document);
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
  await apply(fixed.edit);
  await save(document);
  assert.match(read('web/src/more.ts'), /'\.\/components\/button'/);
};

exports['paths are links'] = async () => {
  await open('docs/links.md');
  await ready();
  const of = async (name) => (await provided('Link', uri(name), 100)).map(({ range }) => `${range.start.line}:${range.start.character}`);
  await until('one link at each of two paths', async () => {
    const places = await of('docs/links.md');
    return places.length === 2 && new Set(places).size === 2;
  }, () => of('docs/links.md'));
  // No other extension has links there.
  await open('native/right.c');
  await until('a link', async () => {
    const list = await provided('Link', uri('native/right.c'), 100);
    return list.some(({ target }) => target?.fsPath === at('native/include/buffer.h'));
  });
  await configure('links', false);
  await until('no link', async () => (await of('native/right.c')).length === 0, () => of('native/right.c'));
  await configure('links', undefined);
};

exports['paths are completed'] = async () => {
  const { document } = await open('native/complete.c');
  const position = new vscode.Position(0, '#include "include/bu'.length);
  const labels = async () => {
    const { items } = await provided('CompletionItem', document.uri, position);
    return items.map(({ label }) => label.label ?? label);
  };
  await until('a completion', async () => (await labels()).includes('buffer.h'), labels);
};

exports['a rename changes files of other languages'] = async () => {
  await ready();
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uri('web/src/components/button.ts'), uri('web/src/components/knob.ts'));
  assert.ok(await vscode.workspace.applyEdit(edit));
  // What other files say is changed in them, and saved.
  await until('changes on disk', () => /components\/knob\.ts/.test(read('docs/links.md')), () => read('docs/links.md'));
  await until('changes on disk', () => /'\.\/components\/knob'/.test(read('web/src/app.ts')), () => read('web/src/app.ts'));
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

exports['the status bar and the Problems view count the same: open buffers win'] = async () => {
  const { status } = await api();
  const shown = () => vscode.languages.getDiagnostics().flatMap(([, list]) => list.filter(({ source }) => source === 'pathfinder')).length;
  await diagnostics('docs/unopened.md');
  const agree = (count) => until(`${count} broken`, () => shown() === count && status.view.text.endsWith(`: ${count} broken`), () => [shown(), status.view]);
  const before = shown();
  await agree(before);
  const editor = await open('docs/install.md');
  await until('the edit', () => editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '[x](gone-from-here.md)\n')));
  await agree(before + 1);
  await run('workbench.action.files.revert');
  await agree(before);
};

exports['settings are followed at once'] = async () => {
  await diagnostics('docs/unopened.md');
  await configure('diagnostics', false);
  await none('docs/unopened.md');
  await configure('diagnostics', undefined);
  await diagnostics('docs/unopened.md');
  for (const [name, value] of [['disable', ['md.link']], ['ignore', ['docs/**']], ['severity', { 'missing-path': 'off' }], ['languages', ['ts']]]) {
    await configure(name, value);
    await none('docs/unopened.md');
    await configure(name, undefined);
    await diagnostics('docs/unopened.md');
  }
};
