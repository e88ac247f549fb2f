// Findings in the formats of others: SARIF by its schema, and lines for reviewdog by the rules of its Diagnostic Format.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { listOf, number, oneOf, optional, required, violations } from './rules.mjs';
import { BINARY, PYTHON, commit, folder, project, run, write } from './stage.mjs';

/** The packages of package.json: tests/run installs them outside of the checkout. */
const NPM = process.env.PATHFINDER_PACKAGES_NPM ?? join(import.meta.dirname, 'node_modules');
const SCHEMA = join(NPM, '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

/** Bytes, UTF-16 units and characters differ before the paths; the last has no fix, and one name is of a URI's reserved characters. */
const FILES = {
  'docs/größe 𐐀.md': 'Größe 𐐀: the [guide](gide.md), the [notes](<ntes.md>) and [nothing](nowhere/else.md).\r\n',
  'docs/a%b#c.md': 'See the [guide](guid.md).\n',
};

function broken() {
  const root = project();
  write(root, FILES);
  commit(root, 'broken');
  return root;
}

const findings = (root, format) => run(BINARY, ['check', '--format', format], { cwd: root, status: 1, env: { PATHFINDER_CACHE_DIR: join(root, '.home/cache') } }).stdout;

test('SARIF is valid by its schema', () => {
  const root = broken();
  const place = folder('sarif');
  const validate = (log, status) => {
    writeFileSync(join(place, 'log.json'), JSON.stringify(log));
    // The schema has a pattern that is one of Python only.
    return run(PYTHON, ['-m', 'check_jsonschema', '--regex-variant', 'python', '--schemafile', SCHEMA, join(place, 'log.json')], { status });
  };
  const log = JSON.parse(findings(root, 'sarif'));
  assert.equal(log.runs[0].results.length, 4);
  validate(log, 0);
  const [result] = log.runs[0].results;
  for (const bad of [{ ...result, level: 'bad' }, { ...result, message: undefined }, { ...result, other: 1 }]) validate({ ...log, runs: [{ ...log.runs[0], results: [bad] }] }, 1);
  for (const { locations } of log.runs[0].results) {
    const { uri } = locations[0].physicalLocation.artifactLocation;
    assert.ok(decodeURIComponent(new URL(uri, 'file:///').pathname).slice(1) in FILES, uri);
  }
});

// Of reviewdog.proto. reviewdog refuses members that it does not know.
const POSITION = { line: number(1), column: number(1) };
const RANGE = { start: POSITION, end: POSITION };
const DIAGNOSTIC = {
  message: /./,
  location: { path: /^[^/]/, range: RANGE },
  severity: oneOf('ERROR', 'WARNING', 'INFO'),
  source: { name: /^pathfinder$/, url: /^https:/ },
  code: { value: /^[a-z-]+$/, url: /^https:/ },
  suggestions: optional(listOf({ range: RANGE, text: /./ })),
};

test('lines for reviewdog have its members only', () => {
  const lines = findings(broken(), 'rdjsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(lines.length, 4);
  for (const line of lines) {
    assert.deepEqual(violations(DIAGNOSTIC, line), []);
    assert.ok(line.location.path in FILES, line.location.path);
    for (const member of required(DIAGNOSTIC)) assert.equal(violations(DIAGNOSTIC, { ...line, [member]: undefined }).length, 1, member);
  }
});

test('suggestions for reviewdog, which counts bytes, write what `fix` writes', () => {
  const root = broken();
  const texts = Object.fromEntries(Object.entries(FILES).map(([path, text]) => [path, text]));
  let applied = 0;
  // From the end, so that the columns of those before stay.
  for (const line of findings(root, 'rdjsonl').trimEnd().split('\n').reverse()) {
    const { location, suggestions = [] } = JSON.parse(line);
    for (const { range, text } of suggestions) {
      const lines = texts[location.path].split('\n');
      const bytes = Buffer.from(lines[range.start.line - 1]);
      assert.equal(range.start.line, range.end.line);
      lines[range.start.line - 1] = Buffer.concat([bytes.subarray(0, range.start.column - 1), Buffer.from(text), bytes.subarray(range.end.column - 1)]).toString();
      texts[location.path] = lines.join('\n');
      applied += 1;
    }
  }
  assert.equal(applied, 3);
  run(BINARY, ['fix'], { cwd: root, status: 1, env: { PATHFINDER_CACHE_DIR: join(root, '.home/cache') } });
  for (const [path, text] of Object.entries(texts)) assert.equal(text, readFileSync(join(root, path), 'utf8'), path);
});
