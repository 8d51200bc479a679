import { facility, places, MOST_IDS } from '../journeys/places.js';
import { isWhole, keyOf, type SomeDays, someDays, wholePrices } from '../journeys/price-lists.js';
import { weekPrices } from '../journeys/shown.js';
import { spread, steady } from '../journeys/steady.js';
import {
  priceDays,
  type PriceRecord,
  prices,
  teeSheet,
  type TeeSheet,
  type TeeTime,
  teeTimes,
} from '../journeys/tee-sheets.js';
import { dayAfter, dayOf } from '../day.js';
import { Inconclusive } from '../outcome.js';
import type { Param } from '../request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

const PAST = -3;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A price request that succeeds, for probes that change one thing of it. */
async function priceParams(session: Session): Promise<Readonly<Record<string, Param>>> {
  const { facilityId, day } = await teeSheet(session);
  return { facilityIds: String(facilityId), fromDate: day.query, toDate: day.query };
}

/** A rule of what a price request is refused for, and what else there is to see for it. */
const refusing = (
  id: RuleSpec['id'],
  changes: Readonly<Record<string, Param>>,
  what: string,
  also?: RuleSpec['run'],
): RuleSpec =>
  defineRule({
    id,
    async run(context) {
      const twin = { operation: 'v5.listPrices', params: await priceParams(context.session) } as const;
      const probe = { ...twin, params: { ...twin.params, ...changes } };
      await context.refuses(probe, twin, `Prices are answered ${what}.`);
      await also?.(context);
    },
  });

/** A facility that has no record beside others must have none by itself either. */
async function eachAnswered({ session, expect }: RuleContext): Promise<void> {
  if (session.run.transport.limited) return;
  await steady(session, async (session) => {
    const week = await weekPrices(session);
    const silent = week.facilityIds.filter((id) => week.records.every(({ facilityId }) => facilityId !== id));
    for (const id of isWhole(week) ? silent : []) {
      const own = await wholePrices(session, { facilityIds: [id], ...(await priceDays(session)) });
      expect.that(own.length === 0, `Facility ${id} is left out where prices of several are asked for.`);
    }
  });
}

/** Each day must be there in the range that ends or begins with it, and alone. */
function bothEnds({ expect }: RuleContext, { days, together, alone }: SomeDays): void {
  for (const [index, { iso }] of days.entries()) {
    const [inRange, single] = [together, alone[index]!].map((list) => list.filter(({ date }) => date === iso).length);
    if (inRange === 0 && single === 0) continue;
    expect.that(inRange! > 0, `A range of several days lacks the price records of ${iso}.`);
    expect.that(single! > 0, `The range from ${iso} to ${iso} lacks the price records of that day.`);
  }
}

/** The price records of the tee sheet's day, each with the tee times that sell its product on its course. */
async function soldAs(
  session: Session,
  { facilityId, day }: Pick<TeeSheet, 'facilityId' | 'day'>,
): Promise<{ record: PriceRecord; sold: readonly TeeTime[] }[]> {
  const records = await wholePrices(session, { facilityIds: [facilityId], from: day });
  const found: TeeTime[] = [];
  for (const holes of [9, 18] as const) found.push(...(await teeTimes(session, 'v4', { facilityId, day, holes })));
  return records
    .filter(({ date }) => date === day.iso)
    .map((record) => {
      const sells = ({ course, products }: TeeTime): boolean =>
        course === record.courseName && products.some(({ mid }) => mid === record.productId);
      return { record, sold: found.filter(sells) };
    });
}

async function sameFreeSlots({ session, expect, observe }: RuleContext): Promise<void> {
  // On the tee sheet of the run also the second time.
  const { facilityId, day } = await teeSheet(session);
  await steady(session, async (anew) => {
    for (const { record, sold } of await soldAs(anew, { facilityId, day })) {
      const listed = (record.availability ?? [])
        .filter(({ available }) => available > 0)
        .map(({ time, available }) => ({ time, available }));
      const shown = sold.map(({ time, products }) => ({
        time: time.slice(11),
        available: products.find(({ mid }) => mid === record.productId)!.available,
      }));
      const product = `${record.productName} (${record.courseName})`;
      const what = `The price list tells other free slots for ${product} than the tee times.`;
      expect.sameItems(listed, shown, what);
    }
  });
  const shown = await soldOut(session, facilityId);
  if (shown) observe('prices.availability', shown);
}

/** How records show that nothing is left: those of the week, or of a day on which nothing can be. */
async function soldOut(session: Session, id: number): Promise<'array' | 'absent-when-empty' | undefined> {
  const past = session.day(PAST).query;
  const pages = [
    async () => (await weekPrices(session)).records,
    async () => {
      const params = { facilityIds: String(id), fromDate: past, toDate: past, offset: 0 };
      const { data } = await session.read('v5.listPrices', params);
      const { records } = (data ?? {}) as { readonly records?: unknown };
      return Array.isArray(records) ? (records as PriceRecord[]) : [];
    },
  ];
  for (const page of pages) {
    const records = await page();
    if (records.some(({ availability }) => availability === undefined)) return 'absent-when-empty';
    if (records.some(({ availability }) => availability?.length === 0)) return 'array';
  }
  return undefined;
}

async function pricesShown({ session, expect }: RuleContext): Promise<void> {
  for (const { record, sold } of await soldAs(session, await teeSheet(session))) {
    const steps = sold
      .flatMap(({ products }) => products.filter(({ mid }) => mid === record.productId))
      .flatMap(({ pricing }) => pricing);
    const amounts = steps.flatMap(({ price, netRate, publicRate }) => [price, netRate, publicRate]);
    if (amounts.length === 0) continue;
    const what = `The price of ${record.productName} is none that the tee times show.`;
    expect.subset([record.price], new Set(amounts.map(({ amount }) => amount)), what);
  }
}

async function sameFacility({ session, expect }: RuleContext): Promise<void> {
  // Those of the facility that other rules ask for by its id, if it has some.
  const { id } = await facility(session);
  const own = (await weekPrices(session)).records.filter(({ facilityId }) => facilityId === id);
  const records = own.length > 0 ? own : await wholePrices(session);
  expect.some(records, 'a price record');
  const { facilityId } = records[0]!;
  const data = (await session.data('v3.findFacility', { facilityId })) as readonly [
    { name: string; currencyCode: string; address: { country: string } },
  ];
  const { name, currencyCode, address } = data[0];
  for (const { facilityName, currency, countryName } of records) {
    const what = 'A price record tells its facility otherwise than the facility itself.';
    expect.equal([facilityName, currency, countryName], [name, currencyCode, address.country], what);
  }
}

/** Rules of price requests, and of how their records agree with the rest. */
export const priceRules: readonly RuleSpec[] = [
  refusing('prices.query.facilityIds', { facilityIds: undefined }, 'without facility ids', eachAnswered),
  refusing('prices.query.fromDate', { fromDate: undefined }, 'without a first day'),
  refusing('prices.query.offset', { offset: -1 }, 'for a negative offset'),
  refusing('prices.query.limit', { limit: -1 }, 'for a negative limit'),
  defineRule({
    id: 'prices.query.toDate',
    async run(context) {
      const params = await priceParams(context.session);
      const twin = { operation: 'v5.listPrices', params } as const;
      const before = dayAfter((await teeSheet(context.session)).day, -1).query;
      for (const toDate of spread(context.session, [undefined, before])) {
        const probe = { ...twin, params: { ...params, toDate } };
        const what = toDate ? 'to a day before the first' : 'without a last day';
        await context.refuses(probe, twin, `Prices are answered ${what}.`);
      }
    },
  }),
  defineRule({
    id: 'prices.facility-ids-limit',
    async run(context) {
      const all = (await places(context.session, MOST_IDS + 1))
        .flatMap(({ facilities }) => facilities)
        .map(({ id }) => id);
      if (all.length <= MOST_IDS) throw new Inconclusive('no-data', 'six facilities that the channel is connected to');
      const { from, to } = await priceDays(context.session);
      const dates = { fromDate: from.query, toDate: to.query };
      const [five, six] = [MOST_IDS, MOST_IDS + 1].map((count) => all.slice(0, count).join(','));
      const twin = { operation: 'v5.listPrices', params: { facilityIds: five, ...dates } } as const;
      const probe = { ...twin, params: { facilityIds: six, ...dates } };
      await context.refuses(probe, twin, 'Prices of six facilities are answered.');
    },
  }),
  defineRule({
    id: 'prices.range-inclusive',
    run: async (context) => bothEnds(context, await someDays(context.session)),
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
    },
  }),
  defineRule({
    id: 'prices.facilities-only',
    async run({ session, expect }) {
      const { facilityId } = await teeSheet(session);
      const week = await weekPrices(session);
      const what = 'A price record is of a facility that was not asked for.';
      expect.every(week.records, (one) => week.facilityIds.includes(one.facilityId), what, week.facilityIds);
      expect.every((await prices(session)).records, (one) => one.facilityId === facilityId, what, facilityId);
    },
  }),
  defineRule({
    id: 'prices.range-union',
    async run({ session, expect }) {
      const what = 'The price records of several days are not those of each of them.';
      await steady(session, async (session) => {
        const { together, alone } = await someDays(session);
        expect.sameItems(together.map(keyOf), alone.flat().map(keyOf), what);
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
  defineRule({ id: 'prices.agrees-facility', run: sameFacility }),
  defineRule({ id: 'prices.agrees-teetimes', run: pricesShown }),
  defineRule({ id: 'prices.agrees-availability', run: sameFreeSlots }),
];
