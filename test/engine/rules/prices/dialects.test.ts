import { describe, expect, test } from 'vitest';
import type { DialectCard } from '../../../../src/engine/state/dialect.js';
import { open, openWith } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { dayIn } from '../../../support/scenes.js';
import { pricesOf, pricesPath } from '../../../support/views.js';

type Answers = NonNullable<DialectCard['answers']>;

const day = { fromDate: dayIn(3).query, toDate: dayIn(3).query };

rule('prices.item.availability', 'prices.availability: what a day without free places shows', async () => {
  const yesterday = async (answers: Answers) => pricesOf(await openWith(answers), [1001], -1);
  for (const answers of [{}, { 'prices.availability': 'array' }] as const) {
    const records = await yesterday(answers);
    expect(records.length).toBeGreaterThan(0);
    for (const { availability } of records) expect(availability).toEqual([]);
  }
  const absent = { 'prices.availability': 'absent-when-empty' } as const;
  for (const record of await yesterday(absent)) expect(record).not.toHaveProperty('availability');
  const busy = await pricesOf(await openWith(absent), [1001], 3);
  expect(busy.some(({ availability }) => availability?.length > 0)).toBe(true);
});

test('prices.max-days: the longest range is served, a longer one is refused', async () => {
  const table = [
    { answers: {}, most: 366 },
    { answers: { 'prices.max-days': 7 }, most: 7 },
    { answers: { 'prices.max-days': 1 }, most: 1 },
  ];
  for (const { answers, most } of table) {
    const fairway = await openWith(answers);
    const ask = (days: number) =>
      fairway.get(pricesPath({ facilityIds: 1001, fromDate: dayIn(1).query, toDate: dayIn(days).query, limit: 1 }));
    expect((await ask(most)).status).toBe(200);
    const reply = await ask(most + 1);
    expect({ status: reply.status, rule: reply.rule }).toEqual({ status: 400, rule: 'prices.query.toDate' });
    expect(reply.body.message).toContain(String(most));
  }
});

describe('unknown facility', () => {
  const table = [
    { option: 404, status: 404, success: false },
    { option: 400, status: 400, success: false },
    { option: 200, status: 200, success: false },
    { option: 'empty', status: 200, success: true },
  ] as const;
  for (const { option, status, success } of table) {
    rule('facilities.unknown', `prices with facility.unknown: ${option}`, async () => {
      const fairway = await openWith({ 'facility.unknown': option });
      const reply = await fairway.get(pricesPath({ facilityIds: '1001,4', ...day }));
      expect({ status: reply.status, success: reply.body.success }).toEqual({ status, success });
      const known = (await fairway.get(pricesPath({ facilityIds: 1001, ...day }))).body.data;
      expect(reply.body.data).toEqual(success ? known : null);
    });
  }
});

describe('facility of another channel', () => {
  // Facility 1006 is connected to `links` alone.
  const table = [
    { option: 'empty', status: 200, shown: false },
    { option: 'refused', status: 403, shown: false },
    { option: 'open', status: 200, shown: true },
  ] as const;
  for (const { option, status, shown } of table) {
    rule('facilities.connected-scope', `prices with facility.unconnected: ${option}`, async () => {
      const { fairway, links } = await open({ dialect: { answers: { 'facility.unconnected': option } } });
      expect((await pricesOf(links, [1006], 3)).length).toBeGreaterThan(0);
      const reply = await fairway.get(pricesPath({ facilityIds: 1006, ...day }));
      expect(reply.status).toBe(status);
      expect((reply.body.data?.records ?? []).length > 0).toBe(shown);
    });
  }
});

test('a price record has the price of one player, with at most two decimals', async () => {
  const fairway = await openWith({});
  for (const { price } of await pricesOf(fairway, [1001, 1010], 0, 14)) {
    expect(price).toBeGreaterThan(0);
    expect(Number(price.toFixed(2))).toBe(price);
  }
});
