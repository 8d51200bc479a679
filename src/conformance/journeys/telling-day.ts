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
export const written = ({ teetime }: Listed): number => Date.parse(`${String(teetime).slice(0, 19)}Z`);

/** Whether a tee time lies before a day, or after it, on any clock. */
export function isOutside(item: Listed, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? written(item) < start - BEHIND : written(item) >= start + 24 * HOUR + AHEAD;
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
  const booked = session.run.transport.limited ? range.filter(({ iso }) => days.includes(iso)) : [];
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
  if (items.some(({ createdAt }) => Date.parse(`${String(createdAt).slice(0, 19)}Z`) > limit)) return [];
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
  const made = items.map(({ createdAt }) => Date.parse(`${String(createdAt).slice(0, 19)}Z`));
  const left = items.filter((item) => written(item) < first);
  if (past.length > 0 && left.length > 0 && made.every((moment) => moment <= first + AHEAD)) {
    throw new Inconclusive('precondition', 'a clock of the deployment that agrees with that of this run');
  }
  return past;
}

/** The day of the earliest booking whose tee time is past and that was made on a day before it. */
export function pastDay(session: Session, items: readonly Item[]): Day {
  const past = items.filter((item) => written(item) < session.run.host.now() - AHEAD);
  const made = ({ createdAt }: Item): string => String(createdAt).slice(0, 10);
  // Where requests are few, one list has to do for all that is asked of the first day.
  const telling = tellingDay(session, items, 'from');
  const fits = (item: Item): boolean => made(item) < telling.iso && telling.iso <= dayIn(item);
  if (session.run.transport.limited && past.some(fits)) return telling;
  const ahead = past.filter((item) => made(item) < dayIn(item));
  const [first] = (ahead.length > 0 ? ahead : past).map(dayIn).sort();
  const day = dayOf(first);
  if (!day) throw new Inconclusive('no-data', 'a past booking of the channel');
  return day;
}
