// The commands, as a person uses them: lists, terminals, previews, the status bar.

const assert = require('node:assert/strict');
const { rmSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');
const { ID, api, appears, at, diagnostics, front, message, none, open, own, person, press, provided, read, ready, rows, run, until, uri } = require('./window.cjs');

/** A terminal that prints what it is given. */
async function terminal(text) {
  const written = new vscode.EventEmitter();
  const pty = { onDidWrite: written.event, open: () => written.fire(text.replaceAll('\n', '\r\n')), close: () => {} };
  const made = vscode.window.createTerminal({ name: 'printed', pty });
  made.show();
  await person('see', { selector: '.xterm-rows', text: text.split('\n')[0] });
  return made;
}

const closed = async () => {
  for (const one of vscode.window.terminals) one.dispose();
  await run('workbench.action.closeAllEditors');
};

exports['Resolve Path lists what is meant, and opens it'] = async () => {
  await ready();
  await run('workbench.action.closeAllEditors');
  const done = run('pathfinder.resolvePath', 'docs/instal.md');
  const [first] = await rows('docs/install.md');
  assert.match(first, /docs\/install\.md[^]*typo/);
  assert.match(first, /\d+ %/);
  const listed = await rows('docs/install.md');
  assert.ok(listed.slice(1).every((row) => !/\d/.test(row.split('\n').slice(1).join(' '))), `one scale: ${listed.join('\n')}`);
  await press('Enter');
  await done;
  await until('the file in front', () => front() === at('docs/install.md'), front);
};

exports['Find File lists files, and opens one'] = async () => {
  const done = run('pathfinder.findFile', 'confirmation dialog');
  await rows('confirmation-dialog.ts');
  await press('Enter');
  await done;
  await until('the file in front', () => front() === at('web/src/components/confirmation-dialog.ts'), front);
};

exports['Find File opens the line of a declaration'] = async () => {
  const done = run('pathfinder.findFile', 'where is printTable declared');
  await rows('tables.ts');
  await press('Enter');
  await done;
  await until('the file in front', () => front() === at('web/src/tables.ts'), front);
  await until('its line', () => vscode.window.activeTextEditor?.selection.start.line === 3, () => vscode.window.activeTextEditor?.selection.start);
};

exports['a path that cannot be told says so'] = async () => {
  const done = run('pathfinder.resolvePath', 'qqqqqqqq/zzzzzz.wxyz');
  await rows('Nothing');
  await press('Escape');
  await done;
};

exports['Resolve Path From Clipboard opens what is sure, at its line'] = async () => {
  await vscode.env.clipboard.writeText('src/all.tsx:2:4');
  await vscode.env.clipboard.writeText('/home/somebody/project/docs/links.md:1:3\n');
  await run('pathfinder.resolveClipboard');
  await until('the file in front', () => front() === at('docs/links.md'), front);
  assert.equal(vscode.window.activeTextEditor.selection.start.character, 2);
};

exports['an empty clipboard is told'] = async () => {
  await vscode.env.clipboard.writeText('');
  await run('pathfinder.resolveClipboard');
  assert.doesNotMatch(await message('The clipboard has no text'), /Open Log/, 'a hint, and no error');
  await run('notifications.clearAll');
};

exports['Resolve Path From Terminal Selection'] = async () => {
  await vscode.env.clipboard.writeText('kept');
  await terminal('docs/instal.md');
  await run('workbench.action.terminal.selectAll');
  await run('pathfinder.resolveTerminalSelection');
  await until('the file in front', () => front() === at('docs/install.md'), front);
  assert.equal(await vscode.env.clipboard.readText(), 'kept');
  await closed();
};

/** Links of a line of a terminal. */
const links = async (line) => {
  const { terminalLinks } = await api();
  const token = new vscode.CancellationTokenSource().token;
  const found = await terminalLinks.provideTerminalLinks({ line, terminal: {} }, token);
  return found.map(({ startIndex, length, target, line: at, column }) => [line.slice(startIndex, startIndex + length), target.fsPath, at, column]);
};

for (const [line, expected] of [
  ['error in src/all.ts:2:4: no', [['src/all.ts:2:4', 'web/src/all.ts', 2, 4]]],
  ['  File "tools/helpers/fromat.py", line 2, in table', [['tools/helpers/fromat.py', 'tools/helpers/format.py', 2, undefined]]],
  ['at f (components/confirmation-dialg.ts(1,8))', [['components/confirmation-dialg.ts(1,8)', 'web/src/components/confirmation-dialog.ts', 1, 8]]],
  ['docs/install.md is right as it is', []],
  ['see https://example.com/docs/instal.md, or node.js and v1.2.3', []],
  ['x'.repeat(5000), []],
]) {
  exports[`links in a terminal: ${line.slice(0, 60)}`] = async () => {
    await ready();
    assert.deepEqual(await links(line), expected.map(([text, name, ...place]) => [text, at(name), ...place]));
  };
}

exports['a wrong path in a terminal opens the right file'] = async () => {
  await closed();
  await terminal('error: components/confirmation-dialg.ts:1:8 is wrong');
  await until('the file in front', async () => {
    await person('clickText', { selector: '.xterm-rows > div', text: 'confirmation-dialg.ts', modifiers: ['Control'] });
    // A second click would come back later.
    return appears(() => front() === at('web/src/components/confirmation-dialog.ts'));
  });
  await until('the place', () => vscode.window.activeTextEditor?.selection.start.character === 7);
  await closed();
};

exports['the status bar says what is broken, and leads to all of it'] = async () => {
  await ready();
  const { status } = await api();
  // Diagnostics are counted some time after the program says that it has all of them.
  await until('a count', () => /broken paths? in \d+ files/.test(status.view.tooltip), () => status.view);
  const words = status.view.text.replace('$(link) ', '');
  assert.match(status.view.tooltip, /Checked: all \d+ files of the workspace/);
  await person('see', { selector: '[id="pathfinder-dev.pathfinder.pathfinder.status"]', text: words });
  await person('click', { selector: '[id="pathfinder-dev.pathfinder.pathfinder.status"]' });
  const shown = await rows('Restart');
  assert.ok(shown.some((row) => row.includes(at('').slice(0, -1))), shown.join('\n'));
  assert.ok(shown.some((row) => row.includes('came with the extension')), shown.join('\n'));
  await press('Escape');
};

exports['Show Broken Paths lists them, and goes to one'] = async () => {
  await diagnostics('docs/unopened.md');
  const done = run('pathfinder.showBroken');
  await rows('docs/absent.md does not exist');
  await person('click', { selector: '.quick-input-list .monaco-list-row', text: 'docs/absent.md' });
  await done;
  await until('the file in front', () => front() === at('docs/unopened.md'), front);
};

exports['Reindex and Open Log'] = async () => {
  await run('pathfinder.reindexWorkspace');
  await person('see', { selector: '.statusbar-item', text: 'files in' });
  await run('pathfinder.openLog');
  // What is in it stays empty here: this VS Code is installed without the native module that writes logs.
  await person('see', { selector: '.part.panel', text: 'Pathfinder' });
  await run('workbench.action.closePanel');
};

exports['squiggle, Ctrl+., Enter, Ctrl+S'] = async () => {
  await run('workbench.action.closeAllEditors');
  const editor = await open('web/src/screen.ts');
  const [{ range }] = await diagnostics('web/src/screen.ts');
  editor.selection = new vscode.Selection(range.start.translate(0, 3), range.start.translate(0, 3));
  await run('workbench.action.focusActiveEditorGroup');
  await person('see', { selector: '.squiggly-error' });
  await person('screenshot', { name: 'squiggle' });
  // It is withdrawn without a word when other actions become known at that moment.
  await until('the menu', async () => {
    await press('Control+.');
    return appears(async () => (await person('texts', { selector: '.action-widget' })).some((text) => text.includes('Change to')));
  });
  await person('screenshot', { name: 'quick-fix' });
  await press('Enter');
  await until('a change', () => editor.document.isDirty);
  await press('Control+s');
  await until('the file on disk', () => read('web/src/screen.ts').includes("'./components/confirmation-dialog'"), () => read('web/src/screen.ts'));
  await until('the end of the diagnostic', () => own('web/src/screen.ts').length === 0);
  await person('screenshot', { name: 'fixed' });
};

exports['all of the workspace is mended with a preview'] = async () => {
  await run('workbench.action.closeAllEditors');
  await diagnostics('later/one.ts');
  await diagnostics('later/two.md', 1);
  const done = run('pathfinder.fixWorkspace');
  const listed = await rows('later/one.ts:1');
  assert.ok(listed.some((row) => row.includes('../web/src/components/confirmaton-dialog → ../web/src/components/confirmation-dialog')), listed.join('\n'));
  assert.match(read('later/one.ts'), /confirmaton/, 'nothing is changed before it is confirmed');
  await person('screenshot', { name: 'preview' });
  // All but this one.
  await person('click', { selector: '.quick-input-list .monaco-list-row', text: 'later/one.ts:1' });
  await person('click', { selector: '.quick-input-action .monaco-button', text: 'OK' });
  await done;
  await until('the others on disk', () => read('web/src/app.ts').includes("'./components/button'"), () => read('web/src/app.ts'));
  assert.match(read('later/one.ts'), /confirmaton/);
  await run('pathfinder.fixWorkspace', { preview: false });
  await until('the file on disk', () => read('later/one.ts').includes('confirmation-dialog'), () => read('later/one.ts'));
  await none('later/one.ts');
};

exports['the walkthrough is read as it is meant'] = async () => {
  const texts = () => person('texts', { selector: '.getting-started-step' });
  // Extensions' walkthroughs become known some time after the window is there.
  await until('the walkthrough', async () => {
    await run('workbench.action.openWalkthrough', `${ID}#start`, false);
    return appears(async () => (await texts()).some((text) => text.includes('Fix a broken path')));
  }, texts);
  const steps = await texts();
  assert.equal(steps.length, 4);
  assert.doesNotMatch(steps.join('\n'), /`|command:/);
  // It lies in the package: this machine has no network.
  assert.equal(await person('picture', { selector: 'img[alt^="A broken import"]' }), 900);
  await run('workbench.action.closeAllEditors');
};

exports['pathfinder.toml is completed, and a mistake in it is told'] = async () => {
  writeFileSync(at('pathfinder.toml'), '[check]\nignor = []\n');
  const editor = await open('pathfinder.toml');
  const mistakes = () => vscode.languages.getDiagnostics(uri('pathfinder.toml'));
  await until('a mistake', () => mistakes().some(({ message }) => message.includes('ignor')), mistakes);
  await until('the edit', () => editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 2, 0), '')));
  await until('no mistake', () => mistakes().length === 0, mistakes);
  const { items } = await provided('CompletionItem', uri('pathfinder.toml'), new vscode.Position(1, 0));
  const labels = items.map(({ label }) => label.label ?? label);
  for (const key of ['ignore', 'ignore_literals', 'severity']) assert.ok(labels.includes(key), labels.join(', '));
  await run('workbench.action.files.revert');
  rmSync(at('pathfinder.toml'));
};
