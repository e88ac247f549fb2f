// What commands print on Windows.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { lay, run, windows } from './windows.mjs';

const TREE = `
  src/config.ts: two
  src/deep/app.ts: import { two } from '../confg';\\n
  docs/guide.md: [config](..\\\\src\\\\config.ts) [app](../src/deep/ap.ts)\\n
  .gitignore: build
  build/output.js: x
`;

/** Arguments, what is printed, and the exit status; \`@\` is the root. */
const COMMANDS = [
  [['resolve', 'src/confg.ts'], 'src/config.ts\n', 0],
  [['resolve', 'src\\confg.ts'], 'src/config.ts\n', 0],
  [['resolve', '@\\src\\confg.ts'], 'src/config.ts\n', 0],
  [['resolve', 'src/config.ts'], 'src/config.ts\n', 0],
];

test('commands', async (t) => {
  const laid = lay(t, TREE);
  for (const [args, stdout, code] of COMMANDS) {
    const given = args.map((arg) => arg.replace('@', windows(laid.root)));
    const did = await run(laid, given);
    assert.deepEqual({ stdout: did.stdout, code: did.code }, { stdout, code }, `${given}: ${did.stderr}`);
  }
});
