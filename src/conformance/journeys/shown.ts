import { dayAfter, dayOf, type Day } from '../day.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { MOST_IDS, places } from './places.js';
import {
  courseQuery,
  courses,
  NEAREST,
  priceDays,
  type PriceRecord,
  prices,
  type Query,
  teeSheet,
  type TeeTime,
  teeTimes,
} from './tee-sheets.js';

export type SheetVersion = 'v2' | 'v3' | 'v4' | 'v5';
export const sheetVersions: readonly SheetVersion[] = ['v2', 'v3', 'v4', 'v5'];

/** A tee time in the terms that all versions share. */
export interface Shown {
  readonly id: number;
  readonly time: string;
  readonly course: string;
  readonly holes: number;
  /** Free slots; in v2 and v3 the field `players`, whatever it means. */
  readonly places: number;
}

/** Free slots of a tee time: those of the product that has most. */
export function freeIn({ products }: TeeTime): number {
  return Math.max(0, ...products.map(({ available }) => available));
}

/** The tee times that a version shows, in the terms that all share. */
export async function shownTeeTimes(session: Session, version: SheetVersion, query: Query): Promise<readonly Shown[]> {
  if (version === 'v2') {
    const found = await teeTimes(session, 'v2', query);
    return found.map(({ id, time, round, holes, players }) => ({ id, time, course: round, holes, places: players }));
  }
  if (version === 'v3') {
    const found = await teeTimes(session, 'v3', query);
    return found.map(({ id, time, course, holes, players }) => ({ id, time, course, holes, places: players }));
  }
  const found = await teeTimes(session, version, query);
  return found.map((one) => ({
    id: one.teeid,
    time: one.time,
    course: one.course,
    holes: one.holes,
    places: freeIn(one),
  }));
}

/** The question of the run's tee sheet for a version. */
export async function sheetQuery(session: Session, version: SheetVersion): Promise<Query> {
  if (version === 'v5') return courseQuery(session);
  const { facilityId, day, holes } = await teeSheet(session);
  return { facilityId, day, holes };
}

/** A number of players above one, if it can be one that some tee times of the sheet have slots for and others not. */
export async function morePlayers(session: Session): Promise<number> {
  const free = (await teeSheet(session)).teeTimes.map(freeIn);
  const fits = [4, 3, 2].filter((players) => free.some((slots) => slots >= players));
  const players = fits.find((one) => free.some((slots) => slots < one)) ?? fits[0];
  return players ?? 2;
}

/**
 * A day to come that is another day to come when day and month are swapped: read the wrong way round it shows tee
 * times of that other day.
 */
export function ambiguousDay(session: Session): Day {
  const first = session.day(NEAREST);
  for (let days = 0; days < 366; days += 1) {
    const day = dayAfter(first, days);
    const [year, month, date] = day.iso.split('-');
    if (month !== date && Number(date) <= 12 && `${year}-${date}-${month}` > first.iso) return day;
  }
  return first;
}

/** Price records of some facilities over a week, as the search for a tee sheet has fetched them. */
export async function weekPrices(session: Session): Promise<{
  readonly facilityIds: readonly number[];
  readonly records: readonly PriceRecord[];
  readonly total: number;
}> {
  const facilityIds = (await places(session))
    .flatMap(({ facilities }) => facilities)
    .map(({ id }) => id)
    .slice(0, MOST_IDS);
  if (facilityIds.length === 0) throw new Inconclusive('no-data', 'a facility that the channel is connected to');
  const page = await prices(session, { facilityIds, ...(await priceDays(session)) });
  return { facilityIds, ...page };
}

/** A course of a facility with several, if there is one, with the name that the price list gives it. */
export interface CourseSheet extends Query {
  readonly courseId: number;
  readonly courseName: string;
  /** The courses that the facility has tee times on that day, for as many holes. */
  readonly names: ReadonlySet<string>;
}

const DAYS_TRIED = 3;

/** Courses beside another one on sale that day, with what there is for 18 holes and for 9. Made once in a run. */
function coursesBeside(session: Session): Promise<readonly CourseSheet[]> {
  return session.once('courses beside', async (session) => {
    const { records } = await weekPrices(session);
    const open = records.filter(({ availability }) => availability?.length > 0);
    const beside = open.filter(({ facilityId, courseId, date }) =>
      open.some((one) => one.facilityId === facilityId && one.date === date && one.courseId !== courseId),
    );
    const found: CourseSheet[] = [];
    const days = new Set<string>();
    for (const { facilityId, courseId, courseName, date } of beside) {
      const day = dayOf(date);
      const place = `${facilityId} ${date}`;
      if (!day || (days.size === DAYS_TRIED && !days.has(place))) continue;
      days.add(place);
      for (const holes of [18, 9] as const) {
        const names = new Set((await teeTimes(session, 'v4', { facilityId, day, holes })).map(({ course }) => course));
        found.push({ facilityId, day, holes, courseId, courseName, names });
        if (names.size > 1 && names.has(courseName)) return found;
      }
    }
    return found;
  });
}

/** A v5 question for a course, if possible one beside which the facility has another one with tee times that day. */
export function courseSheet(session: Session): Promise<CourseSheet> {
  return session.once('course sheet', async (session) => {
    // Looking for another course costs requests.
    const beside = session.run.transport.limited ? [] : await coursesBeside(session);
    const both = beside.find(({ names, courseName }) => names.size > 1 && names.has(courseName));
    if (both) return both;
    const query = await courseQuery(session);
    const courseId = query.courseId!;
    const [courseName] = [...(await courses(session))].find(([, id]) => id === courseId)!;
    return {
      ...query,
      courseId,
      courseName,
      names: new Set((await teeSheet(session)).teeTimes.map((one) => one.course)),
    };
  });
}

/**
 * A v5 question for a course to which an answer without it would give tee times of another one.
 *
 * @throws {Inconclusive} where no facility has two.
 */
export async function tellingCourse(session: Session): Promise<CourseSheet> {
  const beside = session.run.transport.limited ? [] : await coursesBeside(session);
  const all = [await courseSheet(session), ...beside];
  const telling = all.find(({ names, courseName }) => [...names].some((name) => name !== courseName));
  if (!telling) throw new Inconclusive('no-data', 'a facility with tee times on several courses');
  return telling;
}
