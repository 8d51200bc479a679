/** @module-tag always */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pages } from './pages.js';
import { HOSTILE, makeCallbacks, makeTraffic } from './traffic.js';
import { axeFindings, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
  await makeTraffic(site);
  await makeCallbacks(site);
});
afterAll(() => site?.close());

/** What axe looks at: each page in light and dark and at both widths, in the first or the last two of these. */
const sights = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

/** Texts outside code that show a mark of code, or an instant as it is sent. */
function rawTexts(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (!parentElement!.closest('code, pre, script') && /`|\d-\d\dT\d\d:/.test(textContent!)) found.push(textContent!);
  }
  return found;
}

test.each(pages)('%s: axe finds nothing in light and dark, and nothing leaves the screen', async (hash) => {
  const { page, noise } = await site.open(hash);
  await expect.poll(() => page.locator('main .loading').count()).toBe(0);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/^[A-Z].* · Teebox$/);
  for (const width of [360, 1280, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([width, overflow]).toEqual([width, 0]);
  }
  const first = pages.indexOf(hash) % 2;
  for (const { width, colorScheme } of [sights[2 * first]!, sights[2 * first + 1]!]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await axeFindings(page)).toEqual([]);
  }
  expect(await page.content()).not.toContain(HOSTILE);
  expect(await page.evaluate(rawTexts)).toEqual([]);
  expect(noise).toEqual([]);
  await page.context().close();
});

test('every page of the navigation is in the list of this test', async () => {
  const { page } = await site.open();
  const hrefs = await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  expect(hrefs.filter((href) => !pages.some((hash) => hash.startsWith(href)))).toEqual([]);
  await page.context().close();
});
