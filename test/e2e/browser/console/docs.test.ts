import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => (site = await startConsole()));
afterAll(() => site?.close());

test('every page opens without another host, and every link in it leads to a page and a heading', async () => {
  const { page, noise } = await site.open('#/docs');
  const others: string[] = [];
  page.on('request', (request) => others.push(...(request.url().startsWith(site.url) ? [] : [request.url()])));
  const ids = await page
    .getByLabel('Page')
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')!));
  expect(ids.length).toBeGreaterThan(20);
  const links = new Set<string>();
  const headings = new Set<string>();
  for (const id of ids) {
    await page.getByLabel('Page', { exact: true }).selectOption(id);
    const address = `#/docs/${encodeURIComponent(id)}`;
    await expect.poll(() => page.url()).toBe(`${site.url}/__admin/${address}`);
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/^[A-Z]/);
    const found = await page.locator('.docs').evaluate((docs) => ({
      hrefs: [...docs.querySelectorAll('a')].map((one) => one.getAttribute('href')!),
      ids: [...docs.querySelectorAll('[id^=doc-]')].map((one) => one.id.slice(4)),
    }));
    for (const href of found.hrefs) if (href.startsWith('#')) links.add(href);
    expect(found.hrefs.filter((href) => !/^(#\/docs\/|https?:\/\/)/.test(href))).toEqual([]);
    headings.add(address);
    for (const heading of found.ids) headings.add(`${address}/${encodeURIComponent(heading)}`);
    expect([id, await axeFindings(page, 'main')]).toEqual([id, []]);
  }
  expect(links.size).toBeGreaterThan(50);
  expect([...links].filter((link) => !headings.has(link))).toEqual([]);
  expect(others).toEqual([]);
  expect(noise).toEqual([]);
  await page.context().close();
});

test('a link of each page of the console leads to the guide about it, and one to a heading shows that', async () => {
  const { page } = await site.open();
  const hrefs = await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  for (const href of hrefs.filter((one) => !one.startsWith('#/docs'))) {
    await page.goto(`${site.url}/__admin/${href}`);
    await page.locator(`nav a[href="${href}"][aria-current]`).waitFor();
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.locator('.docs').waitFor();
    expect([href, await page.locator('h1').textContent()]).not.toEqual([href, 'Documentation']);
  }
  await page.goto(`${site.url}/__admin/#/docs/quick-starts/curl/the-day`);
  await page.getByRole('heading', { name: 'The day' }).waitFor();
  await page.goto(`${site.url}/__admin/#/docs/nothing`);
  await page.getByText('This server has no page “nothing”.').waitFor();
  await page.goto(`${site.url}/__admin/#/docs/explore/races`);
  const top = () => page.getByRole('heading', { name: 'Races' }).evaluate((one) => one.getBoundingClientRect().top);
  await expect.poll(top).toBeLessThan(200);
  await page.context().close();
});
