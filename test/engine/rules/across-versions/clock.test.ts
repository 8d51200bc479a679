import { describe, expect, test } from 'vitest';
import type { Client } from '../../../support/client.js';
import { bookingFor, findTeeTime, type TeeTime, teeTimesOf, type Wanted } from '../../../support/scenes.js';
import { freeIn, openAtOnce, type Views, viewsOf } from '../../../support/views.js';

const SECOND = 1000;
const HOUR = 3_600_000;
const START = Date.parse('2026-06-01T08:00:00Z');

/** Local times of the tee times of each window, and of the price records. */
const timesIn = (views: Views): Record<string, string[]> => {
  const times = (list: readonly { time: string }[]) => list.map(({ time }) => time.slice(11)).sort();
  const { prices, ...windows } = views;
  const priced = prices.flatMap(({ availability }) => availability as { time: string }[]);
  return {
    ...Object.fromEntries(Object.entries(windows).map(([name, list]) => [name, times(list)])),
    prices: [...new Set(priced.map(({ time }) => time))].sort(),
  };
};

/** Today's tee times of 18 holes, which no window may show once they are past. */
const earliest = (views: Views): string => timesIn(views)['v4']![0]!;

/** Facilities whose clocks are ahead of UTC, close to it and behind it, with their hours in June. */
const places = [
  { facilityId: 1001, name: 'Amsterdam', ahead: 2 },
  { facilityId: 1016, name: 'Bangkok', ahead: 7 },
  { facilityId: 1023, name: 'the Azores', ahead: 0 },
  { facilityId: 1047, name: 'Los Angeles', ahead: -7 },
] as const;

const instantOf = (time: string, ahead: number): number => Date.parse(`${time}Z`) - ahead * HOUR;
const sortedTimes = (views: Views, teeTime: TeeTime) => Object.values(freeIn(views, teeTime.teeid));

describe.each([
  { borders: 'facility', offset: (ahead: number) => ahead },
  { borders: 'utc', offset: () => 0 },
] as const)('time.borders: $borders', ({ borders, offset }) => {
  const options = { dialect: { answers: { 'time.borders': borders } } } as const;

  for (const { facilityId, name, ahead } of places) {
    test(`in ${name} only what is to come is shown, in every window`, async () => {
      const { fairway } = await openAtOnce(options);
      const wanted = { facilityId, days: 0 };
      const views = await viewsOf(fairway, wanted);
      expect(views.v4.length).toBeGreaterThan(0);
      for (const window of ['v2', 'v3', 'v4', 'v5', 'callback'] as const) {
        for (const { time } of views[window]) expect(instantOf(time, offset(ahead))).toBeGreaterThan(START);
      }
      for (const { date, availability } of views.prices) {
        for (const { time } of availability) expect(instantOf(`${date}T${time}`, offset(ahead))).toBeGreaterThan(START);
      }
    });

    test(`in ${name} a tee time leaves every window when its moment comes, and not before`, async () => {
      const { sandbox, fairway } = await openAtOnce(options);
      const wanted = { facilityId, days: 0 };
      const teeTime = await findTeeTime(fairway, wanted);
      const start = instantOf(teeTime.time, offset(ahead));
      const before = await viewsOf(fairway, wanted);

      sandbox.clock.set(start - SECOND);
      const justBefore = await viewsOf(fairway, wanted);
      expect(sortedTimes(justBefore, teeTime)).toEqual(sortedTimes(before, teeTime));
      expect(sortedTimes(justBefore, teeTime)).not.toContain(undefined);
      expect(timesIn(justBefore)['prices']).toContain(teeTime.time.slice(11));

      sandbox.clock.advance(2 * SECOND);
      const after = await viewsOf(fairway, wanted);
      expect(new Set(sortedTimes(after, teeTime))).toEqual(new Set([undefined]));
      expect(earliest(after) > teeTime.time.slice(11)).toBe(true);
      const booked = await fairway.post('/api/v5/bookings', bookingFor(teeTime, { facilityId }));
      expect(booked.status).toBe(400);

      sandbox.clock.set(START);
      expect(await viewsOf(fairway, wanted)).toEqual(before);
    });
  }
});

describe('time.borders tells zones apart', () => {
  const first = async (borders: 'facility' | 'utc', wanted: Wanted): Promise<string> => {
    const { fairway } = await openAtOnce({ dialect: { answers: { 'time.borders': borders } } });
    return (await findTeeTime(fairway, wanted)).time.slice(11);
  };

  test.each([
    { name: 'Bangkok, where it is 15:00', facilityId: 1016, facility: ['15:00', '18:00'], utc: ['08:00', '15:00'] },
    { name: 'Los Angeles, where it is 01:00', facilityId: 1047, facility: ['01:00', '08:00'], utc: ['08:00', '15:00'] },
  ] as const)('in $name', async ({ facilityId, facility, utc }) => {
    const between = (time: string, [from, to]: readonly [string, string]) => time > from && time < to;
    const wanted = { facilityId, days: 0 };
    expect(between(await first('facility', wanted), facility)).toBe(true);
    expect(between(await first('utc', wanted), utc)).toBe(true);
  });
});

describe('days on which clocks change', () => {
  test.each([
    { name: '25 October 2026, winter time', days: 146, iso: '2026-10-25', ahead: 1 },
    { name: '28 March 2027, summer time', days: 300, iso: '2027-03-28', ahead: 2 },
  ])('$name in Amsterdam', async ({ days, iso, ahead }) => {
    const { sandbox, fairway } = await openAtOnce();
    const { time, teeid } = await findTeeTime(fairway, { days });
    expect(time.slice(0, 10)).toBe(iso);
    const shown = async () => (await teeTimesOf(fairway, { days })).map((teeTime) => teeTime.teeid);
    sandbox.clock.set(instantOf(time, ahead) - SECOND);
    expect(await shown()).toContain(teeid);
    sandbox.clock.advance(2 * SECOND);
    expect(await shown()).not.toContain(teeid);
  });
});

describe('the course of a day', () => {
  const shown = async (client: Client, days: number) => timesIn(await viewsOf(client, { days }));

  test('hour by hour the windows agree, forwards and back', async () => {
    const { sandbox, fairway } = await openAtOnce();
    const seen: string[] = [];
    for (const hour of [0, 2, 4, 6, 8, 6, 2, 0]) {
      sandbox.clock.set(START + hour * HOUR);
      const { v4, ...others } = await shown(fairway, 0);
      for (const window of ['v2', 'v3', 'v5', 'callback']) expect(others[window]).toEqual(v4);
      expect(others['prices']).toEqual(expect.arrayContaining(v4!));
      seen.push(JSON.stringify(v4));
    }
    expect(seen[7]).toBe(seen[0]);
    expect(seen[6]).toBe(seen[1]);
    expect(seen[5]).toBe(seen[3]);
    expect(new Set(seen.slice(0, 5)).size).toBeGreaterThan(3);
  });

  test('a day gone by is empty in every window, and its prices stay', async () => {
    const { sandbox, fairway } = await openAtOnce();
    const today = await viewsOf(fairway, { days: 0 });
    sandbox.clock.advance(24 * HOUR);
    for (const times of Object.values(await shown(fairway, 0))) expect(times).toEqual([]);
    const { prices } = await viewsOf(fairway, { days: 0 });
    expect(prices).toEqual(today.prices.map((record) => ({ ...record, availability: [] })));
  });

  test('a booking made yesterday does not bring a past tee time back', async () => {
    const { sandbox, fairway } = await openAtOnce();
    const [first, second] = await teeTimesOf(fairway, { days: 0, players: 2 });
    sandbox.clock.set(instantOf(first!.time, 2) + SECOND);
    await viewsOf(fairway, { days: 0 });
    await fairway.post('/api/v5/bookings', bookingFor(second!));
    const views = await viewsOf(fairway, { days: 0 });
    expect(new Set(sortedTimes(views, first!))).toEqual(new Set([undefined]));
    expect(new Set(sortedTimes(views, second!))).toEqual(new Set([second!.products[0].available - 1]));
  });
});
