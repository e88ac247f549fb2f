// In VS Code's extension host: the main views of the extension, one screenshot each. `make.py views` runs it.

const vscode = require('vscode');
const { appears, diagnostics, message, open, person, press, ready, rows, run, until } = require('../../tests/vscode/host/window.cjs');

const take = (name) => person('screenshot', { name });

/** Nothing but the editor. */
async function clear() {
  await press('Escape');
  for (const command of ['workbench.action.closeAllEditors', 'workbench.action.closeSidebar', 'workbench.action.closeAuxiliaryBar', 'workbench.action.closePanel', 'notifications.clearAll']) await run(command);
}

/** The first finding of a file, with the cursor in it. */
async function finding(name, count) {
  const editor = await open(name);
  const [{ range }] = await diagnostics(name, count);
  const at = range.start.translate(0, 3);
  editor.selection = new vscode.Selection(at, at);
  await run('workbench.action.focusActiveEditorGroup');
  await person('see', { selector: '.squiggly-error' });
}

/** A view that is a list to choose from. */
async function list(name, row, command, ...args) {
  const done = run(command, ...args);
  await rows(row);
  await take(name);
  await press('Escape');
  await done;
}

const views = {
  async fixes() {
    await finding('src/app.ts', 2);
    await until('the menu', async () => {
      await press('Control+.');
      return appears(async () => (await person('texts', { selector: '.action-widget' })).some((text) => text.includes('Fix all')));
    });
    // What an attempt that came too early has said.
    await until('only the menu', async () => (await person('texts', { selector: '.monaco-editor-overlaymessage' })).length === 0);
    await take('fixes');
  },
  async hover() {
    await finding('src/app.ts', 2);
    await until('the hover', async () => {
      await run('editor.action.showHover');
      return appears(async () => (await person('texts', { selector: '.monaco-hover' })).some((text) => text.includes('Quick Fix')));
    });
    await take('hover');
  },
  async problems() {
    await run('workbench.actions.view.problems');
    await person('see', { selector: '.markers-panel .monaco-list-row', text: 'Did you mean' });
    await take('problems');
  },
  async status() {
    await list('status', 'came with the extension', 'pathfinder.showStatus');
  },
  async resolve() {
    await list('resolve', 'Button.tsx', 'pathfinder.resolvePath', '/home/ci/build/src/component/Buton.tsx:1:14');
  },
  async find() {
    await list('find', 'Confirm.tsx', 'pathfinder.findFile', 'confirm dialog');
  },
  async fixall() {
    await list('fixall', 'src/app.ts', 'pathfinder.fixWorkspace');
  },
  async toml() {
    const editor = await open('pathfinder.toml');
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
    await run('workbench.action.focusActiveEditorGroup');
    await until('the list', async () => {
      await run('editor.action.triggerSuggest');
      return appears(async () => (await person('texts', { selector: '.suggest-widget .monaco-list-row' })).some((text) => text.includes('ignore')));
    });
    await take('toml');
  },
  async settings() {
    await run('workbench.action.openSettings', '@ext:pathfinder-dev.pathfinder');
    await person('see', { selector: '.setting-item-title' });
    await take('settings');
  },
  async walkthrough() {
    // Extensions' walkthroughs become known some time after the window is there.
    await until('the walkthrough', async () => {
      await run('workbench.action.openWalkthrough', 'pathfinder-dev.pathfinder#start', false);
      return appears(async () => (await person('texts', { selector: '.getting-started-step' })).some((text) => text.includes('Fix a broken path')));
    }, () => person('texts', { selector: '.gettingStartedContainer' }));
    await take('walkthrough');
  },
};

if (process.env.PATHFINDER_VIEW === 'missing') {
  exports.missing = async () => {
    await clear();
    // The message at the start is gone by now.
    await run('pathfinder.restart');
    await message('Install pathfinder');
    await take('missing');
  };
} else {
  for (const [name, view] of Object.entries(views)) {
    exports[name] = async () => {
      await ready();
      await clear();
      await view();
    };
  }
}
