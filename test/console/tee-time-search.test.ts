import { expect, test } from 'vitest';
import { type CourseDay, freeSlots } from '../../src/console/pages/tee-sheet/cells.js';
import { findTimes, searchIn } from '../../src/console/pages/tee-sheet/search.js';

const product = (productId: number, name: string, price: number) => {
  const prices = [1, 2, 3, 4].map((players) => ({ players, price: players * price, publicRate: 0, netRate: 0 }));
  return { productId, name, category: 'Greenfee', holes: 18, teeTimeHoles: 18 as const, prices };
};

const teeTime = (hour: string, free: number, holes: 9 | 18, productIds: number[]) => ({
  teeId: Number(hour.replace(':', '')),
  time: `2030-06-11T${hour}:00`,
  holes,
  capacity: 4,
  soldElsewhere: 4 - free,
  free,
  productIds,
  bookings: [],
  linked: [],
});

const course: CourseDay = {
  courseId: 1,
  name: 'Old Course',
  holes: 18,
  closed: null,
  soldOut: false,
  raised: 0,
  products: [product(1, 'Green fee 18 holes', 90), product(2, 'Incl. Buggy', 120), product(3, 'Evening nine', 45)],
  teeTimes: [
    teeTime('08:00', 4, 18, [1, 2]),
    teeTime('09:00', 4, 18, [1, 2]),
    teeTime('10:00', 2, 18, [1]),
    teeTime('11:00', 0, 18, [1, 2]),
    teeTime('18:00', 3, 9, [3]),
  ],
  withdrawn: [],
};

test.each([
  ['players=1', ['09:00', '10:00', '18:00'], 90],
  ['players=3', ['09:00', '18:00'], 90],
  ['players=4', ['09:00'], 90],
  ['holes=18', ['09:00', '10:00'], 90],
  ['product=buggy', ['09:00'], 120],
  ['product=%20BUGGY%20', ['09:00'], 120],
  ['price=89', ['18:00'], 45],
  ['price=90&holes=18&players=2', ['09:00', '10:00'], 90],
  ['price=44', [], undefined],
])('%s: %j', (query, hours, fee) => {
  const found = findTimes(course, searchIn(new URLSearchParams(query))!, '2030-06-11T08:00:00', ['fairway']);
  expect(found.teeTimes.map(({ time }) => time.slice(11, 16))).toEqual(hours);
  expect(found.fee).toBe(fee);
});

test.each(['', 'date=2030-06-11&days=2&country=Ireland', 'players=&price=none'])('%s looks for nothing', (query) => {
  expect(searchIn(new URLSearchParams(query))).toBeUndefined();
});

test('nothing is found where no channel is connected', () => {
  const search = searchIn(new URLSearchParams('players=1'))!;
  expect(findTimes(course, search, '2030-06-11T08:00:00', []).teeTimes).toEqual([]);
});

test.each([
  ['2030-06-10T23:00:00', 13],
  ['2030-06-11T08:00:00', 9],
  ['2030-06-11T10:30:00', 3],
  ['2030-06-11T18:00:00', 0],
])('at %s, %d slots are free', (now, free) => {
  expect(freeSlots(course, now)).toBe(free);
  expect(freeSlots({ ...course, closed: { words: 'Closed' } as never }, now)).toBe(0);
});
