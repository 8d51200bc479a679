import type { components } from '../../generated/types.js';
import { type Day, dayOf } from '../day.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import { listOf, type Session } from '../session.js';
import { type FacilityItem, place, places, MOST_IDS } from './places.js';

type Schemas = components['schemas'];
export type TeeTime = Schemas['TeeTimeV3'];
export type PriceRecord = Schemas['PriceRecord'];
type Version = 'v2' | 'v3' | 'v4' | 'v5';
type ItemOf = { v2: Schemas['TeeTimeRound']; v3: Schemas['TeeTimeV2']; v4: TeeTime; v5: TeeTime };

/** A question for the tee times of one facility on one day; `courseId` is for v5 alone. */
export interface Query {
  readonly facilityId: number;
  readonly day: Day;
  readonly holes: 9 | 18;
  readonly players?: number;
  readonly courseId?: number;
}

/** The query parameters of a question. */
export function paramsOf({ facilityId, day, holes, players = 1, courseId }: Query): Record<string, string | number> {
  const course = courseId === undefined ? {} : { courseId };
  return { facilityId, ...course, bookingDate: day.query, players, holes };
}

/** The tee times that a version shows. */
export async function teeTimes<V extends Version>(
  session: Session,
  version: V,
  query: Query,
): Promise<readonly ItemOf[V][]> {
  const reply = await session.read(`${version}.listTeeTimes`, paramsOf(query));
  const key = { v2: undefined, v3: 'teeTimeV2', v4: 'teeTimeV3', v5: 'teeTimeV3' }[version];
  return listOf<ItemOf[V]>(reply, (data) => (key === undefined ? data : data[key]));
}

/** A day of a connected facility on which tee times are on sale. */
export interface TeeSheet extends Query {
  readonly facilityName: string;
  readonly teeTimes: readonly TeeTime[];
}

/** Days from now at which sheets are looked for: far enough to disturb nobody, near enough to be open. */
export const NEAREST = 30;
export const FARTHEST = 36;
/** Tee times that all journeys together may use up. */
const LEAST = 12;
const SHEETS_TRIED = 3;
const PRICES_TRIED = 3;

/** How much there is to look at: tee times up to some, and then extra products. */
function worth(teeTimes: readonly TeeTime[]): number {
  const extras = teeTimes.some(({ extraProducts }) => extraProducts?.length > 0);
  return Math.min(teeTimes.length, LEAST) + (teeTimes.length >= LEAST && extras ? 1 : 0);
}

/** The tee sheet that the rules look at: far away, with several free tee times. */
export function teeSheet(session: Session): Promise<TeeSheet> {
  return session.once('tee sheet', async (session) => {
    let best: TeeSheet | undefined;
    for (const { facility, day } of (await openDays(session)).slice(0, SHEETS_TRIED)) {
      for (const holes of [18, 9] as const) {
        const query: Query = { facilityId: facility.id, day, holes };
        const found = await teeTimes(session, 'v4', query);
        const better = worth(found) > worth(best?.teeTimes ?? []);
        if (better) best = { ...query, facilityName: facility.name, teeTimes: found };
        if (best && worth(best.teeTimes) > LEAST) return best;
        if (found.length >= LEAST) break;
      }
    }
    if (!best) throw new Inconclusive('no-data', 'tee times on sale a month from now');
    return best;
  });
}

interface OpenDay {
  readonly facility: FacilityItem;
  readonly day: Day;
}

/** Facilities with the day on which the price list shows most free tee times, the best first. */
async function openDays(session: Session): Promise<readonly OpenDay[]> {
  await place(session);
  const facilities = (await places(session)).flatMap(({ facilities }) => facilities);
  const found: (OpenDay & { readonly free: number })[] = [];
  for (let at = 0; at < facilities.length && at < MOST_IDS * PRICES_TRIED; at += MOST_IDS) {
    const some = facilities.slice(at, at + MOST_IDS);
    const page = await priceDays(session)
      .then((range) => prices(session, { facilityIds: some.map(({ id }) => id), ...range }))
      // Prices are a help here; what is wrong with them their own rules tell.
      .catch(unlessInconclusive);
    for (const facility of some) {
      const [best] = (Array.isArray(page?.records) ? page.records : [])
        .filter(({ facilityId }) => facilityId === facility.id)
        .sort((a, b) => freeIn(b) - freeIn(a));
      // Without a price list any day has to do.
      const day = dayOf(best?.date) ?? session.day(NEAREST);
      found.push({ facility, day, free: best ? freeIn(best) : 0 });
    }
    if (found.filter(({ free }) => free >= LEAST).length >= SHEETS_TRIED) break;
  }
  return found.sort((a, b) => b.free - a.free);
}

function freeIn({ availability }: PriceRecord): number {
  return Array.isArray(availability) ? availability.length : 0;
}

/** A question for prices; every field has a default from the tee sheet of the run. */
export interface PriceQuery {
  readonly facilityIds?: readonly number[];
  readonly from?: Day;
  readonly to?: Day;
  readonly offset?: number;
  readonly limit?: number;
}

/** Days that prices are asked for: a week, or its first day where a week is more than a request may span. */
export function priceDays(session: Session): Promise<{ readonly from: Day; readonly to: Day }> {
  return session.once('price days', async (session) => {
    const [from, to] = [session.day(NEAREST), session.day(FARTHEST)];
    await place(session);
    const facilities = (await places(session)).flatMap(({ facilities }) => facilities).slice(0, MOST_IDS);
    const facilityIds = facilities.map(({ id }) => id).join(',');
    const params = { facilityIds, fromDate: from.query };
    const week = await session.read('v5.listPrices', { ...params, toDate: to.query });
    if (week.ok) return { from, to };
    const day = await session.read('v5.listPrices', { ...params, toDate: from.query });
    return { from, to: day.ok ? from : to };
  });
}

/** A page of price records. */
export async function prices(session: Session, query: PriceQuery = {}): Promise<Schemas['PricePage']> {
  const sheet = query.facilityIds && query.from ? undefined : await teeSheet(session);
  const { facilityIds = [sheet!.facilityId], from = sheet!.day, to = from, offset, limit } = query;
  const data = await session.data('v5.listPrices', {
    facilityIds: facilityIds.join(','),
    fromDate: from.query,
    toDate: to.query,
    offset,
    limit,
  });
  return data as Schemas['PricePage'];
}

/** Ids of courses by their names, for v5; told by the price records. */
export async function courses(session: Session): Promise<ReadonlyMap<string, number>> {
  const usual = await prices(session);
  // Where a page begins and ends by itself is an open question.
  const { records } = usual.records?.length < usual.total ? await prices(session, { offset: 0 }) : usual;
  if (!Array.isArray(records)) throw new Inconclusive('precondition', 'records in the answer of prices');
  return new Map(records.map(({ courseName, courseId }) => [courseName, courseId]));
}

/** The question of the tee sheet for one of its courses, in v5. */
export async function courseQuery(session: Session): Promise<Query> {
  const { facilityId, day, holes, teeTimes } = await teeSheet(session);
  const ids = await courses(session);
  const courseId = teeTimes.map(({ course }) => ids.get(course)).find((id) => id !== undefined);
  if (courseId === undefined) throw new Inconclusive('no-data', 'a price record that tells the id of a course');
  return { facilityId, day, holes, courseId };
}
