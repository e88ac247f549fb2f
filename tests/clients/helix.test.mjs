// Helix, on a terminal of its own: in the version that Debian's stable release has, and in the present one, which asks for
// diagnostics.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { beside, installed, mended, named, program, stage, until } from './stage.mjs';

/** A terminal in which a program runs. */
function terminal(folder, at, command, env) {
  const [loader, ...rest] = program(folder, 'bin/tmux');
  const tmux = (...args) =>
    execFileSync(loader, [...rest, '-L', 'helix', '-f', '/dev/null', ...args], {
      cwd: at.root,
      env: { ...at.env, ...env, TMUX_TMPDIR: at.place },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  tmux('-u', 'new-session', '-d', '-x', '180', '-y', '50', ...command);
  // Removed before its files are.
  at.users.push(async () => {
    try {
      tmux('kill-server');
    } catch {
      // It has ended with the program.
    }
  });
  return {
    /** Names of keys, as tmux has them. */
    press: (...keys) => tmux('send-keys', ...keys),
    type: (text) => tmux('send-keys', '-l', text),
    screen: () => tmux('capture-pane', '-p'),
  };
}

for (const folder of ['helix-forky', 'helix-trixie']) {
  test(folder, async (t) => {
    const at = stage(t);
    at.configure('.config/helix/languages.toml', readFileSync(beside('../../server/editors/helix.toml'), 'utf8'));
    const helix = [...program(folder, 'lib/hx/hx'), 'README.md'];
    const { press, type, screen } = terminal(folder, at, helix, { HELIX_RUNTIME: installed(folder, 'usr/lib/hx/runtime') });
    const seen = {};
    let selections = 0;
    const wait = (what, look) => until(what, look, () => `${at.last()}\n${screen().replace(/\n{3,}/g, '\n\n').trimEnd()}`);
    const shown = (text) => wait(`${text} on the screen`, () => screen().includes(text));
    const command = (text) => {
      type(`:${text}`);
      press('Enter');
    };
    const requests = (method) => at.said('client', method).length;

    /** Of the first diagnostic what is selected by the key that goes there, and where. */
    const selected = async (name) =>
      wait(`selection in ${name}`, async () => {
        const file = join(at.place, `selected-${(selections += 1)}`);
        press('g', 'g', ']', 'd');
        command(`pipe-to cat >${file}`);
        const literal = await wait(file, () => existsSync(file) && readFileSync(file, 'utf8'));
        // Without any it is the character under the cursor.
        const said = at.told(name)?.find((it) => literal.length > 1 && it.message.startsWith(`Broken path: \`${literal}\`. `));
        if (!said) return false;
        // What is selected stands once in the file, so that it says where.
        const before = Buffer.byteLength(at.read(name).split(literal)[0]);
        return { line: 1, columns: [before, before + Buffer.byteLength(literal)], message: said.message };
      });

    /** What the last menu of actions had. */
    const offered = () => {
      const { id } = at.wire().findLast((line) => line.message?.method === 'textDocument/codeAction').message;
      return at.wire().find((line) => line.from === 'server' && line.message.id === id && line.message.result)?.message.result;
    };
    const actions = async () => {
      const before = requests('textDocument/codeAction');
      press('Space', 'a');
      await wait('actions', () => requests('textDocument/codeAction') > before && offered());
      const titles = offered().map(({ title }) => title);
      await shown(titles[0]);
      return titles;
    };

    /** How many times it has said that a file is saved: later than the file is on disk, and until then a second write fails. */
    const saves = (name) => at.said('client', 'textDocument/didSave').filter(({ textDocument: { uri } }) => uri === `file://${at.at(name)}`).length;

    /**
     * Makes a change, and has files written that are changed by it. On a busy machine the edit was once gone, after the server had
     * been told of it, and once nothing was written: then all is done again, as a user would.
     */
    const kept = async (names, change) => {
      const before = names.map(saves);
      for (let tries = 3; ; tries -= 1) {
        await change();
        command('write-all');
        const isThere = () => names.every((name, index) => saves(name) > before[index] && at.isChanged(name));
        for (const end = Date.now() + 15_000; Date.now() < end; await sleep(20)) if (isThere()) return;
        const seen = `${names} not written\n${at.last()}\n${screen()}`;
        assert.ok(tries > 1, seen);
        t.diagnostic(seen);
      }
    };

    await shown('# Project');
    for (const name of ['web/src/app.ts', 'tools/report.py', 'service/src/main.rs', 'docs/guide.md']) {
      command(`open ${name}`);
      await shown(` NOR   ${name}`);
      let all;
      await kept([name], async () => {
        let left = (await wait(`diagnostics of ${name}`, () => (all || at.told(name)?.length) && at.told(name))).length;
        if (left > 0) seen[name] = { diagnostics: [] };
        all ??= left;
        for (; left > 0; left -= 1) {
          const diagnostic = await selected(name);
          seen[name].diagnostics.push(diagnostic);
          const before = requests('textDocument/didChange');
          seen[name].offered = await actions();
          press('Enter');
          await wait('an edit', () => requests('textDocument/didChange') > before);
          await wait('fewer diagnostics', () => at.told(name).length < left);
          // What is typed before it is shown could come before it.
          await wait('the edit on the screen', () => !screen().includes(named(diagnostic.message)));
        }
      });
    }

    // Helix would like bytes.
    assert.equal(at.answer('initialize').result.capabilities.positionEncoding, 'utf-8');

    // All that is sure, in all files. This one is open, as Helix tells of files that it opens for an edit too late: the change
    // first, and then the text as it was before.
    command('open web/src/all.ts');
    await wait('diagnostics', () => at.told('web/src/all.ts')?.length === 2 && requests('textDocument/didOpen') > 5);
    await kept(['web/src/all.ts'], async () => {
      if (at.told('web/src/all.ts').length === 0) return;
      command('lsp-workspace-command pathfinder.fixAll');
      await wait('fixes', () => at.told('web/src/all.ts').length === 0);
      await wait('the edit on the screen', () => !screen().includes('buton'));
    });

    // A file is made elsewhere.
    command('open docs/later.md');
    await wait('diagnostics', () => at.told('docs/later.md')?.length);
    mkdirSync(at.at('docs/decisions'));
    writeFileSync(at.at('docs/decisions/0001-record.md'), '');
    await wait('the end of them', () => at.told('docs/later.md').length === 0);

    // A command, which has the editor make the file.
    command('open docs/create.md');
    await selected('docs/create.md');
    const titles = await actions();
    const create = titles.findIndex((title) => title.startsWith('Create'));
    for (let at = 0; at < create; at += 1) press('Down');
    press('Enter');
    await wait('the end of the diagnostics', () => at.told('docs/create.md').length === 0);
    await wait('the file', () => existsSync(at.at('docs/decisions/0002-language.md')));

    await wait('end of all diagnostics', () => Object.keys(at.before).every((name) => !at.told(name)?.length));
    seen.left = [];
    mended(at, seen, 'utf-8');

    // What a path leads to.
    command('open docs/links.md');
    await shown(' NOR   docs/links.md');
    press('f', '/', 'Space', 'k');
    await shown('leads to');
    press('Escape');
    // What is typed at once would be taken for another key with it.
    await wait('end of the window', () => !screen().includes('leads to'));

    // A file of one language is renamed, and what others say of it changes.
    command('open web/src/components/button.ts');
    await shown(' NOR   web/src/components/button.ts');
    command('move web/src/components/knob.ts');
    await wait('the new name', () => existsSync(at.at('web/src/components/knob.ts')));
    const edits = at.answer('workspace/willRenameFiles').result.documentChanges.map(({ textDocument: { uri } }) => uri);
    const naming = ['docs/links.md', 'web/src/all.ts', 'web/src/app.ts'];
    assert.deepEqual(edits.sort(), naming.map((name) => `file://${at.at(name)}`));
    await kept(naming, async () => {});
    for (const name of naming) assert.ok(/components\/knob/.test(at.read(name)) && !/components\/button/.test(at.read(name)), at.read(name));
    // It does not wait until its own last messages are written.
    command('quit-all');
    await at.ended();
  });
}
