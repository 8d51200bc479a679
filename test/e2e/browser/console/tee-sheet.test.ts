import { describe, expect, test } from 'vitest';
import { DATE, free, line, SHEET, seenBy, siteOfFile } from './sheet-visit.js';
import { bookingOf, HOSTILE } from './traffic.js';
import { axeFindings, clipboard } from './visit.js';

const { site, at } = siteOfFile();

const bookingsOf = (channel: string) =>
  site()
    .worlds.main.db.bookings.findMany()
    .filter((one) => one.channel === channel);

describe('the grid', () => {
  test('shows what a client books, as soon as it does', () =>
    at(SHEET, async (page, noise) => {
      const [teeTime] = await seenBy(site());
      const hour = teeTime.time.slice(11, 16);
      await site().ask('/api/v5/bookings', bookingOf(teeTime, { players: 1, contactLastName: HOSTILE }));
      const cell = line(page, hour).getByRole('button', { name: /^Ada/ });
      await cell.getByText('fairway').waitFor();
      expect(await cell.textContent()).toContain(HOSTILE);
      expect(await page.title()).toBe('Tee sheet · Teebox');
      expect(noise).toEqual([]);
    }));

  test('is walked with the keys, and tells the cancellation policy on focus and hover', () =>
    at(SHEET, async (page) => {
      const grid = page.getByRole('grid');
      expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
      await grid.locator('[tabindex="0"]').focus();
      const focused = () =>
        page.evaluate(() => document.activeElement!.closest('[role=gridcell], [role=rowheader]')!.textContent);
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toMatch(/^07:40/);
      await page.keyboard.press('Control+End');
      expect(await focused()).toMatch(/^Free, 19:30/);
      await page.keyboard.press('Home');
      expect(await focused()).toMatch(/^19:30/);
      await page.keyboard.press('Control+Home');
      expect(await focused()).toMatch(/^07:30/);
      expect(await grid.locator('[tabindex="0"]').count()).toBe(1);
      const tip = page.getByRole('tooltip');
      expect(await tip.textContent()).toContain('Cancellation: 1 to 3 players: until 48 hours before');
      await page.keyboard.press('Escape');
      expect(await tip.count()).toBe(0);
      await line(page, '09:00').hover();
      await tip.getByText(/Green fee 18 holes: €/).waitFor();
    }));

  test('another day and another course are in the address, and a closed day says why', async () => {
    await at('#/tee-sheet/1005?date=2030-06-11', async (page) => {
      const { name } = (await site().worlds.main.db.facilities.findMany()).find(({ id }) => id === 1005)!.courses[1]!;
      await page.getByRole('group', { name: 'Course' }).getByRole('button', { name }).click();
      await page.getByText('is closed every Tuesday').waitFor();
      await page.getByRole('button', { name: 'Next day' }).click();
      await page.getByRole('grid', { name: /Wednesday,? 12 June 2030/ }).waitFor();
      expect(page.url()).toMatch(/date=2030-06-12/);
      await page.getByLabel('Date').fill('2030-06-20');
      await page.getByRole('grid', { name: /20 June 2030/ }).waitFor();
      await page.getByRole('button', { name: 'Today' }).click();
      await page.getByRole('grid', { name: /3 June 2030/ }).waitFor();
    });
  });
});

describe('booking', () => {
  test('as a channel, by the service, from a free slot; cancelled again', () =>
    at(SHEET, async (page, noise) => {
      await free(page, '08:40').nth(1).click();
      const dialog = page.getByRole('dialog', { name: /Book 08:40/ });
      expect(await dialog.getByLabel('Players', { exact: true }).inputValue()).toBe('2');
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByLabel('Channel').selectOption('links');
      await dialog.getByLabel('First name').fill('Grace');
      await dialog.getByLabel('Last name').fill("O'Hopper");
      await dialog.getByLabel('Other players').fill('Alan Turing');
      await dialog.getByTitle('Copy the booking as curl').click();
      expect(await clipboard(page)).toMatch(/^curl -u links:not-a-secret-links .*\/api\/v5\/bookings .*O'\\''Hopper/);
      await dialog.getByRole('button', { name: 'Book as links' }).click();
      await dialog.waitFor({ state: 'detached' });
      const cell = line(page, '08:40').getByRole('button', { name: /^Grace O'Hopper, Alan Turing/ });
      await cell.waitFor();
      expect(bookingsOf('links').at(-1)).toMatchObject({ contactLastName: "O'Hopper", players: 2 });
      expect(site().worlds.main.journal.entries.at(-1)).toMatchObject({ operation: 'v5.createBooking', status: 200 });
      await cell.click();
      await page.getByRole('button', { name: 'Cancel the booking' }).click();
      await cell.waitFor({ state: 'detached' });
      expect(bookingsOf('links').at(-1)).toMatchObject({ contactLastName: "O'Hopper", status: 'CANCELED' });
      expect(noise).toEqual([]);
    }));

  test('that is refused says why, and leads to the request', () =>
    at(SHEET, async (page) => {
      await free(page, '08:40').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Last name').fill('CART-PROBLEM');
      await dialog.getByRole('button', { name: 'Book as fairway' }).click();
      await dialog
        .getByRole('alert')
        .getByText(/^Refused with 4\d\d: .*cart/i)
        .waitFor();
      const link = dialog.getByRole('link', { name: /^Explain req-/ });
      expect(await link.getAttribute('href')).toMatch(/^#\/requests\/req-\d+$/);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await free(page, '08:40').first().waitFor();
    }));

  test('by keyboard, from another page in ten keys', () =>
    at(SHEET, async (page) => {
      await page.evaluate(() => (location.hash = '#/start'));
      await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
      const before = bookingsOf('fairway').length;
      const focused = () => page.evaluate(() => document.activeElement!.textContent);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('tee');
      await page.getByRole('option', { name: /^Tee sheet/, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('grid').waitFor();
      // Of the first tee time, three slots are sold elsewhere.
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      await expect.poll(focused).toMatch(/^Free/);
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe('Book as fairway');
      await page.keyboard.press('Enter');
      await expect.poll(() => bookingsOf('fairway').length).toBe(before + 1);
    }));

  test('that fails after the commit is marked, since the client may not know of it', () =>
    at(SHEET, async (page) => {
      await free(page, '08:40').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Failure').selectOption('The first payment step fails, after the commit');
      await dialog.getByTitle('Copy the booking as curl').click();
      expect(await clipboard(page)).toContain("-H 'Teebox-Scenario: payment-pi-failed; phase=after-commit'");
      await dialog.getByRole('button', { name: 'Book as fairway' }).click();
      await dialog.getByRole('alert').getByText('Client was told: 400').waitFor();
      await dialog.getByRole('alert').getByText('True: booked.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await line(page, '08:40')
        .getByRole('button', { name: /the client may not know/ })
        .waitFor();
      const { scenario } = site().worlds.main.journal.entries.at(-1)!;
      expect(scenario).toMatchObject({ id: 'payment-pi-failed', source: 'header' });
      await page.evaluate(() => (location.hash = '#/bookings'));
      const row = page.getByRole('row').filter({ hasText: 'The client may not know.' });
      await row.getByRole('link').click();
      await page.getByText(/^The client may not know: .* was lost by payment-pi-failed after the commit\.$/).waitFor();
    }));

  test('that loses its answer leads to the bookings, and is not repeated by mistake', () =>
    at(SHEET, async (page) => {
      await free(page, '08:40').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Failure').selectOption('empty-response; phase=after-commit');
      await dialog.getByRole('button', { name: 'Book as fairway' }).click();
      await dialog.getByRole('alert').getByText('No answer came').waitFor();
      await dialog.getByRole('button', { name: 'Book again as fairway' }).waitFor();
      await dialog.getByRole('link', { name: 'See the booking' }).click();
      await page.getByRole('row').filter({ hasText: 'The client may not know.' }).first().waitFor();
    }));

  test('linked rounds, which show each other', () =>
    at('#/tee-sheet/1010?date=2030-06-11&course=10103', async (page) => {
      await free(page, '08:12').first().click();
      const dialog = page.getByRole('dialog');
      const product = await dialog.getByLabel('Product').locator('option', { hasText: 'linked' }).getAttribute('value');
      await dialog.getByLabel('Product').selectOption(product!);
      const second = await dialog.getByLabel('Round 2').locator('option:checked').textContent();
      await dialog.getByRole('button', { name: 'Book as fairway' }).click();
      await dialog.waitFor({ state: 'detached' });
      const hour = second!.slice(0, 5);
      expect(hour > '10:00').toBe(true);
      await line(page, '08:12')
        .getByRole('button', { name: new RegExp(`^Ada Lovelace.*${hour}`) })
        .waitFor();
      await line(page, hour)
        .getByRole('button', { name: /^Ada Lovelace.*08:12/ })
        .waitFor();
    }));
});

describe('facilities', () => {
  test('are found by what they are good for, and by their name', () =>
    at(SHEET, async (page) => {
      await page.getByRole('button', { name: 'Vossendal' }).click();
      const dialog = page.getByRole('dialog', { name: 'Find a facility' });
      await dialog.getByLabel('Good for').selectOption('Fails on purpose');
      await dialog.getByRole('link', { name: /^Lost Answer Golf Club/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByLabel(/^Name, place/).fill('payment-pi');
      await dialog.getByRole('link', { name: /^Lost Answer/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await dialog.getByRole('link', { name: /^First Payment Failed/ }).click();
      await page.getByRole('grid').waitFor();
      await page.getByRole('button', { name: 'First Payment Failed Golf Club' }).waitFor();
      expect(page.url()).toContain(`#/tee-sheet/1071?date=${DATE}`);
    }));
});

test('is printed on one page, without the controls', () =>
  at(SHEET, async (page) => {
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('grid').isVisible()).toBe(true);
    for (const name of ['Today', 'Raise prices 10 %', 'Print', 'Channels and policy']) {
      expect(await page.getByRole('button', { name, includeHidden: true }).isVisible()).toBe(false);
    }
    const sheet = await page.pdf({ format: 'A4' });
    expect(sheet.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  }));
