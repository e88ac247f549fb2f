// Beside TypeScript's own server: one diagnostic and one completion at a place, and the fixes are offered on whichever stands there.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const { api, apply, diagnostics, open, own, provided, ready, save, until, uri } = require('./window.cjs');

const APP = 'web/src/app.ts';
const compiler = (name) => vscode.languages.getDiagnostics(uri(name)).filter(({ source, code }) => source === 'ts' && code === 2307);

exports['the compiler\'s diagnostic stands alone'] = async () => {
  await ready();
  await open(APP);
  await until('its diagnostic', () => compiler(APP).length === 1, () => vscode.languages.getDiagnostics(uri(APP)));
  await until('the end of ours', () => own(APP).length === 0, () => own(APP));
  const { status } = await api();
  await until('a count', () => /1 more that other extensions report/.test(status.view.tooltip), () => status.view.tooltip);
};

exports['where no compiler looks, ours stands'] = async () => {
  await open('docs/guide.md');
  await diagnostics('docs/guide.md');
};

exports['the hover says what was meant'] = async () => {
  await open(APP);
  const [{ range }] = compiler(APP);
  const said = async () => {
    const hovers = await provided('Hover', uri(APP), range.start.translate(0, 3));
    return hovers.flatMap(({ contents }) => contents.map((it) => it.value ?? it));
  };
  await until('one such text', async () => (await said()).filter((text) => text.includes('Did you mean `./components/button`?')).length === 1, said);
};

exports['paths are completed once'] = async () => {
  const { document } = await open('web/src/typed.ts');
  const position = new vscode.Position(0, document.lineAt(0).text.lastIndexOf("'"));
  const labels = await until('completions', async () => {
    const { items } = await provided('CompletionItem', document.uri, position);
    const labels = items.map(({ label }) => label.label ?? label).filter((label) => /^button/.test(label));
    return labels.length > 0 && labels;
  });
  assert.deepEqual(labels.length, 1, labels.join(', '));
};

exports['our fix is offered on it, and ends it'] = async () => {
  const { document } = await open(APP);
  const [found] = compiler(APP);
  const fix = await until('the action', async () => {
    const list = await provided('CodeAction', uri(APP), found.range);
    return list.find(({ title }) => title.startsWith('Change to `./components/button`'));
  });
  await apply(fix.edit);
  await save(document);
  await until('the end', () => compiler(APP).length === 0 && own(APP).length === 0, () => vscode.languages.getDiagnostics(uri(APP)));
};
