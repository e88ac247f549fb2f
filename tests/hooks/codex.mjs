// Codex as a server of its own, as editors run it: requests go to it, and it asks back where a user is to decide.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts `command`. `decide` is given what it asks, as method and parameters, and gives the answer. Gives `ask` for requests,
 * and `told`, which waits for a notification.
 */
export async function codex(laid, command, how, decide = (method) => assert.fail(`it asks ${method}`)) {
  const [program, ...args] = command;
  const server = spawn(program, [...args, 'app-server'], { ...how, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const closed = once(server, 'close');
  laid.users.push(async () => {
    // What runs is a child of what was started: the group is ended, and the pipe is closed when the last of it is gone.
    process.kill(-server.pid, 'SIGKILL');
    await closed;
  });
  const send = (message) => server.stdin.write(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const next = async (wanted) => {
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, 'codex has ended');
      const message = JSON.parse(value);
      if (message.method && message.id !== undefined) send({ id: message.id, result: decide(message.method, message.params) });
      else if (wanted(message)) return message;
    }
  };
  let id = 0;
  const ask = async (method, params) => {
    id += 1;
    send({ id, method, params });
    const { result, error } = await next((message) => message.id === id);
    assert.ok(result, `${method}: ${JSON.stringify(error)}`);
    return result;
  };
  await ask('initialize', { clientInfo: { name: 'pathfinder-tests', version: '1' }, capabilities: { experimentalApi: true } });
  send({ method: 'initialized' });
  return { ask, told: (method) => next((message) => message.method === method) };
}
