// The functions and completions that zsh and fish are given, in those shells as Debian's stable release has them; completions in nushell.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { symlinkSync, writeFileSync } from 'node:fs';

import { homely, tree } from '../mcp/tree.mjs';
import { BINARY, installed, program } from './stage.mjs';

const FOLDER = 'shells-trixie';
const TREE = 'src/find/stream.rs: fn stream() {}';
const RIGHT = 'did you mean: cat src/find/stream.rs';

/** How each shell is started on a script, with what it brings along: its own places are not where it was unpacked. */
const SHELLS = {
  zsh: (script) => {
    const [share, modules] = [installed(FOLDER, 'usr/share/zsh/functions'), installed(FOLDER, 'usr/lib/x86_64-linux-gnu/zsh/5.9')];
    const places = `module_path=(${modules}); fpath=(${share}/**/*(/N) ${share}); `;
    return [...program(FOLDER, 'bin/zsh'), '-f', '-c', `setopt extendedglob; ${places}${script}`];
  },
  fish: (script) => [...program(FOLDER, 'bin/fish'), '--no-config', '-c', script],
};

/** Runs a script in a shell in the root of a tree; gives what it has printed. */
async function run(t, shell, script) {
  const laid = tree(t, TREE);
  symlinkSync(BINARY, join(laid.place, 'pathfinder'));
  const env = homely(laid, `${laid.place}:${process.env.PATH}`);
  const [file, ...args] = SHELLS[shell](script);
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd: laid.root, env, timeout: 60_000 });
  return { out: stdout.trimEnd().split('\n'), errors: stderr.trimEnd() };
}

/** What is typed, the status that it ends with, and what is suggested. */
const TYPED = [
  ['cat src/fnd/stream.rs', 1, RIGHT],
  ['cat src/fnd/stream.rs', 130, ''],
  ['cat src/fnd/stream.rs', 0, ''],
  ['cat src/find/stream.rs', 1, ''],
];

for (const [typed, status, said] of TYPED) {
  test(`zsh: ${typed}, ${status}`, async (t) => {
    // The hooks are called as the shell calls them, from the lists where they have put themselves.
    const calls = `for f in $preexec_functions; do $f '${typed}'; done; (exit ${status}); for f in $precmd_functions; do $f; done; echo $?`;
    assert.deepEqual(await run(t, 'zsh', `eval "$(pathfinder suggestions zsh)"; ${calls}`), { out: [`${status}`], errors: said });
  });

  test(`fish: ${typed}, ${status}`, async (t) => {
    const calls = `function f; return ${status}; end; f; emit fish_postexec '${typed}'`;
    assert.deepEqual(await run(t, 'fish', `pathfinder suggestions fish | source; ${calls}`), { out: [''], errors: said });
  });
}

test('zsh: completions', async (t) => {
  const script = 'autoload -Uz compinit; compinit -u -D; eval "$(pathfinder completions zsh)"; echo $_comps[pathfinder]';
  assert.deepEqual(await run(t, 'zsh', script), { out: ['_pathfinder'], errors: '' });
});

test('fish: completions', async (t) => {
  const { out, errors } = await run(t, 'fish', 'pathfinder completions fish | source; complete --do-complete "pathfinder res"');
  assert.equal(errors, '');
  assert.match(out.join('\n'), /^resolve\t/m);
});

/** What is typed, and what nushell offers in its place. */
const OFFERED = [
  ['pathfinder res', ['pathfinder resolve']],
  ['pathfinder check --st', ['--statistics', '--stdin-filename']],
  ['pathfinder check --format ', ['concise', 'github', 'gitlab', 'json', 'junit', 'rdjsonl', 'sarif', 'text']],
  ['pathfinder mcp ins', ['pathfinder mcp install']],
  ['pathfinder mcp install --pr', ['--program', '--project']],
];

for (const [typed, offered] of OFFERED) {
  test(`nushell: ${typed}`, async (t) => {
    assert.ok(process.env.PATHFINDER_NUSHELL, 'PATHFINDER_NUSHELL is not set: tests/run sets it');
    const laid = tree(t, TREE);
    const env = homely(laid);
    const { stdout: printed } = await promisify(execFile)(BINARY, ['completions', 'nushell'], { env });
    writeFileSync(laid.at('completions.nu'), printed);
    const script = `source completions.nu\n${typed}`;
    writeFileSync(laid.at('typed.nu'), script);
    const args = ['--no-config-file', '--ide-complete', `${script.length}`, 'typed.nu'];
    const { stdout, stderr } = await promisify(execFile)(process.env.PATHFINDER_NUSHELL, args, { cwd: laid.root, env, timeout: 60_000 });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout).completions, offered);
  });
}
