import { connectedCountries, MOST_IDS } from '../../journeys/connected-facilities.js';
import { plainCountry } from '../facilities/country-names.js';
import { wholePrices, weekPrices } from '../../journeys/price-lists.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { material, type OpenDay } from '../../journeys/material.js';
import { unlessInconclusive } from '../../client/outcome.js';
import { facilityTeeTimes } from '../../journeys/pool/reads.js';
import {
  type PriceRecord,
  teeSheet,
  type ListedTeeSheet,
  type ListedTeeTime,
  teeTimes,
} from '../../journeys/tee-sheets.js';
import { isObject } from '../../client/exchange.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../../client/session.js';
import { newestWith, operationIn } from '../../client/operations.js';

const PAST = -3;
const FEW = 3;
/** A cent, and what a computer adds to it. */
const CENT = 0.011;

/** A price record of the day of the tee sheet, with the tee times that offer its product on its course. */
interface Sold {
  readonly record: PriceRecord;
  readonly sold: readonly ListedTeeTime[];
}

async function soldAs(
  session: Session,
  { facilityId, day }: Pick<ListedTeeSheet, 'facilityId' | 'day'>,
): Promise<readonly Sold[]> {
  const records = await wholePrices(session, { facilityIds: [facilityId], from: day });
  const found: ListedTeeTime[] = [];
  for (const holes of [9, 18] as const)
    found.push(...(await teeTimes(session, newestWith.facilitySheet, { facilityId, day, holes })));
  return records
    .filter(({ date }) => date === day.iso)
    .map((record) => {
      const sells = ({ course, products }: ListedTeeTime): boolean =>
        course === record.courseName && products.some(({ mid }) => mid === record.productId);
      return { record, sold: found.filter(sells) };
    });
}

type Shown = 'array' | 'absent-when-empty' | 'absent';

/** Free slots by the price list. The document lets the list be empty, so that one list alone says nothing. */
function slotsOf({ availability }: PriceRecord): readonly { readonly time: string; readonly available: number }[] {
  return (availability ?? [])
    .filter(({ available }) => available > 0)
    .map(({ time, available }) => ({ time, available }));
}

const hasForm = (record: PriceRecord): boolean => slotsOf(record).every(({ time }) => /^\d\d:\d\d:\d\d$/.test(time));

/** Days on which the price list shows free slots, and that are read until one of them has tee times. */
const DAYS_READ = 4;

/** The tee sheets are not empty on all days on which the price list shows free slots. */
async function notAllEmpty({ session, expect }: RuleContext): Promise<void> {
  const { days } = await material(session);
  let read = 0;
  const hasTeeTimes = async ({ facility, day }: OpenDay): Promise<boolean | undefined> => {
    read += 1;
    for (const holes of [18, 9] as const) {
      const query = { facilityId: facility.id, day, holes };
      if ((await teeTimes(session, newestWith.facilitySheet, query)).length > 0) return true;
    }
    return read === DAYS_READ ? false : undefined;
  };
  const isShown = await days.find(session, hasTeeTimes, 1);
  const what = `The price list shows free slots on ${read} days on which ${newestWith.facilitySheet} has no tee times.`;
  if (read > 0) expect.that(isShown === true, what);
}

async function sameFreeSlots(context: RuleContext): Promise<void> {
  const { session, expect, observe } = context;
  await notAllEmpty(context);
  // The same tee sheet in both attempts.
  const { facilityId, day } = await teeSheet(session);
  let shown: Shown | undefined;
  await confirmDifferences(session, async (anew) => {
    const all = await soldAs(anew, { facilityId, day });
    const isFilled = all.some(({ record }) => slotsOf(record).length > 0);
    if (all.some(({ record, sold }) => sold.length > 0 && isMissing(record))) shown = 'absent';
    for (const { record, sold } of all) {
      // The rule of the field reports times of another form.
      if (!isFilled || isMissing(record) || !hasForm(record)) continue;
      const free = sold.map(({ time, products }) => ({
        time: time.slice(11),
        available: products.find(({ mid }) => mid === record.productId)!.available,
      }));
      const product = `${record.productName} (${record.courseName})`;
      const what = `The free slots of ${product} differ between the price list and the tee times.`;
      expect.sameItems(slotsOf(record), free, what);
    }
  });
  const how = shown ?? (await soldOut(session, facilityId));
  if (how) observe('prices.availability', how);
}

const isMissing = ({ availability }: PriceRecord): boolean => availability === undefined || availability === null;

/** How records show that nothing is available: records of the week, or of a day without tee times. */
async function soldOut(session: Session, id: number): Promise<Shown | undefined> {
  const past = session.day(PAST).query;
  const pages = [
    async () => (await weekPrices(session)).records,
    async () => {
      const params = { facilityIds: String(id), fromDate: past, toDate: past, offset: 0 };
      const { data } = await session.read(operationIn('listPrices'), params);
      const { records } = (data ?? {}) as { readonly records?: unknown };
      return Array.isArray(records) ? (records as PriceRecord[]) : [];
    },
  ];
  for (const page of pages) {
    const records = await page();
    if (records.some(isMissing)) return 'absent-when-empty';
    if (records.some(({ availability }) => availability?.length === 0)) return 'array';
  }
  return undefined;
}

interface Amount {
  readonly amount: number;
  readonly currency: string;
}

const written = ({ amount, currency }: Amount): string => `${amount} ${currency.toUpperCase()}`;

/** Whether a step has a price. Whether its amounts are per player or for all of them is open. */
function matches({ price, currency }: PriceRecord, quantity: number, { amount, currency: other }: Amount): boolean {
  if (String(currency).toUpperCase() !== String(other).toUpperCase()) return false;
  return [amount, amount / quantity, amount * quantity].some((one) => Math.abs(one - price) < CENT);
}

async function pricesShown({ session, expect }: RuleContext): Promise<void> {
  for (const { record, sold } of await soldAs(session, await teeSheet(session))) {
    const steps = sold
      .flatMap(({ products }) => products.filter(({ mid }) => mid === record.productId))
      .flatMap(({ pricing }) => pricing);
    const amounts = steps.flatMap(({ quantity, price, netRate, publicRate }) =>
      [price, netRate, publicRate].map((money) => ({ quantity, money })),
    );
    // The rule of the field reports amounts that are no numbers.
    if (amounts.length === 0 || amounts.some(({ money }) => typeof money.amount !== 'number')) continue;
    const what = `The tee times do not show the price of ${record.productName}.`;
    const fits = amounts.some(({ quantity, money }) => matches(record, quantity, money));
    const expected = [...new Set(amounts.map(({ money }) => written(money)))];
    expect.that(fits, what, { expected, actual: `${record.price} ${record.currency}` });
  }
}

/** The name of a product is that of the tee times, whatever its case and blanks. */
async function productNames({ session, expect }: RuleContext): Promise<void> {
  for (const { record, sold } of await soldAs(session, await teeSheet(session))) {
    const names = sold.flatMap(({ products }) => products.filter(({ mid }) => mid === record.productId));
    const [product] = names.filter(({ name }) => flat(name) !== '');
    if (!product || flat(record.productName) === '') continue;
    const [actual, expected] = [record.productName, product.name];
    const what = `The name of product ${record.productId} differs between the price list and the tee times.`;
    expect.that(flat(actual).toLowerCase() === flat(expected).toLowerCase(), what, { expected, actual });
  }
}

/** Each course with tee times on sale has records, if the price list names courses as the tee times do. */
async function eachCourse({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes, teeTimes: sheet } = await teeSheet(session);
  // A course may have tee times for one number of holes only.
  const query = { facilityId, day, holes: holes === 18 ? 9 : 18 } as const;
  const others = (await facilityTeeTimes(session, query).catch(unlessInconclusive)) ?? [];
  const records = (await wholePrices(session, { facilityIds: [facilityId], from: day })).map(
    ({ courseName }) => courseName,
  );
  const sold = new Set([...sheet, ...others].filter(({ products }) => products.length > 0).map(({ course }) => course));
  if (sold.size === 0) return;
  expect.that(records.length > 0, `Facility ${facilityId} sells tee times on ${day.iso}, and has no price record.`);
  if (![...sold].some((course) => records.includes(course))) return;
  for (const course of sold)
    expect.that(records.includes(course), `${course} sells tee times and has no price record.`);
}

const flat = (value: unknown): string =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .trim();

async function sameFacility({ session, expect }: RuleContext): Promise<void> {
  const listed = (await connectedCountries(session)).flatMap(({ facilities }) => facilities).slice(0, MOST_IDS);
  const week = (await weekPrices(session)).records;
  const records = expect.some(week.length > 0 ? week : await wholePrices(session), 'a price record');
  const priced = new Set(records.map(({ facilityId }) => facilityId));
  // Prefers the facility that other rules request by its id.
  const own = listed.map(({ id }) => id).filter((id) => priced.has(id));
  for (const facilityId of [...new Set([...own, ...priced])].slice(0, FEW)) {
    const data = await session.data(operationIn('findFacility'), { facilityId });
    const first: unknown = Array.isArray(data) ? data[0] : data;
    if (!isObject(first)) continue;
    const country = isObject(first['address']) ? first['address']['country'] : undefined;
    const own = records.filter((record) => record.facilityId === facilityId);
    for (const { facilityName, countryName } of own) {
      const what = 'The facility data differs between a price record and the facility.';
      if (flat(first['name']) !== '') expect.equal(flat(facilityName), flat(first['name']), what);
      const isSame = flat(country) === '' || plainCountry(countryName) === plainCountry(country);
      expect.that(isSame, what, { expected: country, actual: countryName });
    }
  }
}

/** Rules of how price records agree with other answers. */
export const priceAgreementRules: readonly RuleSpec[] = [
  defineRule({ id: 'prices.agrees-facility', run: sameFacility }),
  defineRule({ id: 'prices.agrees-teetimes', run: pricesShown }),
  defineRule({ id: 'prices.agrees-availability', run: sameFreeSlots }),
  defineRule({ id: 'prices.agrees-product', run: productNames }),
  defineRule({ id: 'prices.each-course', run: eachCourse }),
];
