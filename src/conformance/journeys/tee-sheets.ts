import type { components } from '../../contract/index.js';
import type { Day } from '../client/day.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { isOf, versionsOf } from '../client/operations.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { connectedCountry } from './connected-facilities.js';
import { type DayRange, hasExtras, material, NEAREST, roomFor } from './material.js';
import {
  freeIn,
  type ListedTeeSheet,
  type ListedTeeTime,
  paramsOf,
  type PriceRecord,
  pricesFor,
  type SheetVersion,
  sheetOperation,
  teeTimes,
  teeTimesIn,
  type TeeTimeQuery,
} from './pool/reads.js';

export { freeIn, NEAREST, paramsOf, sheetOperation, teeTimes, teeTimesIn };
export type { ListedTeeSheet, ListedTeeTime, PriceRecord, SheetVersion, TeeTimeQuery };
export const sheetVersions = versionsOf('listTeeTimes');

/** Tee times that all rules together use of a sheet. */
const LEAST = 12;
/** Tee sheets that are read to find a good one. */
const SHEETS_TRIED = 24;

/** How well a tee sheet serves the rules that look at one. */
function worth(sheet: ListedTeeSheet): number {
  const { length } = sheet.teeTimes;
  return Math.min(length, LEAST) + (isRoomy(sheet) ? LEAST : 0) + (sheet.teeTimes.some(hasExtras) ? LEAST / 2 : 0);
}

/** Whether a tee sheet has room for two players in a tee time. */
const isRoomy = (sheet: ListedTeeSheet): boolean => sheet.teeTimes.some((one) => freeIn(one) > 1);
const BEST = LEAST + LEAST + LEAST / 2;

/**
 * The tee sheet that the rules look at: weeks ahead, with several free tee times, some of them for two players, and with
 * extra products. If no sheet has it all, it is the best one.
 */
export const teeSheet = resource('tee sheet', async (session): Promise<ListedTeeSheet> => {
  await connectedCountry(session);
  const pool = await material(session);
  const isBest = (sheet: ListedTeeSheet): boolean => worth(sheet) === BEST;
  const first = { what: 'tee times on sale', fits: () => true };
  const { sheet: any } = await pool.find(session, first);
  await pool.sample(session, SHEETS_TRIED, isBest);
  // Some sheets of each facility tell: a price list may promise what no tee sheet has.
  const room = { ...roomFor(2), trait: (one: ListedTeeTime) => freeIn(one) > 1 };
  if (!pool.sheets.some(isRoomy)) await pool.find(session, room).catch(unlessInconclusive);
  return pool.sheets.reduce((best, one) => (worth(one) > worth(best) ? one : best), any);
});

/** A request for prices; each field defaults to the tee sheet of the run. */
export interface PriceQuery {
  readonly facilityIds?: readonly number[];
  readonly from?: Day;
  readonly to?: Day;
  readonly offset?: number;
  readonly limit?: number;
}

/** The days of price requests: the week of the tee sheet, or a day of it if a request may not span a week. */
export const priceDays = resource('price days', async (session): Promise<DayRange> => {
  await connectedCountry(session);
  const sheet = await teeSheet(session).catch(unlessInconclusive);
  return (await material(session)).days.rangeOf(session, sheet?.day);
});

/** A page of price records. */
export async function prices(session: Session, query: PriceQuery = {}): Promise<components['schemas']['PricePage']> {
  const sheet = query.facilityIds && query.from ? undefined : await teeSheet(session);
  const { facilityIds = [sheet!.facilityId], from = sheet!.day, to = from, offset, limit } = query;
  return pricesFor(session, { facilityIds, from, to, offset, limit });
}

/** Ids of courses by name, from the price records. */
export async function courses(session: Session): Promise<ReadonlyMap<string, number>> {
  const usual = await prices(session);
  // The default offset and limit are open questions.
  const { records } = usual.records?.length < usual.total ? await prices(session, { offset: 0 }) : usual;
  if (!Array.isArray(records)) throw new Inconclusive('precondition', '`records` in the answer to a price request');
  const named = records.filter(({ courseId }) => Number.isInteger(courseId));
  return new Map(named.map(({ courseName, courseId }) => [courseName, courseId]));
}

/** A request for the tee times of one of the courses on the tee sheet. */
export async function courseQuery(session: Session): Promise<TeeTimeQuery> {
  const { facilityId, day, holes, teeTimes } = await teeSheet(session);
  const ids = await courses(session);
  const courseId = teeTimes.map(({ course }) => ids.get(course)).find((id) => id !== undefined);
  if (courseId === undefined) throw new Inconclusive('no-data', 'a price record with the id of a course');
  return { facilityId, day, holes, courseId };
}

/** The free slots of each product of a tee time, as text to compare. */
export function freeSlotsOf({ products }: ListedTeeTime): string {
  return products
    .map(({ mid, available }) => `${mid} ${available}`)
    .sort()
    .join();
}

/** The request for the run's tee sheet in a version. */
export async function sheetQuery(session: Session, version: SheetVersion): Promise<TeeTimeQuery> {
  if (isOf('courseSheet', version)) return courseQuery(session);
  const { facilityId, day, holes } = await teeSheet(session);
  return { facilityId, day, holes };
}
