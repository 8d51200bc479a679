import { plainCountry } from '../facilities/country-names.js';
import { endOfPrices, wholePrices, weekPrices } from '../../journeys/price-lists.js';
import { material, type OpenDay } from '../../journeys/material.js';
import { unlessInconclusive } from '../../client/outcome.js';
import { facilityTeeTimes, priceParamsOf, recordsIn } from '../../journeys/pool/reads.js';
import {
  type PriceRecord,
  teeSheet,
  type ListedTeeSheet,
  type ListedTeeTime,
  teeTimes,
} from '../../journeys/tee-sheets.js';
import {
  type Facts,
  grouped,
  type MoneyFact,
  type PriceFact,
  type ProductFact,
  type SheetClaim,
  type TeeTimeFact,
  dayKeyOf,
} from '../../facts/facts.js';
import { wholeLists } from '../../facts/price-lists.js';
import type { Comparison, Relation } from '../../facts/relation.js';
import { setDifference } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../../client/session.js';
import { isObject } from '../../../common/index.js';
import { isOf, newestWith, operationIn } from '../../client/operations.js';

const PAST = -3;
/** Numbers of holes that a facility sells: 9 and 18. */
const HOLES = 2;
const findFacility = operationIn('findFacility');
/** What rounding adds to the smallest unit of a currency, and what a computer adds to that. */
const ROUNDED = 1.1;

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

/** Free slots by the price list. */
function slotsOf({ availability }: PriceFact): readonly { readonly time: unknown; readonly available: number }[] {
  const slots: readonly unknown[] = Array.isArray(availability) ? availability : [];
  return slots.filter(isObject).map(({ time, available }) => ({ time, available: Number(available) }));
}

const hasForm = (record: PriceFact): boolean =>
  slotsOf(record).every(({ time }) => /^\d\d:\d\d:\d\d$/.test(String(time)));

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

/** How the price list shows that a product has no free slots: an open question. */
async function availabilityForm(context: RuleContext): Promise<void> {
  const { session, observe } = context;
  await notAllEmpty(context);
  const { facilityId, day } = await teeSheet(session);
  const sold = await soldAs(session, { facilityId, day });
  const isAbsent = sold.some(({ record, sold }) => sold.length > 0 && isMissing(record));
  const how = isAbsent ? 'absent' : await soldOut(session, facilityId);
  if (how) observe('prices.availability', how);
}

/** The free slots of a record are those of the tee times that offer its product, where the record shows any. */
const sameFreeSlots: Relation = {
  reads: ['prices', 'sheets'],
  changes: true,
  *compare(facts) {
    for (const { record, offers, ...about } of soldRecords(facts)) {
      // The list of any record may be empty. The rule of the field reports times of another form.
      if (slotsOf(record).length === 0 || !hasForm(record)) continue;
      const offered = offers.map(({ time, product }) => {
        return { time: String(time).slice(11), available: Number(product.available) };
      });
      // Of two tee times at one clock time, such as on both nines, the price list may show each or their sum.
      const isAlone = ({ time }: { readonly time: unknown }): boolean =>
        offered.filter((other) => other.time === time).length < 2;
      const [shown, free] = [slotsOf(record), offered].map((slots) =>
        slots
          .filter((slot) => slot.available > 0 && isAlone(slot))
          .map(({ time, available }) => `${String(time)} ${available}`),
      );
      if (shown!.length + free!.length === 0) continue;
      const what = (): string =>
        `The free slots of ${String(record['productName'])} (${String(record['courseName'])}) differ between the price list and the tee times.`;
      const differing = setDifference(shown!, free!);
      const more = { expected: `${free!.length} times`, actual: `${shown!.length} times, some of them twice` };
      const holds = differing === undefined && shown!.length === free!.length;
      yield { holds, what, ...about, ...(differing ?? more) };
    }
  },
};

const isMissing = ({ availability }: PriceFact): boolean => availability === undefined;

/** How records show that nothing is available: records of the week, or of a day without tee times. */
async function soldOut(session: Session, id: number): Promise<Shown | undefined> {
  const pages = [
    async () => (await weekPrices(session)).records,
    async () => {
      const params = priceParamsOf({ facilityIds: [id], from: session.day(PAST), offset: 0 });
      return recordsIn((await session.read(operationIn('listPrices'), params)).data);
    },
  ];
  for (const page of pages) {
    const records = await page();
    if (records.some(isMissing)) return 'absent-when-empty';
    if (records.some(({ availability }) => availability?.length === 0)) return 'array';
  }
  return undefined;
}

/** The smallest unit of a currency: a cent, or a whole yen. */
function unitOf(currency: string): number {
  // The rule of the field reports what is no currency.
  if (!/^[A-Z]{3}$/.test(currency)) return 0.01;
  try {
    const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions();
    return 10 ** -maximumFractionDigits;
  } catch {
    return 0.01;
  }
}

const units = new Map<string, number>();

/** Whether a step has a price. Whether its amounts are per player or for all of them is open. */
function matches(price: number, quantity: number, { amount, currency }: MoneyFact): boolean {
  const unit = units.get(currency) ?? unitOf(currency);
  units.set(currency, unit);
  return [amount, amount / quantity, amount * quantity].some((one) => Math.abs(one - price) < unit * ROUNDED);
}

/** A product on a tee sheet, with the time at which it is offered. */
interface Offer {
  readonly time: unknown;
  readonly product: ProductFact;
}

/** A price record, and where its product is offered on its course, by the sheets of its facility for both rounds. */
interface SoldRecord extends Pick<Comparison, 'claims' | 'facility' | 'day' | 'currency'> {
  readonly record: PriceFact;
  readonly offers: readonly Offer[];
}

/** The price records of days whose tee sheets were read. */
function* soldRecords({ prices: pages, sheets }: Facts): Iterable<SoldRecord> {
  // A tee sheet for more players lacks tee times.
  const whole = sheets.filter(({ version, players }) => players === 1 && isOf('facilitySheet', version));
  const byDay = grouped(whole, dayKeyOf);
  const offered = new Map<string, ReadonlyMap<string, readonly Offer[]>>();
  for (const page of pages) {
    for (const record of page.records) {
      const { facilityId, date, courseName, productId, currency } = record as Readonly<Record<string, unknown>>;
      const key = `${page.channel} ${String(facilityId)} ${String(date)}`;
      const latest = new Map((byDay.get(key) ?? []).map((sheet) => [sheet.holes, sheet]));
      if (latest.size < HOLES) continue;
      const known = offered.get(key) ?? offersOf([...latest.values()]);
      offered.set(key, known);
      const offers = known.get(`${String(productId)} ${String(courseName)}`) ?? [];
      const about = { facility: Number(facilityId), day: String(date), currency: String(currency).toUpperCase() };
      // The tee sheet that offers the product comes first: another number of holes may be in the other one.
      const offering = ({ teeTimes }: SheetClaim): boolean =>
        teeTimes.some(({ products = [] }) => products.some(({ mid }) => mid === productId));
      const sheetsOfDay = [...latest.values()].sort((a, b) => Number(offering(b)) - Number(offering(a)));
      yield { record, offers, ...about, claims: [page, ...sheetsOfDay] };
    }
  }
}

/** What some tee sheets offer, by product and course. */
function offersOf(sheets: readonly SheetClaim[]): ReadonlyMap<string, readonly Offer[]> {
  const all = sheets.flatMap(({ teeTimes }) =>
    teeTimes.flatMap(({ time, course, products = [] }) => products.map((product) => ({ time, course, product }))),
  );
  return grouped(all, ({ course, product }) => `${String(product.mid)} ${String(course)}`);
}

/** A price record has a price that the tee times show. */
const pricesShown: Relation = {
  reads: ['prices', 'sheets'],
  changes: true,
  *compare(facts) {
    for (const { record, offers, ...about } of soldRecords(facts)) {
      const { price, currency, productName } = record;
      const steps = offers.flatMap(({ product }) => product.steps);
      const amounts = steps.flatMap(({ quantity = 1, price, netRate, publicRate }) =>
        [price, netRate, publicRate].map((money) => ({ quantity, money })),
      );
      // The rule of the field reports amounts that are no numbers.
      if (amounts.length === 0 || typeof price !== 'number') continue;
      if (!amounts.every((one): one is typeof one & { money: MoneyFact } => one.money !== undefined)) continue;
      const wanted = String(currency).toUpperCase();
      const fits = amounts.some(({ quantity, money }) => money.currency === wanted && matches(price, quantity, money));
      yield {
        holds: fits,
        what: () => `The tee times do not show the price of ${String(productName)}.`,
        expected: fits ? undefined : [...new Set(amounts.map(({ money }) => `${money.amount} ${money.currency}`))],
        actual: `${price} ${String(currency)}`,
        ...about,
      };
    }
  },
};

/** The name of a product is that of the tee times, whatever its case and blanks. */
const productNames: Relation = {
  reads: ['prices', 'sheets'],
  changes: false,
  *compare(facts) {
    for (const { record, offers, ...about } of soldRecords(facts)) {
      const { productId, productName: actual } = record;
      const expected = offers.find(({ product: { name } }) => flat(name) !== '')?.product.name;
      if (expected === undefined || flat(actual) === '') continue;
      yield {
        holds: flat(actual).toLowerCase() === flat(expected).toLowerCase(),
        what: () => `The name of product ${String(productId)} differs between the price list and the tee times.`,
        expected,
        actual,
        ...about,
      };
    }
  },
};

/** Reads the day of the tee sheet for both numbers of holes, and its whole price list. */
async function readDay({ session }: RuleContext): Promise<void> {
  const { facilityId, day } = await teeSheet(session);
  for (const holes of [18, 9] as const)
    await facilityTeeTimes(session, { facilityId, day, holes }).catch(unlessInconclusive);
  await endOfPrices(session, { facilityIds: [facilityId], from: day });
}

/**
 * A whole price list has a day of a facility that sells tee times on it, and each of its courses, if it names courses as
 * the tee times do.
 */
const eachCourseListed: Relation = {
  reads: ['prices', 'sheets'],
  changes: true,
  *compare(facts, all) {
    const lists = [...wholeLists(facts, all)];
    const coursesOf = (sheets: readonly SheetClaim[]): ReadonlySet<unknown> =>
      new Set(sheets.flatMap(({ teeTimes }) => teeTimes.map(({ course }) => course)));
    // A course may have tee times for one number of holes only, and a version may have other names than the price list.
    const keyOf = (sheet: SheetClaim): string => `${dayKeyOf(sheet)} ${sheet.version}`;
    const byDay = new Map([...grouped(all.sheets, keyOf)].map(([key, sheets]) => [key, coursesOf(sheets)]));
    for (const sheet of facts.sheets) {
      const { channel, facilityId: facility, day, players, teeTimes } = sheet;
      if (players !== 1) continue;
      const isOnSale = ({ products = [] }: TeeTimeFact): boolean =>
        products.some(({ available }) => Number(available) > 0);
      // What a sheet has of another day says nothing of this one; the rule of the day reports it.
      const ofDay = teeTimes.filter(({ time }) => String(time).startsWith(day));
      const courses = new Set(ofDay.filter(isOnSale).map(({ course }) => course));
      for (const list of courses.size === 0 ? [] : lists) {
        const hasDay = list.from <= day && day <= list.to && list.facilityIds.includes(facility);
        if (!hasDay || list.channel !== channel) continue;
        const own = list.records.filter((record) => String(record['facilityId']) === String(facility));
        const names = new Set(own.filter(({ date }) => date === day).map(({ courseName }) => courseName));
        const about = { facility, day, claims: [...list.pages, sheet] };
        const none = (): string => `Facility ${facility} sells tee times on ${day}, and has no price record.`;
        yield { holds: names.size > 0, what: none, ...about };
        const isNamedAlike = own.some(({ courseName }) => byDay.get(keyOf(sheet))!.has(courseName));
        for (const course of names.size > 0 && isNamedAlike ? courses : []) {
          const what = (): string => `${String(course)} sells tee times and has no price record.`;
          yield { holds: names.has(course), what, ...about };
        }
      }
    }
  },
};

const flat = (value: unknown): string =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** A price record names its facility and the country as the facility itself does. */
const sameFacility: Relation = {
  reads: ['prices', 'facilities'],
  changes: false,
  *compare({ prices: pages, facilities }) {
    const byId = grouped(facilities, ({ facilityId }) => facilityId);
    for (const page of pages) {
      for (const { facilityId, facilityName, countryName, currency } of page.records) {
        const own = byId.get(Number(facilityId));
        const claim = own?.findLast(({ by }) => by.operation === findFacility) ?? own?.at(-1);
        if (!claim) continue;
        const { name, country } = claim.fields;
        const about = { facility: claim.facilityId, claims: [page, claim], currency: String(currency).toUpperCase() };
        const what = (): string => 'The facility data differs between a price record and the facility.';
        const compared = { ...about, what };
        if (flat(name) !== '') {
          yield { holds: flat(facilityName) === flat(name), expected: name, actual: facilityName, ...compared };
        }
        const isSame = flat(country) === '' || plainCountry(countryName) === plainCountry(country);
        yield { holds: isSame, expected: country, actual: countryName, ...compared };
      }
    }
  },
};

/** Rules of how price records agree with other answers. */
export const priceAgreementRules: readonly RuleSpec[] = [
  defineRule({ id: 'prices.agrees-facility', relation: sameFacility }),
  defineRule({ id: 'prices.agrees-teetimes', relation: pricesShown }),
  defineRule({ id: 'prices.agrees-availability', run: availabilityForm, relation: sameFreeSlots }),
  defineRule({ id: 'prices.agrees-product', relation: productNames }),
  defineRule({ id: 'prices.each-course', run: readDay, relation: eachCourseListed }),
];
