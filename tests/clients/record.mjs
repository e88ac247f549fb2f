#!/usr/bin/env node
// Stands between an editor and the server, and writes down what they say: record.mjs LOG PROGRAM ARGUMENT...
// A line of the log is {"from": "client" | "server", "message": …}; the first is {"server": PID}, the last {"exit": STATUS},
// unless the editor has not waited and killed this script.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [log, program, ...args] = process.argv.slice(2);
const write = (line) => appendFileSync(log, `${JSON.stringify(line)}\n`);
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
write({ server: server.pid });

/** Calls back with each message of a stream of them. */
function messages(stream, each) {
  let held = Buffer.alloc(0);
  stream.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      const length = end < 0 ? undefined : /^Content-Length: *(\d+)/im.exec(held.subarray(0, end).toString())?.[1];
      if (length === undefined || held.length < end + 4 + Number(length)) return;
      each(JSON.parse(held.subarray(end + 4, end + 4 + Number(length)).toString()));
      held = held.subarray(end + 4 + Number(length));
    }
  });
}

// Logged before it is passed on, so that the cause of each effect is in the log.
messages(process.stdin, (message) => write({ from: 'client', message }));
process.stdin.on('data', (chunk) => server.stdin.write(chunk));
process.stdin.on('end', () => server.stdin.end());
messages(server.stdout, (message) => write({ from: 'server', message }));
server.stdout.on('data', (chunk) => process.stdout.write(chunk));
// Either side may be gone before the other knows.
server.stdin.on('error', () => {});
process.stdout.on('error', () => {});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal));
server.on('exit', (status, signal) => {
  write({ exit: status ?? signal });
  process.exitCode = status ?? 1;
  process.stdin.destroy();
});
