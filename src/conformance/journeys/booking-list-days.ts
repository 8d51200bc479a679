import { type Day, dayAfter, dayOf } from '../client/day.js';
import { Inconclusive } from '../client/outcome.js';
import type { Session } from '../client/session.js';
import type { KnownBooking, ListedBooking } from './booking-lists.js';

const HOUR = 3_600_000;
/** Tee times are in the time zone of their facility, between 12 hours behind UTC and 14 hours ahead. */
const BEHIND = 13 * HOUR;
export const AHEAD = 15 * HOUR;

export type Side = 'from' | 'to';

export const dayOfTeeTime = ({ teetime }: ListedBooking): string => String(teetime).slice(0, 10);
/** When a booking was made, read as UTC; the document does not say whether it is. */
const creationTime = ({ createdAt }: ListedBooking): number => Date.parse(`${String(createdAt).slice(0, 19)}Z`);
export const startTime = ({ teetime }: ListedBooking): number => Date.parse(`${String(teetime).slice(0, 19)}Z`);

/** Whether a tee time is before a day, or after it, in every time zone. */
export function isOutside(item: ListedBooking, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? startTime(item) < start - BEHIND : startTime(item) >= start + 24 * HOUR + AHEAD;
}

/**
 * Whether a tee time is on or after a day, or before it, in every time zone. It is an open question whether a list
 * includes its last day.
 */
export function isInside(item: ListedBooking, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? startTime(item) >= start + AHEAD : startTime(item) < start - BEHIND;
}

/** A day with day and month swapped; undefined if that is not another day. */
function misread({ iso }: Day): string | undefined {
  const [year, month, day] = iso.split('-');
  return Number(day) <= 12 && day !== month ? `${year}-${day}-${month}` : undefined;
}

/** The day for which swapping day and month would leave out the most bookings. */
export function dayRevealingSwap(session: Session, items: readonly KnownBooking[], side: Side): Day {
  const days = items.map(dayOfTeeTime);
  const between = (low: string, high: string): number => days.filter((day) => low <= day && day < high).length;
  const lost = (day: Day): number => {
    const wrong = misread(day);
    if (wrong === undefined) return 0;
    return side === 'from' ? between(day.iso, wrong) : between(wrong, day.iso);
  };
  const range = Array.from({ length: 250 }, (_, index) => session.day(index - 190));
  return range.reduce((best, day) => (lost(day) > lost(best) ? day : best), session.day(0));
}

/** A day next to a day with a booking: a list that is off by one day shows that booking. */
export function dayBeside(items: readonly KnownBooking[], side: Side): Day | undefined {
  for (const item of items) {
    const own = dayOf(dayOfTeeTime(item));
    const day = own && dayAfter(own, side === 'from' ? 1 : -1);
    if (day && isOutside(item, day, side)) return day;
  }
  return undefined;
}

/**
 * Bookings that are upcoming in every time zone. None if a booking was made after now: the clock of the deployment then
 * differs from the clock of the run, and it is unknown what is upcoming.
 */
export function upcoming({ run }: Session, items: readonly KnownBooking[]): readonly KnownBooking[] {
  const limit = run.host.now() + AHEAD;
  if (items.some((item) => creationTime(item) > limit)) return [];
  return items.filter((item) => startTime(item) > limit);
}

/**
 * The bookings of a list that are past in every time zone.
 *
 * @param items All bookings that the list selects from.
 * @throws {Inconclusive} if the list may begin at the present time of the deployment: it leaves out earlier tee times,
 * and no booking was made later.
 */
export function pastIn(
  { run }: Session,
  listed: readonly ListedBooking[],
  items: readonly KnownBooking[],
): readonly ListedBooking[] {
  const past = listed.filter((item) => startTime(item) <= run.host.now() - BEHIND);
  const first = Math.min(...past.map(startTime));
  const left = items.filter((item) => startTime(item) < first);
  if (past.length > 0 && left.length > 0 && items.every((item) => creationTime(item) <= first + AHEAD)) {
    throw new Inconclusive('precondition', 'a deployment clock that agrees with the clock of this run');
  }
  return past;
}

/** Whether a booking was made on an earlier day. */
export const createdBefore = ({ createdAt }: ListedBooking, { iso }: Day): boolean =>
  String(createdAt).slice(0, 10) < iso;

/** The day of the earliest past tee time that was booked on an earlier day, or the day before it. */
export function pastDay(session: Session, items: readonly KnownBooking[]): Day {
  const past = items.filter((item) => startTime(item) < session.run.host.now() - AHEAD);
  const earliest = (shift: number, fits: (item: KnownBooking, day: Day) => boolean): Day | undefined =>
    past
      .map((item) => ({ item, day: dayAfter(dayOf(dayOfTeeTime(item)) ?? session.day(0), shift) }))
      .filter(({ item, day }) => isInside(item, day, 'from') && fits(item, day))
      .map(({ day }) => day)
      .sort((one, other) => (one.iso < other.iso ? -1 : 1))[0];
  const day = earliest(0, createdBefore) ?? earliest(-1, createdBefore) ?? earliest(-1, () => true);
  if (!day) throw new Inconclusive('no-data', 'a past booking of the channel');
  return day;
}
