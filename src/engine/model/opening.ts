import { civilDate, dayNumber, weekday } from './calendar.js';
import type { Course, World } from './world.js';

/** The first day with tee sheets; tee time ids are never negative. */
export const FIRST_DAY = dayNumber(2000, 1, 1);
/** The last day with tee sheets, so that tee time ids of the default world fit a signed 32-bit integer. */
export const LAST_DAY = dayNumber(2199, 12, 31);
/** Maximum tee times per day. The busiest course has 94; a larger maximum would take the ids past 31 bits. */
export const MAX_TEE_TIMES = 112;

/** The tee times of an open day: `count` of them, from minute `first`, one every `course.interval` minutes. */
export interface Opening {
  readonly first: number;
  readonly count: number;
}

/** The distance from midsummer in thousandths, by month, in the northern hemisphere. */
const SHORTER_DAYS = [1000, 800, 550, 300, 100, 0, 50, 200, 450, 700, 900, 1000] as const;

/** Why a course has no tee times on a day: the day is outside the calendar, or the course is closed. */
export type Closure = 'no-calendar' | 'weekday' | 'season';

export function closureOf(course: Course, day: number): Closure | undefined {
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) return 'no-calendar';
  if (course.closedWeekday === weekday(day)) return 'weekday';
  return course.closedMonths.includes(civilDate(day).month) ? 'season' : undefined;
}

/** The opening of a course on a day; undefined if it is closed. */
export function opening(world: World, course: Course, day: number): Opening | undefined {
  if (closureOf(course, day)) return undefined;
  const latitude = world.facility(course.facilityId)?.address.latitude ?? 0;
  return daylight(course, civilDate(day).month, latitude);
}

/** Winter days start later and end earlier, more so further from the equator. */
function daylight(course: Course, month: number, latitude: number): Opening {
  const shorter = SHORTER_DAYS[(month - 1 + (latitude < 0 ? 6 : 0)) % 12]!;
  const evening = (Math.abs(latitude) * shorter * 4) / 1000;
  const first = course.firstTee + Math.floor(evening / 3 / course.interval) * course.interval;
  const last = Math.max(first, course.lastTee - evening);
  return { first, count: Math.min(MAX_TEE_TIMES, Math.floor((last - first) / course.interval) + 1) };
}
