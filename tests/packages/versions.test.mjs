// Versions that files repeat, and commands that would install the packages of others.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { REPOSITORY, VERSION } from './stage.mjs';

const read = (name) => readFileSync(join(REPOSITORY, name), 'utf8');
const matches = (pattern) => (text) => [...text.matchAll(pattern)].map((found) => found.slice(1).find(Boolean));
// As users copy it: a revision or a download of this repository.
const used = matches(/pathfinder-dev\/pathfinder@v([\w.-]+)|^ *rev: v([\w.-]+)|releases\/download\/v(\d[\w.-]*)/gm);
const manifest = matches(/^\[(?:workspace\.)?package\]\n(?:[^[].*\n)*?version = "(.*)"$/gm);

/** Files that repeat the version, and how each writes it. */
const VERSIONS = {
  'Cargo.toml': manifest,
  'README.md': used,
  'docs/ci.md': used,
  'action.yml': used,
  'vscode-extension/package.json': (text) => [JSON.parse(text).version],
  'zed-extension/Cargo.toml': manifest,
  'zed-extension/extension.toml': matches(/^version = "(.*)"$/gm),
  'tests/cmd/version.toml': matches(/"pathfinder (.*?)\\n"/g),
};

/** The row of CONTRIBUTING.md that says where a release has its version. */
const [, place] = /^\| a release \| ([^|]*) \|/m.exec(read('CONTRIBUTING.md'));

for (const [name, versions] of Object.entries(VERSIONS)) {
  test(`${name} has the version of the workspace`, () => {
    const found = versions(read(name));
    assert.ok(found.length > 0, 'no version was found');
    for (const version of found) assert.equal(version, VERSION);
  });
}

test('CONTRIBUTING.md names the files that repeat the version', () => {
  const quoted = (text) => [...text.matchAll(/`([^`]*)`/g)].map((found) => found[1]);
  const [repeated, rest] = place.split(';');
  assert.deepEqual(quoted(repeated).sort(), Object.keys(VERSIONS).sort());
  for (const name of quoted(rest).filter((name) => name.includes('.'))) assert.ok(existsSync(join(REPOSITORY, name)), name);
  const tracked = execFileSync('git', ['ls-files', '-z', '*.md', '*.yml', '*.yaml', '*.json'], { cwd: REPOSITORY, encoding: 'utf8' }).split('\0').filter(Boolean);
  const others = tracked.filter((name) => existsSync(join(REPOSITORY, name)) && /pathfinder-dev\/pathfinder@v\d/.test(read(name)));
  for (const name of others) assert.ok(name in VERSIONS, `${name} names a version`);
});

test('the extension of VS Code downloads the targets of a release', () => {
  const source = read('vscode-extension/src/download.ts');
  const [, table] = /const TARGETS[^=]*= \{([^}]*)\}/.exec(source);
  const names = [...table.matchAll(/: '([^']+)'/g)].flatMap(([, name]) => (name.endsWith('linux') ? [`${name}-gnu`, `${name}-musl`] : [name]));
  assert.deepEqual(names.sort(), Object.keys(JSON.parse(read('.ci/packages/names.json')).targets).sort());
});

// `pathfinder` on npm and PyPI is by others. Installing from this repository or from an address is another thing.
const REGISTRY = /\b(?:npx|bunx|uvx|pnpm dlx|(?:pipx|uv tool|npm|pnpm|pip3?) (?:install|i|run|add|exec))(?: -[\w-]+(?:=\S+)?)* pathfinder(?:[=@]\S*)?(?=[\s`"';]|$)/m;

test('no document or template installs the packages of others', () => {
  for (const [text, expected] of [
    ['npx pathfinder', true], ['`uvx pathfinder`', true], ['npm install --save-dev pathfinder', true], ['pip install --quiet pathfinder==0.1.0', true],
    ['pipx install pathfinder', true], ['npm install @pathfinder-dev/pathfinder', false], ['pip install git+https://github.com/a/pathfinder', false], ['pathfinder check', false],
  ]) assert.equal(REGISTRY.test(text), expected, text);
  const tracked = execFileSync('git', ['ls-files', '-z', '*.md', '*.yml', '*.yaml', '*.json', '*.toml', '.ci/packages/templates'], { cwd: REPOSITORY, encoding: 'utf8' }).split('\0');
  const names = tracked.filter((name) => name && existsSync(join(REPOSITORY, name)) && !name.endsWith('package-lock.json'));
  assert.ok(names.includes('README.md') && names.includes('.ci/packages/templates/gitlab.yml'));
  const values = { name: 'pathfinder', pypi: JSON.parse(read('.ci/packages/names.json')).pypi };
  for (const name of names) {
    const text = read(name).replace(/\{\{(name|pypi)\}\}/g, (_, key) => values[key]);
    assert.equal(REGISTRY.exec(text)?.[0], undefined, name);
  }
});
