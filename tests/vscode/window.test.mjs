// The extension in a real VS Code: what it does in a window, with everything that a person and an agent do there.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { INSTALLED, inHost, install, report } from './editor.mjs';
import { stage } from './stage.mjs';

test('languages', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'languages', suites: ['languages'], extension: at.extension }));
});

test('commands', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'commands', suites: ['commands', 'agent'], extension: at.extension }));
});

test('beside a compiler', async (t) => {
  const at = stage(t);
  // Its own TypeScript is not part of this VS Code.
  const settings = { 'typescript.validate.enable': true, 'typescript.tsdk': join(INSTALLED, 'extension/node_modules/typescript/lib') };
  await report(t, await inHost({ at, name: 'compiler', suites: ['compiler'], extension: at.extension, settings }));
});

// What rust-analyzer does to the file below when its module gets another name.
const ANALYZER = `const vscode = require('vscode');
exports.activate = () => vscode.workspace.onWillRenameFiles(({ files: [{ oldUri }], waitUntil }) => {
  if (!oldUri.path.endsWith('.rs')) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(vscode.Uri.joinPath(oldUri, '../lib.rs'), new vscode.Range(0, 4, 0, 8), 'piece');
  waitUntil(Promise.resolve(edit));
});`;

test('beside another extension that changes what a rename touches', async (t) => {
  const at = stage(t);
  const write = (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const manifest = { name: 'rust-analyzer', publisher: 'rust-lang', version: '1.0.0', engines: { vscode: '^1.60.0' }, main: './main.js', activationEvents: ['*'] };
  const analyzer = join(at.place, 'analyzer');
  write(join(analyzer, 'extension/package.json'), JSON.stringify(manifest));
  write(join(analyzer, 'extension/main.js'), ANALYZER);
  execFileSync('python3', ['-m', 'zipfile', '-c', 'analyzer.vsix', 'extension/'], { cwd: analyzer });
  await install(at, 'renames', join(analyzer, 'analyzer.vsix'));
  write(at.at('crate/Cargo.toml'), '[package]\nname = "parts"\n');
  write(at.at('crate/src/lib.rs'), 'mod part;\nconst TEXT: &str = include_str!("text.txt");\n');
  write(at.at('crate/src/part.rs'), '');
  write(at.at('crate/src/text.txt'), '');
  write(at.at('docs/parts.md'), '[Part](../crate/src/part.rs)\n');
  await report(t, await inHost({ at, name: 'renames', suites: ['renames'], extension: at.extension }));
});
