#!/usr/bin/env node
// Makes a package of the extension: package.mjs --out FILE [--target TARGET --binary FILE] [--stage DIRECTORY] [--any-size]
// Without a target it is the package for all platforms, without a program. What is made lies in a directory of its own
// (`--stage` keeps it), so that the checkout stays as it is. `--any-size` is for builds with which tests are run. The npm packages
// are those of PATHFINDER_VSCODE_PACKAGES, or here.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** As vsce calls them: those that the program is built for. */
const TARGETS = ['linux-x64', 'linux-arm64', 'alpine-x64', 'alpine-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];
/** Most that a package may weigh, in bytes: what one waits for on a slow line. Measured: 159 KB and 13.2 MB, 14.0 without LTO (tests/bench/runs/2026-11-29/packages.md). */
const BUDGET = { universal: 300_000, platform: 16_000_000 };

const here = import.meta.dirname;
const die = (message) => {
  console.error(`package.mjs: ${message}`);
  process.exit(1);
};
const text = { type: 'string' };
const { out, target, binary, stage: kept, 'any-size': anySize } = parseArgs({
  options: { out: text, target: text, binary: text, stage: text, 'any-size': { type: 'boolean', default: false } },
}).values;
if (!out) die('--out FILE is missing: where the package is to be written');
if (Boolean(target) !== Boolean(binary)) die('--target and --binary belong together: a package for one platform has its program');
if (target && !TARGETS.includes(target)) die(`${target} is no target; there are: ${TARGETS.join(', ')}`);
if (binary && !existsSync(binary)) die(`${binary} is not there: cargo build --release makes it`);
const version = (name, pattern) => pattern.exec(readFileSync(join(here, name), 'utf8'))?.[1];
const [own, programs] = [version('package.json', /^  "version": "(.*)"/m), version('../Cargo.toml', /^version = "(.*)"/m)];
if (own !== programs) die(`package.json has version ${own}, and Cargo.toml ${programs}: they are released together`);
const packages = process.env.PATHFINDER_VSCODE_PACKAGES ?? here;
const modules = join(packages, 'node_modules');
if (!existsSync(join(modules, 'esbuild'))) die(`the npm packages are not in ${modules}: run npm ci --ignore-scripts there`);

const stage = resolve(kept ?? mkdtempSync(join(tmpdir(), 'pathfinder-vscode-')));
mkdirSync(stage, { recursive: true });
try {
  for (const name of ['package.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', '.vscodeignore', 'src', 'media']) {
    cpSync(join(here, name), join(stage, name), { recursive: true });
  }
  // The gallery shows no SVG.
  rmSync(join(stage, 'media/icon.svg'));
  includePictures();
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(here, '..', name), join(stage, name));
  writeFileSync(join(stage, 'LICENSE.txt'), 'Licensed under either of LICENSE-MIT or LICENSE-APACHE, at your option.\n');
  if (!existsSync(join(stage, 'node_modules'))) symlinkSync(modules, join(stage, 'node_modules'), 'junction');
  const run = (...command) => execFileSync(process.execPath, command, { cwd: stage, stdio: ['ignore', 'inherit', 'inherit'] });
  run(join(modules, 'typescript/bin/tsc'));
  await createRequire(join(packages, 'x'))('esbuild').build({
    absWorkingDir: stage,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/main.js',
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    // Of VS Code 1.93, the oldest that package.json names.
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  if (binary) {
    const name = target.startsWith('win32') ? 'pathfinder.exe' : 'pathfinder';
    mkdirSync(join(stage, 'bin'), { recursive: true });
    copyFileSync(binary, join(stage, 'bin', name));
    chmodSync(join(stage, 'bin', name), 0o755);
  }
  run(join(modules, '@vscode/vsce/vsce'), 'package', '--no-dependencies', '--out', resolve(out), ...(target ? ['--target', target] : []));
} finally {
  if (!kept) rmSync(stage, { recursive: true, force: true });
}

/**
 * Pictures of pages, which the checkout has in docs/pictures. The walkthrough's are copied beside it. VS Code and the marketplace show those
 * of a README only from addresses (data: none since 1.103), so that README.md names the ones of this version, which later commits do not change.
 */
function includePictures() {
  const rewrite = (page, pattern, replace) => {
    const path = join(stage, page);
    writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, replace));
  };
  const { repository } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const address = `${repository.url.replace(/\.git$/, '')}/raw/v${own}`;
  rewrite('README.md', /\]\(\.\.\/(docs\/pictures\/[\w.-]+)\)/g, `](${address}/$1)`);
  for (const page of readdirSync(join(stage, 'media')).filter((name) => name.endsWith('.md'))) {
    rewrite(`media/${page}`, /\]\(\.\.\/\.\.\/docs\/pictures\/([\w.-]+)\)/g, (_, name) => {
      copyFileSync(join(here, '../docs/pictures', name), join(stage, 'media', name));
      return `](${name})`;
    });
  }
}

const size = statSync(out).size;
const most = target ? BUDGET.platform : BUDGET.universal;
if (size > most && !anySize) {
  rmSync(out);
  die(`${out} would have ${size} bytes, and the budget is ${most}: see what grew with unzip -lv`);
}
console.log(`${out}: ${size} bytes`);
