import { Booking, type BookingFields, type BookingState, recordOf } from '../model/booking.js';
import { DAY_MS, type Zones } from '../model/calendar.js';
import type { TeeTime } from '../model/tee-sheet.js';
import type { Course, World } from '../model/world.js';

/** The name under which an operator lets other buyers book: no list of a partner shows their bookings. */
export const RIVALS = 'rivals';

/** The contact of such a buyer. */
export const buyer = {
  contactFirstName: 'Rival',
  contactLastName: 'Buyer',
  contactPhone: '+44 20 7946 0999',
  contactEmail: 'rival@buyer.example',
};

/** The bookings of one channel with tee times on one day. */
export class DayOfBookings {
  /** The cached text of the whole day by version; dropped when the day changes. */
  readonly written = new Map<string, string>();
  readonly #bookings: Booking[] = [];
  #inOrder = true;

  constructor(readonly day: number) {}

  /** In order of tee time, then of creation. They are sorted when read, not with each booking. */
  get bookings(): readonly Booking[] {
    if (!this.#inOrder)
      this.#bookings.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
    this.#inOrder = true;
    return this.#bookings;
  }

  add(booking: Booking): void {
    const last = this.#bookings.at(-1);
    if (last && booking.time < last.time) this.#inOrder = false;
    this.#bookings.push(booking);
    this.written.clear();
  }
}

/** What a booking holds, with its indexes and its texts in lists; 1,540 to 2,200 measured. */
const BOOKING_BYTES = 3000;
/** Characters of its guests that this includes. */
const ORDINARY_TEXT = 500;
/** Bytes of a further player or product, beside the texts. */
const ITEM_BYTES = 100;

/** Bytes of a character of a long text: it may take two, and is once more in a list, in its bytes and in what is cached. */
const CHARACTER_BYTES = 8;

/** Bytes of a booking, estimated from above. */
function bytesOf(booking: Booking): number {
  const { contactFirstName, contactLastName, contactPhone, contactEmail, extraProducts, additionalPlayers } = booking;
  const { comments, linkedTeeTimeRef, paymentIntent } = booking;
  const texts = [
    contactFirstName,
    contactLastName,
    contactPhone,
    contactEmail,
    comments,
    linkedTeeTimeRef,
    paymentIntent,
  ];
  for (const { firstName, lastName } of additionalPlayers) texts.push(firstName, lastName);
  const characters = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const items = extraProducts.length + additionalPlayers.length;
  return BOOKING_BYTES + CHARACTER_BYTES * Math.max(0, characters - ORDINARY_TEXT) + ITEM_BYTES * items;
}

/** Bookings of one page. */
const PAGE = 500;

/** Bookings that were made one after the other. */
interface Page {
  readonly bookings: Booking[];
  /** The same as data; undefined after a change of one of them. */
  records: readonly BookingState[] | undefined;
}

interface ChannelBookings {
  /** In ascending order, for a binary search. */
  readonly days: DayOfBookings[];
  readonly byDay: Map<number, DayOfBookings>;
}

interface BookedTeeTime {
  readonly bookings: Booking[];
  /** The slots that active bookings occupy. */
  taken: number;
}

/**
 * All bookings, indexed by booking id, by group, by tee time, and by channel and day. Lookups and writes take the same
 * time with a thousand bookings as with a million.
 */
export class Ledger {
  readonly #byId = new Map<string, Booking>();
  /** Built on first use, since most dialects do not need it. */
  #byCode: Map<string, Booking> | undefined;
  readonly #byGroup = new Map<number, Booking[]>();
  readonly #byTeeTime = new Map<number, BookedTeeTime>();
  readonly #byChannel = new Map<string, ChannelBookings>();
  /** In order of creation. */
  readonly #pages: Page[] = [];
  #records: readonly BookingState[] | undefined;
  #ofChannels = 0;
  #bytes = 0;

  find(bookingId: string): Booking | undefined {
    return this.#byId.get(bookingId);
  }

  findByCode(code: string): Booking | undefined {
    this.#byCode ??= new Map(Array.from(this.all(), (booking) => [booking.code, booking]));
    return this.#byCode.get(code);
  }

  group(groupId: number): readonly Booking[] {
    return this.#byGroup.get(groupId) ?? [];
  }

  /** The bookings of a tee time in order of creation, including cancelled ones. */
  at(teeId: number): readonly Booking[] {
    return this.#byTeeTime.get(teeId)?.bookings ?? [];
  }

  /** The slots of a tee time that active bookings occupy. */
  taken(teeId: number): number {
    return this.#byTeeTime.get(teeId)?.taken ?? 0;
  }

  /** The days of a channel with bookings, from `first` to `last` inclusive. */
  days(channel: string, first: number, last: number): readonly DayOfBookings[] {
    const days = this.#byChannel.get(channel)?.days ?? [];
    return days.slice(lowerBound(days, first, dayOf), lowerBound(days, last + 1, dayOf));
  }

  /** All bookings in order of creation. */
  all(): IterableIterator<Booking> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Bytes of all bookings, estimated from above. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bookings that no such buyer made: those of clients and those of the start. */
  get ofChannels(): number {
    return this.#ofChannels;
  }

  add(booking: Booking): void {
    this.#append(booking);
    this.#bytes += bytesOf(booking);
    if (booking.channel !== RIVALS) this.#ofChannels += 1;
    this.#byId.set(booking.bookingId, booking);
    this.#byCode?.set(booking.code, booking);
    if (booking.groupId !== null) push(this.#byGroup, booking.groupId, booking);
    this.#occupy(booking);
    this.#dayOf(booking).add(booking);
  }

  /** Has to be called after a change of a booking. */
  changed(booking: Booking): void {
    Booking.keep(booking, undefined);
    this.#pageOf(booking).records = undefined;
    this.#records = undefined;
  }

  /** All bookings as data, in order of creation. Who reads them shares them; they never change. */
  records(): readonly BookingState[] {
    const recordsOf = (page: Page) => (page.records ??= page.bookings.map(recordOf));
    // Ten times as fast as `flatMap`.
    this.#records ??= Object.freeze(([] as BookingState[]).concat(...this.#pages.map(recordsOf)));
    return this.#records;
  }

  /** Marks a booking as cancelled and frees its slots. The booking remains in lists (section "States"). */
  cancel(booking: Booking, canceledAt: string): void {
    if (booking.status === 'CANCELED') return;
    booking.status = 'CANCELED';
    booking.canceledAt = canceledAt;
    this.changed(booking);
    this.#byTeeTime.get(booking.teeId)!.taken -= booking.players;
    this.#dayOf(booking).written.clear();
  }

  /** Drops the cached texts of days. */
  forgetWritten(): void {
    for (const { days } of this.#byChannel.values()) for (const day of days) day.written.clear();
  }

  #append(booking: Booking): void {
    let page = this.#pages.at(-1);
    if (!page || page.bookings.length === PAGE) this.#pages.push((page = { bookings: [], records: undefined }));
    page.bookings.push(booking);
    page.records = undefined;
    this.#records = undefined;
  }

  /** Numbers of bookings ascend. */
  #pageOf({ sequence }: Booking): Page {
    const after = lowerBound(this.#pages, sequence + 1, (page) => page.bookings[0]!.sequence);
    return this.#pages[after - 1]!;
  }

  #occupy(booking: Booking): void {
    const taken = booking.status === 'BOOKED' ? booking.players : 0;
    const teeTime = this.#byTeeTime.get(booking.teeId);
    if (!teeTime) return void this.#byTeeTime.set(booking.teeId, { bookings: [booking], taken });
    teeTime.bookings.push(booking);
    teeTime.taken += taken;
  }

  #dayOf(booking: Booking): DayOfBookings {
    let channel = this.#byChannel.get(booking.channel);
    if (!channel) this.#byChannel.set(booking.channel, (channel = { days: [], byDay: new Map() }));
    let day = channel.byDay.get(booking.day);
    if (!day) {
      day = new DayOfBookings(booking.day);
      channel.byDay.set(booking.day, day);
      channel.days.splice(lowerBound(channel.days, booking.day, dayOf), 0, day);
    }
    return day;
  }
}

/** Counts the changes of free slots by course and day. */
export class Revisions {
  readonly #counts = new Map<string, number>();

  of(courses: readonly { readonly id: number }[], day: number): number {
    let sum = 0;
    for (const { id } of courses) sum += this.#counts.get(`${id} ${day}`) ?? 0;
    return sum;
  }

  touch({ courseId, day }: { readonly courseId: number; readonly day: number }): void {
    const key = `${courseId} ${day}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  clear(): void {
    this.#counts.clear();
  }
}

const dayOf = ({ day }: DayOfBookings): number => day;

/** The index of the first item of an ascending list whose key is not below `least`. */
function lowerBound<T>(list: readonly T[], least: number, keyOf: (item: T) => number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(list[middle]!) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function push<K>(map: Map<K, Booking[]>, key: K, booking: Booking): void {
  const list = map.get(key);
  if (list) list.push(booking);
  else map.set(key, [booking]);
}

/** A tee time with its course and day. */
export interface DatedTeeTime {
  readonly course: Course;
  readonly day: number;
  readonly teeTime: TeeTime;
}

type Derived = 'time' | 'course' | 'bookingId' | 'code' | 'courseId' | 'day' | 'startsAt' | 'startsAtAsUtc';

/** Epoch milliseconds in the form of `createdAt`: ISO 8601 with milliseconds, in UTC, without a designator. */
export function stamp(epoch: number): string {
  if (epoch !== latest.epoch) latest = { epoch, text: new Date(epoch).toISOString().slice(0, -1) };
  return latest.text;
}

/** Caches the last result: many bookings are made in one millisecond, and all of them while the clock is frozen. */
let latest = { epoch: Number.NaN, text: '' };

/** The epoch milliseconds of a local time. */
export function instantOf(zones: Zones, timeZone: string, day: number, minute: number): number {
  const local = day * DAY_MS + minute * 60_000;
  return timeZone === 'UTC' ? local : zones.toInstant(timeZone, local);
}

/** The properties that follow from the number and the tee time of a booking. */
export function derivedFields(
  world: World,
  zones: Zones,
  sequence: number,
  { course, day, teeTime: { teeId, time, minute } }: DatedTeeTime,
): Pick<BookingFields, Derived> {
  const { id, timeZone } = world.facility(course.facilityId)!;
  return {
    // Those of the request are the same, but each has its own.
    time,
    course: course.name,
    bookingId: compositeBookingId(world.seed, sequence, id, teeId),
    code: shortBookingId(world.seed, sequence),
    courseId: course.id,
    day,
    startsAt: instantOf(zones, timeZone, day, minute),
    startsAtAsUtc: instantOf(zones, 'UTC', day, minute),
  };
}

/**
 * Ids depend only on the seed and a counter, so that the same calls give the same bytes. Multiplying by a number
 * coprime to the range visits every value once, so ids never collide.
 */

const SUFFIX_RANGE = 36 ** 6;
const CODE_RANGE = 36 ** 8;
const SUFFIX_STEP = 1_000_003;
const CODE_STEP = 100_000_007;

const SQUARE = 36 ** 2;

/** Two digits to the base 36 for each number below its square: `toString(36)` takes ten times as long. */
const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = DIGITS.flatMap((high) => DIGITS.map((low) => high + low));

/** An even number of digits. */
function scatter(counter: number, step: number, range: number, seed: number): string {
  let rest = (counter * step + seed * 7_919) % range;
  let text = '';
  for (let left = range; left > 1; left /= SQUARE) {
    const pair = rest % SQUARE;
    text = PAIRS[pair] + text;
    rest = (rest - pair) / SQUARE;
  }
  return text;
}

/** The composite booking id: prefix, facility, tee time, suffix. */
function compositeBookingId(seed: number, sequence: number, facilityId: number, teeId: number): string {
  // Joined, a text is one piece; a template keeps its pieces, which take twice the memory.
  return ['TBX', facilityId, teeId, scatter(sequence, SUFFIX_STEP, SUFFIX_RANGE, seed)].join('-');
}

/** The short booking id: eight letters and digits. */
function shortBookingId(seed: number, sequence: number): string {
  return scatter(sequence, CODE_STEP, CODE_RANGE, seed);
}
