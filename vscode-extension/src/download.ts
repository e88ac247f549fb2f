// The program of a release for this machine: downloaded when the user asks for it, compared with its checksum, kept by the extension.

import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** The address of all releases; each version has a folder there. */
const RELEASES = 'https://github.com/pathfinder-dev/pathfinder/releases/download';
/** Most bytes of a download, and of the program in it. A program of today has 20 MB, a third of it compressed. */
const MAX_BYTES = 1 << 28;
const NAME = process.platform === 'win32' ? 'pathfinder.exe' : 'pathfinder';

/** Targets of releases (.ci/packages/names.json), by platform and architecture as node calls them. */
const TARGETS: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux',
  'linux-arm64': 'aarch64-unknown-linux',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

/** Returns whether releases have a program for this machine. */
export const isReleased = (): boolean => `${process.platform}-${process.arch}` in TARGETS;

/** The target of this machine's program. */
function target(): string {
  const found = TARGETS[`${process.platform}-${process.arch}`];
  if (!found) throw new Error(`no program is released for ${process.platform}-${process.arch}. Build it from its sources.`);
  if (process.platform !== 'linux') return found;
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  // An editor needs a newer glibc than the program does. Without any glibc the static program runs.
  return `${found}-${header.glibcVersionRuntime ? 'gnu' : 'musl'}`;
}

/** The path of a version's program: one folder for each version, below the extension's storage. */
export const downloaded = (storage: string, version: string): string => join(storage, version, NAME);

/** The folder of a version's files: a mirror's, if the user's environment names one as for the other ways to install. */
const address = (version: string): string => (process.env['PATHFINDER_DOWNLOADS'] ?? `${RELEASES}/v${version}`).replace(/\/$/, '');

/**
 * Downloads a version's program and returns where it is. Throws, in words for people, and then leaves what was there before: no
 * program is kept unless its checksum is that of the release.
 */
export async function download(storage: string, version: string, signal: AbortSignal): Promise<string> {
  const from = `${address(version)}/pathfinder-${target()}`;
  // The small one first: without it the large one is of no use.
  const said = (await get(`${from}.sha256`, signal)).toString('latin1').trim().split(/\s/)[0] ?? '';
  if (!/^[0-9a-f]{64}$/i.test(said)) throw new Error(`${from}.sha256 is no checksum. Nothing was installed.`);
  const compressed = await get(`${from}.gz`, signal);
  const program = await promisify(gunzip)(compressed, { maxOutputLength: MAX_BYTES }).catch(() => {
    throw new Error(`${from}.gz is incomplete or broken. Nothing was installed; try again.`);
  });
  const found = createHash('sha256').update(program).digest('hex');
  if (found !== said.toLowerCase()) throw new Error(`the checksum of ${from} is ${found}, not ${said}. Nothing was installed.`);
  const path = downloaded(storage, version);
  await mkdir(join(path, '..'), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  try {
    await writeFile(part, program);
    await chmod(part, 0o755);
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
  // Older versions, which this version of the extension does not start. One that still runs may be kept by the system.
  const others = (await readdir(storage)).filter((other) => other !== version && /^\d+\.\d+\.\d+/.test(other));
  await Promise.all(others.map((other) => rm(join(storage, other), { recursive: true, force: true }).catch(() => undefined)));
  return path;
}

/** Downloads the contents of an address. */
async function get(url: string, signal: AbortSignal): Promise<Buffer> {
  const failed = (why: string): Error => new Error(`${url} could not be downloaded: ${why}. Nothing was installed.`);
  const answer = await fetch(url, { signal }).catch((error: Error) => {
    throw failed(error.cause instanceof Error ? error.cause.message : error.message);
  });
  if (answer.status === 404) throw failed('it is not there, so this version is not released, or not for this machine');
  if (!answer.ok || !answer.body) throw failed(`the server says ${answer.status} ${answer.statusText}`.trim());
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    throw failed((error as Error).message);
  }
  return Buffer.concat(pieces);
}
