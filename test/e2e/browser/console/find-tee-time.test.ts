import { describe, expect, test } from 'vitest';
import { DATE, seenBy, siteOfFile } from './sheet-visit.js';
import { bookingOf } from './traffic.js';
import { axeFindings } from './visit.js';

const { site, at } = siteOfFile('[role=grid], .thumbnail');

const ALL = `#/tee-sheet/found?date=${DATE}`;

describe('all facilities of a day', () => {
  test('fit a screen as strips', () =>
    at(ALL, async (page, noise) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      const tiles = page.locator('.thumbnail');
      await page.getByText('111 tee sheets.').waitFor();
      expect(await tiles.count()).toBe(111);
      const bottoms = await tiles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
      expect(bottoms.filter((one) => one <= 900).length).toBeGreaterThanOrEqual(81);
      expect(await page.locator('.thumbnail .strip path.free').count()).toBeGreaterThan(81);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 720 });
      expect(noise).toEqual([]);
    }));

  test('show what is booked, soon, and of which booking the client may not know; they lead to the sheet', () =>
    at(ALL, async (page) => {
      const tile = page.getByRole('link', { name: /^Vossendal/ });
      await tile.waitFor();
      const [teeTime] = await seenBy(site());
      await site().ask('/api/v5/bookings', bookingOf(teeTime, { players: 1 }));
      await tile.locator('path.channel-0').waitFor({ state: 'attached' });
      expect(await page.locator('.bolt').count()).toBe(0);
      const lost = { 'teebox-scenario': 'server-error; phase=after-commit' };
      await site().ask('/api/v5/bookings', bookingOf((await seenBy(site()))[0], { players: 1 }, lost));
      await tile.locator('.bolt').waitFor();
      await tile.locator('path.lost').waitFor({ state: 'attached' });
      await page.getByLabel('Name, place or id').fill('1001');
      await page.getByText('1 tee sheet.').waitFor();
      await page.getByRole('link', { name: /^Vossendal/ }).click();
      await page.getByRole('grid', { name: /11 June 2030/ }).waitFor();
      expect(page.url()).toContain('#/tee-sheet/1001?');
    }));
});

describe('a tee time', () => {
  test('for four, next Saturday, anywhere: the answer leads to the free slot', () =>
    at('#/tee-sheet/1001', async (page) => {
      await page.getByRole('link', { name: 'Find a tee time' }).click();
      await page.getByRole('button', { name: 'Saturday' }).click();
      await page.getByLabel('Players').selectOption('4 players');
      await page.getByText(/^\d+ tee sheets with a tee time like that\.$/).waitFor();
      expect(await page.getByLabel('Date').inputValue()).toBe('2030-06-08');
      const tile = page.getByRole('link', { name: /^Vossendal/ });
      const hour = /\d\d:\d\d/.exec((await tile.textContent())!)![0];
      const fee = await tile.locator('b').textContent();
      await tile.click();
      const focused = page.locator('[role=gridcell] button:focus');
      await focused.waitFor();
      expect(await focused.textContent()).toContain(`Free, ${hour}`);
      expect(await focused.getByText('Book').isVisible()).toBe(true);
      const line = page.getByRole('row').filter({ has: focused });
      expect(await line.getByRole('button', { name: /^Free/ }).count()).toBe(4);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: new RegExp(`^Book ${hour}`) });
      await dialog.getByLabel('Players').selectOption('4');
      const product = await dialog.getByLabel('Product').locator('option').first().textContent();
      const [perPlayer, whole] = [fee, product].map((text) => Number(text!.split('€')[1]));
      // The tile shows cents.
      expect(Math.abs(perPlayer! * 4 - whole!)).toBeLessThan(0.03);
    }));

  test('by days, holes, product, price and country', () =>
    at(`${ALL}&days=2&holes=18&product=twilight&price=60&country=Germany&players=2`, async (page) => {
      const days = page.getByRole('region');
      await days.nth(1).waitFor();
      expect(await days.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
        'Tuesday, 11 June 2030',
        'Wednesday, 12 June 2030',
      ]);
      const fees = await page.locator('.thumbnail-count b').allTextContents();
      expect(fees.length).toBeGreaterThan(0);
      for (const fee of fees) expect(Number(fee.replace('€', ''))).toBeLessThanOrEqual(60);
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('Most per player').fill('1');
      await page.getByText('No tee time is like that.').waitFor();
    }));
});
