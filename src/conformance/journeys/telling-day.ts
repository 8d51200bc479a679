import { type Day, dayAfter, dayOf } from '../day.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import type { Item, Listed } from './booking-lists.js';

export const HOUR = 3_600_000;
/** A tee time is written in the zone of its facility; zones lie between 12 hours behind UTC and 14 ahead of it. */
export const BEHIND = 13 * HOUR;
export const AHEAD = 15 * HOUR;

export type Side = 'from' | 'to';

export const dayIn = ({ teetime }: Listed): string => String(teetime).slice(0, 10);
/** When a booking was made; whether its moment is in UTC is open. */
export const made = ({ createdAt }: Listed): number => Date.parse(`${String(createdAt).slice(0, 19)}Z`);
export const written = ({ teetime }: Listed): number => Date.parse(`${String(teetime).slice(0, 19)}Z`);

/** Whether a tee time lies before a day, or after it, on any clock. */
export function isOutside(item: Listed, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? written(item) < start - BEHIND : written(item) >= start + 24 * HOUR + AHEAD;
}

/**
 * Whether a tee time lies at or after a day, or before it, on any clock; whether the day that a list ends with belongs
 * to it is open.
 */
export function isInside(item: Listed, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? written(item) >= start + AHEAD : written(item) < start - BEHIND;
}

/** Whether a tee time is on the day before a day, or after it. */
function isNext(item: Listed, day: Day, side: Side): boolean {
  return dayIn(item) === dayAfter(day, side === 'from' ? -1 : 1).iso;
}

/** A day read with its day and month the wrong way round; undefined where that is no other day. */
function misread({ iso }: Day): string | undefined {
  const [year, month, day] = iso.split('-');
  return Number(day) <= 12 && day !== month ? `${year}-${day}-${month}` : undefined;
}

/**
 * The day that tells best whether dates are read the right way round: a misreading would leave out most bookings.
 * Where requests are few it is the day of a booking, so that the same list tells of the border as well.
 */
export function tellingDay(session: Session, items: readonly Item[], side: Side): Day {
  const days = items.map(dayIn);
  const between = (low: string, high: string): number => days.filter((day) => low <= day && day < high).length;
  const lost = (day: Day): number => {
    const wrong = misread(day);
    if (wrong === undefined) return 0;
    return side === 'from' ? between(day.iso, wrong) : between(wrong, day.iso);
  };
  const range = Array.from({ length: 250 }, (_, index) => session.day(index - 190));
  const tells = (day: Day): boolean => days.includes(day.iso) && items.some((item) => isInside(item, day, side));
  const booked = session.run.transport.limited ? range.filter(tells) : [];
  const edges = booked.filter((day) => items.some((item) => isOutside(item, day, side) && isNext(item, day, side)));
  const own = edges.length > 0 ? edges : booked;
  const [usual, candidates] = own.length > 0 ? [own[own.length >> 1]!, own] : [session.day(0), range];
  return candidates.reduce((best, day) => (lost(day) > lost(best) ? day : best), usual);
}

/** A day with a booking on the day before it, or after it, which a list that is a day off would show. */
export function edgeDay(items: readonly Item[], side: Side): Day | undefined {
  for (const item of items) {
    const own = dayOf(dayIn(item));
    const day = own && dayAfter(own, side === 'from' ? 1 : -1);
    if (day && isOutside(item, day, side)) return day;
  }
  return undefined;
}

/**
 * Bookings that are to come on any clock. None where bookings were made after now: then the deployment keeps another
 * time than the run, and what is to come is not known.
 */
export function coming({ run }: Session, items: readonly Item[]): readonly Item[] {
  const limit = run.host.now() + AHEAD;
  if (items.some((item) => made(item) > limit)) return [];
  return items.filter((item) => written(item) > limit);
}

/**
 * The bookings of a list that are past on any clock.
 *
 * @param items All bookings that it selects from.
 * @throws {Inconclusive} where the list begins at a moment that may well be the present of the deployment: no booking
 * was made after it, and earlier tee times are left out.
 */
export function pastIn({ run }: Session, listed: readonly Listed[], items: readonly Item[]): readonly Listed[] {
  const past = listed.filter((item) => written(item) <= run.host.now() - BEHIND);
  const first = Math.min(...past.map(written));
  const left = items.filter((item) => written(item) < first);
  if (past.length > 0 && left.length > 0 && items.every((item) => made(item) <= first + AHEAD)) {
    throw new Inconclusive('precondition', 'a clock of the deployment that agrees with that of this run');
  }
  return past;
}

/** Whether a booking was made on a day before. */
export const madeBefore = ({ createdAt }: Listed, { iso }: Day): boolean => String(createdAt).slice(0, 10) < iso;

/** The day of the earliest booking whose tee time is past, or the one before it, and that was made on a day before. */
export function pastDay(session: Session, items: readonly Item[]): Day {
  const past = items.filter((item) => written(item) < session.run.host.now() - AHEAD);
  // Where requests are few, one list has to do for all that is asked of the first day.
  const telling = tellingDay(session, items, 'from');
  const tells = (item: Item): boolean => isInside(item, telling, 'from') && madeBefore(item, telling);
  if (session.run.transport.limited && past.some(tells)) return telling;
  const earliest = (shift: number, fits: (item: Item, day: Day) => boolean): Day | undefined =>
    past
      .map((item) => ({ item, day: dayAfter(dayOf(dayIn(item)) ?? session.day(0), shift) }))
      .filter(({ item, day }) => isInside(item, day, 'from') && fits(item, day))
      .map(({ day }) => day)
      .sort((one, other) => (one.iso < other.iso ? -1 : 1))[0];
  const day = earliest(0, madeBefore) ?? earliest(-1, madeBefore) ?? earliest(-1, () => true);
  if (!day) throw new Inconclusive('no-data', 'a past booking of the channel');
  return day;
}
