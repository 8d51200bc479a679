import { type Day, dayAfter } from '../client/day.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import type { Reply } from '../client/exchange.js';
import { operationIn } from '../client/operations.js';
import { resource } from '../client/resource.js';
import { listOf, type Session } from '../client/session.js';
import { priceParamsOf } from './pool/reads.js';
import { priceDays, type PriceQuery, type PriceRecord, prices, teeSheet } from './tee-sheets.js';
import { type DayRange, material } from './material.js';

const MOST_PAGES = 20;
const NUMBERS_TRIED = 4;

/** The identity of a price record, without its free slots: these may change between two answers. */
export function priceKey({ facilityId, courseId, date, productId, price }: PriceRecord): string {
  return [facilityId, courseId, date, productId, price].join(' ');
}

/** What `total` counts: all records of the query, or those of the page. Undefined if the deployment has one record. */
const totalMeaning = resource('meaning of total', async (session): Promise<'selection' | 'page' | undefined> => {
  const { facilityIds, from, to } = await weekPrices(session);
  const query = { facilityIds, from, to, limit: 1 };
  const { total } = await prices(session, { ...query, offset: 0 });
  if (total !== 1) return 'selection';
  const { records } = await prices(session, { ...query, offset: 1 });
  return records.length > 0 ? 'page' : undefined;
});

/** The pages of a price list from its beginning. Whether the last one is the end is for `isEnd` to say. */
async function pagesOf(
  session: Session,
  query: PriceQuery,
  isEnd: (records: readonly PriceRecord[], total: number) => boolean,
): Promise<{ readonly records: readonly PriceRecord[]; readonly isWhole: boolean }> {
  const all: PriceRecord[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { records, total } = await prices(session, { ...query, offset: all.length });
    all.push(...records);
    if (records.length === 0 || isEnd(all, total)) return { records: all, isWhole: true };
  }
  return { records: all, isWhole: false };
}

/**
 * All price records of some facilities for some days. The default page size and offset and the meaning of the total are
 * open questions.
 *
 * @throws {Inconclusive} if the list has too many pages.
 */
export async function wholePrices(
  session: Session,
  query: Omit<PriceQuery, 'offset' | 'limit'> = {},
): Promise<readonly PriceRecord[]> {
  const isCounted = (await totalMeaning(session)) === 'selection';
  const { records, isWhole } = await pagesOf(session, query, (all, total) => isCounted && all.length >= total);
  if (!isWhole) throw new Inconclusive('no-data', `a price list of at most ${MOST_PAGES} pages`);
  return records;
}

/** A price list up to the page that is empty, whatever its total says. */
export async function endOfPrices(session: Session, query: PriceQuery): Promise<readonly PriceRecord[]> {
  const { records, isWhole } = await pagesOf(session, query, () => false);
  if (!isWhole) throw new Inconclusive('no-data', `a price list of at most ${MOST_PAGES} pages`);
  return records;
}

/** The price records of a facility on some days, requested together and one by one. */
export interface PricesOfDays {
  readonly days: readonly Day[];
  readonly together: readonly PriceRecord[];
  readonly alone: readonly (readonly PriceRecord[])[];
}

/** The day of the tee sheet and the next one, at its facility. */
export async function pricesOfDays(session: Session): Promise<PricesOfDays> {
  const { facilityId, day } = await teeSheet(session);
  const facilityIds = [facilityId];
  const days = [day, dayAfter(day, 1)];
  const together = await wholePrices(session, { facilityIds, from: day, to: days[1]! });
  const alone: (readonly PriceRecord[])[] = [];
  for (const one of days) alone.push(await wholePrices(session, { facilityIds, from: one }));
  return { days, together, alone };
}

/** The beginning of a price list, at once and in two pages. */
export interface PricePages {
  /** The beginning of the list, twice as long as a page. */
  readonly whole: readonly PriceRecord[];
  /** The limit of each page. */
  readonly limit: number;
  readonly first: readonly PriceRecord[];
  /** The page that starts after the last record of the first page. */
  readonly second: readonly PriceRecord[];
}

/** The prices of the run's facilities for a week: the first records, and the same in two pages. */
export async function pricePages(session: Session, limit: number): Promise<PricePages> {
  const { facilityIds, from, to } = await weekPrices(session);
  const week = { facilityIds, from, to };
  const { records: whole } = await prices(session, { ...week, offset: 0, limit: 2 * limit });
  const { records: first } = await prices(session, { ...week, offset: 0, limit });
  const { records: second } = await prices(session, { ...week, offset: first.length, limit });
  return { whole, limit, first, second };
}

const LARGE = 10_000;
/** How many pages after the first one are searched for the beginning of the default page. */
const PAGES_TRIED = 4;

/** The default page, and a page with a very large limit. */
export interface PriceBounds {
  /** Without `offset` and `limit`. */
  readonly usual: readonly PriceRecord[];
  /** Records of the selection, or more than `most` if they are not counted. */
  readonly total: number;
  /** With `offset=0` and a very large limit, or the largest that the deployment accepts. */
  readonly most: readonly PriceRecord[];
  /** The largest accepted limit, if a larger one is refused. */
  readonly maximum?: number;
}

/** The prices of the run's facilities for a week or longer, without a limit and with a very large one. */
export const priceBounds = resource('price bounds', async (session): Promise<PriceBounds> => {
  const { facilityIds, from, to, records: usual, total: shown } = await manyPrices(session);
  const ask = (limit: number): Promise<Reply> =>
    session.read(operationIn('listPrices'), priceParamsOf({ facilityIds, from, to, offset: 0, limit }));
  const bounds = async (reply: Reply, maximum?: number): Promise<PriceBounds> => {
    const most = listOf<PriceRecord>(reply, (data) => data['records']);
    const isPage = (await totalMeaning(session)) === 'page';
    const after = isPage ? (await prices(session, { facilityIds, from, to, offset: most.length })).records.length : 0;
    const total = isPage ? most.length + after : shown;
    return { usual, total, most, ...(maximum === undefined ? {} : { maximum }) };
  };
  const large = await ask(LARGE);
  if (large.ok) return bounds(large);
  // The error message may name the number. It is used if it proves to be the limit; otherwise it is searched for.
  const numbers = new Set([...large.text.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
  for (const number of [...numbers].filter((one) => one > 0 && one < LARGE).slice(0, NUMBERS_TRIED)) {
    const reply = await ask(number);
    if (reply.ok && !(await ask(number + 1)).ok) return bounds(reply, number);
  }
  let [low, high] = [0, LARGE];
  while (high - low > 1) {
    const middle = low === 0 ? Math.min(high - 1, high >> 3 || 1) : (low + high) >> 1;
    if ((await ask(middle)).ok) low = middle;
    else high = middle;
  }
  if (low === 0) throw new Inconclusive('precondition', 'a price request with a `limit` that succeeds');
  return bounds(await ask(low), low);
});

/** The offset of the default page in the complete list; -1 if it is not among the first pages. */
export async function usualOffset(session: Session): Promise<number> {
  const { usual, most } = await priceBounds(session);
  const { facilityIds, from, to } = await manyPrices(session);
  if (!usual[0]) return -1;
  const first = priceKey(usual[0]);
  let [seen, page] = [0, most];
  for (let tried = 0; tried <= PAGES_TRIED && page.length > 0; tried += 1) {
    const at = page.map(priceKey).indexOf(first);
    if (at >= 0) return seen + at;
    seen += page.length;
    if (tried < PAGES_TRIED) page = (await prices(session, { facilityIds, from, to, offset: seen })).records;
  }
  return -1;
}

/** Price records of some facilities for some days. */
export interface PriceList extends DayRange {
  readonly facilityIds: readonly number[];
  readonly records: readonly PriceRecord[];
  readonly total: number;
}

/** The price records of some facilities for a week, among them the one of the tee sheet, whose search reads them too. */
export async function weekPrices(session: Session): Promise<PriceList> {
  const sheet = await teeSheet(session).catch(unlessInconclusive);
  const facilities = await (await material(session)).days.besides(session, sheet?.facilityId);
  const facilityIds = facilities.map(({ id }) => id);
  if (facilityIds.length === 0) throw new Inconclusive('no-data', 'a connected facility');
  const days = await priceDays(session);
  return { facilityIds, ...days, ...(await prices(session, { facilityIds, ...days })) };
}

/** Price records that show whether there is a default or a maximum limit: more than most deployments have. */
export const MANY_RECORDS = 100;
/** Days of longer price requests, for deployments with few records within a week. */
const LONGER = [28, 60];

/** The price records of a week, or of more days if there are few in a week. */
const manyPrices = resource('many prices', async (session): Promise<PriceList> => {
  const week = await weekPrices(session);
  let best = week;
  for (const days of week.from.iso === week.to.iso ? [] : LONGER) {
    if (best.total >= MANY_RECORDS) break;
    const range = { from: week.from, to: dayAfter(week.from, days - 1) };
    const page = await prices(session, { facilityIds: week.facilityIds, ...range }).catch(unlessInconclusive);
    if (!page) break;
    best = { ...best, ...range, ...page };
  }
  return best;
});
