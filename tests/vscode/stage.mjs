// The project, and the extension as it is packaged, with its program.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tree } from '../mcp/tree.mjs';
import { INSTALLED } from './editor.mjs';

const BINARY = process.env.PATHFINDER_BIN ?? join(import.meta.dirname, '../../target/debug/pathfinder');

let packed;

/** Made once for all tests of a file. */
function extension(t) {
  if (packed) return packed;
  const place = mkdtempSync(join(tmpdir(), 'pathfinder-vscode-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  const [directory, vsix, binary] = [join(place, 'extension'), join(place, 'pathfinder.vsix'), join(place, 'pathfinder')];
  cpSync(BINARY, binary);
  // Of a build for tests the symbols are the greater part.
  execFileSync('strip', [binary]);
  const out = execFileSync(
    process.execPath,
    [
      join(import.meta.dirname, '../../vscode-extension/package.mjs'),
      ...['--out', vsix, '--target', 'linux-x64', '--binary', binary, '--stage', directory],
    ],
    { env: { ...process.env, PATHFINDER_VSCODE_PACKAGES: join(INSTALLED, 'extension') }, encoding: 'utf8' },
  );
  t.diagnostic(out.trim().split('\n').at(-1));
  packed = { extension: directory, vsix };
  return packed;
}

/** A project of its own for one test. */
export function stage(t) {
  return { ...tree(t, readFileSync(join(import.meta.dirname, 'project.txt'), 'utf8')), ...extension(t) };
}
