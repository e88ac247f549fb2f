// What tests in the extension host share: the extension, files and diagnostics, and the browser that shows the window.

const assert = require('node:assert/strict');
const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

/** The tests to run, their folder, and the address of the process that acts as the user, written by editor.mjs. */
const SETUP = JSON.parse(process.env.PATHFINDER_HOST);
const TIMEOUT_MS = SETUP.patience;
const ID = 'pathfinder-dev.pathfinder';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `look` gives something, and gives that; else says what `explain` gives. */
async function until(what, look, explain = () => '') {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) assert.fail(`no ${what} in ${TIMEOUT_MS / 1000} s: ${JSON.stringify(await explain())}`);
    await pause(20);
  }
}

/** Whether `look` gives something within some seconds, before whatever should have had that effect is done again. What VS Code puts
 *  off it puts off for less than one. */
async function appears(look) {
  for (const end = Date.now() + 3000; Date.now() < end; await pause(20)) if (await look()) return true;
  return false;
}

/** A test that hangs is one that failed. */
function within(test) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error('it did not end')), 2 * TIMEOUT_MS)));
  return Promise.race([test, late]).finally(() => clearTimeout(timer));
}

/** What the extension gives to others. */
const api = async () => (await until('the extension', () => vscode.extensions.getExtension(ID))).activate();

const at = (name) => join(SETUP.root, name);
const uri = (name) => vscode.Uri.file(at(name));
const read = (name) => readFileSync(at(name), 'utf8');

const own = (name) => vscode.languages.getDiagnostics(uri(name)).filter(({ source }) => source === 'pathfinder');

/** Diagnostics of a file as soon as there are so many. */
const diagnostics = (name, count = 1) =>
  until(`${count} diagnostics of ${name}`, () => own(name).length === count && own(name), () => own(name).map(({ message }) => message));

const none = (name) => until(`end of the diagnostics of ${name}`, () => own(name).length === 0, () => own(name));

/** Opens a file in front. */
const open = async (name, how) => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri(name)), how);

/** Changes texts. VS Code refuses an edit while a change of its own is on the way to the extension host, and then changes nothing. */
const apply = (edit) => until('the edit', () => vscode.workspace.applyEdit(edit));

/** Saves a changed text, as a person would. */
const save = async (document) => assert.ok(await document.save(), `${document.uri.fsPath} is not saved`);

const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);

/**
 * What VS Code's providers of `what` say. It withdraws the question when another one comes in the meantime, which may be that of any
 * extension: then it is asked again.
 */
async function provided(what, ...args) {
  return until(what, async () => {
    try {
      return await run(`vscode.execute${what}Provider`, ...args);
    } catch (error) {
      if (error.name === 'Canceled') return undefined;
      throw error;
    }
  });
}

/** Actions at the first diagnostic of a file, best first. */
async function actions(name) {
  const [{ range }] = await diagnostics(name);
  // Fixes may be found after the diagnostic is there.
  return until('actions', async () => {
    const list = await provided('CodeAction', uri(name), range);
    return list.some(({ title }) => title.startsWith('Change to')) && list;
  });
}

/** Until the program runs, and knows all. */
async function ready() {
  const { client } = await api();
  await until('ready', () => client.state.is === 'running' && client.state.status.state === 'ready', () => client.state);
  return client;
}

/** Has the browser act. */
async function person(what, more = {}) {
  const answer = await fetch(SETUP.driver, { method: 'POST', body: JSON.stringify({ what, ...more }) });
  const { result, error } = await answer.json();
  if (error) throw new Error(`${what} ${JSON.stringify(more)}: ${error}`);
  return result;
}

const press = (key) => person('press', { key });

/** Rows of a list that one chooses from. */
const ROWS = '.quick-input-list .monaco-list-row';
const rows = async (text) => {
  await person('see', { selector: ROWS, text });
  return person('texts', { selector: ROWS });
};

/** What messages say, with their buttons. VS Code 1.139 shows only that there are some, until one looks. */
const messages = async () => {
  await run('notifications.showList');
  return person('texts', { selector: '.notification-list-item' });
};
const message = (text) => until(`message ${text}`, async () => (await messages()).find((it) => it.includes(text)), messages);

/** Programs that run `pathfinder` with this argument. */
function processes(binary, argument) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [program, first] = readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0');
      return program === binary && first === argument;
    } catch {
      return false;
    }
  }).map(Number);
}

const configure = (name, value, target = vscode.ConfigurationTarget.Global) =>
  vscode.workspace.getConfiguration('pathfinder').update(name, value, target);

/** The file in front. */
const front = () => vscode.window.activeTextEditor?.document.uri.fsPath;

module.exports = {
  ID, SETUP, actions, api, appears, apply, at, configure, diagnostics, front, message, messages, none, open, own, person, press, processes, provided, read, ready,
  rows, run, save, until, uri, within,
};
