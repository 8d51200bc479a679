import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { sampled, sampledRule } from '../../../support/sampled.js';
import { dayIn, type Json, teeTimesOf, teeTimesPath, type Wanted } from '../../../support/scenes.js';
import { openAtOnce, pricesOf, resultOf, type Views, viewsOf } from '../../../support/views.js';

/** What a tee time is, whichever window shows it. */
interface Core {
  readonly id: number;
  readonly time: string;
  readonly course: string;
  readonly holes: number;
  readonly free: number;
}

const coreOf = (teeTime: Json): Core => ({
  id: teeTime.id ?? teeTime.teeid,
  time: teeTime.time,
  course: teeTime.course ?? teeTime.round,
  holes: teeTime.holes,
  free: teeTime.players ?? teeTime.products[0].available,
});

const byId = (a: Core, b: Core): number => a.id - b.id;

const wanted = {
  facilityId: fc.constantFrom(1001, 1002, 1004, 1005, 1007, 1010, 1013, 1016, 1022, 1031, 1043, 1047, 1058, 1065),
  days: fc.integer({ min: -2, max: 200 }),
  players: fc.integer({ min: 1, max: 4 }),
  holes: fc.constantFrom(9, 18),
};
/** Runs of each property. */
const runs = [20, 40] as const;
const everyFacility = { dialect: { answers: { 'facility.unconnected': 'open' } } } as const;

/** The tests look at the same lists, other ones in each run. */
const seed = Math.floor(Math.random() * 2 ** 31);
const opened = openAtOnce(everyFacility);
const seen = new Map<string, Promise<Views>>();

async function viewsAsked(search: Wanted): Promise<Views> {
  const key = JSON.stringify(search);
  const views = seen.get(key) ?? viewsOf((await opened).fairway, search);
  seen.set(key, views);
  return views;
}

/** Runs over facilities, days, players and holes; fails when every list was empty. */
async function overAll(numRuns: number, check: (views: Views) => void): Promise<void> {
  let shown = 0;
  const property = fc.asyncProperty(fc.record(wanted), async (search) => {
    const views = await viewsAsked(search);
    check(views);
    shown += views.v4.length;
  });
  await fc.assert(property, { seed, numRuns });
  expect(shown).toBeGreaterThan(0);
}

describe('one tee time through every window', () => {
  const same = 'has the same id, time, course, holes and free slots';
  sampledRule('teetimes.same-across-versions', same, runs, async (numRuns) => {
    await overAll(numRuns, (views) => {
      const want = views.v4.map(coreOf);
      expect(views.v2.map(coreOf)).toEqual(want);
      expect(views.v3.map(coreOf)).toEqual(want);
      expect(views.callback.map(coreOf)).toEqual(want);
      expect(views.v5.map(coreOf).sort(byId)).toEqual([...want].sort(byId));
      for (const { products } of views.v4) {
        expect(new Set(products.map(({ available }: { available: number }) => available)).size).toBe(1);
      }
    });
  });

  sampledRule('teetimes.price-across-versions', 'v2 and v3 prices are prices of v4', runs, async (numRuns) => {
    await overAll(numRuns, (views) => {
      for (const [index, { products, extraProducts }] of views.v4.entries()) {
        const steps = products.flatMap(({ pricing }: Json) => pricing);
        const wanted = steps.map(({ quantity, price }: Json) => ({ players: String(quantity), price }));
        for (const list of [views.v2, views.v3]) {
          const { pricing } = list[index];
          expect(pricing.map(({ players }: { players: string }) => players)).toEqual(['1', '2', '3', '4']);
          for (const price of pricing) expect(wanted).toContainEqual(price);
        }
        expect(views.v3[index].extraProducts).toEqual(extraProducts);
      }
    });
  });

  const callback = ['callback.agrees', 'callback.tee-time-shape'] as const;
  sampledRule(callback, 'the callback shows the very tee times of v4', runs, async (numRuns) => {
    await overAll(numRuns, (views) => expect(views.callback).toEqual(views.v4));
  });

  rule('callback.agrees', 'several facilities and days are what v4 shows, one after the other', async () => {
    const { fairway } = await openAtOnce();
    const facilityIds = [1007, 1001, 1016];
    const { data } = await resultOf(fairway, { facilityIds, from: 5, to: 8, players: 2 });
    for (const [index, facilityId] of facilityIds.entries()) {
      const days = [5, 6, 7, 8].map((day) => teeTimesOf(fairway, { facilityId, days: day, players: 2 }));
      expect(data[index]).toEqual({ facilityId, teeTimeV3: (await Promise.all(days)).flat() });
    }
  });

  sampled('prices of a tee time keep their order: net, asked, public', runs, async (numRuns) => {
    await overAll(numRuns, ({ v4 }) => {
      for (const { products, extraProducts } of v4) {
        const steps = [...extraProducts, ...products.flatMap(({ pricing }: Json) => pricing)];
        const isOrdered = ({ netRate, price, publicRate }: Json) =>
          netRate.amount <= price.amount && price.amount <= publicRate.amount;
        expect(steps.filter((step) => !isOrdered(step))).toEqual([]);
      }
    });
  });
});

describe('prices and tee times', () => {
  const all = async (client: Client, facilityId: number, days: number) => {
    const lists = [9, 18].map((holes) => teeTimesOf(client, { facilityId, days, holes }));
    return (await Promise.all(lists)).flat();
  };

  const ids = ['prices.agrees-teetimes', 'prices.agrees-availability'] as const;

  sampledRule(ids, 'agree on price, currency, times and free slots', runs, async (numRuns) => {
    const { fairway } = await openAtOnce(everyFacility);
    let compared = 0;
    const property = fc.asyncProperty(wanted.facilityId, wanted.days, async (facilityId, days) => {
      const teeTimes = await all(fairway, facilityId, days);
      const records = await pricesOf(fairway, [facilityId], days);
      for (const { courseName, productId, productName, price, currency, availability } of records) {
        const selling = teeTimes.flatMap(({ time, course, products }) => {
          const product = products.find(({ mid }) => mid === productId);
          return product && course === courseName ? [{ time: time.slice(11), product }] : [];
        });
        const want = selling.map(({ time, product }) => ({ time, available: product.available }));
        expect(availability).toEqual(want.sort((a, b) => (a.time < b.time ? -1 : 1)));
        for (const { product } of selling) {
          const one = product.pricing.find(({ quantity }: { quantity: number }) => quantity === 1);
          expect(product.name).toBe(productName);
          expect(one.price).toEqual({ amount: price, currency });
          compared += 1;
        }
      }
      // No product is sold that has no price.
      const sold = teeTimes.flatMap(({ products }) => products.map(({ mid }) => mid));
      expect(records.map(({ productId }) => productId)).toEqual(expect.arrayContaining([...new Set(sold)]));
    });
    await fc.assert(property, { numRuns });
    expect(compared).toBeGreaterThan(0);
  });
});

describe('kept answers', () => {
  test('a facility and a course with the same number keep answers of their own', async () => {
    // In a world this large, 10011 is a facility and also the course of facility 1001.
    const { fairway } = await open({ facilities: 10_000, ...everyFacility });
    for (let id = 10_011; id < 10_100; id += 10) {
      await teeTimesOf(fairway, { facilityId: Math.floor(id / 10) });
      const own = new Set((await pricesOf(fairway, [id], 10)).map(({ courseName }) => courseName));
      const shown = new Set((await teeTimesOf(fairway, { facilityId: id })).map(({ course }) => course));
      expect(
        [...shown].filter((name) => !own.has(name)),
        `facility ${id}`,
      ).toEqual([]);
    }
  });

  test('versions asked in any order give what each gives alone', async () => {
    const v5 = `/api/v5/teetimes/1001/10011?bookingDate=${dayIn(10).query}&players=1&holes=18`;
    const asked = [teeTimesPath('v2'), teeTimesPath('v3'), teeTimesPath('v4'), v5];
    const alone = [];
    for (const path of asked) alone.push((await (await open()).fairway.get(path)).text);
    const { fairway } = await open();
    for (const order of [asked, [...asked].reverse()]) {
      for (const path of order) expect((await fairway.get(path)).text).toBe(alone[asked.indexOf(path)]);
    }
  });
});
