// The original's examples: wrong paths of a small monorepo, through every official client.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CLIENTS, connect } from './client.mjs';
import { tree } from './tree.mjs';

const MONOREPO = `
  go.mod: module example.org/shop
  internal/config.go: package internal\\n\\nvar Port = 8080
  internal/app/main.go: package app
  internal/app/router.go: package app
  internal/infra/reranker/client.go: package reranker\\n\\nfunc NewClient() {}
  internal/infra/reranker/config.go: package reranker
  internal/infra/vllm/client.go: package vllm
  internal/infra/vllm/config.go: package vllm
  internal/infra/search/client.go: package search
  internal/infra/storage/client.go: package storage
  internal/infra/cache/client.go: package cache
  internal/gateway/http/client.go: package http
  internal/gateway/grpc/client.go: package grpc
  internal/auth/client.go: package auth
  services/rerank/Cargo.toml: [package]\\nname = "rerank"
  services/rerank/src/lib.rs: mod matcher;
  services/rerank/src/matcher.rs: fn score() {}
  docs/guide.md: # Guide
`;
const CLIENT = 'internal/infra/reranker/client.go';

/** What is asked, and `STATUS PATH` of the answer; of an uncertain one the first candidate, if there is any. */
const EXAMPLES = [
  ['a typo', { failed_path: 'internal/infra/reranker/clinet.go' }, `resolved ${CLIENT}`],
  ['a prefix left out', { failed_path: 'infra/reranker/client.go' }, `resolved ${CLIENT}`],
  ['both', { failed_path: 'infra/reranker/clinet.go' }, `resolved ${CLIENT}`],
  ['a directory that is a file', { failed_path: 'internal/config/' }, 'resolved internal/config.go'],
  ['eight of one name, with intent', { failed_path: 'client.go', intent_text: 'reranker config modification' }, `resolved ${CLIENT}`],
  ['eight of one name, with history', { failed_path: 'client.go', history: ['internal/infra/reranker/config.go'] }, `resolved ${CLIENT}`],
  // Another family of extensions is another language: shown, and not answered.
  ['another extension', { failed_path: 'services/rerank/src/matcher.py' }, 'ambiguous services/rerank/src/matcher.rs'],
  ['just as asked', { failed_path: CLIENT }, `exists ${CLIENT}`],
  ['really absent', { failed_path: 'billing/invoices/schema.sql' }, 'not_found -'],
  ['really absent, with intent', { failed_path: 'terraform/cluster.tf', intent_text: 'scale the cluster' }, 'not_found -'],
  ['about to be made', { failed_path: 'internal/infra/reranker/clinet.go', op: 'write' }, `ambiguous ${CLIENT}`],
];

for (const client of CLIENTS) {
  for (const [what, question, expected] of EXAMPLES) {
    test(`${client}: ${what}`, async (t) => {
      const { resolve } = await connect(tree(t, MONOREPO), { client });
      const answer = await resolve(question);
      const sure = ['exists', 'resolved'].includes(answer.status);
      const path = sure ? answer.path : (answer.candidates?.[0].path ?? '-');
      assert.equal(`${answer.status} ${path}`, expected, JSON.stringify(answer));
      // A certain answer is a path and a reason, an uncertain one says again what was asked.
      if (sure) assert.deepEqual(Object.keys(answer), answer.why ? ['status', 'path', 'why'] : ['status', 'path']);
      else assert.deepEqual([answer.path, answer.failed_path, typeof answer.confidence], [undefined, question.failed_path, 'number']);
    });
  }

  test(`${client}: eight of one name, and nothing else is known`, async (t) => {
    const { resolve, retry } = await connect(tree(t, MONOREPO), { client });
    const { next_question: question, candidates, ...answer } = await resolve({ failed_path: 'client.go' });
    assert.equal(answer.error_kind, 'Ambiguous');
    assert.match(question, /^Which client\.go: .*\?$/);
    assert.ok(candidates.length >= 2 && candidates.length <= 5);
    for (const { path, score } of candidates) assert.ok(path.endsWith('/client.go') && score > 0);
    const refused = await retry({ failed_path: 'client.go', op: 'read' });
    assert.deepEqual([refused.isError, refused.error_kind], [true, 'Ambiguous']);
    assert.equal(refused.content, undefined);
  });

  test(`${client}: a retry reads what was meant`, async (t) => {
    const { retry } = await connect(tree(t, MONOREPO), { client });
    const read = await retry({ failed_path: 'infra/reranker/client.go', op: 'read' });
    assert.deepEqual([read.status, read.path, read.attempts], ['resolved', CLIENT, 1]);
    assert.equal(read.content, 'package reranker\n\nfunc NewClient() {}');
  });

  test(`${client}: every candidate fails`, async (t) => {
    const { retry } = await connect(tree(t, MONOREPO), { client });
    const failed = await retry({ failed_path: 'infra/reranker/client.go', op: 'read', offset: 99 });
    assert.deepEqual([failed.isError, failed.status], [true, 'all_failed']);
    assert.deepEqual(failed.attempts, [{ path: CLIENT, error: 'has 3 lines only' }]);
  });
}

test('what was used before changes the next answer', async (t) => {
  const { resolve, retry } = await connect(tree(t, MONOREPO));
  const ask = () => resolve({ failed_path: 'client.go' });
  assert.equal((await ask()).status, 'ambiguous');
  await retry({ failed_path: 'internal/infra/vllm/config.go', op: 'read' });
  const { status, path } = await ask();
  assert.deepEqual([status, path], ['resolved', 'internal/infra/vllm/client.go']);
});

test('eras: each client speaks the one it was told to', async (t) => {
  const eras = { legacy: 'legacy', auto: 'modern', '2026-07-28': 'modern' };
  for (const [kind, era] of Object.entries(eras)) {
    const { client } = await connect(tree(t, MONOREPO), { client: kind });
    assert.equal(client.getProtocolEra(), era, kind);
    assert.equal(client.getServerVersion().name, 'pathfinder');
  }
});
