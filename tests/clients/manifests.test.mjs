// flake.nix and the formula of Homebrew, read by Nix and Ruby. Neither nixpkgs nor Homebrew is here: small stand-ins say what they are asked.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { REPOSITORY, VERSION, folder, manifests, run } from '../packages/stage.mjs';
import { beside, program } from './stage.mjs';

const field = (file, key) => new RegExp(`^${key} = "(.*)"`, 'm').exec(readFileSync(join(REPOSITORY, file), 'utf8'))[1];
const HOME = field('Cargo.toml', 'repository');
const COMPLETIONS = ['pathfinder', '_pathfinder', 'pathfinder.fish'];

test('flake.nix builds this program, its manual page and completions', () => {
  const [command, ...args] = program('manifests-trixie', 'bin/nix-instantiate');
  const evaluate = ['--store', 'dummy://', '--eval', '--strict', '--json', beside('flake-facts.nix')];
  const facts = JSON.parse(run(command, [...args, ...evaluate, '--arg', 'root', REPOSITORY], { cwd: folder('nix') }).stdout);
  assert.deepEqual(Object.keys(facts), ['aarch64-darwin', 'aarch64-linux', 'x86_64-darwin', 'x86_64-linux']);
  const [{ postInstall, ...one }, ...others] = Object.values(facts);
  for (const other of others) assert.deepEqual(other, { ...one, postInstall });
  assert.deepEqual(one, {
    pname: 'pathfinder', version: VERSION, cargoBuildFlags: ['--package', 'pathfinder'], hasSource: true, nativeBuildInputs: ['installShellFiles'],
    meta: { description: field('server/Cargo.toml', 'description'), homepage: HOME, license: ['MIT', 'Apache-2.0'], mainProgram: 'pathfinder' },
  });
  // The commands of installShellFiles keep what they are told.
  const place = folder('flake');
  mkdirSync(join(place, 'out/bin'), { recursive: true });
  copyFileSync(manifests().program, join(place, 'out/bin/pathfinder'));
  const stand = 'installManPage() { echo "man $*"; }\ninstallShellCompletion() { echo "completion $*"; }\n';
  writeFileSync(join(place, 'install.sh'), `set -eu\n${stand}${postInstall}`);
  const said = run('bash', ['install.sh'], { cwd: place, env: { out: join(place, 'out') } }).stdout;
  assert.equal(said, 'man pathfinder.1\ncompletion --cmd pathfinder --bash completions.bash --zsh completions.zsh --fish completions.fish\n');
  for (const file of ['pathfinder.1', 'completions.bash', 'completions.zsh', 'completions.fish']) assert.ok(statSync(join(place, file)).size > 0, file);
});

for (const [system, processor, target] of [
  ['macos', 'arm', 'aarch64-apple-darwin'],
  ['macos', 'intel', 'x86_64-apple-darwin'],
  ['linux', 'arm', 'aarch64-unknown-linux-gnu'],
  ['linux', 'intel', 'x86_64-unknown-linux-gnu'],
]) {
  test(`the formula of Homebrew on ${system} with ${processor}`, () => {
    const [command, ...args] = program('manifests-trixie', 'bin/ruby');
    const lines = run(command, [...args, '--disable-gems', beside('formula.rb'), manifests().file('pathfinder.rb'), system, processor]).stdout.trim().split('\n');
    const facts = Object.fromEntries(lines.filter((line) => !line.startsWith('install ')).map((line) => line.split(/ (.*)/s)));
    assert.deepEqual(Object.keys(facts).sort(), ['desc', 'homepage', 'license', 'sha256', 'test', 'url', 'version']);
    assert.equal(facts.url, `${HOME}/releases/download/v${VERSION}/pathfinder-${VERSION}-${target}.tar.gz`);
    assert.match(facts.sha256, /^[0-9a-f]{64}$/);
    // As `brew audit` wants it.
    assert.match(facts.desc, /^(?!(?:an?|the) )[A-Z].{1,78}[^.]$/i);
    const installed = lines.filter((line) => line.startsWith('install ')).map((line) => line.split(' ')[2]);
    assert.deepEqual(installed, ['pathfinder', 'man/pathfinder.1', ...COMPLETIONS.map((name) => `completions/${name}`)]);
  });
}
