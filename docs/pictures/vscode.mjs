// Screenshots of VS Code on the shop, light and dark, by the suite of tests/vscode: `make.py vscode` runs it.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { inHost, report } from '../../tests/vscode/editor.mjs';
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

for (const [theme, name] of [['dark', 'Default Dark Modern'], ['light', 'Default Light Modern']]) {
  test(theme, async (t) => {
    const at = stage(t);
    const root = join(at.place, 'shop');
    execFileSync(join(import.meta.dirname, 'shop.sh'), [root]);
    const settings = { ...QUIET, 'workbench.colorTheme': name };
    const suites = ['../../../docs/pictures/window'];
    const shop = { ...at, root };
    await report(t, await inHost({ at: shop, name: theme, suites, extension: at.extension, settings, viewport: { width: 900, height: 300 }, env: { PATHFINDER_THEME: theme } }));
  });
}
