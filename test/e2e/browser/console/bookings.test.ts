import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seenBy, siteOfFile } from './sheet-visit.js';
import { bookingOf, HOSTILE } from './traffic.js';
import { axeFindings, copiedCurl } from './visit.js';

const { site, at } = siteOfFile('.panes-list');

/** Books as fairway, and gives back the id. */
async function book(changes: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const [teeTime] = (await seenBy(site())).filter(({ products }) => products[0].available >= 2);
  const reply = await site().ask('/api/v5/bookings', bookingOf(teeTime, changes, headers));
  return ((await reply.json()) as any).data?.bookingId;
}

const rows = (page: Page) => page.getByRole('table', { name: 'Bookings, newest first' }).getByRole('row');
/** The booking of this test, when it has come in. */
const mine = (page: Page) => rows(page).filter({ hasText: 'Ada Lovelace' }).first();
const count = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });

test('a booking comes in by itself, at the top, as the text that it is', () =>
  at('#/bookings', async (page, noise) => {
    const before = site().worlds.main.db.bookings.findMany().length;
    await count(page, `${before} bookings`).waitFor();
    await book({ contactLastName: HOSTILE });
    await count(page, `${before + 1} bookings`).waitFor();
    expect(await rows(page).nth(1).textContent()).toContain(`Ada ${HOSTILE}`);
    expect(await page.title()).toBe('Bookings · Teebox');
    expect(noise).toEqual([]);
  }));

test('a text keeps its spaces while bookings come in', () =>
  at('#/bookings', async (page) => {
    const text = page.getByLabel('Text');
    await text.pressSequentially('Ada ');
    await book();
    await expect.poll(() => mine(page).isVisible()).toBe(true);
    await text.pressSequentially('Love');
    expect(await text.inputValue()).toBe('Ada Love');
    await expect.poll(() => mine(page).isVisible()).toBe(true);
  }));

test('times are those of the facility, and say so, with UTC in the title', () =>
  at('#/bookings', async (page) => {
    const id = await book();
    const { startsAt, timeZone } = await site()
      .worlds.main.fetch(`${site().url}/__admin/bookings/${id}`)
      .then((one) => one.json() as any);
    expect(timeZone).toBe('Europe/Amsterdam');
    const utc = `${startsAt.slice(0, 10)} ${startsAt.slice(11, 16)} UTC`;
    const cell = mine(page).locator(`time[title="${utc}"]`);
    expect(await cell.innerText()).toMatch(/^2030-06-11 \d\d:\d\d Amsterdam$/);
    await mine(page).getByRole('link').click();
    await page
      .locator('.panes-detail')
      .getByText(/^2030-06-\d\d \d\d:\d\d Amsterdam$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /Amsterdam, / }).click();
    await page.getByRole('columnheader', { name: 'Time in Amsterdam' }).waitFor();
    expect(await page.getByLabel('Date').inputValue()).toBe('2030-06-11');
  }));

test('the list is filtered by channel, status, payment, facility, group and text, all in the address', () =>
  at('#/bookings', async (page) => {
    const id = await book();
    await site().ask(`/api/v4/bookings/payment/${id}`, { method: 'POST' });
    const teeTimes = await seenBy(site());
    const group = teeTimes.slice(3, 5).map((one) => JSON.parse(bookingOf(one, { players: 1 }).body as string));
    await site().ask('/api/v5/bookings', { ...bookingOf(teeTimes[3]), body: JSON.stringify(group) });
    const all = site().worlds.main.db.bookings.findMany();
    const want = (fits: (one: (typeof all)[number]) => boolean) => {
      const found = all.filter(fits).length;
      return `${found} booking${found === 1 ? '' : 's'}`;
    };
    await page.getByLabel('Channel').selectOption('links');
    await count(
      page,
      want(({ channel }) => channel === 'links'),
    ).waitFor();
    await page.getByLabel('Status').selectOption('Cancelled');
    await count(
      page,
      want(({ channel, status }) => channel === 'links' && status === 'CANCELED'),
    ).waitFor();
    expect(page.url()).toMatch(/#\/bookings\?channel=links&status=CANCELED$/);
    await page.getByLabel('Channel').selectOption('All');
    await page.getByLabel('Status').selectOption('All');
    await page.getByLabel('Payment').selectOption('Confirmed');
    await count(
      page,
      want(({ paymentConfirmedAt }) => paymentConfirmedAt !== null),
    ).waitFor();
    await page.getByLabel('Payment').selectOption('All');
    await page.getByLabel('Group').fill('5001');
    await count(page, '2 bookings').waitFor();
    await page.getByLabel('Group').fill('');
    await page.getByLabel('Facility').fill('1001');
    await count(
      page,
      want(({ facilityId }) => facilityId === 1001),
    ).waitFor();
    await page.getByLabel('Text').fill('lovelace 0');
    await count(
      page,
      want(({ contactLastName, facilityId }) => contactLastName === 'Lovelace' && facilityId === 1001),
    ).waitFor();
    await page.getByLabel('Text').fill('nobody of this name');
    await page.getByText('No booking is like that.').waitFor();
  }));

test('one is opened for its history: the request that made it, its payment, and its cancellation here', () =>
  at('#/bookings', async (page, noise) => {
    const id = await book();
    await site().ask(`/api/v4/bookings/payment/${id}`, { method: 'POST' });
    await mine(page).getByRole('link').click();
    const detail = page.getByRole('region', { name: /^Booking / });
    const history = detail.getByRole('region', { name: 'History' });
    await history.getByText('fairway booked 2 slots.').waitFor();
    await history.getByText('The payment was confirmed.').waitFor();
    const made = site().worlds.main.journal.entries.find(({ operation }) => operation === 'v5.createBooking')!;
    expect(await history.getByRole('link', { name: made.requestId }).getAttribute('href')).toBe(
      `#/requests/${made.requestId}`,
    );
    expect(await axeFindings(page)).toEqual([]);
    expect(await copiedCurl(page, 'Cancel POST')).toContain(`/__admin/bookings/${id}/cancel?force=false`);
    await detail.getByRole('button', { name: 'Cancel', exact: true }).click();
    await history.getByText(/^It was cancelled; no request/).waitFor();
    await mine(page).getByText('cancelled').waitFor();
    expect(await detail.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);
    await detail.getByRole('link', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });
    expect(noise).toEqual([]);
  }));

test('what the journal does not have is said, and the way to the tee sheet is there', () =>
  at('#/bookings', async (page) => {
    await rows(page).last().getByRole('link').click();
    const detail = page.getByRole('region', { name: /^Booking / });
    await detail.getByText(/^The journal is empty\. It came with the world/).waitFor();
    await detail.getByRole('link', { name: /^20\d\d-/ }).click();
    await page.getByRole('heading', { name: 'Tee sheet' }).waitFor();
  }));

test('a booking whose answer was lost is told as such', () =>
  at('#/bookings', async (page) => {
    await book({}, { 'teebox-scenario': 'server-error; phase=after-commit' });
    await mine(page).getByRole('link').click();
    await page.getByText(/the answer did not say so, so the client may not know/).waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('server-error').waitFor();
  }));
