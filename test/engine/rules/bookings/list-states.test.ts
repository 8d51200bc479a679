import { describe, expect } from 'vitest';
import { idsOf, LISTING, listOf, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open } from '../../../support/client.js';
import { bookBulk, bookGroup, bookOne, cancel, pay } from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';
import { dayIn } from '../../../support/scenes.js';

const DAY = 86_400_000;
const all = { fromDate: LONG_AGO };
const openDeleting = () => open({ dialect: { answers: { 'booking.cancel': 'delete' } } });

/** Books in every shape, at two moments, pays one booking and cancels another. */
async function live(client: Client): Promise<{ readonly made: readonly string[]; readonly canceled: string }> {
  const [one, paid, canceled] = [
    await bookOne(client, { days: 20 }),
    await bookOne(client, { days: 21 }),
    await bookOne(client, { days: 22 }),
  ];
  const group = await bookGroup(client);
  // The bulk takes the tee times of the group, and is told from it by the time of its creation.
  client.sandbox.clock.advance(1000);
  const bulk = await bookBulk(client);
  expect((await pay(client, 'v4', paid)).status).toBe(200);
  expect((await cancel(client, canceled)).status).toBe(200);
  return { made: [one, paid, canceled, ...group.bookingIds, ...bulk.bookingIds], canceled };
}

describe('the states of a listed booking', () => {
  for (const version of LISTING) {
    rule('bookings.item.status.values', `${version}: are BOOKED and CANCELED, through a whole life`, async () => {
      const { sandbox, fairway } = await openDeleting();
      const { made, canceled } = await live(fairway);
      for (const days of [0, 1, 30, 400]) {
        sandbox.clock.advance(days * DAY);
        const listed = await listOf(fairway, version, all);
        expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['BOOKED', 'CANCELED']));
        const own = listed.filter(({ bookingId }) => made.includes(bookingId));
        const states = Object.fromEntries(own.map(({ bookingId, status }) => [bookingId, status]));
        expect(states).toEqual(Object.fromEntries(made.map((id) => [id, id === canceled ? 'CANCELED' : 'BOOKED'])));
      }
    });
  }
});

describe('a cancelled booking', () => {
  for (const version of LISTING) {
    rule('bookings.status.canceled-stays', `${version}: stays listed, now and after its day`, async () => {
      const { sandbox, fairway } = await openDeleting();
      const before = idsOf(await listOf(fairway, version, all));
      const id = await bookOne(fairway, { days: 20 });
      expect((await cancel(fairway, id)).status).toBe(200);
      for (const range of [{}, all, { fromDate: dayIn(20).query, toDate: dayIn(20).query }]) {
        const item = (await listOf(fairway, version, range)).find(({ bookingId }) => bookingId === id);
        expect(item, JSON.stringify(range)).toMatchObject({ status: 'CANCELED' });
      }
      // Neither a second cancellation, nor a booking made later, nor time takes it away.
      await cancel(fairway, id);
      const next = await bookOne(fairway, { days: 20 });
      sandbox.clock.advance(100 * DAY);
      expect(idsOf(await listOf(fairway, version, all))).toEqual([...before, id, next].sort());
    });
  }
});

describe('a cancellation by another channel', () => {
  rule('bookings.cancel.channel-scope', 'is refused, and the booking stays as it was', async () => {
    for (const answer of ['delete', 'none'] as const) {
      const { fairway, links } = await open({ dialect: { answers: { 'booking.cancel': answer } } });
      const id = await bookOne(fairway, { days: 20 });
      for (const version of ['v2', 'v4', 'v5']) {
        expect((await links.send('DELETE', `/api/${version}/bookings/${id}`)).status).toBeGreaterThanOrEqual(400);
      }
      const item = (await listOf(fairway, 'v4', all)).find(({ bookingId }) => bookingId === id);
      expect(item).toMatchObject({ status: 'BOOKED' });
    }
  });
});

describe('the identifier of a listed booking', () => {
  for (const form of ['composite', 'short'] as const) {
    for (const version of LISTING) {
      rule('bookings.item.stable-id', `${version}, ${form}: stays the same, and is listed once`, async () => {
        const answers = { 'booking.id-form': form, 'booking.cancel': 'delete' } as const;
        const { sandbox, fairway } = await open({ dialect: { answers } });
        const seen = new Map<string, string>();
        const look = async (): Promise<number> => {
          const listed = await listOf(fairway, version, all);
          expect(new Set(idsOf(listed)).size).toBe(listed.length);
          for (const { bookingId, contactEmail, teeId, createdAt } of listed) {
            const key = `${contactEmail} ${teeId} ${createdAt}`;
            expect(bookingId).toBe(seen.get(key) ?? bookingId);
            seen.set(key, bookingId);
          }
          return listed.length;
        };
        const count = await look();
        const { made, canceled } = await live(fairway);
        expect(await look()).toBe(count + made.length);
        expect([...seen.values()]).toEqual(expect.arrayContaining([...made, canceled]));
        sandbox.clock.advance(400 * DAY);
        expect(await look()).toBe(count + made.length);
        // A narrower question gives the same identifiers, not new ones.
        const narrow = idsOf(await listOf(fairway, version, { fromDate: dayIn(20).query, toDate: dayIn(22).query }));
        expect(narrow.length).toBeGreaterThan(2);
        expect([...seen.values()]).toEqual(expect.arrayContaining(narrow));
      });
    }
  }
});
