// Checks of other projects: pre-commit itself with this repository's hooks, the script of action.yml, the template for GitLab.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { DOWNLOADS, PYTHON, REPOSITORY, TARGET, VERSION, commit, folder, git, packed, project, run, serve, start, write } from './stage.mjs';

let hooks;

/** A repository with the hooks, as users name it: what is committed or would be, so that a test needs no commit. */
function hookRepository() {
  if (hooks) return hooks;
  hooks = folder('hooks');
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '.pre-commit-hooks.yaml', 'pyproject.toml', '.ci', '*.md', 'LICENSE-*', 'Cargo.toml', 'server/Cargo.toml'];
  for (const name of execFileSync('git', list, { cwd: REPOSITORY, encoding: 'utf8' }).split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(hooks, name)), { recursive: true });
    copyFileSync(join(REPOSITORY, name), join(hooks, name));
  }
  git(hooks, 'init', '-q');
  commit(hooks, 'hooks');
  return hooks;
}

// One for all tests: an environment is installed once.
const home = folder('pre-commit');

/** Runs pre-commit with one hook. */
function preCommit(root, hook, { args = [], status = 0, stage = [] } = {}) {
  const source = hookRepository();
  const rev = git(source, 'rev-parse', 'HEAD').trim();
  const extra = args.length ? `, args: ${JSON.stringify(args)}` : '';
  writeFileSync(join(home, 'config.yaml'), `repos: [{ repo: ${source}, rev: ${rev}, hooks: [{ id: ${hook}${extra} }] }]\n`);
  const env = {
    HOME: home, PATHFINDER_PROGRAM: packed().program, PATHFINDER_CACHE_DIR: join(home, 'cache'), PIP_NO_INDEX: '1',
    GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always',
  };
  return run(PYTHON, ['-m', 'pre_commit', 'run', '--config', join(home, 'config.yaml'), '--color', 'never', ...stage, hook], { cwd: root, env, status });
}

test('pre-commit finds and fixes what a staged rename breaks', () => {
  const root = project();
  git(root, 'mv', 'docs/guide.md', 'docs/handbook.md');
  const { stdout } = preCommit(root, 'pathfinder', { status: 1 });
  assert.match(stdout, /paths that the commit breaks\.+Failed/);
  assert.match(stdout, /README\.md:3:\d+: .*moved to docs\/handbook\.md/);
  assert.match(stdout, /docs\/notes\.md:3:\d+: /);
  const fixed = preCommit(root, 'pathfinder-fix', { status: 1, stage: ['--hook-stage', 'manual'] });
  assert.match(fixed.stdout, /files were modified by this hook/);
  assert.match(readFileSync(join(root, 'README.md'), 'utf8'), /\(docs\/handbook\.md\)/);
  assert.match(readFileSync(join(root, 'docs/notes.md'), 'utf8'), /\(handbook\.md\)/);
  git(root, 'add', '--all');
  assert.match(preCommit(root, 'pathfinder').stdout, /Passed/);
});

test('pre-commit reports a staged deletion, and nothing that was broken before', () => {
  const root = project();
  write(root, { 'docs/old.md': '[gone](long/gone.md)\n' });
  commit(root, 'broken before');
  assert.match(preCommit(root, 'pathfinder').stdout, /Passed/);
  git(root, 'rm', '-q', 'docs/notes.md');
  const { stdout } = preCommit(root, 'pathfinder', { status: 1 });
  assert.match(stdout, /README\.md:3:/);
  assert.doesNotMatch(stdout, /long\/gone/);
});

test('pre-commit leaves out what is not staged', () => {
  const root = project();
  write(root, { 'README.md': 'See [it](docs/missing.md).\n' });
  assert.match(preCommit(root, 'pathfinder').stdout, /Passed/);
  assert.match(readFileSync(join(root, 'README.md'), 'utf8'), /missing/);
});

test('pre-commit checks the changed files', () => {
  const root = project();
  write(root, { 'docs/new.md': 'See [it](gide.md).\n' });
  git(root, 'add', '--all');
  assert.match(preCommit(root, 'pathfinder-check', { status: 1 }).stdout, /docs\/new\.md:1:/);
});

/** Runs the script of action.yml. */
async function action(root, command, inputs = {}, env = {}) {
  const place = folder('runner');
  const all = { HOME: place, RUNNER_TEMP: place, GITHUB_OUTPUT: join(place, 'output'), PATHFINDER_CACHE_DIR: join(place, 'cache'), ...env };
  for (const [name, value] of Object.entries(inputs)) all[`INPUT_${name}`] = value;
  writeFileSync(all.GITHUB_OUTPUT, '');
  const done = await start(join(REPOSITORY, '.ci/action'), [command], { cwd: root, env: all });
  const outputs = Object.fromEntries(readFileSync(all.GITHUB_OUTPUT, 'utf8').split('\n').filter(Boolean).map((line) => line.split(/=(.*)/s)));
  return { ...done, place, outputs };
}

test('the action annotates, counts, writes SARIF and sends it', async () => {
  const root = project();
  const INPUT = { PROGRAM: packed().program };
  assert.deepEqual((await action(root, 'check', INPUT)).outputs, { findings: '0' });
  write(root, { 'docs/new.md': 'See [it](gide.md).\n' });
  const found = await action(root, 'check', INPUT);
  assert.equal(found.status, 1, found.said);
  assert.match(found.said, /^::(warning|error) file=docs\/new\.md,line=1,/m);
  assert.equal(found.outputs.findings, '1');
  assert.equal((await action(root, 'check', { ...INPUT, FAIL: 'false' })).status, 0);
  assert.equal((await action(root, 'check', { ...INPUT, PATHS: 'README.md src\n' })).status, 0, 'only some paths');

  // `gh` keeps what it is told.
  const bin = folder('gh');
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" >"${bin}/arguments"\nfor one; do case $one in sarif=@*) cp "\${one#sarif=@}" "${bin}/sent" ;; esac; done\n`);
  chmodSync(join(bin, 'gh'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}`, GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: '1'.repeat(40), GITHUB_REF: 'refs/pull/1/merge' };
  const sent = await action(root, 'check', { ...INPUT, UPLOAD: 'true' }, env);
  assert.equal(sent.status, 1, sent.said);
  assert.match(readFileSync(join(bin, 'arguments'), 'utf8'), /repos\/o\/r\/code-scanning\/sarifs\n[^]*commit_sha=1{40}\n/);
  const sarif = JSON.parse(execFileSync('gzip', ['-dc'], { input: Buffer.from(readFileSync(join(bin, 'sent'), 'utf8'), 'base64') }));
  assert.equal(sarif.version, '2.1.0');
  assert.equal(sarif.runs[0].results.length, 1);
  assert.deepEqual(JSON.parse(readFileSync(sent.outputs.sarif, 'utf8')), sarif);
});

/** A checkout as actions/checkout makes it: one commit, detached, without a branch. */
function shallowCheckout(upstream, revision) {
  const root = folder('checkout');
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'remote', 'add', 'origin', `file://${upstream}`);
  git(root, 'fetch', '-q', '--no-tags', '--depth=1', 'origin', revision);
  git(root, 'checkout', '-q', '--detach', 'FETCH_HEAD');
  assert.equal(git(root, 'rev-list', '--count', 'HEAD').trim(), '1');
  return root;
}

/** A repository whose branch `change` renames a file and merges main, which also moved on; one link was broken before. */
function upstreamOfChange() {
  const upstream = project();
  const revisions = {};
  const mark = (name) => (revisions[name] = git(upstream, 'rev-parse', 'HEAD').trim());
  write(upstream, { 'docs/old.md': '[gone](long/gone.md)\n' });
  commit(upstream, 'broken before');
  git(upstream, 'checkout', '-q', '-b', 'change');
  git(upstream, 'mv', 'docs/guide.md', 'docs/handbook.md');
  commit(upstream, 'rename');
  mark('head');
  git(upstream, 'checkout', '-q', 'main');
  write(upstream, { 'docs/mains.md': '[broken on main](long/mains.md)\n' });
  commit(upstream, 'other');
  mark('base');
  // What GitHub tests: a merge into the base. It is on no branch.
  git(upstream, 'checkout', '-q', '--detach');
  git(upstream, 'merge', '-q', '--no-ff', '-m', 'merge', 'change');
  git(upstream, 'update-ref', 'refs/pull/1/merge', mark('merge'));
  // A merge queue that squashes makes one commit, which is on no branch of these names.
  git(upstream, 'checkout', '-q', '--detach', 'main');
  git(upstream, 'merge', '-q', '--squash', 'change');
  commit(upstream, 'squashed');
  git(upstream, 'update-ref', 'refs/queue/1', mark('squashed'));
  git(upstream, 'checkout', '-q', 'change');
  git(upstream, 'merge', '-q', '--no-ff', '-m', 'main into the branch', 'main');
  mark('updated');
  git(upstream, 'checkout', '-q', 'main');
  git(upstream, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  return { upstream, revisions };
}

test('the action compares with the base of a pull request or a merge group, in shallow checkouts', async () => {
  const { upstream, revisions } = upstreamOfChange();
  const place = folder('event');
  const allowed = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' };
  const event = (name, content) => {
    writeFileSync(join(place, name), JSON.stringify(content));
    return join(place, name);
  };
  const request = event('request.json', { pull_request: { commits_url: '', commits: 1 } });
  const group = event('group.json', { merge_group: { head_sha: revisions.squashed, base_sha: revisions.base, head_commit: { message: '"base_sha": "1"' } } });
  const pull = { GITHUB_EVENT_PATH: request, GITHUB_EVENT_NAME: 'pull_request', GITHUB_BASE_REF: 'main', GITHUB_SHA: revisions.merge };
  const rows = [
    ['the merge that GitHub made', revisions.merge, pull],
    ['the head of the branch', revisions.head, pull],
    ['the head of a branch that merged main', revisions.updated, pull],
    ['a merge group of one parent', revisions.squashed, { GITHUB_EVENT_PATH: group, GITHUB_EVENT_NAME: 'merge_group', GITHUB_SHA: revisions.squashed }],
  ];
  const check = (root, since, env) => action(root, 'check', { PROGRAM: packed().program, SINCE: since }, { ...allowed, ...env });
  for (const [name, revision, env] of rows) {
    const done = await check(shallowCheckout(upstream, revision), 'auto', env);
    assert.equal(done.status, 1, `${name}: ${done.said}`);
    assert.match(done.said, /file=README\.md,line=3,.*docs\/handbook\.md/, name);
    assert.doesNotMatch(done.said, /long\/(gone|mains)/, name);
    const all = await check(shallowCheckout(upstream, revision), '', env);
    assert.match(all.said, /docs\/old\.md/, name);
  }
  const merge = shallowCheckout(upstream, revisions.merge);
  for (const [env, message] of [
    [{ GITHUB_EVENT_NAME: 'merge_group', GITHUB_EVENT_PATH: request }, /::error title=pathfinder::the event of this merge group names no base_sha/],
    [{ GITHUB_EVENT_NAME: 'pull_request', GITHUB_SHA: revisions.head }, /::error title=pathfinder::GITHUB_BASE_REF names no base branch/],
    [{ ...pull, GITHUB_SHA: revisions.head, GITHUB_BASE_REF: 'no-such-branch' }, /::error title=pathfinder::the base branch no-such-branch could not be fetched/],
  ]) {
    const done = await check(merge, 'auto', env);
    assert.equal(done.status, 2, done.said);
    assert.match(done.said, message);
  }
});

test('the action fetches what moved before a shallow checkout, without the contents of files', async () => {
  const upstream = project();
  write(upstream, { 'src/text/pad.ts': 'export const pad = 1;\n', 'src/main.ts': "import { pad } from './text/pad';\n", 'docs/more.md': 'One.\n' });
  commit(upstream, 'code');
  mkdirSync(join(upstream, 'lib/format'), { recursive: true });
  git(upstream, 'mv', 'src/text/pad.ts', 'lib/format/leftPad.ts');
  commit(upstream, 'move');
  write(upstream, { 'docs/more.md': 'Two.\n' });
  commit(upstream, 'later');
  git(upstream, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  git(upstream, 'config', 'uploadpack.allowFilter', 'true');
  const head = git(upstream, 'rev-parse', 'HEAD').trim();
  const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' };
  const check = (root, inputs) => action(root, 'check', { PROGRAM: packed().program, ...inputs }, env);

  const root = shallowCheckout(upstream, head);
  const found = await check(root, {});
  assert.equal(found.status, 1, found.said);
  assert.match(found.said, /file=src\/main\.ts,line=1,.*lib\/format\/leftPad/);
  assert.match(git(root, 'rev-list', '--objects', '--missing=print', 'HEAD'), /^\?/m);
  assert.equal(git(root, 'rev-list', '--count', 'HEAD').trim(), git(upstream, 'rev-list', '--count', 'HEAD').trim());

  const without = shallowCheckout(upstream, head);
  assert.equal((await check(without, { HISTORY: 'false' })).status, 0);
  assert.equal(git(without, 'rev-list', '--count', 'HEAD').trim(), '1');
  git(without, 'remote', 'set-url', 'origin', `file://${upstream}/gone`);
  const alone = await check(without, {});
  assert.equal(alone.status, 0, alone.said);
  assert.match(alone.said, /^::notice title=pathfinder::the history could not be fetched/m);
});

test('the action downloads its version, keeps it, and refuses another checksum', async () => {
  const root = project();
  const { out } = packed();
  const version = await action(root, 'version');
  assert.equal(version.outputs.version, VERSION);
  const asked = [];
  let change = (path, bytes) => bytes;
  const server = await serve(out, (path, bytes) => (asked.push(path), change(path, bytes)));
  const [machine] = TARGET.split('-');
  const inputs = { VERSION, DOWNLOADS: server.url };
  const env = { RUNNER_OS: 'Linux', RUNNER_ARCH: machine === 'aarch64' ? 'ARM64' : 'X64' };
  const first = await action(root, 'check', inputs, env);
  assert.equal(first.status, 0, first.said);
  assert.deepEqual(asked.splice(0), [`/pathfinder-${TARGET}.sha256`, `/pathfinder-${TARGET}.gz`]);
  const again = await action(root, 'check', inputs, { ...env, RUNNER_TEMP: first.place });
  assert.equal(again.status, 0, again.said);
  assert.deepEqual(asked, [`/pathfinder-${TARGET}.sha256`]);
  for (const [bad, message] of [
    [(path, bytes) => (path.endsWith('.sha256') ? Buffer.from(`${'1'.repeat(64)}  x\n`) : bytes), /::error title=pathfinder::the checksum/],
    [(path, bytes) => (path.endsWith('.gz') ? bytes.subarray(0, bytes.length / 2) : bytes), /::error title=pathfinder::the download .* is incomplete/],
    [() => null, /::error title=pathfinder::no checksum/],
  ]) {
    change = bad;
    const done = await action(root, 'check', inputs, env);
    assert.equal(done.status, 2, done.said);
    assert.match(done.said, message);
  }
  server.close();
});

test('action.yml names inputs that its script reads, and pins what it uses', () => {
  const text = readFileSync(join(REPOSITORY, 'action.yml'), 'utf8');
  const parse = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
  const { runs, inputs } = JSON.parse(execFileSync(PYTHON, ['-c', parse], { input: text }));
  assert.equal(runs.using, 'composite');
  for (const name of Object.keys(inputs)) assert.ok(text.includes(`\${{ inputs.${name}`) || text.includes(`if: inputs.${name}`), name);
  const script = readFileSync(join(REPOSITORY, '.ci/action'), 'utf8');
  for (const step of runs.steps) {
    if (step.uses) assert.match(step.uses, /@[0-9a-f]{40}$/);
    for (const name of Object.keys(step.env ?? {}).filter((name) => name.startsWith('INPUT_'))) assert.ok(script.includes(name), name);
  }
});

/** The job of the template for GitLab. */
function gitlabJob() {
  const parse = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';
  return JSON.parse(execFileSync(PYTHON, ['-c', parse, packed().file('gitlab.yml')], { encoding: 'utf8' })).pathfinder;
}

test('the template for GitLab installs the wheel of the release, and refuses another checksum', async () => {
  const place = folder('gitlab-pip');
  run(PYTHON, ['-m', 'venv', place]);
  const [script, ...more] = gitlabJob().before_script;
  assert.deepEqual(more, []);
  assert.ok(script.includes(DOWNLOADS), script);
  const asked = [];
  const install = async (change) => {
    const server = await serve(packed().out, (path, bytes) => (asked.push(path), change(bytes)));
    const env = { PATH: `${place}/bin:${process.env.PATH}`, HOME: place, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_CACHE_DIR: '1' };
    const done = await start('bash', ['-euo', 'pipefail', '-c', script.replaceAll(DOWNLOADS, server.url)], { cwd: place, env });
    server.close();
    return done;
  };
  // A wheel is a zip, whose end may be followed by a comment: only the checksum tells.
  const wrong = await install((bytes) => Buffer.concat([bytes, Buffer.from('x')]));
  assert.notEqual(wrong.status, 0, wrong.said);
  assert.match(wrong.said, /do not match the hashes|expected sha256/i);
  assert.equal(existsSync(join(place, 'bin/pathfinder')), false);
  const good = await install((bytes) => bytes);
  assert.equal(good.status, 0, good.said);
  for (const path of asked) assert.match(path, /^\/pathfinder_paths-.*\.whl$/);
  assert.equal(run(join(place, 'bin/pathfinder'), ['--version'], { cwd: place }).stdout, `pathfinder ${VERSION}\n`);
});

test('the template for GitLab makes a code quality report', () => {
  const job = gitlabJob();
  const root = project();
  const base = git(root, 'rev-parse', 'HEAD').trim();
  write(root, { 'docs/old.md': '[gone](long/gone.md)\n', 'pathfinder.toml': '' });
  commit(root, 'broken before');
  const env = { PATH: `${dirname(packed().program)}:${process.env.PATH}`, HOME: folder('gitlab') };
  const script = job.script.join('\n');
  const report = (more, status) => {
    run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env: { ...env, ...more }, status });
    return JSON.parse(readFileSync(join(root, 'gl-code-quality-report.json'), 'utf8'));
  };
  const [broken] = report({}, 1);
  assert.deepEqual(broken.location, { path: 'docs/old.md', lines: { begin: 1 } });
  assert.match(broken.fingerprint, /^[0-9a-f]{64}$/);
  assert.match(broken.severity, /^(info|minor|major|critical|blocker)$/);
  assert.equal(report({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base }, 1).length, 1);
  assert.deepEqual(report({ CI_MERGE_REQUEST_DIFF_BASE_SHA: git(root, 'rev-parse', 'HEAD').trim() }, 0), []);
});
