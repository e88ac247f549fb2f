// The extension under failures, in an untrusted folder, installed from its package, and in other windows.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { inHost, install, report } from './editor.mjs';
import { stage } from './stage.mjs';

test('trouble', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'trouble', suites: ['trouble'], extension: at.extension }));
});

test('a workspace that is not trusted', async (t) => {
  const at = stage(t);
  const program = join(at.place, 'hostile');
  writeFileSync(program, `#!/bin/sh\necho run >>'${at.place}/run'\n`, { mode: 0o755 });
  mkdirSync(at.at('.vscode'));
  const settings = { 'pathfinder.path': program, 'pathfinder.cacheDir': at.at('cache') };
  writeFileSync(at.at('.vscode/settings.json'), JSON.stringify(settings));
  await report(t, await inHost({ at, name: 'untrusted', suites: ['untrusted'], extension: at.extension, trust: true }));
});

test('the package', async (t) => {
  const at = stage(t);
  await install(at, 'installed', at.vsix);
  // Tests come with an extension that is being developed: one that does nothing.
  const probe = join(at.place, 'probe');
  mkdirSync(probe);
  writeFileSync(join(probe, 'package.json'), JSON.stringify({ name: 'probe', publisher: 'tests', version: '0.0.1', engines: { vscode: '*' } }));
  await report(t, await inHost({ at, name: 'installed', suites: ['installed'], extension: probe }));
});

test('the package for all platforms', async (t) => {
  const at = stage(t, { hasProgram: false });
  const bin = join(at.place, 'bin');
  mkdirSync(bin);
  const releases = await serveRelease(readFileSync(at.program));
  const env = { PATH: `${bin}:${process.env.PATH}`, PATHFINDER_TO_LINK: at.program, PATHFINDER_DOWNLOADS: releases.url };
  const settings = { 'files.simpleDialog.enable': true };
  try {
    await report(t, await inHost({ at, name: 'universal', suites: ['universal'], extension: at.extension, env, settings }));
  } finally {
    releases.close();
  }
});

/** A release's files for this machine: at the first attempt none, then wrong ones, at last the right ones. */
async function serveRelease(program) {
  const name = '/pathfinder-x86_64-unknown-linux-gnu';
  const sum = createHash('sha256').update(program).digest('hex');
  const compressed = gzipSync(program, { level: 1 });
  const attempts = [undefined, ['1'.repeat(64), compressed], [sum, compressed.subarray(0, 9999)], ['<!DOCTYPE', compressed], [sum, compressed]];
  let files;
  const server = createServer(({ url }, response) => {
    if (url === `${name}.sha256`) files = attempts.shift();
    const bytes = { [`${name}.sha256`]: files && `${files[0]}  pathfinder\n`, [`${name}.gz`]: files?.[1] }[url];
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

test('a window with several folders', async (t) => {
  const at = stage(t);
  const workspace = join(at.place, 'several.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: ['docs', 'web'].map((name) => ({ path: at.at(name) })) }));
  await report(t, await inHost({ at, name: 'several', suites: ['several'], extension: at.extension, shows: { workspace } }));
});

test('a window without a folder', async (t) => {
  const at = stage(t);
  await report(t, await inHost({ at, name: 'empty', suites: ['empty'], extension: at.extension, shows: { ew: 'true' } }));
});
