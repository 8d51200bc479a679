import { dayAfter, type Day } from '../client/day.js';
import { Inconclusive } from '../client/outcome.js';
import type { Reply } from '../client/exchange.js';
import { isOf, operationIn } from '../client/operations.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { material, type OpenDay } from './material.js';
import { timesOnSale } from './pool/reads.js';
import type { PriceRecord } from './pool/reads.js';
import {
  courseQuery,
  courses,
  NEAREST,
  type TeeTimeQuery,
  teeSheet,
  teeTimesIn,
  paramsOf,
  type SheetVersion,
  freeIn,
} from './tee-sheets.js';

/** A tee time in the terms that all versions share. */
export interface TeeTimeSummary {
  readonly id: number;
  readonly time: string;
  readonly course: string;
  readonly holes: number;
  /** Free slots; without products the field `players`, whose meaning is an open question. */
  readonly free: number;
}

/** The tee times that a version shows, in the terms that all share. */
export async function shownTeeTimes(
  session: Session,
  version: SheetVersion,
  query: TeeTimeQuery,
): Promise<readonly TeeTimeSummary[]> {
  return summariesOf(version, await session.read(operationIn('listTeeTimes', version), paramsOf(query)));
}

/** The tee times of an answer, in the terms that all versions share. */
export function summariesOf(version: SheetVersion, reply: Reply): readonly TeeTimeSummary[] {
  if (isOf('roundSheet', version)) {
    return teeTimesIn(version, reply).map(({ round, players, ...one }) =>
      summaryOf({ ...one, course: round }, players),
    );
  }
  if (isOf('plainSheet', version)) return teeTimesIn(version, reply).map((one) => summaryOf(one, one.players));
  return teeTimesIn(version, reply).map((one) => summaryOf({ ...one, id: one.teeid }, freeIn(one)));
}

function summaryOf({ id, time, course, holes }: Omit<TeeTimeSummary, 'free'>, free: number): TeeTimeSummary {
  return { id, time, course, holes, free };
}

/** A number of players above one, preferably one that fits some tee times of the sheet and not others. */
export async function morePlayers(session: Session): Promise<number> {
  const free = (await teeSheet(session)).teeTimes.map(freeIn);
  const fits = [4, 3, 2].filter((players) => free.some((slots) => slots >= players));
  const players = fits.find((one) => free.some((slots) => slots < one)) ?? fits[0];
  return players ?? 2;
}

/**
 * An upcoming day that is another upcoming day with day and month swapped: a deployment that swaps them returns the tee
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

/** A request for one course, with the name of the course in the price list. */
export interface CourseSheet extends TeeTimeQuery {
  readonly courseId: number;
  readonly courseName: string;
  /** The courses of the facility with tee times on that day, for as many holes. */
  readonly names: ReadonlySet<string>;
}

/** Days that are read to find tee times on several courses: of the same courses, and in all. */
const DAYS_OF_COURSES = 5;
const DAYS_READ = 30;
/** Weeks that are searched for them: bookings of earlier runs may have used up the best days. */
const ROUNDS = 3;
/** Courses that are asked for one after another. */
const MOST_COURSES = 4;

/** Requests for courses of facilities that sell several courses on a day, the last one if it tells courses apart. */
const coursesBeside = resource('courses beside', async (session): Promise<readonly CourseSheet[]> => {
  const pool = await material(session);
  const found: CourseSheet[] = [];
  const read: string[] = [];
  const beside = async (one: OpenDay): Promise<true | undefined> => {
    const open = one.records.filter((record) => timesOnSale(record).length > 0);
    const { facility, day } = one;
    const courseIds = [...new Set(open.map(({ courseId }) => courseId))];
    const key = courseIds.sort().join();
    const count = read.filter((one) => one === key).length;
    if (courseIds.length < 2 || count >= DAYS_OF_COURSES || read.length >= DAYS_READ) return undefined;
    read.push(key);
    const sheets = await pool.sheetsOf(session, one);
    const known = new Set(sheets.flatMap(({ teeTimes }) => teeTimes.map(({ course }) => course)));
    for (const { holes, teeTimes } of sheets) {
      const names = new Set(teeTimes.map(({ course }) => course));
      const ask = ({ courseId, courseName }: PriceRecord): void =>
        void found.push({ facilityId: facility.id, day, holes, courseId, courseName, names });
      const fitting = open.filter(({ courseName }) => names.has(courseName));
      // An answer that is always of one course is right for that one.
      const ofEach = new Map((fitting.length > 0 ? fitting : open.slice(0, 1)).map((one) => [one.courseId, one]));
      for (const record of ofEach.values()) ask(record);
      if (names.size > 1 && fitting.length > 0) return true;
      // A course may have tee times for the other number of holes only.
      const other = open.find((record) => !names.has(record.courseName) && known.has(record.courseName));
      if (other) ask(other);
    }
    return undefined;
  };
  await pool.days.find(session, beside, ROUNDS);
  return found;
});

/** A request for a course, preferably of a facility with tee times on another course that day. */
export const courseSheet = resource('course sheet', async (session): Promise<CourseSheet> => {
  const beside = await coursesBeside(session);
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

/**
 * Requests for the courses of a facility that has tee times on several of them that day, so that an answer that ignores
 * the course differs.
 *
 * @throws {Inconclusive} `no-data` if no facility has two.
 */
export async function coursesBesideEachOther(session: Session): Promise<readonly CourseSheet[]> {
  const all = [await courseSheet(session), ...(await coursesBeside(session))];
  const telling = all.filter(({ names, courseName }) => [...names].some((name) => name !== courseName));
  if (telling.length === 0) throw new Inconclusive('no-data', 'a facility with tee times on several courses');
  return telling.slice(0, MOST_COURSES);
}
