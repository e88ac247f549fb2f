// A leader that is killed during a question.

import assert from 'node:assert/strict';

import { connect, raw } from './client.mjs';

/** Begins a host and a guest on a tree, and kills the one while the other has a hundred questions. All are answered; gives the guest. */
export async function midway(laid, how, wrong, right) {
  const one = await connect(laid, how);
  await one.resolve(wrong);
  const two = raw(laid, how);
  await two.initialize();
  for (let id = 0; id < 100; id += 1) {
    two.call(id, 'path_resolve', wrong);
    if (id === 50) process.kill(one.transport.pid, 'SIGKILL');
  }
  const ids = new Set();
  while (ids.size < 100) {
    const { id, result } = await two.next();
    assert.equal(result.structuredContent.path, right);
    ids.add(id);
  }
  return two;
}
