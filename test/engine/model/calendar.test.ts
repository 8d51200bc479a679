import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  civilDate,
  dayNumber,
  formatDate,
  formatMinute,
  formatQueryDate,
  isWeekend,
  parseBookingTime,
  parseIsoDate,
  parseQueryDate,
  weekday,
  weekdayName,
} from '../../../src/engine/model/calendar.js';

const days = fc.integer({ min: dayNumber(1, 1, 1), max: dayNumber(9999, 12, 31) });

describe('day numbers', () => {
  test.each([
    { date: [1970, 1, 1], want: 0 },
    { date: [1969, 12, 31], want: -1 },
    { date: [2000, 2, 29], want: 11_016 },
    { date: [2000, 3, 1], want: 11_017 },
    { date: [2199, 12, 31], want: 84_005 },
  ] as const)('$date is day $want', ({ date, want }) => {
    expect(dayNumber(date[0], date[1], date[2])).toBe(want);
  });

  test('agree with Date over the whole range, both ways', () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = new Date(day * 86_400_000);
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(civilDate(day)).toEqual(civil);
        expect(dayNumber(civil.year, civil.month, civil.day)).toBe(day);
        expect(weekday(day)).toBe(date.getUTCDay());
        expect(isWeekend(day)).toBe([0, 6].includes(date.getUTCDay()));
      }),
    );
  });
});

describe('text', () => {
  test('dates survive being written and read', () => {
    fc.assert(
      fc.property(days, (day) => {
        expect(parseIsoDate(formatDate(day))).toBe(day);
        expect(parseQueryDate(formatQueryDate(day))).toBe(day);
      }),
    );
  });

  test.each([
    { given: '29-02-2028', want: '2028-02-29' },
    { given: '01-12-2026', want: '2026-12-01' },
    { given: '31-02-2026', want: undefined },
    { given: '29-02-2026', want: undefined },
    { given: '29-02-2100', want: undefined },
    { given: '31-04-2026', want: undefined },
    { given: '00-01-2026', want: undefined },
    { given: '01-00-2026', want: undefined },
    { given: '01-13-2026', want: undefined },
    { given: '01-01-0000', want: undefined },
    { given: '2026-01-01', want: undefined },
    { given: '1-1-2026', want: undefined },
    { given: ' 01-01-2026', want: undefined },
    { given: '01-01-2026\n', want: undefined },
    { given: '01/01/2026', want: undefined },
    { given: '٠١-٠١-٢٠٢٦', want: undefined },
    { given: '', want: undefined },
  ])('query date $given is $want', ({ given, want }) => {
    const day = parseQueryDate(given);
    expect(day === undefined ? undefined : formatDate(day)).toBe(want);
  });

  test.each([
    { given: '2026-07-04 08:30:00', want: { day: 20_638, second: 30_600 } },
    { given: '2026-07-04 00:00:00', want: { day: 20_638, second: 0 } },
    { given: '2026-07-04 23:59:59', want: { day: 20_638, second: 86_399 } },
    { given: '2026-07-04 24:00:00', want: undefined },
    { given: '2026-07-04 08:60:00', want: undefined },
    { given: '2026-07-04 08:30:60', want: undefined },
    { given: '2026-02-31 08:30:00', want: undefined },
    { given: '2026-07-04T08:30:00', want: undefined },
    { given: '2026-07-04 08:30', want: undefined },
    { given: '04-07-2026 08:30:00', want: undefined },
    { given: '2026-07-04 08:30:00Z', want: undefined },
  ])('booking time $given', ({ given, want }) => {
    expect(parseBookingTime(given)).toEqual(want);
  });

  test('clocks and weekdays read as responses have them', () => {
    expect(formatMinute(545)).toBe('09:05:00');
    expect([0, 1, 2, 3, 4, 5, 6].map((day) => weekdayName(day))).toEqual([
      'thursday',
      'friday',
      'saturday',
      'sunday',
      'monday',
      'tuesday',
      'wednesday',
    ]);
  });
});
