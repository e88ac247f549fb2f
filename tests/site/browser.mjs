// A browser on pages of a folder, and all that can be wrong with one of them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PACKAGES = process.env.PATHFINDER_SITE_PACKAGES;
assert.ok(PACKAGES, 'PATHFINDER_SITE_PACKAGES is not set: tests/run site sets it');
const load = createRequire(join(PACKAGES, 'x'));
const { chromium } = load('playwright-core');
const AXE = readFileSync(load.resolve('axe-core/axe.min.js'), 'utf8');
/** As wide as a small telephone. */
const NARROW = 400;

export function launch() {
  const at = join(PACKAGES, 'chromium');
  return chromium.launch({
    executablePath: join(at, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--allow-file-access-from-files'],
    env: { ...process.env, LD_LIBRARY_PATH: join(at, 'lib'), FONTCONFIG_FILE: join(at, 'fonts.conf') },
  });
}

/** All pages of a folder, by their places in it. */
export const pages = (folder) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html')).sort();

/** Problems of the pages of a folder, as lines `page: problem`. */
export async function problems(browser, folder) {
  const found = [];
  const seen = new Map();
  for (const scheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, colorScheme: scheme });
    const tab = await context.newPage();
    let place;
    const say = (problem) => found.push(`${place}: ${problem}`);
    tab.on('pageerror', (error) => say(`error ${error.message}`));
    tab.on('request', (request) => request.url().startsWith('file:') || say(`asks for ${request.url()}`));
    for (place of pages(folder)) {
      await tab.setViewportSize({ width: 1200, height: 900 });
      await tab.goto(pathToFileURL(join(folder, place)).href);
      if (scheme === 'light') {
        seen.set(place, await tab.evaluate(look));
        await tab.setViewportSize({ width: NARROW, height: 800 });
        const width = await tab.evaluate(() => document.documentElement.scrollWidth);
        if (width > NARROW) say(`is ${width} wide where ${NARROW} are`);
      }
      await tab.evaluate(AXE);
      // Only colours differ.
      const rules = scheme === 'light' ? ['wcag2a', 'wcag2aa'] : { type: 'rule', values: ['color-contrast'] };
      const { violations } = await tab.evaluate((runOnly) => window.axe.run({ runOnly, resultTypes: ['violations'] }), rules);
      for (const { id, nodes } of violations) say(`${scheme}: ${id} ${nodes[0].target} ${nodes[0].any[0]?.message ?? ''}`);
    }
    await context.close();
  }
  return [...found, ...broken(folder, seen)];
}

/** Headings, anchors, links and pictures of a page, read in the browser. */
function look() {
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  return {
    headings: all('h1', (one) => one.textContent),
    title: document.title,
    ids: all('[id]', (one) => one.id),
    links: all('a[href]', (one) => one.href),
    pictures: all('img', (one) => [one.currentSrc || one.src, one.naturalWidth > 0, one.alt]),
  };
}

/** Links, anchors and pictures that are not there, and pages without a way back or to them. */
function broken(folder, seen) {
  const found = [];
  const leads = new Map();
  for (const [place, { headings, title, links, pictures }] of seen) {
    const say = (problem) => found.push(`${place}: ${problem}`);
    if (headings.length !== 1 || !title) say(`has ${headings.length} headings of the first level, and the title ${title}`);
    for (const [source, isShown, alt] of pictures) if (!isShown || !alt) say(`picture ${source} is not shown, or says nothing`);
    leads.set(place, new Set());
    for (const link of links) {
      const url = new URL(link);
      if (url.protocol !== 'file:') continue;
      const file = fileURLToPath(new URL(url.pathname, 'file:'));
      const to = relative(folder, file);
      if (!existsSync(file) || to.startsWith('..')) say(`link to ${to}`);
      else if (url.hash && !seen.get(to)?.ids.includes(decodeURIComponent(url.hash.slice(1)))) say(`link to ${to}${url.hash}`);
      leads.get(place).add(to);
    }
  }
  const reached = new Set(['index.html']);
  for (const place of reached) for (const to of leads.get(place) ?? []) if (seen.has(to)) reached.add(to);
  for (const place of seen.keys()) {
    if (!reached.has(place)) found.push(`${place}: no page leads to it`);
    if (place !== 'index.html' && !leads.get(place).has('index.html')) found.push(`${place}: no way back`);
  }
  return found;
}
