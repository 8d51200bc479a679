import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, files } from '../../../../docs/.vitepress/pages.js';
import { project, root } from '../../../../docs/.vitepress/project.js';
import { axeFindings } from '../../browser/console/visit.js';
import { startChromium } from '../../browser/chromium.js';
import { buildSite, built, serveSite } from './built-site.js';

let site: Awaited<ReturnType<typeof serveSite>>;
let browser: Browser;
beforeAll(async () => {
  await buildSite();
  [site, browser] = await Promise.all([serveSite(), startChromium()]);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

const urlOf = (file: string): string => site.url + addressOf(file).slice(1);

/** Opens a page that must not complain, nor ask another site for anything. */
async function open(file: string): Promise<{ readonly page: Page; readonly noise: string[] }> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
  // A busy machine makes a test slow, and never red.
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith(site.url)) noise.push(request.url());
  });
  await page.goto(urlOf(file));
  await page.locator('main h1').first().waitFor();
  return { page, noise };
}

const sights = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

/** The kinds of pages, which axe sees in every way. The others it sees in one way each, since it takes seconds. */
const kinds = ['docs/index.md', 'README.md', 'docs/failures.md', 'docs/decisions/README.md'];

test.each(files)('%s: axe finds nothing, nothing leaves the screen, and no other site is asked', async (file) => {
  const { page, noise } = await open(file);
  const own = files.indexOf(file) % sights.length;
  for (const { width, colorScheme } of kinds.includes(file) ? sights : sights.slice(own, own + 1)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await axeFindings(page)).toEqual([]);
  }
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([width, overflow]).toEqual([width, 0]);
  }
  expect(noise).toEqual([]);
  await page.context().close();
});

/** What people search for, and the page that answers it. */
const searches: readonly (readonly [words: string, page: string])[] = [
  ['webhook', '/time-and-callbacks'],
  ['idempotency', '/failures'],
  ['upgrade', '/upgrading'],
  ['empty list', '/troubleshooting'],
  ['double booking', '/failures'],
  ['cancel a booking', '/facilities'],
  ['price per player', '/versions'],
  ['rate limit', '/failures'],
  ['reset between tests', '/state-and-worlds'],
  ['mock date', '/time-and-callbacks'],
  ['test data', '/facilities'],
  ['limits', '/limits'],
  ['jsdom', '/frameworks'],
  ['fake timers', '/time-and-callbacks'],
];

test.each(searches)('a search for "%s" finds %s first', async (words, address) => {
  const { page } = await open('docs/index.md');
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill(words);
  const first = page.locator('#localsearch-list a').first();
  await first.waitFor();
  expect(new URL((await first.getAttribute('href'))!, site.url).pathname).toBe(
    `${project.base.slice(0, -1)}${address}`,
  );
  await page.context().close();
});

describe('a reader', () => {
  test('finds the refresh token by the search', async () => {
    const { page, noise } = await open('docs/index.md');
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('refresh token');
    const results = page.locator('#localsearch-list a');
    await results.first().waitFor();
    expect(await results.count()).toBeGreaterThan(3);
    expect(await axeFindings(page)).toEqual([]);
    await results.first().click();
    await page.locator('.vp-doc h1').waitFor();
    expect((await page.locator('.vp-doc').textContent())!.toLowerCase()).toContain('refresh token');
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('goes from the home page to another page and on by the sidebar', async () => {
    const { page, noise } = await open('docs/index.md');
    await page.locator('main a', { hasText: 'Check a deployment' }).first().click();
    await page.waitForURL(urlOf('docs/conformance.md'));
    await page.locator('.VPSidebar a', { hasText: 'Command line' }).click();
    await page.waitForURL(urlOf('docs/command-line.md'));
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('sees the pictures', async () => {
    const { page } = await open('README.md');
    const widths = await page
      .locator('main img')
      .evaluateAll((images) =>
        Promise.all(
          images.map(async (one) => (await (one as HTMLImageElement).decode(), (one as HTMLImageElement).naturalWidth)),
        ),
      );
    expect(widths.length).toBeGreaterThan(0);
    expect(widths.every((width) => width > 100)).toBe(true);
    await page.context().close();
  });
});

test('its lock file has what its manifest asks for', async () => {
  await promisify(execFile)('npm', ['ci', '--dry-run', '--ignore-scripts'], { cwd: join(root, 'docs') });
});

test('the types of its configuration hold', async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'docs')]);
});

test('the published files name where they are', () => {
  expect(readFileSync(join(built, 'sitemap.xml'), 'utf8')).toContain(`<loc>${project.homepage}unit-tests</loc>`);
  expect(existsSync(join(built, '404.html'))).toBe(true);
  const { homepage } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly homepage: string };
  expect(project.homepage).toBe(homepage);
});
