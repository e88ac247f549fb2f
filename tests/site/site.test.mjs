// The site, built by its one command: every page in a browser, and that what is generated is what the program says.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { launch, pages, problems } from './browser.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');
const BINARY = process.env.PATHFINDER_BIN ?? join(REPOSITORY, 'target/debug/pathfinder');
const PICTURES = join(REPOSITORY, 'docs/pictures');
/** All pictures are fetched with a clone, and an animation by everyone who looks at the README. */
const [MAX_PICTURES_BYTES, MAX_ANIMATION_BYTES] = [2_000_000, 500_000];

const place = mkdtempSync(join(tmpdir(), 'pathfinder-site-'));
const site = join(place, 'site');
const read = (name) => readFileSync(join(site, name), 'utf8');
const says = (...args) => execFileSync(BINARY, args, { encoding: 'utf8' });
let browser;

before(async () => {
  execFileSync(join(REPOSITORY, 'docs/build'), [site], { env: { ...process.env, PATHFINDER_BIN: BINARY }, stdio: 'pipe' });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(place, { recursive: true, force: true });
});

test('every page renders, can be read, leads somewhere and back', async () => {
  assert.ok(pages(site).length > 70, `${pages(site)}`);
  assert.deepEqual(await problems(browser, site), []);
});

test('each kind of problem is seen', async () => {
  const bad = join(place, 'bad');
  cpSync(join(site, 'style.css'), join(bad, 'style.css'));
  const page = (body) => `<!doctype html><html lang="en"><head><title>x</title><link rel="stylesheet" href="style.css"></head><body><main>${body}</main></body></html>`;
  const cases = {
    'link.html': ['<a href="gone.html">x</a>', 'link to gone.html'],
    'anchor.html': ['<a href="index.html#gone">x</a>', 'link to index.html#gone'],
    'outside.html': ['<a href="../site/index.html">x</a>', 'link to ../site/index.html'],
    'picture.html': ['<img src="gone.png" alt="x">', 'is not shown'],
    'silent.html': ['<img src="gone.png">', 'image-alt'],
    'wide.html': ['<div style="width: 600px">x</div>', 'wide where 400 are'],
    'faint.html': ['<p style="color: #bbb; background: #fff">words</p>', 'light: color-contrast'],
    'headless.html': ['<h1>y</h1>', 'has 2 headings'],
    'failing.html': ['<script>null.x</script>', 'error Cannot read'],
    'asking.html': ['<script src="http://127.0.0.1:9/x.js"></script>', 'asks for http://127.0.0.1:9/x.js'],
  };
  for (const [name, [body]] of Object.entries(cases)) writeFileSync(join(bad, name), page(`<h1>x</h1><a href="index.html">back</a>${body}`));
  writeFileSync(join(bad, 'stuck.html'), page('<h1>x</h1>'));
  writeFileSync(join(bad, 'index.html'), page(`<h1>x</h1>${[...Object.keys(cases), 'stuck.html'].map((name) => `<a href="${name}">${name}</a>`).join(' ')}`));
  writeFileSync(join(bad, 'lost.html'), page('<h1>x</h1><a href="index.html">back</a>'));
  const found = await problems(browser, bad);
  for (const [name, [, problem]] of Object.entries(cases)) assert.ok(found.some((line) => line.startsWith(`${name}: `) && line.includes(problem)), `${name}: ${found.join('\n')}`);
  assert.ok(found.includes('stuck.html: no way back') && found.includes('lost.html: no page leads to it'), found.join('\n'));
});

test('the search finds headings', async () => {
  const tab = await browser.newPage();
  await tab.goto(`file://${join(site, 'rules/missing-path.html')}`);
  await tab.fill('input[type=search]', 'silence finding');
  await tab.click('form a');
  assert.match(tab.url(), /check\.html#silence-a-finding$/);
  await tab.close();
});

test('each code has the page that diagnostics link to', () => {
  const codes = says('rule').trim().split('\n').map((line) => line.split(' ')[0]);
  assert.ok(codes.length >= 8, `${codes}`);
  for (const code of codes) {
    const address = says('rule', code).trim().split('\n').at(-1);
    const name = /\/pathfinder\/(rules\/.*)$/.exec(address)?.[1];
    assert.match(read(name), new RegExp(`<h1 id="${code}"[^]*What to do[^]*Silence it`), address);
  }
});

test('the pages of the command line are those of the program', () => {
  const help = read('help.html').replaceAll(/&lt;|&gt;|&amp;/g, (sign) => ({ '&lt;': '<', '&gt;': '>', '&amp;': '&' })[sign]);
  const synopsis = readFileSync(join(REPOSITORY, 'docs/cli.md'), 'utf8').split('```')[1];
  const commands = [...says('--help').split('\nCommands:\n')[1].split('\n\n')[0].matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
  for (const name of commands.filter((name) => name !== 'help')) {
    assert.match(synopsis, new RegExp(`^pathfinder .*?\\b${name}\\b`, 'm'), `docs/cli.md has no ${name}`);
    assert.ok(help.includes(says(name, '--help').trim().split('\n')[0]), `help.html has no ${name}`);
  }
  // Other programs' options stand in the table at the end, and in the lines of shells.
  const named = ['cli', 'check', 'settings'].map((name) => readFileSync(join(REPOSITORY, `docs/${name}.md`), 'utf8').split('## Beside other')[0]).join('\n');
  for (const [option] of named.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)) assert.ok(help.includes(option), `no command has ${option}`);
});

test('schema, list of pages and plots are those of their sources', () => {
  assert.deepEqual(JSON.parse(read('pathfinder.schema.json')), JSON.parse(says('settings', '--schema')));
  const listed = [...read('llms.txt').matchAll(/\]\(https:\/\/[^)]*?\/pathfinder\/([^)]*)\)/g)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), pages(site));
  const plot = (name) => execFileSync('python3', ['-c', `import plots; print(plots.${name}(), end="")`], { cwd: PICTURES, encoding: 'utf8', env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } });
  for (const name of ['calibration', 'latency']) assert.equal(readFileSync(join(PICTURES, `${name}.svg`), 'utf8'), plot(name), `run docs/pictures/make.py ${name}`);
});

test('pages of extensions list their settings', () => {
  const json = (name) => JSON.parse(readFileSync(join(REPOSITORY, name), 'utf8'));
  const page = (name) => readFileSync(join(REPOSITORY, name), 'utf8');
  const { properties } = json('vscode-extension/package.json').contributes.configuration;
  const rows = [...page('vscode-extension/README.md').matchAll(/^\| `(pathfinder\.[\w.]+)` \| `([^`]*)` \|/gm)].map(([, name, value]) => [name, JSON.parse(value)]);
  assert.deepEqual(rows, Object.entries(properties).map(([name, { default: value }]) => [name, value]));
  const tools = json('zed-extension/src/configuration/settings.schema.json').properties;
  for (const name of Object.keys(tools)) assert.ok(page('zed-extension/README.md').includes(`| \`context_servers.pathfinder.settings.${name}\` |`), name);
  // A gallery shows no other pages and no SVG. The package has addresses in place of the checkout's pictures (package.mjs).
  for (const name of ['vscode-extension/README.md', 'vscode-extension/CHANGELOG.md']) {
    for (const [, link] of page(name).matchAll(/\]\(([^)]+)\)/g)) assert.match(link, /^(https:(?!.*\.svg$)|#|\.\.\/docs\/pictures\/[\w-]+\.(gif|png)$)/, `${name}: ${link}`);
  }
});

test('the main views of VS Code are shown', () => {
  const views = readdirSync(PICTURES).filter((name) => /^view-.*\.png$/.test(name)).sort();
  assert.ok(views.length >= 10, `${views}`);
  const taken = [...readFileSync(join(PICTURES, 'views.cjs'), 'utf8').matchAll(/^ {2}async (\w+)\(\) \{$/gm)].map(([, name]) => `view-${name}.png`);
  assert.deepEqual(views, [...taken, 'view-missing.png'].sort(), 'run docs/pictures/make.py views');
  const shown = [...read('views.html').matchAll(/<img [^>]*src="[^"]*?(view-\w+\.png)"/g)].map(([, name]) => name);
  assert.deepEqual(shown.sort(), views);
});

test('pictures are small', () => {
  const sizes = readdirSync(PICTURES).filter((name) => /\.(svg|png|gif)$/.test(name)).map((name) => [name, statSync(join(PICTURES, name)).size]);
  assert.ok(sizes.reduce((sum, [, size]) => sum + size, 0) <= MAX_PICTURES_BYTES, `${sizes}`);
  for (const name of ['vscode.gif', 'agent.svg']) assert.ok(sizes.find(([one]) => one === name)[1] <= MAX_ANIMATION_BYTES, name);
});

test('pathfinder finds nothing in these documents', () => {
  const done = spawnSync(BINARY, ['check', 'docs', 'README.md', 'vscode-extension', 'zed-extension'], { cwd: REPOSITORY, encoding: 'utf8', env: { ...process.env, PATHFINDER_CACHE_DIR: join(place, 'cache') } });
  assert.equal(done.status, 0, done.stdout);
  assert.match(done.stdout, /\d+ links and imports checked/);
});
