import type { Booking } from '../domain/booking.js';

/** The bookings of one channel whose tee times lie on one day, in order of tee time. */
export interface DayOfBookings {
  readonly day: number;
  readonly bookings: Booking[];
  /** What a version's writer made of the whole day; dropped when the day changes. */
  readonly written: Map<string, string>;
}

interface ChannelBookings {
  /** Ascending, so that a range of days is found by bisection. */
  readonly days: DayOfBookings[];
  readonly byDay: Map<number, DayOfBookings>;
}

/**
 * All bookings with the indexes that requests need: by identifier, by group, by tee time, and by channel and
 * day. Each look-up and each write costs the same at a thousand bookings as at a million.
 */
export class Ledger {
  readonly #byId = new Map<string, Booking>();
  readonly #byCode = new Map<string, Booking>();
  readonly #byGroup = new Map<number, Booking[]>();
  readonly #byTeeTime = new Map<number, Booking[]>();
  readonly #byChannel = new Map<string, ChannelBookings>();
  readonly #taken = new Map<number, number>();

  find(bookingId: string): Booking | undefined {
    return this.#byId.get(bookingId);
  }

  findByCode(code: string): Booking | undefined {
    return this.#byCode.get(code);
  }

  group(groupId: number): readonly Booking[] {
    return this.#byGroup.get(groupId) ?? [];
  }

  /** Bookings of a tee time, cancelled ones included, in order of creation. */
  at(teeId: number): readonly Booking[] {
    return this.#byTeeTime.get(teeId) ?? [];
  }

  /** Places of a tee time held by active bookings. */
  taken(teeId: number): number {
    return this.#taken.get(teeId) ?? 0;
  }

  /** Days of a channel from `first` to `last`, both inclusive, that hold bookings. */
  days(channel: string, first: number, last: number): readonly DayOfBookings[] {
    const days = this.#byChannel.get(channel)?.days ?? [];
    return days.slice(lowerBound(days, first), lowerBound(days, last + 1));
  }

  /** All bookings in order of creation. */
  all(): IterableIterator<Booking> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  add(booking: Booking): void {
    this.#byId.set(booking.bookingId, booking);
    this.#byCode.set(booking.code, booking);
    if (booking.groupId !== null) push(this.#byGroup, booking.groupId, booking);
    push(this.#byTeeTime, booking.teeId, booking);
    if (booking.status === 'BOOKED') this.#take(booking, booking.players);
    const day = this.#dayOf(booking);
    day.bookings.splice(insertionPoint(day.bookings, booking.time), 0, booking);
    day.written.clear();
  }

  /** Marks a booking cancelled and gives its places back; the booking stays listed (section "States"). */
  cancel(booking: Booking, canceledAt: string): void {
    if (booking.status === 'CANCELED') return;
    booking.status = 'CANCELED';
    booking.canceledAt = canceledAt;
    this.#take(booking, -booking.players);
    this.#dayOf(booking).written.clear();
  }

  /** Drops what writers made of whole days. */
  forgetWritten(): void {
    for (const { days } of this.#byChannel.values()) for (const day of days) day.written.clear();
  }

  #take(booking: Booking, places: number): void {
    this.#taken.set(booking.teeId, this.taken(booking.teeId) + places);
  }

  #dayOf(booking: Booking): DayOfBookings {
    let channel = this.#byChannel.get(booking.channel);
    if (!channel) this.#byChannel.set(booking.channel, (channel = { days: [], byDay: new Map() }));
    let day = channel.byDay.get(booking.day);
    if (!day) {
      day = { day: booking.day, bookings: [], written: new Map() };
      channel.byDay.set(booking.day, day);
      channel.days.splice(lowerBound(channel.days, booking.day), 0, day);
    }
    return day;
  }
}

/** Position of the first day that is not before `day`. */
function lowerBound(days: readonly DayOfBookings[], day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]!.day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position behind the last booking whose tee time is not later than `time`. */
function insertionPoint(bookings: readonly Booking[], time: string): number {
  let low = 0;
  let high = bookings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bookings[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function push<K>(map: Map<K, Booking[]>, key: K, booking: Booking): void {
  const list = map.get(key);
  if (list) list.push(booking);
  else map.set(key, [booking]);
}
