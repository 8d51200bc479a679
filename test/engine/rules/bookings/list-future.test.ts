import { describe, expect, test } from 'vitest';
import { LISTING, listedIds, listOf, type Range } from '../../../support/booking-list.js';
import { type Client, NOW, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, dayIn, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

const HOUR = 3_600_000;

/** Facilities of `fairway` east and west of UTC, and how far their clocks are ahead in June. */
const places = [
  { name: 'Bangkok', facilityId: 1016, ahead: 7 },
  { name: 'Istanbul', facilityId: 1025, ahead: 3 },
  { name: 'Amsterdam', facilityId: 1001, ahead: 2 },
  { name: 'the Azores', facilityId: 1023, ahead: 0 },
  { name: 'Chicago', facilityId: 1064, ahead: -5, holes: 9 },
  { name: 'Los Angeles', facilityId: 1047, ahead: -7 },
] as const;

interface Booked {
  readonly id: string;
  readonly teeTime: TeeTime;
}

/** Books the earliest and the latest tee time that a day has. */
async function bookBothEnds(client: Client, facilityId: number, days: number, holes = 18): Promise<[Booked, Booked]> {
  const teeTimes = await teeTimesOf(client, { facilityId, days, holes });
  const ends = await Promise.all(
    [teeTimes[0]!, teeTimes.at(-1)!].map(async (teeTime) => {
      const { body } = await client.post('/api/v5/bookings', bookingFor(teeTime, { facilityId }));
      return { id: body.data.bookingId as string, teeTime };
    }),
  );
  return ends as [Booked, Booked];
}

/** In which versions the list holds the booking. */
async function listing(client: Client, { id }: Booked, range: Range = {}): Promise<string[]> {
  const lists = await Promise.all(LISTING.map((version) => listedIds(client, version, range)));
  return LISTING.filter((_, index) => lists[index]!.includes(id));
}

const startOf = ({ teeTime }: Booked, ahead: number): number => Date.parse(`${teeTime.time}Z`) - ahead * HOUR;

for (const { name, facilityId, ahead, ...rest } of places) {
  const holes = 'holes' in rest ? rest.holes : 18;

  describe(`a tee time in ${name}`, () => {
    rule('bookings.list.future-only', 'is listed until its moment comes, by the clock of the facility', async () => {
      const { sandbox, fairway } = await open();
      const ends = await bookBothEnds(fairway, facilityId, 10, holes);
      for (const booked of ends) {
        const start = startOf(booked, ahead);
        for (const [instant, want] of [
          [start - 24 * HOUR, LISTING],
          [start - 1000, LISTING],
          [start + 1000, []],
          [start + 24 * HOUR, []],
          [start + 9000 * HOUR, []],
          [start - 1000, LISTING],
        ] as const) {
          sandbox.clock.set(instant);
          expect(await listing(fairway, booked), new Date(instant).toISOString()).toEqual(want);
        }
      }
    });

    rule('bookings.list.future-only', 'is past or not whatever day it is in UTC', async () => {
      const { sandbox, fairway } = await open();
      const today = await bookBothEnds(fairway, facilityId, 10, holes);
      const tomorrow = await bookBothEnds(fairway, facilityId, 11, holes);
      const midnight = Date.UTC(2026, 5, 12) - ahead * HOUR;
      for (const instant of [midnight - 1000, midnight, midnight + 1000]) {
        sandbox.clock.set(instant);
        for (const booked of today) expect(await listing(fairway, booked)).toEqual([]);
        for (const booked of tomorrow) expect(await listing(fairway, booked)).toEqual(LISTING);
      }
      for (const midnightInUtc of [Date.UTC(2026, 5, 11), Date.UTC(2026, 5, 12)]) {
        for (const instant of [midnightInUtc - 1000, midnightInUtc, midnightInUtc + 1000]) {
          sandbox.clock.set(instant);
          for (const booked of [...today, ...tomorrow]) {
            const want = startOf(booked, ahead) > instant ? LISTING : [];
            expect(await listing(fairway, booked), `${booked.teeTime.time} ${instant}`).toEqual(want);
          }
        }
      }
    });

    rule('bookings.list.by-teetime', 'belongs to its day in the calendar of the facility', async () => {
      const { fairway } = await open();
      for (const booked of await bookBothEnds(fairway, facilityId, 10, holes)) {
        const on = (from: number, to: number) =>
          listing(fairway, booked, { fromDate: dayIn(from).query, toDate: dayIn(to).query });
        expect(await on(10, 10)).toEqual(LISTING);
        expect(await on(9, 11)).toEqual(LISTING);
        expect(await on(8, 9)).toEqual([]);
        expect(await on(11, 12)).toEqual([]);
      }
    });
  });
}

describe('the list of a channel at any hour', () => {
  rule('bookings.list.future-only', 'holds what is to come, all of it and nothing else', async () => {
    const { sandbox, fairway } = await open();
    const booked: (Booked & { readonly start: number })[] = [];
    for (const { facilityId, ahead, ...rest } of places) {
      const ends = await bookBothEnds(fairway, facilityId, 10, 'holes' in rest ? rest.holes : 18);
      booked.push(...ends.map((one) => ({ ...one, start: startOf(one, ahead) })));
    }
    const mine = new Set(booked.map(({ id }) => id));
    const counts = new Set<number>();
    for (let hour = -4; hour <= 32; hour += 2) {
      const instant = Date.UTC(2026, 5, 11) + hour * HOUR;
      sandbox.clock.set(instant);
      const want = booked.filter(({ start }) => start > instant).map(({ id }) => id);
      for (const version of LISTING) {
        const listed = (await listedIds(fairway, version)).filter((id) => mine.has(id));
        expect(listed).toEqual(want.sort());
      }
      counts.add(want.length);
    }
    expect(counts.size).toBeGreaterThan(5);
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([0, booked.length]);
  });

  rule('bookings.list.future-only', 'of the seed bookings too, wherever they lie', async () => {
    const { sandbox, fairway, links, caddie } = await open();
    for (const client of [fairway, links, caddie]) {
      const zones = new Map(sandbox.db.facilities.findMany().map(({ id, timeZone }) => [id, timeZone]));
      for (const { facilityId, teetime } of await listOf(client, 'v4')) {
        const here = new Date(NOW).toLocaleString('sv-SE', { timeZone: zones.get(facilityId)! });
        expect(teetime.replace('T', ' ') > here, `${teetime}, where it is ${here}`).toBe(true);
      }
    }
  });

  test('the clock turned back brings back what it took', async () => {
    const { sandbox, fairway } = await open();
    await bookBothEnds(fairway, 1001, 10);
    const read = () => Promise.all(LISTING.map((version) => listOf(fairway, version)));
    const before = await read();
    sandbox.clock.set('2026-06-11T12:00:00Z');
    expect(await read()).not.toEqual(before);
    sandbox.clock.reset();
    expect(await read()).toEqual(before);
  });
});

describe('when clocks change', () => {
  test.each([
    { name: 'Amsterdam, back to winter time', facilityId: 1001, days: 146, iso: '2026-10-25', ahead: 1 },
    { name: 'Amsterdam, on to summer time', facilityId: 1001, days: 300, iso: '2027-03-28', ahead: 2 },
    { name: 'Los Angeles, back to winter time', facilityId: 1047, days: 153, iso: '2026-11-01', ahead: -8 },
    { name: 'Los Angeles, on to summer time', facilityId: 1047, days: 286, iso: '2027-03-14', ahead: -7 },
  ])('$name: $iso', async ({ facilityId, days, iso, ahead }) => {
    const { sandbox, fairway } = await open();
    for (const booked of await bookBothEnds(fairway, facilityId, days)) {
      expect(booked.teeTime.time.slice(0, 10)).toBe(iso);
      sandbox.clock.set(startOf(booked, ahead) - 1000);
      expect(await listing(fairway, booked)).toEqual(LISTING);
      sandbox.clock.advance(2000);
      expect(await listing(fairway, booked)).toEqual([]);
    }
  });
});
