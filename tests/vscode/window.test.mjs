// The extension in a real VS Code: what it does in a window, with everything that a person and an agent do there.

import { test } from 'node:test';

import { inHost, report } from './editor.mjs';
import { stage } from './stage.mjs';

test('languages', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'languages', suites: ['languages'], extension: at.extension }));
});

test('commands', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'commands', suites: ['commands', 'agent'], extension: at.extension }));
});
