import { connectedCountries, MOST_IDS } from '../../journeys/connected-facilities.js';
import { type PricesOfDays, pricesOfDays, wholePrices, weekPrices } from '../../journeys/price-lists.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { priceParamsOf, recordsIn } from '../../journeys/pool/reads.js';
import { priceDays, teeSheet } from '../../journeys/tee-sheets.js';
import { type Day, dayAfter, dayOf } from '../../client/day.js';
import type { Reply } from '../../client/exchange.js';
import { material, UNKNOWN_ID } from '../../journeys/material.js';
import { Inconclusive } from '../../client/outcome.js';
import type { Param } from '../../client/request.js';
import { plainCountry } from '../facilities/country-names.js';
import { compareMembers, type Exemptions, inTurn } from '../../facts/agreement.js';
import { type Facts, grouped, type PriceFact, type PricePage } from '../../facts/facts.js';
import { keyOf, type PriceListFact, wholeLists } from '../../facts/price-lists.js';
import { type Compared, type Comparison, ofPricePage, type Relation } from '../../facts/relation.js';
import type { Expect } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { lastOf, type Session } from '../../client/session.js';
import { operationIn } from '../../client/operations.js';
import { canonicalInAnyOrder } from '../../../common/index.js';

/** Facilities whose prices are requested, five at a time. */
const MANY = 20;
/** Days of a range that are compared. */
const MOST_DAYS = 400;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A successful price request, for probes that change one parameter. */
async function priceParams(session: Session): Promise<Readonly<Record<string, Param>>> {
  const { facilityId, day } = await teeSheet(session);
  return priceParamsOf({ facilityIds: [facilityId], from: day });
}

/** A rule about a price request that must be refused. */
const refusing = (id: RuleSpec['id'], changes: Readonly<Record<string, Param>>, what: string): RuleSpec =>
  defineRule({
    id,
    async run(context) {
      const control = { operation: operationIn('listPrices'), params: await priceParams(context.session) } as const;
      const probe = { ...control, params: { ...control.params, ...changes } };
      await context.refuses(probe, control, `A price request ${what} is accepted.`);
    },
  });

const pricesOn = (session: Session, from: Day, ...facilityIds: readonly number[]): Promise<Reply> =>
  session.read(operationIn('listPrices'), priceParamsOf({ facilityIds, from }));

/** No facility that is listed as connected is refused, if another one is answered. */
async function connectedAnswered({ session, expect }: RuleContext): Promise<void> {
  const { day } = await teeSheet(session);
  const listed = (await (await material(session)).days.listAll(session)).map(({ id }) => id).slice(0, MANY);
  for (let at = 0; at < listed.length; at += MOST_IDS) {
    const some = listed.slice(at, at + MOST_IDS);
    const together = await pricesOn(session, day, ...some);
    if (together.ok) {
      expect.succeeds(together, 'The prices of connected facilities are refused.');
      continue;
    }
    const replies: [number, Reply][] = [];
    for (const id of some) replies.push([id, await pricesOn(session, day, id)]);
    for (const [id, { ok, status, id: shown }] of replies) {
      const isOther = replies.some((one) => one[1].ok);
      expect.about(shown, lastOf(session, operationIn('listFacilities'), { connected: true }));
      const what = `Facility ${id} is listed as connected, but its prices are refused.`;
      expect.that(ok || status >= 500 || !isOther, what, { actual: status });
    }
  }
}

/** If a facility has no records in a request for several, it must have none in a request for it alone. */
async function eachAnswered({ session, expect }: RuleContext): Promise<void> {
  const { day: from } = await teeSheet(session);
  const some = (await connectedCountries(session)).flatMap(({ facilities }) => facilities).slice(0, MOST_IDS);
  const five = await pricesOn(session, from, ...some.map(({ id }) => id));
  if (!five.ok) {
    let alone = 0;
    for (const { id } of some) if ((await pricesOn(session, from, id)).ok) alone += 1;
    const what = `Prices of ${some.length} facilities are refused together and answered one by one.`;
    expect.about(five.id);
    expect.that(alone < some.length, what, { actual: five.status });
  }
  await confirmDifferences(session, async (session) => {
    const { facilityIds } = await weekPrices(session);
    const together = await wholePrices(session, { facilityIds, from });
    const of = lastOf(session, operationIn('listPrices'), { facilityIds: facilityIds.join(',') });
    expect.about(of);
    for (const id of facilityIds) {
      const listed = together.some(({ facilityId }) => facilityId === id);
      const own = listed ? [] : await wholePrices(session, { facilityIds: [id], from });
      expect.that(own.length === 0, `Facility ${id} is missing from the prices of several facilities.`);
    }
  });
}

/** No list has a record twice, with the same values in every field. */
const listedOnce = ofPricePage(function* ({ records }) {
  const texts = records.map((record) => JSON.stringify(record));
  const seen = new Set<string>();
  const again = texts.findIndex((text) => seen.size === seen.add(text).size);
  const what = (): string => 'A price record is listed twice.';
  if (texts.length > 0) yield { holds: again < 0, what, actual: records[again] };
});

/** A day that two whole lists have has the same records of a facility in both. */
const sameInEachRange: Relation = {
  reads: ['prices'],
  changes: true,
  *compare(facts, all) {
    yield* sameRecords(facts, all);
    const known = new Map<string, { readonly keys: string; readonly list: PriceListFact }>();
    for (const list of wholeLists(facts, all)) {
      const byDay = grouped(list.records, ({ facilityId, date }) => `${String(facilityId)} ${String(date)}`);
      for (const facility of list.facilityIds) {
        for (const day of daysBetween(list)) {
          const keys = (byDay.get(`${facility} ${day}`) ?? []).map(keyOf).sort().join();
          const key = `${list.channel} ${facility} ${day}`;
          const other = known.get(key);
          known.set(key, other ?? { keys, list });
          if (!other || (keys === '' && other.keys === '')) continue;
          const range = ({ from, to }: PriceListFact): string => (from === to ? from : `${from} to ${to}`);
          const what = (): string =>
            `The price records of facility ${facility} on ${day} differ between ${range(other.list)} and ${range(list)}.`;
          const found = (text: string): string => `${text === '' ? 0 : text.split(',').length} records`;
          // A record that is missing is the likelier fault.
          const [wrong, right] = keys.length < other.keys.length ? [list, other.list] : [other.list, list];
          const claims = [...wrong.pages, ...right.pages];
          const values = [keys, other.keys].sort((a, b) => b.length - a.length).map(found);
          const holds = keys === other.keys;
          yield { facility, day, holds, what, expected: values[0], actual: values[1], claims };
        }
      }
    }
  },
};

const isSameInAnyOrder = (one: unknown, other: unknown): boolean =>
  canonicalInAnyOrder(one) === canonicalInAnyOrder(other);

/** A record without its price, where a facility has one price of a product on a day. */
const productKeyOf = ({ facilityId, courseId, date, productId }: PriceFact): string =>
  [facilityId, courseId, date, productId].map(String).join(' ');

const lasting: Exemptions = {
  currency: (one, other) => String(one).toUpperCase() === String(other).toUpperCase(),
  countryName: (one, other) => plainCountry(one) === plainCountry(other),
  availability: false,
};
const withSlots: Exemptions = { ...lasting, availability: isSameInAnyOrder };

/** A price record is the same in every answer that has it. Its free slots are, as long as nobody books. */
function* sameRecords(facts: Facts, all: Facts): Iterable<Comparison> {
  const several = new Set<string>();
  for (const { records } of all.prices) {
    const seen = new Set<string>();
    for (const key of records.map(productKeyOf)) if (seen.size === seen.add(key).size) several.add(key);
  }
  const key = (record: PriceFact, { channel }: PricePage): string => {
    const product = productKeyOf(record);
    return `${channel} ${several.has(product) ? keyOf(record) : product}`;
  };
  for (const { item, claim, before, earlier } of inTurn(facts.prices, ({ records }) => records, key)) {
    const claims = [claim, earlier];
    const { facilityId: facility, date: day, currency } = item as Readonly<Record<string, never>>;
    yield* compareMembers(item, before, {
      facility,
      day,
      currency,
      claims,
      exempt: facts.isQuiet(claims) ? withSlots : lasting,
      changing: /^(price|availability)/,
      what: (member) => `${member} of a price record differs between two answers.`,
    });
  }
}

/** The days of a range, as far as a list may have them. */
function daysBetween({ from, to }: Pick<PriceListFact, 'from' | 'to'>): readonly string[] {
  const days: string[] = [];
  for (let day = dayOf(from); day && day.iso <= to && days.length < MOST_DAYS; day = dayAfter(day, 1))
    days.push(day.iso);
  return days;
}

/** The answer with the prices of several days. */
const ofRange = (session: Session, days: PricesOfDays['days']): string | undefined =>
  lastOf(session, operationIn('listPrices'), { fromDate: days[0]!.query, toDate: days.at(-1)!.query });

/** Each day must be listed in a range that begins or ends with it, and alone. */
function bothEnds(session: Session, expect: Expect, { days, together, alone }: PricesOfDays): void {
  for (const [index, { iso }] of days.entries()) {
    const [inRange, single] = [together, alone[index]!].map((list) => list.filter(({ date }) => date === iso).length);
    if (inRange === 0 && single === 0) continue;
    expect.about(ofRange(session, days));
    expect.that(inRange! > 0, `The price records of ${iso} are missing from a range of several days.`);
    expect.about(ofRange(session, [days[index]!]));
    expect.that(single! > 0, `The price records of ${iso} are missing from the range of that day alone.`);
  }
}

/** What must hold of each price record of each answer. */
const ofRecord = (compare: (record: PriceFact, page: PricePage) => Compared | undefined): Relation =>
  ofPricePage(function* (page) {
    for (const record of page.records) {
      const compared = compare(record, page);
      const { facilityId: facility, date: day, currency } = record as Readonly<Record<string, never>>;
      if (compared) yield { facility, day, currency, ...compared };
    }
  });

function weekdayFits({ date, dayOfWeek }: PriceFact): Compared | undefined {
  const iso = dayOf(date)?.iso;
  if (iso === undefined) return undefined;
  const expected = WEEKDAYS[new Date(`${iso}T00:00:00Z`).getUTCDay()];
  return { holds: dayOfWeek === expected, what: () => `The weekday of ${iso} is wrong.`, expected, actual: dayOfWeek };
}

/** Rules of price requests. */
export const priceRules: readonly RuleSpec[] = [
  refusing('prices.query.facilityIds', { facilityIds: undefined }, 'without facility ids'),
  refusing('prices.query.fromDate', { fromDate: undefined }, 'without a first day'),
  refusing('prices.query.toDate', { toDate: undefined }, 'without a last day'),
  refusing('prices.query.offset', { offset: -1 }, 'for a negative offset'),
  refusing('prices.query.limit', { limit: -1 }, 'for a negative limit'),
  defineRule({ id: 'prices.each-facility', run: eachAnswered }),
  defineRule({ id: 'prices.connected-facilities', run: connectedAnswered }),
  defineRule({ id: 'prices.no-duplicates', relation: listedOnce }),
  defineRule({
    id: 'prices.range-order',
    async run(context) {
      const params = await priceParams(context.session);
      const control = { operation: operationIn('listPrices'), params } as const;
      const toDate = dayAfter((await teeSheet(context.session)).day, -1).query;
      const probe = { ...control, params: { ...params, toDate } };
      await context.refuses(probe, control, 'A price request to a day before the first is accepted.');
    },
  }),
  defineRule({
    id: 'prices.facility-ids-limit',
    async run(context) {
      const all = (await connectedCountries(context.session))
        .flatMap(({ facilities }) => facilities)
        .map(({ id }) => id);
      if (all.length <= MOST_IDS) throw new Inconclusive('no-data', 'six facilities that the channel is connected to');
      const days = await priceDays(context.session);
      const [five, six] = [MOST_IDS, MOST_IDS + 1].map((count) => {
        const params = priceParamsOf({ facilityIds: all.slice(0, count), ...days });
        return { operation: operationIn('listPrices'), params };
      });
      await context.refuses(six!, five!, 'Prices of six facilities are answered.');
    },
  }),
  defineRule({
    id: 'prices.range-inclusive',
    run: (context) =>
      confirmDifferences(context.session, async (session) =>
        bothEnds(session, context.expect, await pricesOfDays(session)),
      ),
  }),
  defineRule({
    id: 'prices.range-only',
    relation: ofRecord(({ date }, { from, to }) => ({
      holds: typeof date !== 'string' || (date >= from && date <= to),
      what: () => 'A price record lies outside the days that were asked for.',
      expected: from === to ? from : `${from} to ${to}`,
      actual: date,
    })),
  }),
  defineRule({
    id: 'prices.facilities-only',
    relation: ofRecord(({ facilityId }, { facilityIds }) => ({
      holds: facilityIds.some((id) => String(id) === String(facilityId)),
      what: () => 'A price record is of a facility that was not asked for.',
      expected: facilityIds,
      actual: facilityId,
    })),
    async run({ session, expect, probe }) {
      const params = { ...(await priceParams(session)), facilityIds: String(UNKNOWN_ID) };
      const { ok, data } = await probe({ operation: operationIn('listPrices'), params });
      const found = ok ? recordsIn(data) : [];
      const none = 'Price records are returned for a facility that does not exist.';
      expect.that(found.length === 0, none, { expected: 'none', actual: found[0] });
    },
  }),
  defineRule({
    id: 'prices.range-union',
    run: async ({ session }) => void (await pricesOfDays(session)),
    relation: sameInEachRange,
  }),
  defineRule({ id: 'prices.item.dayOfWeek-matches', relation: ofRecord(weekdayFits) }),
];
