// Several files fit: the user is asked, where the client can; else the model. And a brake on guessing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CLIENTS, connect, serve } from './client.mjs';
import { tree } from './tree.mjs';

const TREE = 'web/client.go: web\nvllm/client.go: vllm\nreranker/client.go: reranker';
const ASKED = { failed_path: 'client.go' };
const NONE = 'none of these';
const ALL = ['reranker/client.go', 'vllm/client.go', 'web/client.go'];

for (const client of CLIENTS) {
  for (const way of ['stdio', 'http']) {
    const connected = async (t, ask, args = ['--ask']) => {
      const laid = tree(t, TREE);
      const url = way === 'http' ? (await serve(laid, { args })).url : undefined;
      return connect(laid, { client, ask, url, args });
    };

    test(`${client}, ${way}: the user chooses`, async (t) => {
      const seen = [];
      const { resolve, retry } = await connected(t, (params) => {
        seen.push(params);
        return { action: 'accept', content: { path: 'vllm/client.go' } };
      });
      assert.deepEqual(await resolve(ASKED), { status: 'resolved', path: 'vllm/client.go', why: 'chosen by the user' });
      const { message, requestedSchema } = seen[0];
      assert.deepEqual([...requestedSchema.properties.path.enum].sort(), [NONE, ...ALL].sort());
      assert.equal(requestedSchema.properties.path.enum.at(-1), NONE);
      assert.match(message, /^pathfinder asks for your agent, which wants to read "client\.go": no such path exists, and several fit\. Which client\.go: /);
      // That it was used makes it the answer, but not sure enough to be read in place of another unless the caller says so.
      const read = await retry({ ...ASKED, op: 'read', min_confidence: 0.8 });
      assert.deepEqual([read.status, read.path, read.content], ['resolved', 'vllm/client.go', 'vllm']);
      assert.equal(seen.length, 1, 'what was chosen is known from then on');
    });

    for (const [what, reply] of [
      ['declines', { action: 'decline' }],
      ['says nothing', { action: 'cancel' }],
    ]) {
      test(`${client}, ${way}: the user ${what}`, async (t) => {
        const { resolve } = await connected(t, () => reply);
        const { status, candidates } = await resolve(ASKED);
        assert.deepEqual([status, candidates.length], ['ambiguous', 3]);
      });
    }

    test(`${client}, ${way}: the user means none of them`, async (t) => {
      const { resolve } = await connected(t, () => ({ action: 'accept', content: { path: NONE } }));
      const { status, error_kind: kind, why, candidates } = await resolve(ASKED);
      assert.deepEqual([status, kind, candidates], ['not_found', 'NotFound', undefined]);
      assert.equal(why, 'the user says that none of the candidates is meant');
    });

    test(`${client}, ${way}: the client cannot ask`, async (t) => {
      const { resolve } = await connected(t);
      assert.equal((await resolve(ASKED)).status, 'ambiguous');
    });
  }
}

test('what may be about to be created is not asked about', async (t) => {
  const never = () => assert.fail('asked');
  const { resolve } = await connect(tree(t, TREE), { ask: never, args: ['--ask'] });
  assert.notEqual((await resolve({ ...ASKED, op: 'write' })).status, 'resolved');
});

for (const args of [[], ['--no-ask']]) {
  test(`does not ask without --ask: ${args}`, async (t) => {
    const never = () => assert.fail('asked');
    const { resolve } = await connect(tree(t, TREE), { ask: never, args });
    assert.equal((await resolve(ASKED)).status, 'ambiguous');
  });
}

test('the best five are asked about', async (t) => {
  const shown = [];
  const ask = ({ requestedSchema }) => {
    shown.push(...requestedSchema.properties.path.enum);
    return { action: 'decline' };
  };
  const files = Array.from({ length: 9 }, (_, at) => `d${at}/client.go`);
  const { resolve } = await connect(tree(t, files.join('\n')), { ask, args: ['--ask'] });
  const { candidates } = await resolve(ASKED);
  assert.deepEqual(shown, [...candidates.map(({ path }) => path), NONE]);
  assert.equal(shown.length, 6);
});

test('a file that was not offered cannot be chosen', async (t) => {
  const ask = () => ({ action: 'accept', content: { path: '../outside/passwords.txt' } });
  const { resolve } = await connect(tree(t, TREE), { ask, args: ['--ask'] }).catch(() => ({}));
  // The SDK refuses answers outside the schema; the server then answers as without asking.
  assert.equal((await resolve(ASKED)).status, 'ambiguous');
});

test('names are shown as data', async (t) => {
  const shown = [];
  const ask = ({ message, requestedSchema }) => {
    shown.push(message, ...requestedSchema.properties.path.enum);
    return { action: 'accept', content: { path: requestedSchema.properties.path.enum[0] } };
  };
  const odd = 'a\u001b[31m\u202egnp';
  const { resolve } = await connect(tree(t, `${odd}/client.go\nb/client.go`), { ask, args: ['--ask'] });
  const { status, path } = await resolve(ASKED);
  assert.equal(status, 'resolved');
  assert.ok(path === `${odd}/client.go` || path === 'b/client.go', path);
  for (const text of shown) assert.doesNotMatch(text, /[\u001b\u202e]/);
});

/** Paths that are asked for one after the other in `src/api`, and whether the answer says what is there. */
test('guessing one name after another is answered with what is there', async (t) => {
  const { resolve, retry } = await connect(tree(t, 'src/api/one.ts\nsrc/api/deep/two.ts\nsrc/other.ts'));
  const digest = { directory: 'src/api', entries: ['deep/', 'one.ts'] };
  const ask = async (name) => {
    const { directory, entries } = await resolve({ failed_path: `src/api/${name}` });
    return directory ? { directory, entries } : undefined;
  };
  assert.equal(await ask('qqqqwww.sql'), undefined);
  assert.equal(await ask('zzzxxxyyy.bin'), undefined);
  assert.deepEqual(await ask('kkkjjjhhh.cfg'), digest);
  // Said once, it need not be said with each further miss.
  assert.equal(await ask('vvvbbbnnn.xml'), undefined);
  // Something found there ends the counting.
  assert.equal(await ask('one.ts'), undefined);
  assert.equal(await ask('tttrrreee.toml'), undefined);
  assert.equal(await ask('uuuiiiooo.yaml'), undefined);
  const { directory, entries, isError } = await retry({ failed_path: 'src/api/lllkkkjjj.rb', op: 'read' });
  assert.deepEqual([isError, { directory, entries }], [true, digest]);
});

test('the digest of a large directory is short', async (t) => {
  const names = Array.from({ length: 300 }, (_, at) => `big/file${at}.${at % 3 ? 'json' : 'md'}`);
  const { resolve } = await connect(tree(t, `${names.join('\n')}\nbig/sub/x`));
  for (const name of ['qqqwwweee', 'zzzxxxccc']) await resolve({ failed_path: `big/${name}` });
  const { entries, more, endings } = await resolve({ failed_path: 'big/kkklllmmm' });
  assert.deepEqual([entries.length, more, endings], [40, 261, { '.json': 200, '.md': 100, '/': 1 }]);
});
