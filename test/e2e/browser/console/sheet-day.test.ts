import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DATE, free, line, SHEET, seenBy, siteOfFile } from './sheet-visit.js';
import { bookingOf } from './traffic.js';
import { axeFindings } from './visit.js';

const { site, at } = siteOfFile('[role=grid]');

const TODAY = '#/tee-sheet/1001?date=2030-06-03';
const SUNRISE = expect.stringMatching(/^Sunrise 05:2\d$/);
const LOST = 'server-error; phase=after-commit';

async function book(index: number, changes: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const teeTime = (await seenBy(site())).filter(({ products }) => products[0].available === 4)[index];
  await site().ask('/api/v5/bookings', bookingOf(teeTime, changes, headers));
  return teeTime.time.slice(11, 16);
}

const bookingAt = (page: Page, hour: string, name: RegExp) => line(page, hour).getByRole('button', { name });

/** The colours of text, edges and grounds in a part of the page that are those of the token `--bad`. */
function reds(page: Page, part: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const probe = document.body.appendChild(document.createElement('i'));
    const colours = ['var(--bad)', 'var(--bad-soft)'].map((value) => {
      probe.style.color = value;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return [...document.querySelectorAll(selector)].flatMap((element) => {
      const { color, backgroundColor, stroke } = getComputedStyle(element);
      return [color, backgroundColor, stroke].some((one) => colours.includes(one))
        ? [element.className.toString()]
        : [];
    });
  }, part);
}

describe('a whole day', () => {
  test('fits the screen, in lines of 28 px, with its strip', () =>
    at(SHEET, async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      const boxes = await page
        .locator('.line')
        .evaluateAll((lines) => lines.map((one) => one.getBoundingClientRect().toJSON()));
      expect(boxes).toHaveLength(73);
      expect(new Set(boxes.map(({ height }) => height))).toEqual(new Set([28]));
      expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(900);
      await page.setViewportSize({ width: 1280, height: 720 });
    }));

  test('says each price once, and which tee times have fewer holes', () =>
    at(SHEET, async (page) => {
      const prices = await page
        .getByRole('rowheader')
        .filter({ hasText: '€' })
        .evaluateAll((headers) => headers.map(({ textContent }) => textContent));
      expect(prices).toEqual([expect.stringMatching(/^07:30€90\.50$/), expect.stringMatching(/^17:30€459 holes$/)]);
    }));

  test('offers a free slot on hover and focus alone', () =>
    at(SHEET, async (page) => {
      const shown = () =>
        page.getByText('Book', { exact: true }).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
      await page.mouse.move(0, 0);
      expect(await shown()).toBe(0);
      await free(page, '08:40').first().hover();
      expect(await shown()).toBe(1);
      await page.mouse.move(0, 0);
      await free(page, '08:40').first().focus();
      await page.keyboard.press('ArrowRight');
      expect(await shown()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
    }));

  test('of today begins with a line for now; what is over is folded', () =>
    at(TODAY, async (page) => {
      const times = () =>
        page.getByRole('rowheader').evaluateAll((all) => all.map((one) => one.textContent!.slice(0, 5)));
      expect((await times())[0]).toBe('10:10');
      expect(await page.getByRole('row', { name: 'Now 10:00' }).count()).toBe(1);
      const fold = page.getByRole('button', { name: /^16 past tee times/ });
      expect(await fold.getAttribute('aria-expanded')).toBe('false');
      await fold.click();
      await line(page, '07:30').waitFor();
      const lines = await page.locator('.line').evaluateAll((all) => all.map((one) => one.textContent!.slice(0, 9)));
      expect(lines.indexOf('Now 10:00')).toBe(17);
      expect(await axeFindings(page)).toEqual([]);
      await fold.click();
      await line(page, '07:30').waitFor({ state: 'detached' });
    }));
});

describe('the strip of the day', () => {
  const strip = (page: Page) => page.locator('.strip');
  /** The dots of a colour. */
  const dots = async (page: Page, name: string) =>
    ((await strip(page).locator(`path.${name}`).getAttribute('d')) ?? '').match(/M/g)?.length ?? 0;

  test('has a dot for each slot, in the colour of the channel that holds it', () =>
    at(SHEET, async (page) => {
      const open = await dots(page, 'free');
      const hour = await book(0, { players: 3 });
      await bookingAt(page, hour, /^Ada/).waitFor();
      expect(await dots(page, 'channel-0')).toBe(3);
      expect(await dots(page, 'free')).toBe(open - 3);
      expect((await dots(page, 'free')) + 3 + (await dots(page, 'elsewhere'))).toBe(4 * 73);
    }));

  test.each([
    [TODAY, ['Now 10:00', SUNRISE]],
    ['#/tee-sheet/1001?date=2030-06-05', ['Can be cancelled from 10:00, 1 to 3 players', SUNRISE]],
    ['#/tee-sheet/1001?date=2030-06-07', ['Can be cancelled from 10:00, 4 players', SUNRISE]],
    [SHEET, [SUNRISE]],
  ])('%s', (hash, marks) =>
    at(hash, async (page) => {
      const label = (await strip(page).getAttribute('aria-label'))!;
      expect(label.split('. ').slice(1)).toEqual(marks);
      expect(await strip(page).locator('.strip-mark').allTextContents()).toEqual(marks);
    }),
  );
});

describe('a booking', () => {
  test('of which the client may not know is marked until the client has listed it', () =>
    at(SHEET, async (page, noise) => {
      const known = await book(0, { contactLastName: 'Known' });
      const hour = await book(1, { contactLastName: 'Lost' }, { 'teebox-scenario': LOST });
      const cell = bookingAt(page, hour, /^Ada Lost, .*the client may not know/);
      await cell.waitFor();
      expect(await bookingAt(page, known, /^Ada Known/).textContent()).not.toMatch(/may not know/);
      expect(await page.locator('.bolt').count()).toBe(1);
      expect(await reds(page, 'main *')).not.toEqual([]);
      expect(await page.locator('.strip path.lost').count()).toBe(1);
      await page.getByText('the client may not know of 1').waitFor();
      await cell.hover();
      const request = site().worlds.main.journal.entries.findLast(({ status }) => status === 500)!.requestId;
      const reason = `The client may not know: the answer to ${request} was lost by server-error after the commit.`;
      await page.getByRole('tooltip').getByText(reason).waitFor();
      await cell.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(reason).waitFor();
      expect(await dialog.getByRole('link', { name: 'See the request' }).getAttribute('href')).toBe(
        `#/requests/${request}`,
      );
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await site().ask('/api/v4/bookings');
      await page.locator('.bolt').waitFor({ state: 'detached' });
      expect(noise.filter((text) => !text.includes('500'))).toEqual([]);
    }));

  test('that failed before the commit, or got its answer late, is not marked so', () =>
    at(SHEET, async (page) => {
      await book(0, {}, { 'teebox-scenario': 'server-error; phase=before-commit' });
      const hour = await book(1, { contactLastName: 'Late' });
      await bookingAt(page, hour, /^Ada Late/).waitFor();
      expect(await page.getByRole('button', { name: /may not know/ }).count()).toBe(0);
    }));

  test('shows its payment and its channel', () =>
    at(SHEET, async (page) => {
      const hour = await book(0);
      await bookingAt(page, hour, /^Ada Lovelace, Guest, 2 players, payment not confirmed.*fairway/).waitFor();
      const { bookingId } = site().worlds.main.db.bookings.findFirst((q) => q.where({ contactLastName: 'Lovelace' }))!;
      await site().ask(`/api/v4/bookings/payment/${bookingId}`, { method: 'POST' });
      await bookingAt(page, hour, /payment confirmed/).waitFor();
    }));

  test('that was cancelled stays in its place, struck, and leads to its history', () =>
    at(SHEET, async (page) => {
      const hour = await book(0, { players: 1, contactLastName: 'Gone' });
      await bookingAt(page, hour, /^Ada Gone/).click();
      await page.getByRole('button', { name: 'Cancel the booking' }).click();
      await free(page, hour).filter({ hasText: 'cancelled: Gone' }).waitFor();
      await line(page, hour).getByRole('rowheader').getByRole('button').click();
      const link = page.getByRole('dialog').getByRole('link', { name: 'Ada Gone' });
      expect(await link.getAttribute('href')).toMatch(/^#\/bookings\/TBX-/);
      expect(await axeFindings(page)).toEqual([]);
    }));

  test('is red for that alone: sold out, withdrawn and cancelled are neutral', () =>
    at(SHEET, async (page) => {
      const hour = await book(0, { contactLastName: 'Gone' });
      await bookingAt(page, hour, /^Ada Gone/).click();
      await page.getByRole('button', { name: 'Cancel the booking' }).click();
      await page.locator('.was').waitFor();
      await line(page, '09:00').getByRole('rowheader').getByRole('button').focus();
      await page.keyboard.press('w');
      await line(page, '09:00').getByText('withdrawn', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Sell out', exact: true }).click();
      await page.getByText('day sold out').waitFor();
      expect(await reds(page, 'main *')).toEqual([]);
      const [first] = (await page.getByRole('rowheader').allTextContents()).filter((text) => /sold out/.test(text));
      expect(first).toBeDefined();
    }));

  test.each([
    ['no-preference', 'arrive'],
    ['reduce', 'none'],
  ] as const)('that arrives fades in, with %s of motion: %s', (reducedMotion, animation) =>
    at(SHEET, async (page) => {
      await page.emulateMedia({ reducedMotion });
      const animationOf = (hour: string, name: RegExp) =>
        bookingAt(page, hour, name).evaluate((button) => getComputedStyle(button).animationName);
      const hour = await book(0, { contactLastName: 'New' });
      await bookingAt(page, hour, /^Ada New/).waitFor();
      expect(await animationOf(hour, /^Ada New/)).toBe(animation);
      await page.reload();
      await bookingAt(page, hour, /^Ada New/).waitFor();
      expect(await animationOf(hour, /^Ada New/)).toBe('none');
      await page.emulateMedia({ reducedMotion: 'reduce' });
    }),
  );
});

test('sheet and search open on the next day that has tee times, and count what can be booked now', () =>
  at('#/tee-sheet/1001', async (page) => {
    site().worlds.main.clock.set('2030-06-08T20:30:00Z');
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByRole('grid', { name: /Sunday, 9 June 2030/ }).waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByText(/Saturday, 8 June 2030 in Amsterdam: .*, 0 free slots/).waitFor();
    await page.evaluate(() => (location.hash = '#/tee-sheet/found?text=1001'));
    await expect.poll(() => page.getByLabel('Date', { exact: true }).inputValue()).toBe('2030-06-09');
    const date = page.getByLabel('Date', { exact: true });
    await date.fill('2030-02-31');
    await date.press('Enter');
    await page.getByRole('alert').getByText('There is no 2030-02-31.').waitFor();
    await date.fill('wed');
    await date.press('Enter');
    await expect.poll(() => page.url()).toContain('date=2030-06-12');
    site().worlds.main.clock.set('2030-06-03T08:00:00Z');
  }));

test('the sheet remembers facility, course and day', () =>
  at(`#/tee-sheet/1010?date=${DATE}&course=10103`, async (page) => {
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('link', { name: 'Bookings' }).click();
    await page.getByRole('heading', { name: 'Bookings' }).waitFor();
    await pages.getByRole('link', { name: 'Tee sheet' }).click();
    await page.getByRole('grid', { name: /11 June 2030/ }).waitFor();
    expect(page.url()).toContain(`#/tee-sheet/1010?date=${DATE}&course=10103`);
  }));
