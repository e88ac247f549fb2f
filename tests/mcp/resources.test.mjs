// Resources, the completion of their paths, and prompts: over both ways, in both eras.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { CLIENTS, connect, serve } from './client.mjs';
import { SECRET, tree } from './tree.mjs';

const TREE = String.raw`
  .gitignore: secret/\n
  src/app.ts: one\ntwo
  src/auth_middleware.py
  src/lib/a.ts: a
  src/lib/[id] é#?.ts: odd
  docs/guide.md
  secret/key.pem
  out -> ../outside
`;
const TEMPLATE = { type: 'ref/resource', uri: 'file:///{path}' };
const uri = (path) => pathToFileURL(path).href;
/** As the template wants it. */
const bare = (path) => path.slice(1);

for (const client of CLIENTS) {
  for (const way of ['stdio', 'http']) {
    const connected = async (t, more = '') => {
      const laid = tree(t, TREE + more);
      const url = way === 'http' ? (await serve(laid)).url : undefined;
      return { laid, ...(await connect(laid, { client, url })) };
    };

    test(`${client}, ${way}: roots and files are resources`, async (t) => {
      const { client, laid } = await connected(t);
      const { resources } = await client.listResources();
      assert.deepEqual(resources.map(({ uri, mimeType }) => [uri, mimeType]), [[uri(laid.root), 'inode/directory']]);
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['file:///{path}']);
      const read = async (name) => (await client.readResource({ uri: uri(laid.at(name)) })).contents;
      assert.equal((await read('src/app.ts'))[0].text, 'one\ntwo');
      assert.equal((await read('src/lib/[id] é#?.ts'))[0].text, 'odd');
      assert.equal((await read('src'))[0].text, 'app.ts\nauth_middleware.py\nlib/');
    });

    test(`${client}, ${way}: what is no resource`, async (t) => {
      const { client, laid } = await connected(t);
      const refused = async (asked, message) => {
        await assert.rejects(client.readResource({ uri: asked }).then(JSON.stringify), (error) => {
          assert.ok(!JSON.stringify(error).includes(SECRET) && !error.message.includes(SECRET));
          assert.match(error.message, message);
          return true;
        }, asked);
      };
      await refused(uri(laid.at('src/ap.ts')), /no such resource/);
      await refused(uri(laid.at('key.pem')), /no such resource/);
      await refused(uri(laid.at('out/passwords.txt')), /no such resource/);
      await refused(uri(laid.outside), /no such resource/);
      await refused(`${uri(laid.root)}/../outside/passwords.txt`, /no such resource/);
      await refused(`${uri(laid.root)}/..%2foutside%2fpasswords.txt`, /no such resource/);
      await refused('file:///etc/passwd', /no such resource/);
      await refused('https://example.org/a', /not that of a file on this machine/);
      await refused('file://elsewhere/a', /not that of a file on this machine/);
      await refused('', /not that of a file on this machine/);
    });

    test(`${client}, ${way}: completion`, async (t) => {
      const { client, laid } = await connected(t);
      const complete = async (value, ref = TEMPLATE, name = 'path') =>
        (await client.complete({ ref, argument: { name, value } })).completion.values;
      const own = (...names) => names.map((name) => bare(laid.at(name)));
      assert.deepEqual(await complete(''), [`${bare(laid.root)}/`]);
      assert.deepEqual(await complete(bare(laid.place)), [`${bare(laid.root)}/`]);
      assert.deepEqual(await complete(`${bare(laid.root)}/src/a`), own('src/app.ts', 'src/auth_middleware.py'));
      assert.deepEqual(await complete(`${laid.root}/sr`), own('src/'));
      assert.deepEqual(await complete(`${bare(laid.root)}/se`), []);
      // No beginning of a path: a rough name.
      assert.deepEqual((await complete('authmidlware')).slice(0, 1), own('src/auth_middleware.py'));
      const prompt = { type: 'ref/prompt', name: 'right_path' };
      assert.deepEqual(await complete('src/l', prompt), ['src/lib/']);
      assert.deepEqual(await complete('authmidlware', prompt), ['src/auth_middleware.py']);
      // A missing file completes to nothing; an error while typing would not help.
      assert.deepEqual(await complete('a', { type: 'ref/prompt', name: 'none' }), []);
      assert.deepEqual(await complete('x'.repeat(100_000)), []);
    });

    test(`${client}, ${way}: prompts`, async (t) => {
      const { client } = await connected(t);
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map(({ name, arguments: all }) => [name, all.map(({ name }) => name)]), [
        ['find_file', ['what']],
        ['right_path', ['path']],
      ]);
      const text = async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0].content.text;
      assert.match(await text('find_file', { what: 'auth midlware' }), /"src\/auth_middleware\.py /);
      assert.match(await text('right_path', { path: 'lib/a.ts' }), /"path":"src\/lib\/a\.ts"/);
      await assert.rejects(client.getPrompt({ name: 'find_file', arguments: {} }), /what is missing/);
      await assert.rejects(client.getPrompt({ name: 'none' }), /there is no prompt of this name; there are: find_file, right_path/);
    });
  }
}

test('binary and large resources', async (t) => {
  const laid = tree(t, 'a/b.txt: x');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(laid.at('a/icon.bin'), Buffer.from([0, 1, 255]));
  writeFileSync(laid.at('a/large.txt'), 'x'.repeat((1 << 20) + 1));
  const { client } = await connect(laid);
  const [blob] = (await client.readResource({ uri: uri(laid.at('a/icon.bin')) })).contents;
  assert.deepEqual(blob.blob, 'AAH/');
  await assert.rejects(client.readResource({ uri: uri(laid.at('a/large.txt')) }), /more than 1048576 bytes/);
});

test('a client is told that there are other roots', async (t) => {
  const laid = tree(t, 'one/a.ts\ntwo/b.ts');
  const clientRoots = [uri(laid.at('one'))];
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const { client, call } = await connect(laid, { roots: [], clientRoots, changed: () => tell() });
  await call('roots_list', {});
  clientRoots[0] = uri(laid.at('two'));
  await client.sendRootsListChanged();
  await told;
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri), [uri(laid.at('two'))]);
});
