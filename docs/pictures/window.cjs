// In VS Code's extension host: a broken import, the menu of fixes, and the file when it is fixed, as three screenshots.

const vscode = require('vscode');
const { appears, diagnostics, open, own, person, press, run, until } = require('../../tests/vscode/host/window.cjs');

const take = (step) => person('screenshot', { name: `${process.env.PATHFINDER_THEME}-${step}` });

exports['quick fix'] = async () => {
  await run('workbench.action.closeSidebar');
  await run('workbench.action.closeAuxiliaryBar');
  await run('notifications.clearAll');
  const editor = await open('src/main.ts');
  const [{ range }] = await diagnostics('src/main.ts');
  const at = range.start.translate(0, 3);
  editor.selection = new vscode.Selection(at, at);
  await run('workbench.action.focusActiveEditorGroup');
  await person('see', { selector: '.squiggly-error' });
  await run('notifications.clearAll');
  await take('broken');
  await until('the menu', async () => {
    await press('Control+.');
    return appears(async () => (await person('texts', { selector: '.action-widget' })).some((text) => text.includes('Change to')));
  });
  await take('menu');
  await press('Enter');
  await until('a change', () => editor.document.isDirty);
  await press('Control+s');
  await until('the end of the diagnostic', () => own('src/main.ts').length === 0);
  await person('see', { selector: '.statusbar-item', text: '1 broken' });
  await take('fixed');
};
