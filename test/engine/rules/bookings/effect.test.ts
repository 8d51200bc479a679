import { describe, expect, test } from 'vitest';
import { LISTING, listOf, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, dayIn, findTeeTime, type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';
import { bookedIds, wayNames, ways } from '../../../support/ways-to-book.js';

const CREATED = '2026-06-01T08:00:00.000';

/** Contacts as people have them, which must come back letter by letter. */
const contacts = [
  { contactFirstName: 'Ada', contactLastName: 'Lovelace', contactPhone: '+44 20 7946 0000' },
  { contactFirstName: 'Zoë', contactLastName: 'van der Meer-Østergård', contactPhone: '0031 (0)20 555-0100' },
  { contactFirstName: 'さくら', contactLastName: '"O\'Brien" \\ <b>', contactPhone: '+81-3-0000-0000' },
] as const;

/** What each version must list of a booking. */
function due(teeTime: TeeTime, facilityId: number, sent: Json, bookingId: string): Record<string, Json> {
  const { contactFirstName, contactLastName, contactPhone, contactEmail, players } = sent;
  const common = { teetime: teeTime.time, players, teeId: teeTime.teeid, contactPhone, contactEmail };
  const rest = { ...common, createdAt: CREATED, bookingId, status: 'BOOKED' };
  const names = { contactFirstName, contactLastName };
  return {
    v1: { ...rest, round: teeTime.course, contactName: `${contactFirstName} ${contactLastName}` },
    v2: { ...rest, round: teeTime.course, ...names },
    v4: { ...rest, course: teeTime.course, facilityId, ...names },
  };
}

const entry = async (client: Client, version: (typeof LISTING)[number], id: string): Promise<Json[]> =>
  (await listOf(client, version)).filter(({ bookingId }) => bookingId === id);

for (const name of wayNames) {
  describe(`a booking by ${name}`, () => {
    rule(['bookings.effect.lists', 'bookings.effect.booked'], 'is in every list, once, as it was sent', async () => {
      for (const [index, contact] of contacts.entries()) {
        const { fairway } = await open();
        const facilityId = [1001, 1016, 1005][index]!;
        const teeTime = await findTeeTime(fairway, { facilityId, players: 2 + (index % 2) });
        const contactEmail = `player.${index}+golf@partner.example`;
        const sent = { facilityId, players: 2 + (index % 2), contactEmail, ...contact };
        const reply = await ways[name]!(fairway, teeTime, sent);
        expect(reply.status).toBe(200);
        const [id] = bookedIds(reply);
        const want = due(teeTime, facilityId, sent, id!);
        for (const version of LISTING) expect(await entry(fairway, version, id!), version).toEqual([want[version]]);
      }
    });

    rule('bookings.effect.lists', 'appears where the list was read before', async () => {
      const { sandbox, fairway } = await open();
      const teeTime = await findTeeTime(fairway, { days: 3, players: 2 });
      const range = { fromDate: dayIn(3).query, toDate: dayIn(3).query };
      const read = () => Promise.all(LISTING.map((version) => listOf(fairway, version, range)));
      const before = await read();
      for (const minutes of [0, 1]) {
        sandbox.clock.advance(minutes * 60_000);
        const [id] = bookedIds(await ways[name]!(fairway, teeTime));
        const after = await read();
        for (const list of after) {
          const mine = list.filter(({ bookingId }) => bookingId === id);
          expect(mine.map(({ createdAt }) => createdAt)).toEqual([`2026-06-01T08:0${minutes}:00.000`]);
        }
        expect(after.map((list) => list.length)).toEqual(before.map((list) => list.length + minutes + 1));
      }
    });
  });
}

describe('a booking of several', () => {
  rule(['bookings.effect.lists', 'bookings.effect.booked'], 'is listed with each of its tee times', async () => {
    const { fairway } = await open();
    const teeTimes = (await teeTimesOf(fairway)).slice(0, 3);
    const list = teeTimes.map((teeTime, index) => ({
      teeTime,
      sent: { players: 1, contactEmail: `${index}@partner.example` },
    }));
    const { body } = await fairway.post(
      '/api/v5/bookings',
      list.map(({ teeTime, sent }) => bookingFor(teeTime, { ...contacts[0], ...sent })),
    );
    for (const [at, { bookingId }] of body.data.bookingIds.entries()) {
      const want = due(teeTimes[at]!, 1001, { ...contacts[0], ...list[at]!.sent }, bookingId);
      for (const version of LISTING) expect(await entry(fairway, version, bookingId)).toEqual([want[version]]);
    }
  });
});

describe('a sandbox begun anew', () => {
  test('lists what it listed at first', async () => {
    const { sandbox, fairway } = await open();
    const read = () => Promise.all(LISTING.map((version) => listOf(fairway, version, { fromDate: LONG_AGO })));
    const before = await read();
    await ways['v5 single']!(fairway, await findTeeTime(fairway));
    expect(await read()).not.toEqual(before);
    await sandbox.reset();
    expect(await read()).toEqual(before);
  });
});
