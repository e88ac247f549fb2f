// The extension in a real VS Code: what it does in a window, with everything that a person and an agent do there.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { tree } from '../mcp/tree.mjs';
import { beside, inHost, install, INSTALLED, report } from './editor.mjs';

const BINARY = process.env.PATHFINDER_BIN ?? join(import.meta.dirname, '../../target/debug/pathfinder');

/** The project, the extension with its program as it is packaged, and the package. */
function stage(t) {
  const at = tree(t, readFileSync(beside('project.txt'), 'utf8'));
  const [extension, vsix, binary] = [join(at.place, 'extension'), join(at.place, 'pathfinder.vsix'), join(at.place, 'pathfinder')];
  cpSync(BINARY, binary);
  // Of a build with debugging symbols they are the greater part.
  execFileSync('strip', [binary]);
  const out = execFileSync(
    process.execPath,
    [join(import.meta.dirname, '../../vscode-extension/package.mjs'), '--out', vsix, '--target', 'linux-x64', '--binary', binary, '--stage', extension],
    { env: { ...process.env, PATHFINDER_VSCODE_PACKAGES: join(INSTALLED, 'extension') }, encoding: 'utf8' },
  );
  rmSync(binary);
  t.diagnostic(out.trim().split('\n').at(-1));
  return { ...at, extension, vsix };
}

test('languages', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'languages', suites: ['languages'], extension: at.extension }));
});

test('commands', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'commands', suites: ['commands', 'agent'], extension: at.extension }));
});

test('trouble', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'trouble', suites: ['trouble'], extension: at.extension }));
});

test('a workspace that is not trusted', async (t) => {
  const at = stage(t);
  const program = join(at.place, 'hostile');
  writeFileSync(program, `#!/bin/sh\necho run >>'${at.place}/run'\n`, { mode: 0o755 });
  mkdirSync(at.at('.vscode'));
  const settings = { 'pathfinder.path': program, 'pathfinder.cacheDir': at.at('cache') };
  writeFileSync(at.at('.vscode/settings.json'), JSON.stringify(settings));
  await report(t, await inHost({ at, name: 'untrusted', suites: ['untrusted'], extension: at.extension, trust: true }));
});

test('the package', async (t) => {
  const at = stage(t);
  await install(at, 'installed', at.vsix);
  // Tests come with an extension that is being developed: one that does nothing.
  const probe = join(at.place, 'probe');
  mkdirSync(probe);
  writeFileSync(join(probe, 'package.json'), JSON.stringify({ name: 'probe', publisher: 'tests', version: '0.0.1', engines: { vscode: '*' } }));
  await report(t, await inHost({ at, name: 'installed', suites: ['installed'], extension: probe }));
});
