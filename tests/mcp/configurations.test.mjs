// What docs/mcp.md says for each client, as far as it is JSON: it is well formed, and what it says works.
//
// No client publishes a schema of its settings in a package of npm or PyPI (looked for on 2026-11-21; those that there are come from
// others, or are only on the clients' sites). Codex and opencode check theirs by themselves, and are given the snippets in tests/agents.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect, serve } from './client.mjs';
import { tree } from './tree.mjs';

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
/** Where clients have their servers in it. */
const TABLES = ['mcpServers', 'servers', 'context_servers', 'mcp'];

/** Sections that are not about a client. */
const GENERAL = /^(Tools|What is never read)$/m;

const sections = TEXT.split(/^## /m).slice(1).filter((section) => !GENERAL.test(section));
const snippets = sections.flatMap((section) => {
  const name = section.slice(0, section.indexOf('\n'));
  return [...section.matchAll(/^```json\n(.*?)^```$/gms)].map(([, code]) => [name, code]);
});

test('every client has a snippet', () => {
  assert.equal(sections.length, 12);
  for (const section of sections) assert.match(section, /^```(json|toml|yaml)$/m);
  assert.equal(snippets.length, 10);
});

for (const [name, code] of snippets) {
  test(`the snippet of ${name}`, async (t) => {
    const settings = JSON.parse(code);
    const [table, ...none] = TABLES.filter((table) => settings[table]);
    assert.deepEqual(none, []);
    const { command, args = [], url, autoApprove } = settings[table].pathfinder;
    const laid = tree(t, 'src/app.ts');
    if (url) {
      const { url: own } = await serve(laid);
      assert.equal(url.replace(/:\d+/, ''), own.replace(/:\d+/, ''));
      return;
    }
    const [program, ...rest] = [command, args].flat();
    assert.equal(program, 'pathfinder');
    const given = rest.map((part) => part.replace(/^(\$\{workspaceFolder\}|\/path\/to\/project)$/, laid.root));
    assert.equal(given.shift(), 'mcp');
    const { resolve, tools } = await connect(laid, { roots: [], args: given });
    assert.equal((await resolve({ failed_path: 'app.ts' })).path, 'src/app.ts');
    if (autoApprove) assert.deepEqual([...autoApprove].sort(), tools.map(({ name }) => name).sort());
  });
}
