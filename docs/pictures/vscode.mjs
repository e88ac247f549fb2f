// Screenshots of VS Code on the shop by the suite of tests/vscode: `make.py vscode` runs the tests of themes, `make.py views` the others.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { INSTALLED, inHost, report } from '../../tests/vscode/editor.mjs';
import { stage } from '../../tests/vscode/stage.mjs';

/** Nothing but the file, and in letters that can be read in a small picture. */
const QUIET = {
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.fontSize': 17,
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'chat.commandCenter.enabled': false,
  'breadcrumbs.enabled': false,
};

/** More findings than the shop has, of several kinds. */
const MORE = {
  'src/app.ts': "import { Button } from './components/Buton';\nimport { Confirm } from './components/dialogs/Confirm';\n\nexport const app = [Button, Confirm];\n",
  'src/components/dialog/Confirm.tsx': "export const Confirm = 'dialog';\n",
  'docs/usage.md': '# Usage\n\nFirst [install](guide/instalation.md) it.\n',
  'Dockerfile': 'FROM node:22\nCOPY src/component /app\n',
  'pathfinder.toml': '[check]\n',
};

/** A shop in a folder of its own. */
function shop(at, more = {}) {
  const root = join(at.place, 'shop');
  execFileSync(join(import.meta.dirname, 'shop.sh'), [root]);
  for (const [name, text] of Object.entries(more)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return { ...at, root };
}

for (const [theme, name] of [['dark', 'Default Dark Modern'], ['light', 'Default Light Modern']]) {
  test(`theme ${theme}`, async (t) => {
    const at = stage(t);
    const settings = { ...QUIET, 'workbench.colorTheme': name };
    const suites = ['../../../docs/pictures/window'];
    await report(t, await inHost({ at: shop(at), name: theme, suites, extension: at.extension, settings, viewport: { width: 900, height: 300 }, env: { PATHFINDER_THEME: theme } }));
  });
}

for (const [view, hasProgram] of [['all', true], ['missing', false]]) {
  test(`views ${view}`, async (t) => {
    const at = stage(t, { hasProgram });
    const settings = { ...QUIET, 'editor.fontSize': 15, 'workbench.colorTheme': 'Default Light Modern', 'typescript.tsdk': join(INSTALLED, 'extension/node_modules/typescript/lib') };
    const suites = ['../../../docs/pictures/views'];
    // A program of this machine would be taken.
    const env = { PATHFINDER_VIEW: view, PATH: '/usr/bin:/bin' };
    await report(t, await inHost({ at: shop(at, MORE), name: view, suites, extension: at.extension, settings, viewport: { width: 900, height: 520 }, env }));
  });
}
