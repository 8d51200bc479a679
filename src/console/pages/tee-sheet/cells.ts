import type { AdminType } from '../../data/api.js';

export type SheetDay = AdminType<'TeeSheets'>;
export type CourseDay = AdminType<'TeeSheet'>;
export type SheetTime = AdminType<'SheetTeeTime'>;
export type ShownBooking = AdminType<'Booking'>;

/** What holds some of the slots of a tee time, beside each other. */
export type SlotCell =
  | { readonly kind: 'booking'; readonly booking: ShownBooking; readonly from: number; readonly span: number }
  | { readonly kind: 'elsewhere'; readonly from: number; readonly span: number }
  | {
      readonly kind: 'free';
      readonly from: number;
      readonly span: number;
      /** The cancelled booking that had it. */
      readonly was?: ShownBooking | undefined;
    };

/** A line of the grid. */
export interface SheetRow {
  readonly teeTime: SheetTime;
  readonly withdrawn: boolean;
  readonly past: boolean;
  readonly cells: readonly SlotCell[];
  readonly cancelled: readonly ShownBooking[];
}

/** The slots of a tee time from left to right: bookings, what is sold elsewhere, and each free slot. */
function cellsOf(
  { bookings, soldElsewhere, free }: SheetTime,
  cancelled: readonly ShownBooking[],
): readonly SlotCell[] {
  const cells: SlotCell[] = [];
  let from = 1;
  for (const booking of bookings) {
    cells.push({ kind: 'booking', booking, from, span: booking.players });
    from += booking.players;
  }
  if (soldElsewhere > 0) cells.push({ kind: 'elsewhere', from, span: soldElsewhere });
  from += soldElsewhere;
  for (let slot = 0; slot < free; slot += 1)
    cells.push({ kind: 'free', from: from + slot, span: 1, was: cancelled[slot] });
  return cells;
}

/** The lines of a course in order of time, withdrawn tee times among them. `now` is local time at the facility. */
export function rowsOf(
  { teeTimes, withdrawn }: CourseDay,
  now: string,
  cancelled: readonly ShownBooking[] = [],
): readonly SheetRow[] {
  const row = (teeTime: SheetTime, isWithdrawn: boolean): SheetRow => {
    const mine = cancelled.filter(({ teeId }) => teeId === teeTime.teeId);
    const past = teeTime.time <= now;
    return { teeTime, withdrawn: isWithdrawn, past, cells: cellsOf(teeTime, mine), cancelled: mine };
  };
  return [...teeTimes.map((one) => row(one, false)), ...withdrawn.map((one) => row(one, true))].sort((one, other) =>
    one.teeTime.time < other.teeTime.time ? -1 : 1,
  );
}

/** How many slots of a tee time can be booked now: none after it has begun. `now` is local time at the facility. */
export function freeAt({ time, free }: SheetTime, now: string): number {
  return time > now ? free : 0;
}

/** How many slots of a course can be booked now. */
export function freeSlots({ teeTimes, closed }: CourseDay, now: string): number {
  return closed ? 0 : teeTimes.reduce((sum, one) => sum + freeAt(one, now), 0);
}

/** The cheapest product that needs no further round: the one that most players ask for. */
export function usualProduct({ products }: CourseDay, { productIds, holes }: SheetTime) {
  const sold = products.filter(({ productId }) => productIds.includes(productId));
  return sold.find((one) => one.holes <= holes) ?? sold[0];
}

/** The price of a tee time for one player. */
export function priceOf(course: CourseDay, teeTime: SheetTime): number | undefined {
  return usualProduct(course, teeTime)?.prices[0]?.price;
}

export function bookingsOf({ teeTimes, withdrawn }: CourseDay): readonly ShownBooking[] {
  return [...teeTimes, ...withdrawn].flatMap(({ bookings }) => bookings);
}

/** The other bookings of the same linked rounds. */
export function linkedWith(courses: readonly CourseDay[], booking: ShownBooking): readonly ShownBooking[] {
  const { linkedTeeTimeRef, groupId, bookingId } = booking;
  if (linkedTeeTimeRef === null) return [];
  return courses
    .flatMap(bookingsOf)
    .filter(
      (one) => one.bookingId !== bookingId && one.groupId === groupId && one.linkedTeeTimeRef === linkedTeeTimeRef,
    );
}
