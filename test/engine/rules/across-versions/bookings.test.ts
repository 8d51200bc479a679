import { describe, expect, test } from 'vitest';
import type { Client } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type TeeTime, teeTimesOf } from '../../../support/scenes.js';
import { freeIn, openAtOnce, search, searchQuery, type Views, viewsOf } from '../../../support/views.js';

const cancelling = { dialect: { answers: { 'booking.cancel': 'delete' } } } as const;

/** Free slots of one tee time in the price records of the products it sells. */
const freeInPrices = ({ prices }: Views, { time, products }: TeeTime): unknown[] =>
  products.map(({ mid }) => {
    const { availability } = prices.find(({ productId }) => productId === mid);
    return availability.find((entry: { time: string }) => entry.time === time.slice(11))?.available;
  });

const everywhere = (free: number | undefined) => ({ v2: free, v3: free, v4: free, v5: free, callback: free });

/** Everything the windows show but the tee time under test. */
const othersThan = (views: Views, { teeid, time }: TeeTime): unknown => ({
  ...Object.fromEntries(
    (['v2', 'v3', 'v4', 'v5', 'callback'] as const).map((name) => [
      name,
      views[name].filter((teeTime) => (teeTime.id ?? teeTime.teeid) !== teeid),
    ]),
  ),
  prices: views.prices.map((record) => ({
    ...record,
    availability: record.availability.filter((entry: { time: string }) => entry.time !== time.slice(11)),
  })),
});

const roundOf = (teeTime: TeeTime, players: number) => {
  const { course, productId: _, ...rest } = bookingFor(teeTime, { players });
  return { ...rest, round: course };
};

const bulkOf = (teeTime: TeeTime, players: number) => {
  const { productId: _, ...rest } = bookingFor(teeTime, { players });
  const linkedTeeTimeRef = '7b0c5b0e-8f7c-4a57-9c5e-0d2b9f4c1a11';
  const every = { netRate: 10, extraProduct: [], comments: '', additionalPlayers: [], linkedTeeTimeRef };
  return [{ ...rest, ...every, providerPlayerTypeId: '1' }];
};

/** The ways to book two places of a tee time, each answering with the ids of its bookings. */
const ways: Record<string, (client: Client, teeTime: TeeTime) => Promise<string[]>> = {
  'v5 single': async (client, teeTime) => {
    const { body } = await client.post('/api/v5/bookings', bookingFor(teeTime, { players: 2 }));
    return [body.data.bookingId];
  },
  'v5 multiple': async (client, teeTime) => {
    const { body } = await client.post('/api/v5/bookings', [bookingFor(teeTime), bookingFor(teeTime)]);
    return body.data.bookingIds.map(({ bookingId }: { bookingId: string }) => bookingId);
  },
  'v5 with payment': async (client, teeTime) => {
    const details = [bookingFor(teeTime, { players: 2 })];
    const { body } = await client.post('/api/v5/bookings', { details, paymentIntent: 'pi_1' });
    return body.data.bookingIds.map(({ bookingId }: { bookingId: string }) => bookingId);
  },
  'v3 bulk': async (client, teeTime) => {
    const { body } = await client.post('/api/v3/bulkbookings', bulkOf(teeTime, 2));
    return body.data.bookingIds.map(({ bookingId }: { bookingId: string }) => bookingId);
  },
  v2: async (client, teeTime) => [(await client.post('/api/v2/bookings', roundOf(teeTime, 2))).body.data.bookingId],
};

describe('a booking of two places', () => {
  const ids = [
    'bookings.effect.availability',
    'teetimes.same-across-versions',
    'prices.agrees-availability',
    'callback.agrees',
  ] as const;

  for (const [name, book] of Object.entries(ways)) {
    rule(ids, `${name}: lowers every window at once, and cancelling gives them back`, async () => {
      const { fairway } = await openAtOnce(cancelling);
      const teeTime = await findTeeTime(fairway, { players: 4 });
      const before = await viewsOf(fairway);
      expect(freeIn(before, teeTime.teeid)).toEqual(everywhere(4));

      const booked = await book(fairway, teeTime);
      const after = await viewsOf(fairway);
      expect(freeIn(after, teeTime.teeid)).toEqual(everywhere(2));
      expect(freeInPrices(after, teeTime)).toEqual(teeTime.products.map(() => 2));
      expect(othersThan(after, teeTime)).toEqual(othersThan(before, teeTime));

      for (const id of booked) {
        expect((await fairway.send('DELETE', `/api/v4/bookings/${id}`)).status).toBe(200);
      }
      expect(await viewsOf(fairway)).toEqual(before);
    });
  }
});

describe('places that are not enough', () => {
  test('a tee time leaves the search for as many players as it no longer has', async () => {
    const { fairway } = await openAtOnce();
    const teeTime = await findTeeTime(fairway, { players: 4 });
    for (const players of [1, 2, 3, 4]) await viewsOf(fairway, { players });
    await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: 2 }));
    for (const players of [1, 2, 3, 4]) {
      const views = await viewsOf(fairway, { players });
      expect(freeIn(views, teeTime.teeid)).toEqual(everywhere(players <= 2 ? 2 : undefined));
    }
  });

  rule('bookings.effect.availability', 'booked to the last place, it is in no window', async () => {
    const { fairway } = await openAtOnce(cancelling);
    const teeTime = await findTeeTime(fairway, { players: 4 });
    const before = await viewsOf(fairway);
    const ids = [];
    for (const players of [3, 1]) {
      const { body } = await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players }));
      ids.push(body.data.bookingId);
    }
    const full = await viewsOf(fairway);
    expect(freeIn(full, teeTime.teeid)).toEqual(everywhere(undefined));
    expect(freeInPrices(full, teeTime)).toEqual(teeTime.products.map(() => undefined));
    const refused = await fairway.post('/api/v5/bookings', bookingFor(teeTime));
    expect(refused.status).toBe(400);
    expect(await viewsOf(fairway)).toEqual(full);
    await fairway.send('DELETE', `/api/v2/bookings/${ids[0]}`);
    expect(freeIn(await viewsOf(fairway), teeTime.teeid)).toEqual(everywhere(3));
    await fairway.send('DELETE', `/api/v2/bookings/${ids[1]}`);
    expect(await viewsOf(fairway)).toEqual(before);
  });
});

describe('channels', () => {
  test('a booking of one channel lowers what another sees, and neither can take more than there is', async () => {
    const { fairway, links } = await openAtOnce();
    const teeTime = await findTeeTime(fairway, { players: 4 });
    await viewsOf(links);
    await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: 3 }));
    expect(freeIn(await viewsOf(links), teeTime.teeid)).toEqual(everywhere(1));
    expect((await links.post('/api/v5/bookings', bookingFor(teeTime, { players: 2 }))).status).toBe(400);
    expect((await links.post('/api/v5/bookings', bookingFor(teeTime, { players: 1 }))).status).toBe(200);
    expect(freeIn(await viewsOf(fairway), teeTime.teeid)).toEqual(everywhere(undefined));
  });

  test('a reset shows the first day again', async () => {
    const { sandbox, fairway } = await openAtOnce();
    const before = await viewsOf(fairway);
    const teeTime = await findTeeTime(fairway, { players: 4 });
    await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: 4 }));
    expect(await viewsOf(fairway)).not.toEqual(before);
    await sandbox.reset();
    expect(await viewsOf(fairway)).toEqual(before);
  });

  test('a search accepted before a booking posts what is free when it is posted', async () => {
    const held: (() => void)[] = [];
    const { sandbox, fairway } = await openAtOnce({ schedule: (work) => (held.push(work), () => {}) });
    const teeTime = await findTeeTime(fairway, { players: 4 });
    await search(fairway, searchQuery());
    await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: 3 }));
    held[0]!();
    await sandbox.callbacks.settled();
    const { data } = JSON.parse(sandbox.callbacks.deliveries[0]!.body!);
    expect(data[0].teeTimeV3).toEqual(await teeTimesOf(fairway));
    expect(data[0].teeTimeV3.find(({ teeid }: TeeTime) => teeid === teeTime.teeid).products[0].available).toBe(1);
  });
});
