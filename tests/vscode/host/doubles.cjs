// Counts, in files of a real project, places with a diagnostic of TypeScript and one of pathfinder. doubles.mjs runs it.

const { readdirSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const vscode = require('vscode');
const { SETUP, api, ready } = require('./window.cjs');

/** Files that are opened, spread over the project. */
const FILES = 40;
/** After so long without another diagnostic, both have said what they say. */
const QUIET_MS = 6_000;
/** The most that is waited for that. */
const MOST_MS = 90_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The scripts of the project, in the order of their paths. */
function scripts(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', '.git'].includes(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return scripts(path);
      return entry.isFile() && /\.(?:[cm]?ts|tsx|jsx?)$/.test(entry.name) ? [path] : [];
    });
}

exports['counts doubles'] = async () => {
  await ready();
  const all = scripts(SETUP.root);
  const opened = all.filter((_, at) => Math.floor((at * FILES) / all.length) !== Math.floor(((at - 1) * FILES) / all.length));
  let last = Date.now();
  const listening = vscode.languages.onDidChangeDiagnostics(() => (last = Date.now()));
  for (const path of opened) {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false }).then(undefined, () => undefined);
    await pause(100);
  }
  for (const end = Date.now() + MOST_MS; Date.now() < end && Date.now() - last < QUIET_MS; ) await pause(100);
  listening.dispose();
  const counts = { opened: opened.length, compiler: 0, unresolved: 0, ours: 0, doubles: [] };
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    const own = diagnostics.filter(({ source }) => source === 'pathfinder');
    const theirs = diagnostics.filter(({ source }) => source === 'ts' || source === 'js');
    counts.ours += own.length;
    counts.compiler += theirs.length;
    counts.unresolved += theirs.filter(({ code }) => code === 2307 || code?.value === 2307).length;
    for (const one of own) {
      const other = theirs.find(({ range }) => range.intersection(one.range) !== undefined && !range.intersection(one.range).isEmpty);
      if (other) counts.doubles.push(`${relative(SETUP.root, uri.fsPath)}:${one.range.start.line + 1}: ${one.message} / ${other.message}`);
    }
  }
  const { status } = await api();
  counts.hidden = Number(/(\d+) more that other extensions report/.exec(status.view.tooltip)?.[1] ?? 0);
  writeFileSync(process.env.PATHFINDER_DOUBLES, JSON.stringify(counts));
};
