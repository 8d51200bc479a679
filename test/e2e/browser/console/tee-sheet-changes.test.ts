import { describe, expect, test } from 'vitest';
import { free, line, SHEET, seenBy, siteOfFile } from './sheet-visit.js';
import { axeFindings, copiedCurl } from './visit.js';

const { site, at } = siteOfFile();

describe('the operator and other buyers', () => {
  test('a rival takes slots, a tee time is withdrawn and put back, by mouse', () =>
    at(SHEET, async (page, noise) => {
      await line(page, '09:00').getByRole('rowheader').getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: /^09:00/ });
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByLabel('A rival takes').selectOption('3');
      await dialog.getByRole('button', { name: 'Book as a rival' }).click();
      await line(page, '09:00').getByRole('gridcell').getByText('rivals').waitFor();
      expect(await free(page, '09:00').count()).toBe(1);
      expect(await copiedCurl(page, 'Withdraw POST', dialog)).toMatch(/tee-sheets\/1001\/changes .*tee-time-withdrawn/);
      await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
      await line(page, '09:00').getByText('withdrawn', { exact: true }).waitFor();
      expect((await seenBy(site())).some(({ time }) => time.endsWith('09:00:00'))).toBe(false);
      await dialog.getByRole('button', { name: 'Put back on sale' }).click();
      await dialog.getByRole('button', { name: 'Withdraw', exact: true }).waitFor();
      expect((await seenBy(site())).some(({ time }) => time.endsWith('09:00:00'))).toBe(true);
      expect(noise).toEqual([]);
    }));

  test('the same by keyboard, and the prices of the day rise and fall', () =>
    at(SHEET, async (page) => {
      const price = async () =>
        (await seenBy(site()))[0].products[0].priceSteps?.[0] ?? (await seenBy(site()))[0].products[0];
      const before = JSON.stringify(await price());
      await line(page, '09:00').getByRole('rowheader').getByRole('button').focus();
      await page.keyboard.press('r');
      await line(page, '09:00').getByRole('gridcell').getByText('rivals').waitFor();
      await page.keyboard.press('w');
      await line(page, '09:00').getByText('withdrawn', { exact: true }).waitFor();
      await page.keyboard.press('+');
      await page.getByText('prices raised 1×').waitFor();
      expect(JSON.stringify(await price())).not.toBe(before);
      await page.getByRole('button', { name: 'Undo 2 changes' }).click();
      await page.getByText('prices raised 1×').waitFor({ state: 'detached' });
      expect(JSON.stringify(await price())).toBe(before);
      await page.getByRole('button', { name: 'Sell out', exact: true }).click();
      await page.getByText('day sold out').waitFor();
      expect(await seenBy(site())).toEqual([]);
    }));

  test('a slot keeps the focus while a rival takes it, and while its tee time is withdrawn', () =>
    at(SHEET, async (page) => {
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: /^Free/ }).nth(3) })
        .first();
      const teeId = await row.getByRole('button', { name: /^Free/ }).first().getAttribute('data-tee');
      const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset);
      await page.locator(`[data-tee="${teeId}"][data-column="1"]`).focus();
      for (let taken = 1; taken <= 4; taken += 1) {
        await page.locator(`[data-tee="${teeId}"][data-column="${taken}"]`).focus();
        await page.keyboard.press('r');
        await expect.poll(() => page.locator(`.booking [data-tee="${teeId}"]`).count()).toBe(taken);
        expect(await focused()).toEqual({ tee: teeId, column: String(taken) });
      }
      for (const key of ['w', 'w', '+']) {
        await page.keyboard.press(key);
        await page.locator('.toast').last().waitFor();
        expect(await focused()).toEqual({ tee: teeId, column: '4' });
      }
    }));

  test('a channel is disconnected and connected', () =>
    at(SHEET, async (page) => {
      await page.getByRole('button', { name: 'Channels and policy' }).click();
      const dialog = page.getByRole('dialog');
      const fairway = dialog.getByRole('listitem').filter({ hasText: 'fairway' });
      await fairway.getByRole('button', { name: 'Disconnect' }).click();
      await fairway.getByText('disconnected').waitFor();
      expect(await seenBy(site())).toEqual([]);
      await fairway.getByRole('button', { name: 'Connect', exact: true }).click();
      await fairway.getByText('connected', { exact: true }).waitFor();
      expect((await seenBy(site())).length).toBeGreaterThan(0);
    }));
});
