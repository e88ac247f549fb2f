// The extension in a real VS Code: what it does in a window, with everything that a person and an agent do there.

import { join } from 'node:path';
import { test } from 'node:test';

import { INSTALLED, inHost, report } from './editor.mjs';
import { stage } from './stage.mjs';

test('languages', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'languages', suites: ['languages'], extension: at.extension }));
});

test('commands', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'commands', suites: ['commands', 'agent'], extension: at.extension }));
});

test('beside a compiler', async (t) => {
  const at = stage(t);
  // Its own TypeScript is not part of this VS Code.
  const settings = { 'typescript.validate.enable': true, 'typescript.tsdk': join(INSTALLED, 'extension/node_modules/typescript/lib') };
  await report(t, await inHost({ at, name: 'compiler', suites: ['compiler'], extension: at.extension, settings }));
});
