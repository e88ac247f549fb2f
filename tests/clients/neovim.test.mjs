// Neovim, in the version that Debian's stable release has, and in the present one.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { beside, installed, mended, program, snippets, stage, steps } from './stage.mjs';

const [present, before] = snippets('Neovim');

for (const [folder, settings, encoding] of [['neovim-forky', present, 'utf-8'], ['neovim-trixie', before, 'utf-16']]) {
  test(folder, async (t) => {
    const at = stage(t);
    at.configure('.config/nvim/init.lua', settings);
    const nvim = [...program(folder, 'bin/nvim'), '--headless', '-i', 'NONE', '--cmd', `set rtp^=${installed(folder, 'usr/lib/nvim')}`, '-u', `${at.home}/.config/nvim/init.lua`];
    const { out } = await at.run([...nvim, '-l', beside('neovim.lua')], {
      ROOT: at.root,
      VIMRUNTIME: installed(folder, 'usr/share/nvim/runtime'),
    });
    const seen = steps(out);
    assert.equal(at.answer('initialize').result.capabilities.positionEncoding, encoding);
    // Its own columns are bytes.
    mended(at, seen, 'utf-8');
    assert.equal(seen['docs/guide.md'].diagnostics[0].severity, 2);
    assert.equal(seen['web/src/app.ts'].diagnostics[0].severity, 1);
    assert.equal(seen['web/src/app.ts'].diagnostics[0].code, 'missing-path');
    assert.equal(seen['web/src/app.ts'].diagnostics[0].source, 'pathfinder');
    assert.equal(seen.created.name, at.at('docs/decisions/0002-language.md'));
    assert.match(seen.hover.join('\n'), /button\.ts` \(md\.link\) leads to .*web\/src\/components\/button\.ts/);
    assert.deepEqual(seen.links, [
      { text: '../web/src/components/button.ts', target: `file://${at.at('web/src/components/button.ts')}` },
      { text: 'images/plan.svg', target: `file://${at.at('docs/images/plan.svg')}` },
    ]);
    assert.deepEqual(seen.completion, ['plan.svg']);
    assert.equal(`${seen.completed}\n`, at.read('docs/links.md'));
    assert.equal(seen.clients, 1, 'one server for all of the project');
    await at.ended(true);
  });
}
