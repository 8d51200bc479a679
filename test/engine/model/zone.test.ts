import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createZones } from '../../../src/engine/model/calendar.js';

const HOUR = 3_600_000;
const utc = (text: string): number => Date.parse(`${text}Z`);

describe('offset', () => {
  test.each([
    { zone: 'Europe/Amsterdam', at: '2026-01-15T12:00:00', hours: 1 },
    { zone: 'Europe/Amsterdam', at: '2026-03-29T00:59:59', hours: 1 },
    { zone: 'Europe/Amsterdam', at: '2026-03-29T01:00:00', hours: 2 },
    { zone: 'Europe/Amsterdam', at: '2026-10-25T00:59:59', hours: 2 },
    { zone: 'Europe/Amsterdam', at: '2026-10-25T01:00:00', hours: 1 },
    { zone: 'America/New_York', at: '2026-03-08T06:59:59', hours: -5 },
    { zone: 'America/New_York', at: '2026-03-08T07:00:00', hours: -4 },
    { zone: 'America/New_York', at: '2026-11-01T06:00:00', hours: -5 },
    { zone: 'America/Phoenix', at: '2026-07-01T00:00:00', hours: -7 },
    { zone: 'Asia/Bangkok', at: '2026-07-01T00:00:00', hours: 7 },
    { zone: 'Asia/Kathmandu', at: '2026-07-01T00:00:00', hours: 5.75 },
  ])('$zone at $at is $hours hours', ({ zone, at, hours }) => {
    expect(createZones().offset(zone, utc(at))).toBe(hours * HOUR);
  });
});

describe('toInstant', () => {
  test.each([
    { name: 'summer', zone: 'Europe/Amsterdam', local: '2026-07-04T08:30:00', want: '2026-07-04T06:30:00' },
    { name: 'winter', zone: 'Europe/Amsterdam', local: '2026-01-04T08:30:00', want: '2026-01-04T07:30:00' },
    { name: 'before the gap', zone: 'Europe/Amsterdam', local: '2026-03-29T01:59:00', want: '2026-03-29T00:59:00' },
    { name: 'in the gap', zone: 'Europe/Amsterdam', local: '2026-03-29T02:30:00', want: '2026-03-29T01:30:00' },
    { name: 'after the gap', zone: 'Europe/Amsterdam', local: '2026-03-29T08:00:00', want: '2026-03-29T06:00:00' },
    { name: 'in the overlap', zone: 'Europe/Amsterdam', local: '2026-10-25T02:30:00', want: '2026-10-25T00:30:00' },
    { name: 'after the overlap', zone: 'Europe/Amsterdam', local: '2026-10-25T03:00:00', want: '2026-10-25T02:00:00' },
    { name: 'in the gap', zone: 'America/New_York', local: '2026-03-08T02:30:00', want: '2026-03-08T07:30:00' },
    { name: 'in the overlap', zone: 'America/New_York', local: '2026-11-01T01:30:00', want: '2026-11-01T05:30:00' },
    { name: 'after the overlap', zone: 'America/New_York', local: '2026-11-01T08:00:00', want: '2026-11-01T13:00:00' },
  ])('$zone $name: $local is $want UTC', ({ zone, local, want }) => {
    expect(new Date(createZones().toInstant(zone, utc(local))).toISOString()).toBe(`${want}.000Z`);
  });

  test('undoes toLocal for every instant but the second pass of an overlap', () => {
    const zones = createZones();
    const zone = fc.constantFrom('Europe/Amsterdam', 'America/New_York', 'Atlantic/Azores', 'Africa/Casablanca');
    fc.assert(
      fc.property(
        zone,
        fc.integer({ min: utc('2001-01-01T00:00:00'), max: utc('2099-01-01T00:00:00') }),
        (name, at) => {
          const local = zones.toLocal(name, at);
          const back = zones.toInstant(name, local);
          expect(zones.toLocal(name, back)).toBe(local);
          expect(at - back === 0 || at - back === HOUR).toBe(true);
        },
      ),
    );
  });
});

test('answers stay right when more is asked than the cache holds', () => {
  const zones = createZones();
  const start = utc('2026-01-01T00:00:00');
  const ask = (): number[] =>
    Array.from({ length: 5_000 }, (_, n) => zones.offset('Europe/London', start + n * 2 * HOUR));
  expect(ask()).toEqual(ask());
  expect(new Set(ask())).toEqual(new Set([0, HOUR]));
});
