import { hiddenDifference, visible } from '../../common/index.js';
import type { Cents, Course, Product } from './world.js';
import { Refusal } from './refusal.js';
import type { TeeSheet, TeeTime } from './tee-sheet.js';

/** A booking as requested, in one form for all versions. */
export interface BookingRequest {
  readonly facilityId: number;
  readonly teeId: number;
  /** Local time at the facility, `yyyy-mm-ddTHH:MM:ss`. */
  readonly time: string;
  /** Name of the course (`round` in v2). */
  readonly course: string;
  readonly holes: number;
  readonly players: number;
  /** Null in versions without products, which book the first product of the tee time. */
  readonly productId: number | null;
  readonly contactFirstName: string;
  readonly contactLastName: string;
  readonly contactPhone: string;
  readonly contactEmail: string;
  readonly netRate: Cents | null;
  readonly extraProducts: readonly { readonly mid: number; readonly quantity: number }[];
  readonly comments: string | null;
  readonly additionalPlayers: readonly { readonly firstName: string; readonly lastName: string }[];
  readonly linkedTeeTimeRef: string | null;
  readonly providerPlayerTypeId: string | null;
}

/** Section "States and transitions". */
export type BookingStatus = 'BOOKED' | 'CANCELED';

/** The properties that a request gets when it is booked. */
export interface BookingFields extends BookingRequest {
  /** The number of the booking in order of creation, from 1. */
  readonly sequence: number;
  /** The composite booking id: prefix, facility, tee time, suffix. */
  readonly bookingId: string;
  /** The short booking id. */
  readonly code: string;
  readonly channel: string;
  readonly courseId: number;
  /** The day number of the tee time in the facility's calendar. */
  readonly day: number;
  /** The tee time as an instant, epoch milliseconds. */
  readonly startsAt: number;
  /** The local tee time read as UTC, epoch milliseconds. */
  readonly startsAtAsUtc: number;
  readonly productId: number;
  /** The id that the bookings of one request share, or null. */
  readonly groupId: number | null;
  readonly paymentIntent: string | null;
  /** ISO 8601 with milliseconds, in UTC, without a time zone designator. */
  readonly createdAt: string;
}

/** What a booking has besides its request, and what bookings of one tee time share. */
type BookedFields = Omit<BookingFields, Exclude<keyof BookingRequest, 'productId' | 'time' | 'course'>>;

/**
 * A booking in the ledger. It is a class, because the data library stores instances without copying them, so that a
 * change of status needs no second write.
 */
export class Booking implements BookingFields {
  /** The booking as data, until it changes; see `kept`. */
  #kept: object | undefined;

  status: BookingStatus = 'BOOKED';
  canceledAt: string | null = null;
  paymentConfirmedAt: string | null = null;

  declare readonly facilityId: BookingFields['facilityId'];
  declare readonly teeId: BookingFields['teeId'];
  declare readonly time: BookingFields['time'];
  declare readonly course: BookingFields['course'];
  declare readonly holes: BookingFields['holes'];
  declare readonly players: BookingFields['players'];
  declare readonly productId: BookingFields['productId'];
  declare readonly contactFirstName: BookingFields['contactFirstName'];
  declare readonly contactLastName: BookingFields['contactLastName'];
  declare readonly contactPhone: BookingFields['contactPhone'];
  declare readonly contactEmail: BookingFields['contactEmail'];
  declare readonly netRate: BookingFields['netRate'];
  declare readonly extraProducts: BookingFields['extraProducts'];
  declare readonly comments: BookingFields['comments'];
  declare readonly additionalPlayers: BookingFields['additionalPlayers'];
  declare readonly linkedTeeTimeRef: BookingFields['linkedTeeTimeRef'];
  declare readonly providerPlayerTypeId: BookingFields['providerPlayerTypeId'];
  declare readonly sequence: BookingFields['sequence'];
  declare readonly bookingId: BookingFields['bookingId'];
  declare readonly code: BookingFields['code'];
  declare readonly channel: BookingFields['channel'];
  declare readonly courseId: BookingFields['courseId'];
  declare readonly day: BookingFields['day'];
  declare readonly startsAt: BookingFields['startsAt'];
  declare readonly startsAtAsUtc: BookingFields['startsAtAsUtc'];
  declare readonly groupId: BookingFields['groupId'];
  declare readonly paymentIntent: BookingFields['paymentIntent'];
  declare readonly createdAt: BookingFields['createdAt'];

  /**
   * What was made of a booking for the last time, so that everyone who needs it can share it; undefined after a change.
   * Static, because a booking has no properties but its data.
   */
  static kept(booking: Booking): object | undefined {
    return booking.#kept;
  }

  static keep(booking: Booking, made: object | undefined): void {
    booking.#kept = made;
  }

  /** Assigns field by field, so that all bookings share one hidden class; a spread or `Object.assign` would not. */
  constructor(request: BookingRequest, taken: BookedFields) {
    this.facilityId = request.facilityId;
    this.teeId = request.teeId;
    this.time = taken.time;
    this.course = taken.course;
    this.holes = request.holes;
    this.players = request.players;
    this.productId = taken.productId;
    this.contactFirstName = request.contactFirstName;
    this.contactLastName = request.contactLastName;
    this.contactPhone = request.contactPhone;
    this.contactEmail = request.contactEmail;
    this.netRate = request.netRate;
    this.extraProducts = sharedIfEmpty(request.extraProducts);
    this.comments = request.comments;
    this.additionalPlayers = sharedIfEmpty(request.additionalPlayers);
    this.linkedTeeTimeRef = request.linkedTeeTimeRef;
    this.providerPlayerTypeId = request.providerPlayerTypeId;
    this.sequence = taken.sequence;
    this.bookingId = taken.bookingId;
    this.code = taken.code;
    this.channel = taken.channel;
    this.courseId = taken.courseId;
    this.day = taken.day;
    this.startsAt = taken.startsAt;
    this.startsAtAsUtc = taken.startsAtAsUtc;
    this.groupId = taken.groupId;
    this.paymentIntent = taken.paymentIntent;
    this.createdAt = taken.createdAt;
  }
}

/** A booking as data: every field, money in cents, instants in epoch milliseconds. */
export type BookingState = Readonly<Pick<Booking, keyof Booking>>;

/** A booking as data that never changes. Everyone shares it until the booking changes. */
export function recordOf(booking: Booking): BookingState {
  const kept = Booking.kept(booking) as BookingState | undefined;
  if (kept) return kept;
  const { extraProducts, additionalPlayers } = booking;
  const record = Object.freeze({
    ...booking,
    extraProducts: frozenList(extraProducts, ({ mid, quantity }) => ({ mid, quantity })),
    additionalPlayers: frozenList(additionalPlayers, ({ firstName, lastName }) => ({ firstName, lastName })),
  });
  Booking.keep(booking, record);
  return record;
}

const EMPTY: readonly never[] = Object.freeze([]);

/** Most bookings have neither extras nor further players, and two lists of each would be a tenth of what they hold. */
function sharedIfEmpty<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? EMPTY : list;
}

function frozenList<T extends object>(list: readonly T[], copy: (one: T) => T): readonly T[] {
  return list.length === 0 ? EMPTY : Object.freeze(list.map((one) => Object.freeze(copy(one))));
}

/** The properties that the bookings of one request share. */
export interface BookingTerms {
  readonly channel: string;
  readonly groupId: number | null;
  readonly paymentIntent: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The tee time of a `teeId`, with its sheet and course. */
export interface Located {
  readonly course: Course;
  readonly sheet: TeeSheet;
  readonly index: number;
}

type Rule = ConstructorParameters<typeof Refusal>[1];

/** A tee time that cannot be booked as requested is a cart problem (Errors, table row 6). */
export function cartProblem(rule: Rule, detail: string): Refusal {
  return new Refusal('cart-problem', rule, { detail });
}

/**
 * Finds the tee time and the product of a request.
 *
 * @throws {Refusal} `cart-problem` if the tee time does not exist or differs from the request.
 */
export function matchBooking(request: BookingRequest, located: Located | undefined): MatchedBooking {
  if (!located) throw cartProblem('bookings.request.teeId', `there is no tee time ${request.teeId}`);
  const { course, sheet, index } = located;
  const teeTime = sheet.teeTimes[index]!;
  const expect = (rule: Rule, name: string, want: unknown, got: unknown): void => {
    if (want === got) return;
    throw cartProblem(rule, `tee time ${teeTime.teeId} has ${name} ${difference(want, got)}`);
  };
  expect('bookings.request.facilityId', 'facility', course.facilityId, request.facilityId);
  expect('bookings.request.course', 'course', course.name, request.course);
  expect('bookings.request.teetime', 'time', teeTime.time, request.time);
  expect('bookings.request.holes', 'holes', teeTime.holes, request.holes);
  const product =
    request.productId === null ? teeTime.products[0] : teeTime.products.find((one) => one.mid === request.productId);
  if (!product) {
    throw cartProblem(
      'bookings.request.productId',
      `tee time ${teeTime.teeId} does not sell product ${request.productId}`,
    );
  }
  return { request, teeTime, product };
}

/** A wanted value and what a request says instead. Texts that look the same are told apart. */
function difference(want: unknown, got: unknown): string {
  if (typeof want !== 'string' || typeof got !== 'string') return `${String(want)}, the request says ${String(got)}`;
  const hidden = hiddenDifference(want, got);
  const alike = hidden === undefined ? '' : `. They look alike, but differ in ${hidden}`;
  return `"${want}", the request says "${visible(got)}"${alike}`;
}

/** A request with its tee time and product. */
export interface MatchedBooking {
  readonly request: BookingRequest;
  readonly teeTime: TeeTime;
  readonly product: Product;
}

/** A product with more holes than its tee time needs further, linked tee times. */
function needsLink({ teeTime, product }: MatchedBooking): boolean {
  return product.holes > teeTime.holes;
}

/**
 * Checks the bookings of one request against the rules of linked tee times ("Create booking", linked list 1 to 5).
 *
 * @throws {Refusal} `linked-tee-times`, naming the first broken rule.
 */
export function checkLinked(matched: readonly MatchedBooking[]): void {
  // Most bookings have no reference.
  let groups: Map<string, MatchedBooking[]> | undefined;
  for (const booking of matched) {
    const ref = booking.request.linkedTeeTimeRef;
    if (ref === null) {
      if (needsLink(booking)) throw missingRef(booking);
      continue;
    }
    const key = ref.toLowerCase();
    groups ??= new Map<string, MatchedBooking[]>();
    const group = groups.get(key);
    if (group) group.push(booking);
    else groups.set(key, [booking]);
  }
  const all = groups ? [...groups.values()] : [];
  for (const group of all) checkGroup(group, all);
}

function checkGroup(group: readonly MatchedBooking[], all: readonly (readonly MatchedBooking[])[]): void {
  const first = group[0]!;
  for (const { request, product } of group) {
    if (product.mid !== first.product.mid) {
      throw refuse('bookings.linked.one-product', 'must name the same green fee product in every round of the group');
    }
    if (request.players !== first.request.players) {
      throw refuse('bookings.linked.same-players', 'must have the same number of players in every round of the group');
    }
  }
  if (new Set(group.map(({ teeTime }) => teeTime.teeId)).size < group.length) {
    throw refuse('bookings.linked.holes-sum', 'must name a different tee time for each round of the group');
  }
  const holes = group.reduce((sum, { teeTime }) => sum + teeTime.holes, 0);
  if (holes >= first.product.holes) return;
  const split = all.some((other) => other !== group && other[0]!.product.mid === first.product.mid);
  if (split) throw refuse('bookings.linked.same-ref', 'must have the same `linkedTeeTimeRef` in all rounds of a group');
  throw refuse(
    'bookings.linked.holes-sum',
    `must add up to at least ${first.product.holes} holes, as the product \`${first.product.name}\` covers; got ${holes}`,
  );
}

function missingRef({ product, teeTime }: MatchedBooking): Refusal {
  return refuse(
    'bookings.linked.ref-required',
    `must have a \`linkedTeeTimeRef\`: the product \`${product.name}\` covers ${product.holes} holes and the tee time has ${teeTime.holes}`,
  );
}

function refuse(rule: ConstructorParameters<typeof Refusal>[1], due: string): Refusal {
  return new Refusal('linked-tee-times', rule, { words: `Linked bookings ${due}.` });
}
