import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOSTILE, makeTraffic } from './traffic.js';
import { axeFindings, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
  await makeTraffic(site);
});
afterAll(() => site?.close());

const paletteIn = (page: Page) => page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox');

test.each([
  ['a page by what it is for', 'freeze', /^Clock/, /#\/clock$/],
  ['a view', 'capsule', /^Replay a capsule/, /#\/requests\/capsule$/],
  ['a page', 'dial', 'Dialect', /#\/dialect$/],
  ['a facility', 'wassen', /Wassenaar/, /#\/tee-sheet\/\d+$/],
  ['a booking', 'lovelace', /Ada Lovelace/, /#\/bookings\/[\w-]+$/],
  ['a request', 'v9 nothing', /GET \/api\/v9\/nothing/, /#\/requests\/req-\d+$/],
  ['a scenario', 'payment-pi', /^payment-pi-failed/, /#\/scenarios\/payment-pi-failed$/],
  ['a rule', 'countries.item', /^countries\.item/, /#\/requests\?q=countries\.item/],
  ['a question', 'payment.method', /^payment\.method/, /#\/dialect\/payment\.method$/],
])('%s is found by keyboard alone, and opened', async (_what, text, name, address) => {
  const { page, noise } = await site.open('#/start');
  await page.keyboard.press('Control+k');
  const input = paletteIn(page);
  await input.waitFor();
  await page.keyboard.type(text);
  const option = page.getByRole('option', { name }).first();
  await option.waitFor();
  while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  // What the server finds comes later, and moves what is chosen to another place.
  const isActive = async () =>
    (await input.getAttribute('aria-activedescendant')) === (await option.getAttribute('id'));
  await expect.poll(isActive).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(address);
  await input.waitFor({ state: 'detached' });
  expect(noise).toEqual([]);
  await page.context().close();
});

test('it shows the pages first, goes around at its ends, and closes without a trace', async () => {
  const { page } = await site.open('#/clock');
  const opener = page.getByRole('button', { name: 'Go to' });
  await opener.press('Enter');
  await paletteIn(page).waitFor();
  const chosen = page.locator('[role=option][aria-selected=true]');
  expect(await chosen.innerText()).toContain('Start');
  await page.keyboard.press('ArrowUp');
  expect(await chosen.innerText()).toContain('Documentation');
  await page.keyboard.press('ArrowDown');
  expect(await chosen.innerText()).toContain('Start');
  await page.keyboard.press('Escape');
  await paletteIn(page).waitFor({ state: 'detached' });
  expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(page.url()).toMatch(/#\/clock$/);
  await page.context().close();
});

test('it waits while another dialog asks', async () => {
  const { page } = await site.open('#/state');
  await page.getByRole('button', { name: 'Reset the world' }).click();
  await page.getByRole('dialog', { name: 'Reset the world?' }).waitFor();
  await page.keyboard.press('Control+k');
  expect(await paletteIn(page).count()).toBe(0);
  await page.context().close();
});

test.each([360, 1280])('axe finds nothing at %d, with finds and without', async (width) => {
  const { page, noise } = await site.open('#/clock', { viewport: { width, height: 800 } });
  await page.keyboard.press('Control+k');
  await paletteIn(page).waitFor();
  for (const text of ['', 'a', 'nothing has this']) {
    await paletteIn(page).fill(text);
    await page.waitForTimeout(300);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
  }
  await page.getByText('Nothing has “nothing has this”.').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await page.content()).not.toContain(HOSTILE);
  expect(noise).toEqual([]);
  await page.context().close();
});
