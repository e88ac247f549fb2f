// Finds the program that is run: the one that was named, that came with the extension, on the PATH, or downloaded. Says the reason if there is none.

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** A program that was started once and said what it is. */
export interface Binary {
  readonly path: string;
  readonly version: string;
  readonly from: 'setting' | 'extension' | 'PATH' | 'download';
}

/** Why there is none, for people: what happened, and what to do. */
export class NoBinary extends Error {
  /** `isMissing`: there is none at all, so that one has to be installed. */
  constructor(
    message: string,
    readonly isMissing = false,
  ) {
    super(message);
  }
}

/** The first version that says what this extension asks for. */
const LEAST = [0, 1, 0] as const;
/** A program that only prints its version takes milliseconds; a disk that sleeps takes seconds. */
const TIMEOUT_MS = 20_000;
const NAME = process.platform === 'win32' ? 'pathfinder.exe' : 'pathfinder';

/** Where to look. */
export interface Places {
  /** What a setting names; empty if none does. */
  readonly named: string;
  /** Where the extension is. */
  readonly extension: string;
  /** The path of a downloaded program, which may be missing. */
  readonly downloaded: string;
  readonly env: NodeJS.ProcessEnv;
}

export async function find({ named, extension, downloaded, env }: Places): Promise<Binary> {
  if (named) {
    if (!isAbsolute(named)) {
      throw new NoBinary(`The setting pathfinder.path is ${named}, which is no absolute path. Give one, or leave it empty.`);
    }
    if (!(await isThere(named))) {
      throw new NoBinary(`The setting pathfinder.path names ${named}, but there is no such file. Correct it, or leave it empty.`);
    }
    return { path: named, version: await versionOf(named), from: 'setting' };
  }
  const bundled = join(extension, 'bin', NAME);
  if (await isThere(bundled)) return { path: bundled, version: await versionOf(bundled), from: 'extension' };
  for (const directory of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    // A relative entry means the current directory, which may be an untrusted project.
    if (!isAbsolute(directory)) continue;
    const path = join(directory, NAME);
    if (await isThere(path)) return { path, version: await versionOf(path), from: 'PATH' };
  }
  if (await isThere(downloaded)) return { path: downloaded, version: await versionOf(downloaded), from: 'download' };
  throw new NoBinary(
    `This package of the extension has no program for ${process.platform}-${process.arch}, and there is no ${NAME} on the PATH. ` +
      'Install pathfinder, download it, or choose a program.',
    true,
  );
}

const isThere = (path: string): Promise<boolean> => access(path, constants.F_OK).then(() => true, () => false);

/** The version that a program says it has. */
async function versionOf(path: string): Promise<string> {
  const { error, out } = await new Promise<{ error: Error | null; out: string }>((resolve) => {
    // Beside itself, not in the workspace: a program may read what lies where it is started.
    execFile(path, ['--version'], { timeout: TIMEOUT_MS, windowsHide: true, cwd: join(path, '..') }, (error, out) => resolve({ error, out }));
  });
  const version = /^pathfinder (\d+)\.(\d+)\.(\d+)/.exec(out);
  if (error || !version) throw new NoBinary(`${path} cannot be run: ${await reason(path, error)}`);
  const numbers = version.slice(1, 4).map(Number);
  const differs = LEAST.findIndex((least, at) => numbers[at] !== least);
  if (differs >= 0 && (numbers[differs] ?? 0) < (LEAST[differs] ?? 0)) {
    throw new NoBinary(`${path} is pathfinder ${numbers.join('.')}, and this extension needs ${LEAST.join('.')} or later. Update it.`);
  }
  return numbers.join('.');
}

async function reason(path: string, error: Error | null): Promise<string> {
  const built = await builtFor(path);
  if (built && built !== `${process.platform}-${process.arch}`) {
    return `it is built for ${built}, and this machine is ${process.platform}-${process.arch}. Install the one for this machine.`;
  }
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'EACCES') return 'it is not executable. Make it so (chmod +x), or name another one in the setting pathfinder.path.';
  const what = error ? error.message.trim().split('\n')[0] : 'it does not say that it is pathfinder';
  return `${what}. Name another one in the setting pathfinder.path, or leave that empty.`;
}

/** Architectures by their numbers in the headers of ELF, PE and Mach-O. */
const ELF: Record<number, string> = { 0x03: 'ia32', 0x28: 'arm', 0x3e: 'x64', 0xb7: 'arm64', 0xf3: 'riscv64' };
const PE: Record<number, string> = { 0x14c: 'ia32', 0x8664: 'x64', 0xaa64: 'arm64' };
const MACH: Record<number, string> = { 0x01000007: 'x64', 0x0100000c: 'arm64' };
/** The headers of all three begin within so many bytes. */
const HEAD = 4096;

/** Platform and architecture that a program is built for, as node calls them; undefined if it does not say. */
async function builtFor(path: string): Promise<string | undefined> {
  const head = Buffer.alloc(HEAD);
  try {
    const file = await open(path);
    await file.read(head, 0, HEAD, 0).finally(() => file.close());
  } catch {
    return undefined;
  }
  const known = (platform: string, name: string | undefined) => name && `${platform}-${name}`;
  if (head.toString('latin1', 0, 4) === '\x7fELF') return known('linux', ELF[head.readUInt16LE(18)]);
  if (head.readUInt32LE(0) === 0xfeedfacf) return known('darwin', MACH[head.readUInt32LE(4)]);
  const pe = head.toString('latin1', 0, 2) === 'MZ' ? head.readUInt32LE(60) : HEAD;
  return pe < HEAD - 6 ? known('win32', PE[head.readUInt16LE(pe + 4)]) : undefined;
}
