import {
  endOfPrices,
  MANY_RECORDS,
  priceBounds,
  priceKey,
  pricePages,
  type PricePages,
  usualOffset,
  weekPrices,
} from '../../journeys/price-lists.js';
import { priceParamsOf, type PriceRequest, recordsIn } from '../../journeys/pool/reads.js';
import { priceDays, type PriceRecord, prices, teeSheet } from '../../journeys/tee-sheets.js';
import { operationIn } from '../../client/operations.js';
import { listOf } from '../../client/session.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { Inconclusive } from '../../client/outcome.js';
import type { PriceFact, PricePage } from '../../facts/facts.js';
import { countsSelection, keyOf, selections } from '../../facts/price-lists.js';
import { ofPricePage, type Relation } from '../../facts/relation.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** Records per page: enough to see an order, and few enough for any maximum. */
const PAGE = 4;

const tooFew = (): Inconclusive => new Inconclusive('no-data', `${MANY_RECORDS} price records in one request`);

async function tellMaximum({ session, observe, observeAtLeast }: RuleContext): Promise<void> {
  const { most, total, maximum } = await priceBounds(session);
  if (maximum !== undefined || most.length < total) {
    observe('prices.max-limit', maximum ?? most.length);
    observe('prices.over-max-limit', maximum === undefined ? 'clamped' : 'refused');
  } else if (total >= MANY_RECORDS) {
    observeAtLeast('prices.max-limit', most.length);
  } else throw tooFew();
}

async function readPages({ session }: RuleContext): Promise<void> {
  await pricePages(session, PAGE);
}

function twoPages({ whole, first, second, limit }: PricePages, expect: RuleContext['expect']): void {
  const both = [...first, ...second].map(priceKey);
  const most = whole.map(priceKey);
  // A maximum may have shortened a page that has fewer records than requested.
  const full = first.length === limit && whole.length > first.length;
  const seen = full ? most : most.slice(0, both.length);
  const short = `A page with \`limit=${limit}\` has fewer records, although there are more and a longer page has them.`;
  if (whole.length > first.length) expect.that(first.length === limit, short, { actual: first.length });
  const what = 'Two pages of the price list, laid end to end, are not the list.';
  if (first.length > 0 && seen.length > first.length) expect.equal(both.slice(0, most.length), seen, what);
}

/**
 * The pages at the end of a list have its last records: one that has room for more, and one that they fill. A page beyond
 * the end, which a deployment may refuse, has none.
 */
async function lastPages(context: RuleContext, query: Pick<PriceRequest, 'facilityIds' | 'from'>): Promise<void> {
  const { expect } = context;
  await confirmDifferences(context.session, async (session) => {
    const all = (await endOfPrices(session, query)).map(priceKey);
    if (all.length === 0) return;
    const page = async (offset: number, limit: number): Promise<readonly string[]> =>
      (await prices(session, { ...query, offset, limit })).records.map(priceKey);
    const { length } = all;
    expect.equal(await page(length - 1, PAGE), all.slice(-1), 'The last page of the price list lacks its records.');
    const full = Math.min(PAGE, Math.ceil(length / 2));
    const what = 'The last page of the price list lacks its records where it is full.';
    const last = await page(length - full, full);
    // A maximum shortens each page alike.
    const most = last.length < full ? Math.max(1, (await page(0, full)).length) : full;
    expect.equal(last, all.slice(length - full).slice(0, most), what);
    const params = priceParamsOf({ ...query, offset: length + PAGE });
    const beyond = await session.send({ operation: operationIn('listPrices'), params, refusable: true });
    const found = beyond.ok ? recordsIn(beyond.data).map(priceKey) : [];
    expect.equal(found, [], 'A page of the price list beyond its end has records.');
  });
}

async function checkPages(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const { facilityId, day: from } = await teeSheet(session);
  const query = { facilityIds: [facilityId], from };
  await confirmDifferences(session, async (anew) => twoPages(await pricePages(anew, PAGE), expect));
  await lastPages(context, query);
}

/** The page with a limit and no offset begins where the page without both begins. */
async function limitAlone({ session, expect }: RuleContext): Promise<void> {
  // The API specification leaves the largest limit open ("Limits").
  const limit = Math.min(PAGE, (await priceBounds(session)).maximum ?? PAGE);
  await confirmDifferences(session, async (session) => {
    const { facilityIds, from, to, records: usual } = await weekPrices(session);
    if (usual.length === 0) throw new Inconclusive('no-data', 'a price record within a week');
    const reply = await session.read(operationIn('listPrices'), priceParamsOf({ facilityIds, from, to, limit }));
    expect.succeeds(reply, 'A price request with `limit` and without `offset` is refused.');
    const page = listOf<PriceRecord>(reply, (data) => data['records']).map(priceKey);
    const what = 'With `limit` alone, the price list begins elsewhere than without it.';
    // A default limit may have shortened the list without it.
    const both = Math.min(page.length, usual.length);
    expect.that(both > 0, what, { expected: usual.length, actual: page.length });
    expect.equal(page.slice(0, both), usual.map(priceKey).slice(0, both), what);
    expect.that(page.length <= limit, 'With `limit` alone, a page has more records.', { actual: page.length });
  });
}

/** Every page of one selection must count the selection, or every page itself. */
async function checkTotal({ session, expect, observe }: RuleContext): Promise<void> {
  const { facilityId, day } = await teeSheet(session);
  const facilityIds = [facilityId];
  const ofDay = { facilityIds, from: day, to: day };
  // A facility with one product has one record a day.
  const isEnough = (await endOfPrices(session, ofDay)).length > 1;
  const query = isEnough ? ofDay : { facilityIds, ...(await priceDays(session)) };
  await confirmDifferences(session, async (session) => {
    const { length: all } = await endOfPrices(session, query);
    if (all < 2) throw new Inconclusive('no-data', 'two price records of a facility');
    const meanings = new Set(['selection', 'page'] as const);
    for (const part of [{ limit: 1 }, {}, { limit: 1, offset: 1 }]) {
      const { records, total } = await prices(session, { ...query, offset: 0, ...part });
      if (total !== all) meanings.delete('selection');
      if (total !== records.length) meanings.delete('page');
      const what = 'The `total` of a price list counts neither its page nor the whole selection.';
      expect.that(meanings.size > 0, what, { expected: `${all} or ${records.length}`, actual: total });
    }
    const [meaning, other] = meanings;
    if (meaning && !other) observe('prices.total-meaning', meaning);
  });
}

/**
 * The page of an offset begins with the record that has that position in every other page of the same list. Where another
 * page has one, it is not empty.
 */
const positions: Relation = {
  reads: ['prices'],
  changes: true,
  *compare(facts) {
    for (const selection of selections(facts)) {
      const known = new Map<number, { readonly record: PriceFact; readonly page: PricePage }>();
      const inOrder = selection
        .filter(({ offset }) => offset !== undefined)
        .sort((a, b) => a.offset! - b.offset! || b.records.length - a.records.length);
      for (const page of inOrder) {
        for (const [index, record] of (page.records.length > 0 ? page.records : [undefined]).entries()) {
          const at = page.offset! + index;
          const other = known.get(at);
          if (record && !other) known.set(at, { record, page });
          if (!other) continue;
          const what = (): string =>
            record
              ? `With \`offset=${page.offset}\`, record ${index + 1} is not the one at its position.`
              : `With \`offset=${page.offset}\`, a page is empty, although another page has a record at that position.`;
          const { facilityId, date } = (record ?? other.record) as Readonly<Record<string, never>>;
          const [expected, actual] = [keyOf(other.record), record ? keyOf(record) : 'no records'];
          const about = { facility: facilityId, day: date, claims: [page, other.page] };
          yield { holds: actual === expected, what, expected, actual, ...about };
        }
      }
    }
  },
};

/** The total is that of the page, or at least as many as there are up to its last record. */
const enoughInTotal = ofPricePage(function* ({ offset = 0, total, records }) {
  if (typeof total !== 'number' || records.length === 0) return;
  const last = offset + records.length;
  yield {
    holds: total === records.length || total >= last,
    what: () => 'The `total` of a price list is less than the number of its records.',
    expected: offset === 0 ? last : `${records.length}, or ${last} or more`,
    actual: total,
  };
});

const atMostLimit = ofPricePage(function* ({ limit, records: { length } }) {
  const what = (): string => 'A price request is answered with more records than its `limit`.';
  if (limit !== undefined && limit > 0 && length > 0)
    yield { holds: length <= limit, what, expected: limit, actual: length };
});

/** Where the total is not that of the page, it is that of the whole list, on each of its pages. */
const oneTotal: Relation = {
  reads: ['prices'],
  changes: true,
  *compare(facts, all) {
    yield* enoughInTotal.compare(facts, all);
    for (const selection of countsSelection(all) ? selections(facts) : []) {
      for (const [index, page] of selection.entries()) {
        const other = selection[index - 1];
        const [actual, expected] = [page.total, other?.total];
        if (typeof actual !== 'number' || typeof expected !== 'number') continue;
        const what = (): string => 'The `total` differs between two pages of one price list.';
        yield { holds: actual === expected, what, expected, actual, claims: [page, other!] };
      }
    }
  },
};

/** Rules of paging the price list. */
export const pagingRules: readonly RuleSpec[] = [
  defineRule({ id: 'prices.limit-bounds', run: readPages, relation: atMostLimit }),
  defineRule({ id: 'prices.offset-skips', run: readPages, relation: positions }),
  defineRule({ id: 'prices.pages-concatenate', run: checkPages }),
  defineRule({ id: 'prices.limit-alone', run: limitAlone }),
  defineRule({ id: 'prices.total', run: checkTotal, relation: oneTotal }),
  defineRule({
    id: 'prices.default-offset',
    async run({ session, observe }) {
      const at = await usualOffset(session);
      if (at >= 0) observe('prices.default-offset', at);
    },
  }),
  defineRule({
    id: 'prices.default-limit',
    async run({ session, observe, observeAtLeast, expect }) {
      const { usual, most, total } = await priceBounds(session);
      const [first] = usual;
      if (!first) return;
      const at = Math.max(0, most.map(priceKey).indexOf(priceKey(first)));
      if (at + usual.length >= total) {
        if (total < MANY_RECORDS) throw tooFew();
        observeAtLeast('prices.default-limit', usual.length);
      } else if (most.length !== usual.length) observe('prices.default-limit', usual.length);
      else {
        const what = 'The default page is as long as the largest one, so that it may be limited by either.';
        expect.that(false, what, { actual: usual.length });
      }
    },
  }),
  defineRule({ id: 'prices.max-limit', run: tellMaximum }),
];
