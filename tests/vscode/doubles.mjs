// Places that TypeScript and pathfinder both report, in real projects: PATHFINDER_REPOSITORIES="DIR DIR..." node --test doubles.mjs
// Not part of `tests/run`, since the projects are not. PATHFINDER_VSCODE is the folder that install.sh has made.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { INSTALLED, inHost } from './editor.mjs';
import { stage } from './stage.mjs';

const HEAD = '| project | files opened | TypeScript: all | TypeScript: 2307 | pathfinder, shown | hidden as TypeScript reports it | both at one place |';

for (const root of (process.env.PATHFINDER_REPOSITORIES ?? '').split(' ').filter(Boolean)) {
  test(basename(root), async (t) => {
    const at = stage(t);
    const found = join(at.place, 'doubles.json');
    const results = await inHost({
      at: { ...at, root },
      name: 'doubles',
      suites: ['doubles'],
      extension: at.extension,
      env: { PATHFINDER_DOUBLES: found },
      settings: { 'typescript.validate.enable': true, 'typescript.tsdk': join(INSTALLED, 'extension/node_modules/typescript/lib') },
    });
    for (const { error } of results) if (error) assert.fail(error);
    const { opened, compiler, unresolved, ours, hidden, doubles } = JSON.parse(readFileSync(found, 'utf8'));
    t.diagnostic(HEAD);
    t.diagnostic(`| ${basename(root)} | ${opened} | ${compiler} | ${unresolved} | ${ours} | ${hidden} | ${doubles.length} |`);
    assert.deepEqual(doubles, []);
  });
}
