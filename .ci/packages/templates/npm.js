#!/usr/bin/env node
// Starts the program for this platform, which lies in a package of its own.
'use strict';

const { spawn } = require('node:child_process');

const packages = {{packages}};
const libc = process.platform !== 'linux' ? [] : [process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'];
const platform = [process.platform, process.arch, ...libc].join('-');
const name = packages[platform];
let program;
try {
  program = name && require.resolve(`${name}/bin/{{name}}${process.platform === 'win32' ? '.exe' : ''}`);
} catch {
  // Not installed: the message below.
}
if (!program) {
  const reason = name ? `${name} is not installed: run npm install again, without --omit=optional` : `there is no program for ${platform}`;
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
