// opencode: an agent that is told of what its edits break. What it would be told is seen without a model.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { installed, snippets, stage } from './stage.mjs';

const OFF = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };

test('opencode', async (t) => {
  const at = stage(t);
  writeFileSync(at.at('opencode.json'), snippets('opencode')[0]);
  const opencode = installed('opencode-linux-x64-baseline/bin/opencode');
  const { out } = await at.run([opencode, 'debug', 'lsp', 'diagnostics', 'web/src/app.ts'], OFF);
  console.log(out, at.last());
});
