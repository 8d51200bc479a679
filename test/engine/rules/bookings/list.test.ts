import { describe, expect, test } from 'vitest';
import seeds from '../../../../fixtures/bookings.json' with { type: 'json' };
import { forms } from '../../dialect/forms.js';
import {
  idsOf,
  LISTING,
  listedIds,
  type ListingVersion,
  listOf,
  listReply,
  LONG_AGO,
  type Range,
} from '../../../support/booking-list.js';
import { open } from '../../../support/client.js';
import { bookOne, cancel } from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, dayIn, findTeeTime } from '../../../support/scenes.js';

const CHANNELS = ['fairway', 'links', 'caddie'] as const;
const all = { fromDate: LONG_AGO };

/** The seed bookings of a channel in a form that all lists share, by e-mail address. */
const seededFor = (channel: string) =>
  seeds
    .filter((seed) => seed.channel === channel)
    .map(({ contactEmail, players, status }) => ({ contactEmail, players, status }))
    .sort((a, b) => a.contactEmail.localeCompare(b.contactEmail));

const shared = (bookings: Awaited<ReturnType<typeof listOf>>) =>
  bookings
    .map(({ contactEmail, players, status }) => ({ contactEmail, players, status }))
    .sort((a, b) => a.contactEmail.localeCompare(b.contactEmail));

describe('the answer', () => {
  for (const version of LISTING) {
    rule(['bookings.list', 'bookings.list.response'], `${version}: GET gives the bookings in an array`, async () => {
      const { fairway, links } = await open();
      for (const client of [fairway, links]) {
        const { status, body } = await listReply(client, version, all);
        expect({ status, body }).toEqual({ status: 200, body: { success: true, data: expect.any(Array) } });
        expect(shared(body.data)).toEqual(seededFor(client.channel));
      }
    });

    rule('bookings.list.response', `${version}: no booking is an array too`, async () => {
      const { fairway } = await open();
      const { status, body } = await listReply(fairway, version, { fromDate: '01-01-2020', toDate: '02-01-2020' });
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data: [] } });
    });

    test(`${version}: reading changes nothing`, async () => {
      const { fairway } = await open();
      const texts = [];
      for (let time = 0; time < 3; time += 1) texts.push((await listReply(fairway, version, all)).text);
      expect(new Set(texts).size).toBe(1);
    });
  }

  rule('bookings.list', 'no other version has it', async () => {
    const { fairway } = await open();
    for (const [version, status] of [
      ['v3', 404],
      ['v5', 405],
      ['v6', 404],
    ] as const) {
      expect(await fairway.get(`/api/${version}/bookings`), version).toMatchObject({
        status,
        body: { success: false, data: null },
      });
    }
  });
});

describe('whose bookings', () => {
  for (const version of LISTING) {
    rule('bookings.list.channel-scope', `${version}: each channel sees its own alone`, async () => {
      const { sandbox, ...clients } = await open();
      const owners = new Map(sandbox.db.bookings.findMany().map(({ bookingId, channel }) => [bookingId, channel]));
      let seen = 0;
      for (const channel of CHANNELS) {
        const listed = await listedIds(clients[channel], version, all);
        expect(new Set(listed.map((id) => owners.get(id)))).toEqual(new Set([channel]));
        seen += listed.length;
      }
      expect(seen).toBe(owners.size);
    });

    rule('bookings.list.channel-scope', `${version}: also of a tee time that two channels share`, async () => {
      const { fairway, links, caddie } = await open();
      const teeTime = await findTeeTime(fairway, { players: 4 });
      const [mine, theirs] = await Promise.all(
        [fairway, links].map(async (client) => {
          const { body } = await client.post('/api/v5/bookings', bookingFor(teeTime));
          return body.data.bookingId as string;
        }),
      );
      const sees = async (client: typeof fairway) => {
        const listed = await listedIds(client, version, { fromDate: dayIn(10).query, toDate: dayIn(10).query });
        return [listed.includes(mine!), listed.includes(theirs!)];
      };
      expect(await Promise.all([fairway, links, caddie].map(sees))).toEqual([
        [true, false],
        [false, true],
        [false, false],
      ]);
    });
  }
});

describe('cancelled bookings', () => {
  const canceledIn = async (version: ListingVersion, range: Range) => {
    const { sandbox, fairway } = await open();
    const listed = await listOf(fairway, version, range);
    const known = sandbox.db.bookings.findMany((query) => query.where({ channel: 'fairway', status: 'CANCELED' }));
    return {
      listed: idsOf(listed.filter(({ status }) => status === 'CANCELED')),
      future: idsOf(known.filter(({ startsAt }) => startsAt > sandbox.clock.now())),
      all: idsOf(known),
    };
  };

  for (const version of LISTING) {
    rule('bookings.list.canceled-included', `${version}: are listed, past ones and those to come`, async () => {
      const plain = await canceledIn(version, {});
      expect(plain.listed).toEqual(plain.future);
      expect(plain.future.length).toBeGreaterThan(0);
      const fromLongAgo = await canceledIn(version, all);
      expect(fromLongAgo.listed).toEqual(fromLongAgo.all);
      expect(fromLongAgo.all.length).toBeGreaterThan(plain.future.length);
    });

    rule(
      ['bookings.status.booked', 'bookings.list.canceled-included', 'bookings.item.status'],
      `${version}: a booking is BOOKED until it is cancelled, and stays listed`,
      async () => {
        const { sandbox, fairway } = await open({ dialect: { answers: { 'booking.cancel': 'delete' } } });
        const [id, kept] = [await bookOne(fairway, { days: 30 }), await bookOne(fairway, { days: 31 })];
        const range = { fromDate: dayIn(30).query, toDate: dayIn(31).query };
        const states = async () => {
          const listed = await listOf(fairway, version, range);
          return Object.fromEntries(listed.map(({ bookingId, status }) => [bookingId, status]));
        };
        expect(await states()).toMatchObject({ [id]: 'BOOKED', [kept]: 'BOOKED' });
        expect((await cancel(fairway, id)).status).toBe(200);
        expect(await states()).toMatchObject({ [id]: 'CANCELED', [kept]: 'BOOKED' });
        sandbox.clock.advance(60 * 86_400_000);
        expect(await states()).toMatchObject({ [id]: 'CANCELED', [kept]: 'BOOKED' });
      },
    );
  }

  rule('bookings.status.booked', 'a payment that is confirmed leaves a booking BOOKED', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway);
    const { body } = await fairway.post('/api/v2/bookings', forms.v2(teeTime, {}));
    const { bookingId } = body.data;
    await fairway.post(`/api/v4/bookings/payment/${bookingId}`, undefined);
    for (const version of LISTING) {
      const listed = await listOf(fairway, version);
      expect(listed.find((one) => one.bookingId === bookingId).status).toBe('BOOKED');
    }
  });
});
