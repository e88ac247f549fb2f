// Manifests for installers that do not run here, against the rules that these publish; workflows and templates against their schemas.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { listOf, oneOf, required, text, violations } from './rules.mjs';
import { PYTHON, REPOSITORY, TARGET, VERSION, folder, manifests, run } from './stage.mjs';

const read = (name) => readFileSync(manifests().file(name), 'utf8');
const SHA256 = /^[A-Fa-f0-9]{64}$/;
const ADDRESS = /^https:\/\/.+$/;

// Of the schemas 1.10.0 of winget's manifests: members that are required, or that the templates use.
const WINGET = {
  PackageIdentifier: /^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/,
  PackageVersion: /^[^\\/:*?"<>|]{1,128}$/,
  ManifestVersion: /^1\.10\.0$/,
};
const LOCALE = /^[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*$/;
const WINGET_INSTALLER = {
  Architecture: oneOf('x86', 'x64', 'arm', 'arm64', 'neutral'),
  InstallerUrl: ADDRESS,
  InstallerSha256: SHA256,
  NestedInstallerFiles: listOf({ RelativeFilePath: text(1, 512), PortableCommandAlias: text(1, 40) }),
};
// Of Scoop's schema, which allows no other member.
const SCOOP_ARCHITECTURE = { url: ADDRESS, hash: SHA256, extract_dir: text(1, 200) };
const SCOOP_UPDATE = { url: /^https:\/\/.*\$version.*\.zip$/, extract_dir: /\$version/ };
const RULES = {
  'PathfinderDev.Pathfinder.yaml': { ...WINGET, DefaultLocale: LOCALE, ManifestType: /^version$/ },
  'PathfinderDev.Pathfinder.installer.yaml': {
    ...WINGET, ManifestType: /^installer$/, InstallerType: /^zip$/, NestedInstallerType: /^portable$/,
    Commands: listOf(text(1, 40)), Installers: listOf(WINGET_INSTALLER),
  },
  'PathfinderDev.Pathfinder.locale.en-US.yaml': {
    ...WINGET, ManifestType: /^defaultLocale$/, PackageLocale: LOCALE, Publisher: text(2, 256), PackageName: text(2, 256), PackageUrl: ADDRESS,
    License: text(3, 512), LicenseUrl: ADDRESS, ShortDescription: text(3, 256),
  },
  'pathfinder.json': {
    version: /^[\w.+-]+$/, description: text(1, 500), homepage: ADDRESS, license: /^[\w.|-]+$/, bin: /^\w+\.exe$/, checkver: /^github$/,
    architecture: { '64bit': SCOOP_ARCHITECTURE, arm64: SCOOP_ARCHITECTURE },
    autoupdate: { architecture: { '64bit': SCOOP_UPDATE, arm64: SCOOP_UPDATE } },
  },
};

const parsed = (name) => JSON.parse(run(PYTHON, ['-c', 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))', manifests().file(name)]).stdout);

for (const [name, rules] of Object.entries(RULES)) {
  test(`${name} has the members that its installer requires`, () => {
    const manifest = parsed(name);
    assert.deepEqual(violations(rules, manifest), []);
    // Without any of them it is refused.
    for (const member of required(rules)) {
      const { [member]: _, ...rest } = manifest;
      assert.equal(violations(rules, rest).length, 1, member);
    }
  });
}

test('manifests name the files of this release, their checksums, and the program in them', () => {
  const archive = `pathfinder-${VERSION}-${TARGET}.tar.gz`;
  const sum = createHash('sha256').update(readFileSync(manifests().file(archive))).digest('hex');
  const formula = read('pathfinder.rb');
  assert.ok(formula.includes(`/${archive}"\n      sha256 "${sum}"`), formula);
  // What was not built has a checksum that no file has.
  for (const one of Object.values(parsed('pathfinder.json').architecture)) assert.match(one.hash, /^0{64}$/);
  const [version, installer, locale] = ['', '.installer', '.locale.en-US'].map((part) => parsed(`PathfinderDev.Pathfinder${part}.yaml`));
  for (const one of [version, installer, locale]) assert.deepEqual([one.PackageIdentifier, one.PackageVersion], ['PathfinderDev.Pathfinder', VERSION]);
  for (const one of installer.Installers) {
    const file = one.InstallerUrl.split('/').at(-1);
    assert.equal(one.NestedInstallerFiles[0].RelativeFilePath, `${file.replace(/\.zip$/, '')}\\pathfinder.exe`);
  }
});

/** Names that cargo-binstall replaces in its templates. */
const BINSTALL = ['name', 'repo', 'bin', 'version', 'target', 'binary-ext', 'archive-format', 'archive-suffix'];

test('cargo binstall finds the archive of each target, and the program in it', () => {
  const load = 'import json, sys, tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))["package"]["metadata"]["binstall"]))';
  const { overrides, ...common } = JSON.parse(run(PYTHON, ['-c', load, join(REPOSITORY, 'server/Cargo.toml')]).stdout);
  for (const one of [common, ...Object.values(overrides)]) {
    for (const key of Object.keys(one)) assert.ok(['pkg-url', 'pkg-fmt', 'bin-dir', 'man', 'bash-completion', 'fish-completion', 'zsh-completion'].includes(key), key);
  }
  const { targets } = JSON.parse(readFileSync(join(REPOSITORY, '.ci/packages/names.json'), 'utf8'));
  assert.deepEqual(Object.keys(overrides).filter((target) => !(target in targets)), [], 'a target that no release has');
  const repo = /^repository = "(.*)"/m.exec(readFileSync(join(REPOSITORY, 'Cargo.toml'), 'utf8'))[1];
  for (const target of Object.keys(targets)) {
    const meta = { ...common, ...overrides[target] };
    const values = { name: 'pathfinder', repo, bin: 'pathfinder', version: VERSION, target, 'binary-ext': target.includes('windows') ? '.exe' : '' };
    const fill = (template) => template.replace(/\{ ([\w-]+) \}/g, (_, key) => (assert.ok(BINSTALL.includes(key) && key in values, key), values[key]));
    const [suffix, format] = target.includes('windows') ? ['zip', 'zip'] : ['tar.gz', 'tgz'];
    assert.equal(fill(meta['pkg-url']), `${repo}/releases/download/v${VERSION}/pathfinder-${VERSION}-${target}.${suffix}`);
    assert.equal(meta['pkg-fmt'], format);
    if (target === TARGET) {
      const packedFiles = run('tar', ['-tzf', manifests().file(`pathfinder-${VERSION}-${target}.tar.gz`)]).stdout.split('\n');
      assert.ok(packedFiles.includes(fill(meta['bin-dir'])), `${fill(meta['bin-dir'])} is not in ${packedFiles}`);
    }
  }
});

const parser = `
import sys, tree_sitter, tree_sitter_powershell
print(tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language())).parse(sys.stdin.buffer.read()).root_node.has_error)`;

test('install.ps1 is a script of PowerShell', () => {
  const script = read('install.ps1');
  const hasError = (input) => execute(input).trim() === 'True';
  const execute = (input) => run(PYTHON, ['-c', parser], { input }).stdout;
  assert.equal(hasError(script), false);
  assert.equal(hasError(script.replace(/\}\s*$/, '')), true, 'a script that was cut off');
  assert.match(script, /Get-FileHash[^]*\$found -ne \$expected[^]*throw[^]*Move-Item/, 'the checksum is compared before anything is installed');
});

/** Schemas that check-jsonschema has with it, and files that must be valid. */
const SCHEMAS = {
  'vendor.github-workflows': () => readdirSync(join(REPOSITORY, '.github/workflows')).map((name) => join(REPOSITORY, '.github/workflows', name)),
  'vendor.github-actions': () => [join(REPOSITORY, 'action.yml')],
  'vendor.gitlab-ci': () => [manifests().file('gitlab.yml')],
};

for (const [schema, files] of Object.entries(SCHEMAS)) {
  test(`valid by ${schema}`, () => {
    const validate = (paths, status) => run(PYTHON, ['-m', 'check_jsonschema', '--builtin-schema', schema, ...paths], { status });
    validate(files(), 0);
    const broken = join(folder('schema'), 'broken.yml');
    writeFileSync(broken, 'runs: 1\njobs: 1\nstages: 1\n');
    validate([broken], 1);
  });
}

test('pre-commit reads the hooks', () => {
  const validate = (path, status) => run(join(dirname(PYTHON), 'pre-commit'), ['validate-manifest', path], { status });
  validate(join(REPOSITORY, '.pre-commit-hooks.yaml'), 0);
  const broken = join(folder('hooks-manifest'), 'hooks.yaml');
  writeFileSync(broken, '- id: a\n');
  validate(broken, 1);
});
