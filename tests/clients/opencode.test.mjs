// opencode: an agent that is told of what its edits break. What it would be told is seen without a model.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { broken, installed, named, snippets, stage } from './stage.mjs';

const OFF = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };

for (const [name, severity] of [['web/src/app.ts', 1], ['docs/guide.md', 2]]) {
  test(`opencode, ${name}`, async (t) => {
    const at = stage(t);
    writeFileSync(at.at('opencode.json'), snippets('opencode')[0]);
    const opencode = installed('opencode-linux-x64-baseline/bin/opencode');
    // It waits for some seconds only, which a busy machine may not have.
    let told;
    for (let tries = 3; !told && tries > 0; tries -= 1) {
      const { out } = await at.run([opencode, 'debug', 'lsp', 'diagnostics', name], OFF);
      told = JSON.parse(out)[at.at(name)];
    }
    const seen = told.map(({ range: { start, end }, message, ...rest }) => {
      assert.equal(rest.severity, severity);
      assert.equal(rest.code, 'missing-path');
      assert.equal(start.line, end.line);
      return { line: start.line + 1, columns: [start.character, end.character], literal: named(message) };
    });
    // It says nothing of how it counts, which means UTF-16.
    assert.deepEqual(seen, broken(at, name, 'utf-16'));
    // It sends a signal instead.
    await at.ended(false);
  });
}
