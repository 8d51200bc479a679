import { type Day, dayAfter } from '../day.js';
import { Inconclusive } from '../outcome.js';
import type { Reply } from '../exchange.js';
import { listOf, type Session } from '../session.js';
import { weekPrices } from './shown.js';
import { priceDays, type PriceQuery, type PriceRecord, prices, teeSheet } from './tee-sheets.js';

const MOST_PAGES = 12;
const NUMBERS_TRIED = 4;

/** What names a price record: free slots may change from one answer to the next. */
export function keyOf({ facilityId, courseId, date, productId, price }: PriceRecord): string {
  return [facilityId, courseId, date, productId, price].join(' ');
}

/** Whether a page is the list as a whole. */
export const isWhole = ({
  records,
  total,
}: {
  readonly records: readonly unknown[];
  readonly total: number;
}): boolean => records.length === total;

/**
 * The price records of a facility over some days, all of them: how many come at once and from which one on is open.
 *
 * @throws {Inconclusive} when they cannot be had.
 */
export async function wholePrices(
  session: Session,
  query: Omit<PriceQuery, 'offset' | 'limit'> = {},
): Promise<PriceRecord[]> {
  const usual = await prices(session, query);
  if (isWhole(usual)) return [...usual.records];
  const { total } = usual;
  // Where requests are few, as many as may come at once.
  const limit = session.run.transport.limited ? { limit: total } : {};
  const all: PriceRecord[] = [];
  for (let page = 0; page < MOST_PAGES && all.length < total; page += 1) {
    const { records: more } = await prices(session, { ...query, ...limit, offset: all.length });
    if (more.length === 0) break;
    all.push(...more);
  }
  if (all.length !== total) throw new Inconclusive('no-data', `all ${total} price records (${all.length} came)`);
  return all;
}

/** The price records of a facility on some days, asked for together and one by one. */
export interface SomeDays {
  readonly days: readonly Day[];
  readonly together: readonly PriceRecord[];
  readonly alone: readonly (readonly PriceRecord[])[];
}

/**
 * The day of the tee sheet and the next one, at its facility. Where requests are few and the week that was asked for
 * anyway has come whole, the day of the tee sheet and the last one of that week.
 */
export async function someDays(session: Session): Promise<SomeDays> {
  const { facilityId, day } = await teeSheet(session);
  const facilityIds = [facilityId];
  const week = session.run.transport.limited ? await weekPrices(session) : undefined;
  const known = week && isWhole(week) && week.facilityIds.includes(facilityId) ? week.records : undefined;
  const other = known ? (await priceDays(session)).to : dayAfter(day, 1);
  const days = other.iso === day.iso ? [day] : [day, other];
  const together = known
    ? known.filter((one) => one.facilityId === facilityId && days.some(({ iso }) => iso === one.date))
    : await wholePrices(session, { facilityIds, from: day, to: other });
  const alone: PriceRecord[][] = [];
  for (const one of days) alone.push(await wholePrices(session, { facilityIds, from: one }));
  return { days, together, alone };
}

/** A price list in two pages. */
export interface Pages {
  /** The beginning of the list, twice as long as a page. */
  readonly whole: readonly PriceRecord[];
  /** Whether that was asked for with a limit, and is not cut from the list. */
  readonly bounded: boolean;
  /** What each page was asked to hold at most. */
  readonly limit: number;
  readonly first: readonly PriceRecord[];
  /** Asked for from behind the last record of the first page. */
  readonly second: readonly PriceRecord[];
}

/** The week of the run's facilities: its beginning, and two pages of it. */
export async function pages(session: Session, limit: number): Promise<Pages> {
  const all = await weekPrices(session);
  const week = { facilityIds: all.facilityIds, ...(await priceDays(session)) };
  const bounded = !(session.run.transport.limited && isWhole(all));
  const { records: whole } = bounded
    ? await prices(session, { ...week, offset: 0, limit: 2 * limit })
    : { records: all.records.slice(0, 2 * limit) };
  const { records: first } = await prices(session, { ...week, offset: 0, limit });
  const { records: second } = await prices(session, { ...week, offset: first.length, limit });
  return { whole, bounded, limit, first, second };
}

const LARGE = 10_000;
/** Pages beyond the first in which the beginning of the list is looked for. */
const PAGES_TRIED = 4;

/** What paging answers to a question that leaves it to the deployment, and to one that asks for very much. */
export interface Bounds {
  /** Without `offset` and `limit`. */
  readonly usual: readonly PriceRecord[];
  readonly total: number;
  /** With `offset=0` and a limit beyond need, or the largest that is honoured. */
  readonly most: readonly PriceRecord[];
  /** The largest limit where a larger one is refused. */
  readonly maximum?: number;
}

/** The week of the run's facilities without bounds, and with very large ones. Made once in a run. */
export function bounds(session: Session): Promise<Bounds> {
  return session.once('price bounds', async (session) => {
    const { facilityIds, records: usual, total } = await weekPrices(session);
    const { from, to } = await priceDays(session);
    const ask = (limit: number): Promise<Reply> =>
      session.read('v5.listPrices', {
        facilityIds: facilityIds.join(','),
        fromDate: from.query,
        toDate: to.query,
        offset: 0,
        limit,
      });
    const recordsOf = (reply: Reply): readonly PriceRecord[] => listOf(reply, (data) => data['records']);
    const large = await ask(LARGE);
    if (large.ok) return { usual, total, most: recordsOf(large) };
    // Only the words of a refusal tell the number; it is believed when it proves true.
    const numbers = new Set([...large.text.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
    for (const number of [...numbers].filter((one) => one > 0 && one < LARGE).slice(0, NUMBERS_TRIED)) {
      const reply = await ask(number);
      if (reply.ok && !(await ask(number + 1)).ok) return { usual, total, most: recordsOf(reply), maximum: number };
    }
    throw new Inconclusive('no-data', 'the largest limit in the words of the refusal of a larger one');
  });
}

/** How many records of the whole list stand before the first of those that come without bounds; -1 where it is far. */
export async function usualOffset(session: Session): Promise<number> {
  const { usual, most } = await bounds(session);
  const { facilityIds } = await weekPrices(session);
  const days = await priceDays(session);
  if (!usual[0]) return -1;
  const first = keyOf(usual[0]);
  let [seen, page] = [0, most];
  for (let tried = 0; tried <= PAGES_TRIED && page.length > 0; tried += 1) {
    const at = page.map(keyOf).indexOf(first);
    if (at >= 0) return seen + at;
    seen += page.length;
    if (tried < PAGES_TRIED) page = (await prices(session, { facilityIds, ...days, offset: seen })).records;
  }
  return -1;
}
