import { describe, expect } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { countriesOf, facilitiesOf } from '../../../support/contract/lists.js';
import { rule } from '../../../support/rule.js';
import { dayIn, type Json, teeTimesOf } from '../../../support/scenes.js';
import { pricesOf, pricesPath } from '../../../support/views.js';

const DAY = 10;

describe('the facilities of a request', () => {
  const table = [[1001], [1010, 1001], [1016, 1002, 1004], [1007, 1005, 1002, 1001], [1009, 1007, 1005, 1002, 1001]];
  for (const ids of table) {
    rule('prices.each-facility', `${ids.join()} each have all records that they have alone`, async () => {
      const { fairway } = await open();
      const together = await pricesOf(fairway, ids, DAY);
      for (const id of ids) {
        const alone = await pricesOf(fairway, [id], DAY);
        expect(alone.length, String(id)).toBeGreaterThan(0);
        expect(together.filter(({ facilityId }) => facilityId === id)).toEqual(alone);
      }
    });
  }

  /** The ids of all facilities of the channel, or of all that there are. */
  const idsOf = async (client: Client, connected: boolean): Promise<number[]> => {
    const countries = await countriesOf(client, 'v3');
    const lists = await Promise.all(countries.map((country) => facilitiesOf(client, 'v3', country, connected)));
    return lists.flat().map(({ id }) => id);
  };

  for (const channel of ['fairway', 'links', 'caddie'] as const) {
    rule('prices.connected-facilities', `those that ${channel} is told are connected, and no other`, async () => {
      const client = (await open({ dialect: { answers: { 'facility.unconnected': 'refused' } } }))[channel];
      const connected = await idsOf(client, true);
      const answered: number[] = [];
      for (const id of await idsOf(client, false)) {
        // Five days, for some facilities are closed on one.
        const range = { fromDate: dayIn(DAY).query, toDate: dayIn(DAY + 4).query };
        const { status, body } = await client.get(pricesPath({ facilityIds: id, ...range }));
        if (status === 200 && body.data.records.length > 0) answered.push(id);
        else expect({ id, status }).toEqual({ id, status: 403 });
      }
      expect(connected.length).toBeGreaterThan(10);
      expect(answered).toEqual(connected);
    });
  }
});

/** Facilities with one to three courses. */
const FACILITIES = [1001, 1002, 1005, 1010];

rule('prices.each-course', 'each course that sells tee times on the day has records of it', async () => {
  const { fairway } = await open();
  let courses = 0;
  for (const facilityId of FACILITIES) {
    for (const days of [DAY, DAY + 3]) {
      const sheets = [9, 18].map((holes) => teeTimesOf(fairway, { facilityId, days, holes }));
      const sold = new Set((await Promise.all(sheets)).flat().map(({ course }) => course));
      const records = await pricesOf(fairway, [facilityId], days);
      expect([...sold].filter((course) => !records.some(({ courseName }) => courseName === course))).toEqual([]);
      courses = Math.max(courses, sold.size);
    }
  }
  expect(courses).toBe(3);
});

rule('prices.agrees-product', 'each product has the name that the tee times give it', async () => {
  const { fairway } = await open();
  for (const facilityId of FACILITIES) {
    const sheets = await Promise.all([9, 18].map((holes) => teeTimesOf(fairway, { facilityId, days: DAY, holes })));
    const products: Json[] = sheets.flat().flatMap((teeTime) => teeTime.products);
    const names = new Map(products.map(({ mid, name }) => [mid, name]));
    expect(names.size).toBeGreaterThan(1);
    const records = await pricesOf(fairway, [facilityId], DAY);
    const priced = new Map(records.map(({ productId, productName }) => [productId, productName]));
    for (const [mid, name] of names) expect({ mid, name: priced.get(mid) }).toEqual({ mid, name });
  }
});
