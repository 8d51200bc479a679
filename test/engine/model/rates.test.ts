import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber } from '../../../src/engine/model/calendar.js';
import { dayFee, priceSteps } from '../../../src/engine/model/tee-sheet.js';
import type { Course, Product } from '../../../src/engine/model/world.js';
import { createWorld } from '../../../src/engine/store/world.js';

const world = createWorld();
const base = world.course(10_011)!;
const course: Course = { ...base, weekendRate: 1200, highSeasonRate: 1100, highMonths: [7] };
const product: Product = {
  ...base.products[0]!,
  price: 6000,
  netRate: 855,
  publicRate: 1105,
  groupRates: [1000, 950, 1000, 1030],
};

describe('dayFee', () => {
  test.each([
    { name: 'a weekday in low season', day: [2026, 1, 6], want: 6000 },
    { name: 'a Saturday in low season', day: [2026, 1, 10], want: 7200 },
    { name: 'a weekday in high season', day: [2026, 7, 7], want: 6600 },
    { name: 'a Sunday in high season, rounded to half a unit', day: [2026, 7, 5], want: 7900 },
  ] as const)('$name', ({ day, want }) => {
    expect(dayFee(course, product, dayNumber(day[0], day[1], day[2]))).toBe(want);
  });
});

describe('priceSteps', () => {
  test('each price is the total of its quantity, groups costing less or more per head', () => {
    expect(priceSteps(course, product, dayNumber(2026, 1, 6))).toEqual([
      { quantity: 1, price: 6000, netRate: 5130, publicRate: 6630 },
      { quantity: 2, price: 11_400, netRate: 9747, publicRate: 12_597 },
      { quantity: 3, price: 18_000, netRate: 15_390, publicRate: 19_890 },
      { quantity: 4, price: 24_720, netRate: 21_135, publicRate: 27_316 },
    ]);
  });

  test('are whole cents, ascending, with netRate <= price <= publicRate, for every product on any day', () => {
    const offers = [...world.facilities()].flatMap((one) =>
      one.courses.flatMap((of) => of.products.map((sold) => ({ of, sold }))),
    );
    const anyDay = fc.integer({ min: dayNumber(2000, 1, 1), max: dayNumber(2199, 12, 31) });
    fc.assert(
      fc.property(fc.constantFrom(...offers), anyDay, ({ of, sold }, day) => {
        let before = 0;
        for (const { price, netRate, publicRate } of priceSteps(of, sold, day)) {
          for (const amount of [price, netRate, publicRate]) expect(Number.isInteger(amount)).toBe(true);
          expect(netRate).toBeLessThanOrEqual(price);
          expect(price).toBeLessThanOrEqual(publicRate);
          expect(price).toBeGreaterThan(before);
          before = price;
        }
      }),
    );
  });

  test('are not linear in the quantity everywhere', () => {
    const rates = new Set(
      [...world.facilities()].flatMap((one) =>
        one.courses.flatMap((of) => of.products.map((sold) => sold.groupRates[3])),
      ),
    );
    expect([...rates].some((rate) => rate < 1000)).toBe(true);
    expect([...rates].some((rate) => rate > 1000)).toBe(true);
    expect(rates.has(1000)).toBe(true);
  });
});
