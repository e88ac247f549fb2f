// The project, and the extension as it is packaged, with its program.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tree } from '../mcp/tree.mjs';
import { INSTALLED } from './editor.mjs';

const BINARY = process.env.PATHFINDER_BIN ?? join(import.meta.dirname, '../../target/debug/pathfinder');

const packed = new Map();

/** Made once for all tests of a file: with a program, or for all platforms and without one. */
function extension(t, hasProgram) {
  if (packed.has(hasProgram)) return packed.get(hasProgram);
  const place = mkdtempSync(join(tmpdir(), 'pathfinder-vscode-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  const [directory, vsix, binary] = [join(place, 'extension'), join(place, 'pathfinder.vsix'), join(place, 'pathfinder')];
  const args = ['--out', vsix, '--stage', directory];
  if (hasProgram) {
    cpSync(BINARY, binary);
    // Of a build for tests the symbols are the greater part.
    execFileSync('strip', [binary]);
    // A build for tests is larger than what is published.
    args.push('--target', 'linux-x64', '--binary', binary, ...(/\brelease\b/.test(BINARY) ? [] : ['--any-size']));
  }
  const out = execFileSync(process.execPath, [join(import.meta.dirname, '../../vscode-extension/package.mjs'), ...args], {
    env: { ...process.env, PATHFINDER_VSCODE_PACKAGES: join(INSTALLED, 'extension') },
    encoding: 'utf8',
  });
  t.diagnostic(out.trim().split('\n').at(-1));
  packed.set(hasProgram, { extension: directory, vsix });
  return packed.get(hasProgram);
}

/** A project of its own for one test. */
export function stage(t, { hasProgram = true } = {}) {
  return { ...tree(t, readFileSync(join(import.meta.dirname, 'project.txt'), 'utf8')), ...extension(t, hasProgram), program: BINARY };
}
