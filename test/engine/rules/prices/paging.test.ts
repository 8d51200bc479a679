import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { DialectCard } from '../../../../src/engine/state/dialect.js';
import { type Client, open, type Reply, openWith } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { sampledRule } from '../../../support/sampled.js';
import { dayIn, type Json } from '../../../support/scenes.js';
import { pricesOf, pricesPath } from '../../../support/views.js';

/** Facilities with one to three courses and one to four products each. */
const FACILITIES = [1001, 1002, 1005, 1010];
const range = { facilityIds: FACILITIES.join(), fromDate: dayIn(3).query, toDate: dayIn(6).query };

const page = (client: Client, paging: Record<string, number> = {}): Promise<Reply> =>
  client.get(pricesPath({ ...range, ...paging }));
const recordsOf = async (client: Client, paging: Record<string, number> = {}): Promise<unknown[]> =>
  (await page(client, paging)).body.data.records;

type Answers = NonNullable<DialectCard['answers']>;

describe('offset and limit', () => {
  const cutting = ['prices.offset-skips', 'prices.limit-bounds'] as const;
  sampledRule(cutting, 'cut the list at any place', [20, 60], async (numRuns) => {
    const { fairway } = await open();
    const whole = await recordsOf(fairway);
    expect(whole.length).toBeGreaterThan(40);
    const cut = fc.record({ offset: fc.nat(whole.length + 5), limit: fc.nat(whole.length + 5) });
    const property = fc.asyncProperty(cut, async ({ offset, limit }) => {
      const { records, total } = (await page(fairway, { offset, limit })).body.data;
      expect(records).toEqual(whole.slice(offset, offset + limit));
      expect(total).toBe(whole.length);
    });
    await fc.assert(property, { numRuns });
  });

  rule('prices.offset-skips', 'offset alone gives the rest', async () => {
    const { fairway } = await open();
    const whole = await recordsOf(fairway);
    for (const offset of [0, 1, 7, whole.length - 1]) {
      expect(await recordsOf(fairway, { offset })).toEqual(whole.slice(offset));
    }
  });

  rule('prices.limit-bounds', 'limit alone gives the head; 0 gives none', async () => {
    const { fairway } = await open();
    const whole = await recordsOf(fairway);
    for (const limit of [0, 1, 5, whole.length]) {
      expect(await recordsOf(fairway, { limit })).toEqual(whole.slice(0, limit));
    }
  });

  rule(['prices.query.offset', 'prices.query.limit'], 'beyond the end there is nothing, and no refusal', async () => {
    const { fairway } = await open();
    const whole = await recordsOf(fairway);
    for (const paging of [{ offset: whole.length }, { offset: 1_000_000 }, { offset: whole.length, limit: 10 }]) {
      const { status, body } = await page(fairway, paging);
      expect({ status, data: body.data }).toEqual({ status: 200, data: { records: [], total: whole.length } });
    }
    expect(await recordsOf(fairway, { limit: 1_000_000 })).toEqual(whole);
  });

  rule('prices.pages-concatenate', 'pages of any size, laid end to end, are the whole', async () => {
    const { fairway } = await open();
    const whole = await recordsOf(fairway);
    for (const limit of [1, 2, 3, 5, 7, 11, 50]) {
      const pages: unknown[] = [];
      for (let offset = 0; offset < whole.length; offset += limit) {
        const records = await recordsOf(fairway, { offset, limit });
        expect(records).toHaveLength(Math.min(limit, whole.length - offset));
        pages.push(...records);
      }
      expect(pages).toEqual(whole);
    }
  });

  rule('prices.no-duplicates', 'no record is repeated, in the whole or across pages', async () => {
    const { fairway } = await open();
    const pages = [await recordsOf(fairway, { limit: 25 }), await recordsOf(fairway, { offset: 25 })];
    for (const records of [await pricesOf(fairway, FACILITIES, 3, 6), pages.flat() as Json[]]) {
      const keys = records.map(({ courseId, productId, date }) => `${courseId} ${productId} ${date}`);
      expect(keys.length).toBeGreaterThan(40);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  for (const answers of [{}, { 'prices.default-offset': 6 }, { 'prices.default-limit': 10 }] as const) {
    rule('prices.limit-alone', `${JSON.stringify(answers)}: begins where the list without both begins`, async () => {
      const fairway = await openWith(answers);
      const plain = await recordsOf(fairway);
      for (const limit of [1, 4, 10]) expect(await recordsOf(fairway, { limit })).toEqual(plain.slice(0, limit));
    });
  }

  for (const { answers, counts } of [
    { answers: {}, counts: 'selection' },
    { answers: { 'prices.total-meaning': 'selection', 'prices.default-limit': 10 }, counts: 'selection' },
    { answers: { 'prices.total-meaning': 'page' }, counts: 'page' },
    { answers: { 'prices.total-meaning': 'page', 'prices.default-limit': 10 }, counts: 'page' },
  ] as const) {
    rule('prices.total', `${JSON.stringify(answers)}: counts the ${counts}`, async () => {
      const selection = (await pricesOf(await openWith({}), FACILITIES, 3, 6)).length;
      const fairway = await openWith(answers);
      for (const paging of [{}, { limit: 4 }, { offset: 7 }, { offset: 7, limit: 4 }, { limit: 0 }]) {
        const { records, total } = (await page(fairway, paging)).body.data;
        expect({ paging, total }).toEqual({ paging, total: counts === 'page' ? records.length : selection });
      }
    });
  }
});

describe('range of days', () => {
  rule(['prices.range-inclusive', 'prices.range-only'], 'both ends belong to it, other days do not', async () => {
    const { fairway } = await open();
    for (const [from, to] of [
      [3, 3],
      [3, 4],
      [28, 31],
      [-2, 1],
    ] as const) {
      const want = [];
      for (let day = from; day <= to; day += 1) want.push(dayIn(day).iso);
      const records = await pricesOf(fairway, [1001], from, to);
      expect([...new Set(records.map(({ date }) => date))].sort()).toEqual(want);
    }
  });

  const sum = 'a range is the sum of the two it can be cut into';
  sampledRule('prices.range-union', sum, [6, 20], async (numRuns) => {
    const { fairway } = await open();
    const sorted = (records: unknown[]) => records.map((record) => JSON.stringify(record)).sort();
    const ranges = fc.tuple(fc.integer({ min: -3, max: 60 }), fc.nat(8), fc.integer({ min: 1, max: 8 }));
    const facilities = fc.subarray(FACILITIES, { minLength: 1 });
    const property = fc.asyncProperty(facilities, ranges, async (ids, [a, more, further]) => {
      const b = a + more;
      const c = b + further;
      const whole = await pricesOf(fairway, ids, a, c);
      const parts = [...(await pricesOf(fairway, ids, a, b)), ...(await pricesOf(fairway, ids, b + 1, c))];
      expect(sorted(parts)).toEqual(sorted(whole));
    });
    await fc.assert(property, { numRuns });
  });

  rule('prices.range-union', 'facilities asked together are those asked one by one', async () => {
    const { fairway } = await open();
    const single = [];
    for (const id of FACILITIES) single.push(...(await pricesOf(fairway, [id], 3, 6)));
    expect(await pricesOf(fairway, FACILITIES, 3, 6)).toEqual(single);
  });
});

describe('paging of a dialect', () => {
  interface Case {
    readonly answers: Answers;
    readonly paging: Record<string, number>;
    /** The part of the whole that is wanted. */
    readonly want: readonly [from: number, to: number];
  }
  const limits: Case[] = [
    { answers: {}, paging: {}, want: [0, Infinity] },
    { answers: { 'prices.default-limit': 10 }, paging: {}, want: [0, 10] },
    { answers: { 'prices.default-limit': 10 }, paging: { offset: 5 }, want: [5, 15] },
    { answers: { 'prices.default-limit': 10 }, paging: { limit: 20 }, want: [0, 20] },
    { answers: { 'prices.default-limit': 10, 'prices.max-limit': 4 }, paging: {}, want: [0, 4] },
  ];
  const maxima: Case[] = [
    { answers: { 'prices.max-limit': 8 }, paging: {}, want: [0, 8] },
    { answers: { 'prices.max-limit': 8 }, paging: { limit: 9 }, want: [0, 8] },
    { answers: { 'prices.max-limit': 8 }, paging: { limit: 3 }, want: [0, 3] },
    { answers: { 'prices.max-limit': 8, 'prices.over-max-limit': 'clamped' }, paging: { limit: 99 }, want: [0, 8] },
    { answers: { 'prices.max-limit': 8, 'prices.over-max-limit': 'refused' }, paging: { limit: 8 }, want: [0, 8] },
  ];
  const offsets: Case[] = [
    { answers: {}, paging: {}, want: [0, Infinity] },
    { answers: { 'prices.default-offset': 6 }, paging: {}, want: [6, Infinity] },
    { answers: { 'prices.default-offset': 6 }, paging: { offset: 2, limit: 4 }, want: [2, 6] },
    { answers: { 'prices.default-offset': 6 }, paging: { offset: 0 }, want: [0, Infinity] },
  ];
  const table = [
    ...limits.map((one) => ({ id: 'prices.default-limit', ...one }) as const),
    ...maxima.map((one) => ({ id: 'prices.max-limit', ...one }) as const),
    ...offsets.map((one) => ({ id: 'prices.default-offset', ...one }) as const),
  ];
  for (const { id, answers, paging, want } of table) {
    rule(id, `${JSON.stringify(answers)} asked with ${JSON.stringify(paging)}`, async () => {
      const whole = await recordsOf(await openWith({}));
      const { records, total } = (await page(await openWith(answers), paging)).body.data;
      expect(records).toEqual(whole.slice(...want));
      expect(total).toBe(whole.length);
    });
  }

  rule('prices.max-limit', 'prices.over-max-limit: refused, naming the most there can be', async () => {
    const fairway = await openWith({ 'prices.max-limit': 8, 'prices.over-max-limit': 'refused' });
    const reply = await page(fairway, { limit: 9 });
    expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'prices.query.limit' });
    expect(reply.body.message).toContain('8');
    expect((await page(fairway)).status).toBe(200);
  });
});
