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

const schemes = ['light', 'dark'] as const;
const widths = [360, 1280, 2560];

test.each(pages.flatMap((hash) => schemes.map((scheme) => [hash, scheme] as const)))(
  '%s in %s colours: axe finds nothing, and nothing leaves the screen',
  async (hash, colorScheme) => {
    const { page, noise } = await site.open(hash, { colorScheme });
    await expect.poll(() => page.locator('main .loading').count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.title()).toMatch(/^[A-Z].* · Teebox$/);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, overflow]).toEqual([width, 0]);
      if (width !== 2560) expect(await axeFindings(page)).toEqual([]);
    }
    expect(await page.content()).not.toContain(HOSTILE);
    expect(noise).toEqual([]);
    await page.context().close();
  },
);

test('every page of the navigation is in the list of this test', async () => {
  const { page } = await site.open();
  const hrefs = await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  expect(hrefs.filter((href) => !pages.some((hash) => hash.startsWith(href)))).toEqual([]);
  await page.context().close();
});
