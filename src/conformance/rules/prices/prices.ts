import { connectedCountries, MOST_IDS } from '../../journeys/connected-facilities.js';
import { priceKey, type PricesOfDays, pricesOfDays, wholePrices, weekPrices } from '../../journeys/price-lists.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { priceDays, type PriceRecord, prices, teeSheet } from '../../journeys/tee-sheets.js';
import { type Day, dayAfter, dayOf } from '../../client/day.js';
import { isObject, type Reply } from '../../client/exchange.js';
import { material, UNKNOWN_ID } from '../../journeys/material.js';
import { Inconclusive } from '../../client/outcome.js';
import type { Param } from '../../client/request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../../client/session.js';
import { operationIn } from '../../client/operations.js';

/** Facilities whose prices are requested, five at a time. */
const MANY = 20;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A successful price request, for probes that change one parameter. */
async function priceParams(session: Session): Promise<Readonly<Record<string, Param>>> {
  const { facilityId, day } = await teeSheet(session);
  return { facilityIds: String(facilityId), fromDate: day.query, toDate: day.query };
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

const pricesAlone = (session: Session, facilityIds: string, { query }: Day): Promise<Reply> =>
  session.read(operationIn('listPrices'), { facilityIds, fromDate: query, toDate: query });

/** No facility that is listed as connected is refused, if another one is answered. */
async function connectedAnswered({ session, expect }: RuleContext): Promise<void> {
  const { day } = await teeSheet(session);
  const listed = (await (await material(session)).days.listAll(session)).map(({ id }) => id).slice(0, MANY);
  for (let at = 0; at < listed.length; at += MOST_IDS) {
    const some = listed.slice(at, at + MOST_IDS);
    const together = await pricesAlone(session, some.join(','), day);
    if (together.ok) {
      expect.succeeds(together, 'The prices of connected facilities are refused.');
      continue;
    }
    const replies: [number, Reply][] = [];
    for (const id of some) replies.push([id, await pricesAlone(session, String(id), day)]);
    for (const [id, { ok, status }] of replies) {
      const isOther = replies.some((one) => one[1].ok);
      const what = `Facility ${id} is listed as connected, but its prices are refused.`;
      expect.that(ok || status >= 500 || !isOther, what, { actual: status });
    }
  }
}

/** If a facility has no records in a request for several, it must have none in a request for it alone. */
async function eachAnswered({ session, expect }: RuleContext): Promise<void> {
  const { day: from } = await teeSheet(session);
  const some = (await connectedCountries(session)).flatMap(({ facilities }) => facilities).slice(0, MOST_IDS);
  const five = await pricesAlone(session, some.map(({ id }) => id).join(','), from);
  if (!five.ok) {
    let alone = 0;
    for (const { id } of some) if ((await pricesAlone(session, String(id), from)).ok) alone += 1;
    const what = `Prices of ${some.length} facilities are refused together and answered one by one.`;
    expect.that(alone < some.length, what, { actual: five.status });
  }
  await confirmDifferences(session, async (session) => {
    const { facilityIds } = await weekPrices(session);
    const together = await wholePrices(session, { facilityIds, from });
    for (const id of facilityIds) {
      const listed = together.some(({ facilityId }) => facilityId === id);
      const own = listed ? [] : await wholePrices(session, { facilityIds: [id], from });
      expect.that(own.length === 0, `Facility ${id} is missing from the prices of several facilities.`);
    }
  });
}

/** A record that a list has twice, with the same values in every field. */
async function listedOnce({ session, expect }: RuleContext): Promise<void> {
  await confirmDifferences(session, async (session) => {
    const { together } = await pricesOfDays(session);
    for (const records of [(await weekPrices(session)).records, together]) {
      const texts = records.map((record) => JSON.stringify(record));
      const again = texts.findIndex((text, index) => texts.indexOf(text) !== index);
      if (records.length > 0)
        expect.that(again < 0, 'A price record is listed twice.', again < 0 ? {} : { actual: records[again] });
    }
  });
}

/** Each day must be listed in a range that begins or ends with it, and alone. */
function bothEnds({ expect }: RuleContext, { days, together, alone }: PricesOfDays): void {
  for (const [index, { iso }] of days.entries()) {
    const [inRange, single] = [together, alone[index]!].map((list) => list.filter(({ date }) => date === iso).length);
    if (inRange === 0 && single === 0) continue;
    expect.that(inRange! > 0, `The price records of ${iso} are missing from a range of several days.`);
    expect.that(single! > 0, `The price records of ${iso} are missing from the range of that day alone.`);
  }
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
  defineRule({ id: 'prices.no-duplicates', run: listedOnce }),
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
      const { from, to } = await priceDays(context.session);
      const dates = { fromDate: from.query, toDate: to.query };
      const [five, six] = [MOST_IDS, MOST_IDS + 1].map((count) => all.slice(0, count).join(','));
      const control = { operation: operationIn('listPrices'), params: { facilityIds: five, ...dates } } as const;
      const probe = { ...control, params: { facilityIds: six, ...dates } };
      await context.refuses(probe, control, 'Prices of six facilities are answered.');
    },
  }),
  defineRule({
    id: 'prices.range-inclusive',
    run: async (context) => bothEnds(context, await pricesOfDays(context.session)),
  }),
  defineRule({
    id: 'prices.range-only',
    async run({ session, expect }) {
      const { from, to } = await priceDays(session);
      const inside = ({ date }: PriceRecord): boolean => date >= from.iso && date <= to.iso;
      const what = 'A price record lies outside the days that were asked for.';
      expect.every((await weekPrices(session)).records, inside, what, `${from.iso} to ${to.iso}`);
      const { day } = await teeSheet(session);
      expect.every((await prices(session)).records, ({ date }) => date === day.iso, what, day.iso);
      const { days, together } = await pricesOfDays(session);
      const isOne = ({ date }: PriceRecord): boolean => days.some(({ iso }) => iso === date);
      expect.every(together, isOne, what, days.map(({ iso }) => iso).join(' to '));
    },
  }),
  defineRule({
    id: 'prices.facilities-only',
    async run({ session, expect, probe }) {
      const { facilityId } = await teeSheet(session);
      const week = await weekPrices(session);
      const what = 'A price record is of a facility that was not asked for.';
      expect.every(week.records, (one) => week.facilityIds.includes(one.facilityId), what, week.facilityIds);
      for (const records of [(await prices(session)).records, (await pricesOfDays(session)).together]) {
        expect.every(records, (one) => one.facilityId === facilityId, what, facilityId);
      }
      const params = { ...(await priceParams(session)), facilityIds: String(UNKNOWN_ID) };
      const { ok, data } = await probe({ operation: operationIn('listPrices'), params });
      const found = ok && isObject(data) && Array.isArray(data['records']) ? data['records'] : [];
      const none = 'Price records are returned for a facility that does not exist.';
      expect.that(found.length === 0, none, { expected: 'none', actual: found[0] });
    },
  }),
  defineRule({
    id: 'prices.range-union',
    async run({ session, expect }) {
      const what = 'The price records of several days are not those of each of them.';
      await confirmDifferences(session, async (session) => {
        const { together, alone } = await pricesOfDays(session);
        expect.sameItems(together.map(priceKey), alone.flat().map(priceKey), what);
      });
    },
  }),
  defineRule({
    id: 'prices.item.dayOfWeek-matches',
    async run({ session, expect }) {
      for (const { date, dayOfWeek } of (await weekPrices(session)).records) {
        const weekday = WEEKDAYS[new Date(`${dayOf(date)?.iso}T00:00:00Z`).getUTCDay()];
        expect.equal(dayOfWeek, weekday, `The weekday of ${date} is wrong.`);
      }
    },
  }),
];
