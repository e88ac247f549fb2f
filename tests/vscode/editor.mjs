// A VS Code on a project: its server, a browser that shows it, and tests that run inside of its extension host.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What install.sh has made. */
export const INSTALLED = process.env.PATHFINDER_VSCODE;
assert.ok(INSTALLED, 'PATHFINDER_VSCODE is not set: tests/run vscode sets it');
/** Where screenshots and logs are left: outside of the checkout. */
export const KEPT = process.env.PATHFINDER_VSCODE_KEPT ?? join(INSTALLED, '../kept');

/** VS Code, and what runs it. Another one can be given to try the tests with it. */
const SERVER = process.env.PATHFINDER_VSCODE_SERVER ?? join(INSTALLED, 'node_modules/code-server/lib/vscode/out/server-main.js');
const NODE = process.env.PATHFINDER_VSCODE_NODE ?? process.execPath;
const { chromium } = createRequire(join(INSTALLED, 'x'))('playwright-core');

/** How long anything may take on a machine that does much else. */
const TIMEOUT_MS = Number(process.env.PATHFINDER_PATIENCE ?? 60_000);
/** How long all tests of one window may take: less than node gives to a file of them, so that it can be said what was done. */
const WINDOW = 200_000;

/** Waits until `look` gives something, and gives that. */
export async function until(what, look) {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) assert.fail(`no ${what} in ${TIMEOUT_MS / 1000} s`);
    await pause(20);
  }
}

/**
 * Runs tests of `host/` in a window on a project, and gives their results: `{name, error?}` in their order.
 * `extension` is the directory of the extension under development, `settings` are the user's, `shows` is what the window is opened on
 * (as the workbench's address says it): the project's directory, if nothing else is said.
 */
export async function inHost({ at, suites, extension, settings = {}, trust = false, env = {}, shows = { folder: at.root }, viewport = { width: 1400, height: 900 }, name }) {
  const place = join(at.place, name);
  const results = join(place, 'results');
  for (const directory of ['user/User', 'srv/data/Machine', 'ext', 'home']) mkdirSync(join(place, directory), { recursive: true });
  const quiet = {
    'extensions.ignoreRecommendations': true,
    'workbench.startupEditor': 'none',
    'workbench.enableExperiments': false,
    'security.workspace.trust.startupPrompt': 'never',
    'git.enabled': false,
    // As on a desktop, where it is the default. In a browser VS Code saves a second after each change: that ends a save that a test asked for
    // and that takes longer, and makes a changed text clean before a test has looked at it.
    'files.autoSave': 'off',
    // So that what it prints is in the page as text.
    'terminal.integrated.gpuAcceleration': 'off',
    'typescript.validate.enable': false,
    ...settings,
  };
  for (const where of ['user/User', 'srv/data/Machine']) writeFileSync(join(place, where, 'settings.json'), JSON.stringify(quiet));
  let page;
  const remote = await listen((action) => act(page, action));
  const server = serve(place, trust, {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    TMPDIR: at.place,
    HOME: join(place, 'home'),
    PATHFINDER_CACHE_DIR: join(at.place, 'cache'),
    PATHFINDER_HOST: JSON.stringify({ suites, results, root: at.root, driver: remote.url, patience: TIMEOUT_MS }),
    ...env,
  });
  let browser;
  try {
    const port = await server.port;
    browser = await chromium.launch({
      timeout: 2 * TIMEOUT_MS,
      executablePath: join(INSTALLED, 'chromium/chromium'),
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      env: { ...process.env, LD_LIBRARY_PATH: join(INSTALLED, 'chromium/lib'), FONTCONFIG_FILE: join(INSTALLED, 'chromium/fonts.conf') },
    });
    const context = await browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    page = await context.newPage();
    const lines = [];
    let ended;
    const code = new Promise((resolve) => (ended = resolve));
    await page.exposeFunction('codeAutomationExit', (code) => ended(code));
    await page.exposeFunction('codeAutomationLog', (type, args) => lines.push(`${type}: ${[args].flat().join(' ')}`));
    page.on('console', (message) => lines.push(message.text()));
    const uri = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
    const payload = [
      ['extensionDevelopmentPath', uri(extension)],
      ['extensionTestsPath', uri(join(import.meta.dirname, 'host/index.cjs'))],
    ];
    const query = new URLSearchParams({ ...shows, payload: JSON.stringify(payload) });
    await page.goto(`http://127.0.0.1:${port}/?${query}`, { timeout: 2 * TIMEOUT_MS });
    const status = await Promise.race([code, pause(WINDOW, 'timeout', { ref: false })]);
    const said = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
    if (status !== 0) await keep(page, name, [...lines, ...server.lines]);
    const failed = said.some(({ error }) => error);
    if (status !== 0 && !failed) said.push({ name: 'the end of the window', error: `status ${status}\n${lines.slice(-40).join('\n')}` });
    if (said.length === 0) said.push({ name: 'the window', error: 'no test was run' });
    return said;
  } catch (error) {
    if (page) await keep(page, name, server.lines);
    throw error;
  } finally {
    await browser?.close();
    remote.close();
    await server.end();
  }
}

/** One subtest for each result. */
export async function report(t, results) {
  for (const { name, error } of results) {
    await t.test(name, () => {
      if (error) assert.fail(error);
    });
  }
}

/** VS Code's server on a port of its own. */
function serve(place, trust, env) {
  const args = [
    SERVER, '--accept-server-license-terms', '--without-connection-token', '--host', '127.0.0.1', '--port', '0',
    '--user-data-dir', join(place, 'user'), '--server-data-dir', join(place, 'srv'), '--extensions-dir', join(place, 'ext'),
    '--telemetry-level', 'off', '--disable-telemetry', '--enable-smoke-test-driver',
    // The environment is the one given below, and not what a login shell of this machine would make of it.
    '--force-disable-user-env', ...(trust ? [] : ['--disable-workspace-trust']),
  ];
  const child = spawn(NODE, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => lines.push(...String(chunk).split('\n')));
  const port = until('VS Code', async () => {
    assert.equal(child.exitCode, null, lines.join('\n'));
    const port = /Extension host agent listening on (\d+)|localhost:(\d+)/.exec(lines.join('\n'))?.slice(1).find(Boolean);
    if (!port) return undefined;
    const answer = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined);
    return answer?.ok && port;
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { port, lines, end };
}

/** Installs a package into the extensions of a window that is to come. */
export async function install(at, name, vsix) {
  const place = join(at.place, name);
  mkdirSync(place, { recursive: true });
  const args = [SERVER, '--accept-server-license-terms', '--server-data-dir', join(place, 'srv'), '--user-data-dir', join(place, 'user'), '--extensions-dir', join(place, 'ext'), '--install-extension', vsix];
  const child = spawn(NODE, args, { env: { ...process.env, HOME: at.home }, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => out.push(chunk));
  const [status] = await once(child, 'close');
  assert.equal(status, 0, Buffer.concat(out).toString());
  return Buffer.concat(out).toString();
}

/** Files to keep after a failure. */
async function keep(page, name, lines) {
  mkdirSync(KEPT, { recursive: true });
  await page.screenshot({ path: join(KEPT, `${name}-failed.png`) }).catch(() => undefined);
  writeFileSync(join(KEPT, `${name}-failed.log`), lines.join('\n'));
}

/** Tests in the extension host have the browser act, as a person would: over HTTP. */
async function listen(run) {
  const server = createServer(async (request, response) => {
    const body = [];
    for await (const chunk of request) body.push(chunk);
    try {
      response.end(JSON.stringify({ result: (await run(JSON.parse(Buffer.concat(body).toString()))) ?? null }));
    } catch (error) {
      response.end(JSON.stringify({ error: error.message }));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function act(page, { what, selector, text, key, modifiers, name }) {
  const locator = () => (text === undefined || what === 'fill' ? page.locator(selector) : page.locator(selector).filter({ hasText: text })).first();
  switch (what) {
    case 'press':
      return page.keyboard.press(key);
    case 'type':
      return page.keyboard.type(text);
    case 'fill':
      // In one change, which a list that looks up each value reads once.
      return locator().fill(text, { timeout: TIMEOUT_MS });
    case 'see':
      return locator().waitFor({ timeout: TIMEOUT_MS });
    case 'click':
      return locator().click({ timeout: TIMEOUT_MS, modifiers });
    case 'texts':
      return page.locator(selector).allInnerTexts();
    case 'clickText': {
      // Where a letter stands in the middle of these, which may be parts of several elements of one line.
      const box = await page.evaluate(([selector, text]) => {
        for (const line of document.querySelectorAll(selector)) {
          let left = line.textContent.indexOf(text);
          if (left < 0) continue;
          left += text.length >> 1;
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; left -= node.data.length, node = walker.nextNode()) {
            if (left >= node.data.length) continue;
            const range = document.createRange();
            range.setStart(node, left);
            range.setEnd(node, left + 1);
            const { x, y, width, height } = range.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
          }
        }
        return null;
      }, [selector, text]);
      if (!box) throw new Error(`${text} is not in ${selector}`);
      await page.mouse.move(box.x - 3, box.y);
      await page.mouse.move(box.x, box.y);
      for (const key of modifiers ?? []) await page.keyboard.down(key);
      await page.mouse.click(box.x, box.y);
      for (const key of modifiers ?? []) await page.keyboard.up(key);
      return undefined;
    }
    case 'picture':
      // Pages of extensions are frames within frames. A picture that was not loaded has no width.
      return until('picture', async () => {
        const widths = page.frames().map((frame) => frame.evaluate((one) => document.querySelector(one)?.naturalWidth ?? 0, selector).catch(() => 0));
        return (await Promise.all(widths)).find((width) => width > 0);
      });
    case 'screenshot':
      mkdirSync(KEPT, { recursive: true });
      return page.screenshot({ path: join(KEPT, `${name}.png`) });
    default:
      throw new Error(`the browser knows no ${what}`);
  }
}
