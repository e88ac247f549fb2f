#!/usr/bin/env node
// Starts the program for this platform, which lies in a package of its own.
'use strict';

const { spawn } = require('node:child_process');

const packages = {{packages}};
// npm before 10 ignores `libc` and installs both: the one for this machine's C library comes first.
const isGlibc = process.platform !== 'linux' || Boolean(process.report.getReport().header.glibcVersionRuntime);
const platform = `${process.platform}-${process.arch}`;
const names = (process.platform === 'linux' ? (isGlibc ? ['-glibc', '-musl'] : ['-musl']) : ['']).map((libc) => packages[platform + libc]);
let program;
for (const name of names.filter(Boolean)) {
  try {
    program = require.resolve(`${name}/bin/{{name}}${process.platform === 'win32' ? '.exe' : ''}`);
    break;
  } catch {
    // Not installed: the next one, or the message below.
  }
}
if (!program) {
  const known = names.filter(Boolean);
  const reason = known.length ? `${known.join(' or ')} is not installed: run npm install again, without --omit=optional` : `there is no program for ${platform}`;
  console.error(`{{name}}: ${reason}; others are at {{repository}}/releases`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`{{name}}: ${program}: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
