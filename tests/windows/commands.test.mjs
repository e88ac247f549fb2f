// What commands print on Windows, and what they write.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect } from '../mcp/client.mjs';
import { editor } from '../mcp/editor.mjs';
import { lay, run, until, windows } from './windows.mjs';

const APP = "import { two } from '../confg';";
const GUIDE = '[config](../src/confg.ts)';
const TREE = `
  src/config.ts: export const two = 2;
  src/deep/app.ts: ${APP}\\n
  docs/guide.md: ${GUIDE}\\n
  .gitignore: build
  build/output.js: x
  .git/
`;

/** In which directory, arguments, what is printed, and the exit status; `@` is the root as Windows has it, `%` with slashes. */
const COMMANDS = [
  ['', ['resolve', 'src/confg.ts'], 'src/config.ts\n', 0],
  ['', ['resolve', 'src\\confg.ts'], 'src/config.ts\n', 0],
  ['', ['resolve', 'src\\deep\\..\\confg.ts'], 'src/config.ts\n', 0],
  ['docs', ['resolve', '..\\src\\confg.ts'], '../src/config.ts\n', 0],
  ['', ['resolve', '@\\src\\confg.ts'], 'src/config.ts\n', 0],
  ['', ['resolve', '%/src/confg.ts'], 'src/config.ts\n', 0],
  ['', ['resolve', '\\\\?\\@\\src\\confg.ts'], 'src/config.ts\n', 0],
  ['', ['resolve', '@\\src\\config.ts'], 'src/config.ts\n', 0],
  ['', ['resolve', '@\\..\\outside\\passwords.txt'], '', 1],
  ['', ['find', 'config'], 'src/config.ts  name\n', 0],
  ['', ['check', '--format=github'], [
    '::warning file=docs/guide.md,line=1,col=10,endColumn=25,title=missing-path::src/confg.ts does not exist; did you mean ../src/config.ts?',
    '::error file=src/deep/app.ts,line=1,col=22,endColumn=30,title=missing-path::src/confg.ts does not exist; did you mean ../config?',
    '',
  ].join('\n'), 1],
  ['', ['check', '--format=github', 'docs\\guide.md'], '::warning file=docs/guide.md,line=1,col=10,endColumn=25,title=missing-path::src/confg.ts does not exist; did you mean ../src/config.ts?\n', 1],
];

test('what is printed', async (t) => {
  const laid = lay(t, TREE);
  for (const [below, args, stdout, code] of COMMANDS) {
    const root = windows(laid.root);
    const given = args.map((arg) => arg.replace('@', root).replace('%', root.replaceAll('\\', '/').replace('Z', 'z')));
    const did = await run(laid, given, { below });
    assert.deepEqual({ stdout: did.stdout, code: did.code }, { stdout, code }, `${given}: ${did.stderr}`);
  }
});

test('what is fixed', async (t) => {
  const laid = lay(t, TREE);
  assert.equal((await run(laid, ['fix'])).code, 0);
  assert.equal(readFileSync(laid.at('src/deep/app.ts'), 'utf8'), `${APP.replace('confg', 'config')}\n`);
  assert.equal(readFileSync(laid.at('docs/guide.md'), 'utf8'), `${GUIDE.replace('confg', 'config')}\n`);
});

test('what git remembers', async (t) => {
  const laid = lay(t, 'src/config.ts: export const two = 2;');
  const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: laid.root });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'one');
  git('mv', 'src/config.ts', 'settings.ts');
  git('commit', '--quiet', '--message', 'two');
  const { stdout, stderr } = await run(laid, ['resolve', '--history-ms', '60000', 'src\\config.ts']);
  assert.equal(stdout, 'settings.ts\n', stderr);
});

test('an agent that says all of a path is answered so', async (t) => {
  const laid = lay(t, TREE);
  const { resolve, retry } = await connect(laid, laid.how);
  const [wrong, right] = [windows(laid.at('src/confg.ts')), windows(laid.at('src/config.ts'))];
  assert.equal((await resolve({ failed_path: wrong })).path, right);
  assert.equal((await retry({ failed_path: wrong, op: 'read' })).path, right);
  assert.equal((await retry({ failed_path: wrong, op: 'write' })).isError, true);
});

// As VS Code does, with the drive in small letters too.
test('an editor that escapes the colon of a drive', async (t) => {
  const laid = lay(t, TREE);
  const uri = (path) => `file://${path.replace('Z:', 'z%3A')}`;
  const at = await editor(laid.drive, { ...laid.how, uri });
  at.open('src/deep/app.ts', `${APP}\n`);
  await until(() => at.told('src/deep/app.ts'));
  const messages = at.told('src/deep/app.ts').map(({ message }) => message);
  assert.equal(messages.length, 1);
  // The first message has the reason, the next one the fix.
  assert.match(messages[0], /^Broken path: `\.\.\/confg`\. (src\/confg\.ts does not exist|Did you mean `\.\.\/config`\?)$/);
  assert.deepEqual((await at.complete('src/deep/app.ts', 0, 24))[0], 'config');
});

test('a session of an agent begins', async (t) => {
  const laid = lay(t, TREE);
  const event = { hook_event_name: 'SessionStart', source: 'startup', cwd: windows(laid.root) };
  const { stdout, stderr } = await run(laid, ['hook', 'claude-code'], { input: JSON.stringify(event) });
  assert.deepEqual({ stdout, stderr }, { stdout: '', stderr: '' });
  const cache = join(laid.place, 'cache');
  await until(() => existsSync(cache) && readdirSync(cache).some((name) => name.endsWith('.listing')));
});

test('a hook', async (t) => {
  const laid = lay(t, TREE);
  const path = windows(laid.at('src/confg.ts'));
  const event = { hook_event_name: 'PostToolUseFailure', cwd: windows(laid.root), tool_name: 'Read', tool_input: { file_path: path }, error: 'File does not exist.' };
  const { stdout, stderr } = await run(laid, ['hook', 'claude-code'], { input: JSON.stringify(event) });
  assert.ok(stdout, stderr);
  assert.ok(JSON.parse(stdout).hookSpecificOutput.additionalContext.includes(JSON.stringify(windows(laid.at('src/config.ts')))), stdout);
});
