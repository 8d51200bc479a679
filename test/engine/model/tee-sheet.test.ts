import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber, formatDate, formatMinute, isWeekend, weekday } from '../../../src/engine/model/calendar.js';
import { decodeTeeId, type TeeSheet, teeSheet } from '../../../src/engine/model/tee-sheet.js';
import type { Course } from '../../../src/engine/model/world.js';
import { createWorld } from '../../../src/engine/store/world.js';
import { sampled } from '../../support/sampled.js';

const world = createWorld();
const courses = [...world.facilities()].flatMap((facility) => facility.courses);
const FIRST = dayNumber(2000, 1, 1);
const LAST = dayNumber(2199, 12, 31);

const anyCourse = fc.constantFrom(...courses);
const anyDay = fc.integer({ min: FIRST, max: LAST });

const year2026 = Array.from({ length: 365 }, (_, n) => dayNumber(2026, 1, 1) + n);

/** The sheets of a course on all days of the year, or on some. */
const sheetsOf = (course: Course, days = year2026): TeeSheet[] => days.map((day) => teeSheet(world, course, day));
const openOf = (sheets: readonly TeeSheet[]): TeeSheet[] => sheets.filter(({ teeTimes }) => teeTimes.length > 0);

describe('on any day of any course', () => {
  test('tee times ascend, lie in the day and agree in all their forms', () => {
    fc.assert(
      fc.property(anyCourse, anyDay, (course, day) => {
        const { teeTimes, date } = teeSheet(world, course, day);
        expect(date).toBe(formatDate(day));
        const minutes = teeTimes.map(({ minute }) => minute);
        expect(minutes).toEqual(minutes.map((_, index) => minutes[0]! + index * course.interval));
        expect(Math.min(course.firstTee, ...minutes)).toBe(course.firstTee);
        expect(Math.max(course.lastTee, ...minutes)).toBe(course.lastTee);
        expect(teeTimes.map(({ time }) => time)).toEqual(minutes.map((one) => `${date}T${formatMinute(one)}`));
        expect(teeTimes.filter(({ free }) => ![0, 1, 2, 3, 4].includes(free))).toEqual([]);
      }),
    );
  });

  test('products are those of the window, and the first one is played in one round', () => {
    fc.assert(
      fc.property(anyCourse, anyDay, (course, day) => {
        for (const { minute, holes, products } of teeSheet(world, course, day).teeTimes) {
          const want = course.products.filter(
            (one) => one.teeTimeHoles === holes && one.from <= minute && minute < one.to,
          );
          expect(products).toEqual(want);
          expect(products[0]!.holes).toBe(holes);
          expect(holes).toBe(course.holes === 18 && minute < course.eveningNineFrom ? 18 : 9);
        }
      }),
    );
  });

  test('a product is sold in its own hours, wherever they begin', () => {
    const base = world.course(10_011)!;
    const [standard] = base.products;
    const early = { ...standard!, mid: 1, from: 600, to: 660 };
    const teeTimes = teeSheet(world, { ...base, products: [standard!, early] }, dayNumber(2026, 7, 4)).teeTimes;
    const sold = teeTimes.filter(({ products }) => products.includes(early)).map(({ minute }) => minute);
    expect(sold).toEqual([600, 610, 620, 630, 640, 650]);
  });

  test('ids are unsigned 31-bit integers that lead back', () => {
    fc.assert(
      fc.property(anyCourse, anyDay, (course, day) => {
        const ids = teeSheet(world, course, day).teeTimes.map(({ teeId }) => teeId);
        expect(ids.map((teeId) => teeId & 0x7fff_ffff)).toEqual(ids);
        const want = ids.map((_, index) => ({ course, day, index }));
        expect(ids.map((teeId) => decodeTeeId(world, teeId))).toEqual(want);
      }),
    );
  });

  test('the same seed gives the same sheet, another seed another one', () => {
    const course = world.course(10_011)!;
    const day = dayNumber(2026, 7, 4);
    expect(teeSheet(createWorld(), course, day)).toEqual(teeSheet(world, course, day));
    const free = (seed: number): number[] =>
      teeSheet({ ...world, seed }, course, day).teeTimes.map((teeTime) => teeTime.free);
    expect(free(2)).not.toEqual(free(1));
  });
});

describe('decodeTeeId', () => {
  test('finds a tee time for every number that has one, and refuses the others', () => {
    const ordinals = world.size * 3;
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 2 ** 31 })), (teeId) => {
        const course = world.courseAt(Math.floor(teeId / 112) % ordinals);
        const day = FIRST + Math.floor(teeId / 112 / ordinals);
        const teeTime = course && teeSheet(world, course, day).teeTimes[teeId % 112];
        expect(decodeTeeId(world, teeId)).toEqual(teeTime && { course, day, index: teeId % 112 });
      }),
    );
  });

  test.each([
    { name: 'a fraction', teeId: 249_072_768.5 },
    { name: 'a negative number', teeId: -112 },
    { name: 'not a number', teeId: NaN },
    { name: 'beyond the last day', teeId: 2 ** 31 },
    { name: 'infinity', teeId: Infinity },
  ])('refuses $name', ({ teeId }) => {
    expect(decodeTeeId(world, teeId)).toBeUndefined();
  });

  test('refuses the number behind the last tee time of a day, and a course that is not there', () => {
    const { teeTimes } = teeSheet(world, world.course(10_011)!, dayNumber(2026, 7, 4));
    expect(decodeTeeId(world, teeTimes.at(-1)!.teeId)).toBeDefined();
    expect(decodeTeeId(world, teeTimes.at(-1)!.teeId + 1)).toBeUndefined();
    expect(world.courseAt(1)).toBeUndefined();
    expect(decodeTeeId(world, teeTimes[0]!.teeId + 128)).toBeUndefined();
  });
});

describe('the year of a course', () => {
  test.each([
    { name: 'before 2000', day: FIRST - 1, want: 0 },
    { name: 'the first day', day: FIRST, want: 1 },
    { name: 'the last day', day: LAST, want: 1 },
    { name: 'after 2199', day: LAST + 1, want: 0 },
    { name: 'no day at all', day: NaN, want: 0 },
  ])('$name', ({ day, want }) => {
    expect(Math.min(1, teeSheet(world, world.course(10_011)!, day).teeTimes.length)).toBe(want);
  });

  // Every eighth day has all weekdays and all months, too.
  const several = [46, 365] as const;

  sampled('courses close on their weekday and in their months only, and have room for four', several, (count) => {
    const days = year2026.filter((_, n) => n % Math.floor(365 / count) === 0);
    expect(days.length).toBeGreaterThanOrEqual(count);
    let open = 0;
    let full = 0;
    for (const course of courses) {
      const sheets = sheetsOf(course, days);
      const isClosed = (day: number): boolean =>
        course.closedWeekdays.includes(weekday(day)) ||
        course.closedMonths.includes(Number(formatDate(day).slice(5, 7)));
      expect(days.filter((_, n) => sheets[n]!.teeTimes.length === 0)).toEqual(days.filter(isClosed));
      open += openOf(sheets).length;
      full += openOf(sheets).filter(({ teeTimes }) => !teeTimes.some(({ free }) => free === 4)).length;
    }
    // Nearly every open day.
    expect(full / open).toBeLessThan(0.001);
  });

  test('weekend mornings of the high season are crowded, winter weekdays are not', () => {
    const course = world.course(10_011)!;
    const mean = (days: readonly number[]): number => {
      const free = days
        .flatMap((day) => teeSheet(world, course, day).teeTimes)
        .filter(({ minute }) => minute >= 480 && minute < 720)
        .map((teeTime) => teeTime.free);
      return free.reduce((sum, one) => sum + one, 0) / free.length;
    };
    const summer = year2026.slice(150, 240).filter(isWeekend);
    const winter = year2026.slice(0, 60).filter((day) => !isWeekend(day));
    expect(mean(summer)).toBeLessThan(1.5);
    expect(mean(winter)).toBeGreaterThan(2);
  });

  test('days are longer in June than in December, the more so in the north', () => {
    const last = (course: Course, month: number): number =>
      Math.max(
        ...openOf(sheetsOf(course))
          .filter(({ date }) => Number(date.slice(5, 7)) === month)
          .map(({ teeTimes }) => teeTimes.at(-1)!.minute),
      );
    const gain = (course: Course): number => last(course, 6) - last(course, 12);
    expect(gain(world.course(10_011)!)).toBeGreaterThan(gain(world.course(10_161)!));
    expect(gain(world.course(10_161)!)).toBeGreaterThan(0);
  });

  test('there is a sold-out morning, as a competition makes it', () => {
    const morning = ({ teeTimes }: TeeSheet): boolean =>
      teeTimes.every(({ minute, free }) => minute >= 720 || free === 0);
    expect(openOf(sheetsOf(world.course(10_011)!)).some(morning)).toBe(true);
  });
});
