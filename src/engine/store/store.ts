import { type Amendment, amendWorld } from '../model/amend.js';
import {
  Booking,
  type BookingState,
  type BookingTerms,
  cartProblem,
  type Located,
  recordOf,
  type MatchedBooking,
} from '../model/booking.js';
import { placeOfTeeId, teeSheet, type TeeSheet, type TeeTime } from '../model/tee-sheet.js';
import type { Course, World } from '../model/world.js';
import { createZones } from '../model/calendar.js';
import { StoreCaches } from './caches.js';
import { derivedFields, instantOf, type Ledger, Revisions, stamp } from './ledger.js';
import { SeededBookings } from './seed-bookings.js';
import { type TokenChange, type TokensState, TokenStore } from './tokens.js';

/** The first group id. */
const FIRST_GROUP = 5001;

/** Whether an id belongs to an existing group. */
export function isGroup(id: number, made: number): boolean {
  return id >= FIRST_GROUP && id < FIRST_GROUP + made;
}

/** The number of a group, in order of creation from 1. */
export function groupNumber(id: number): number {
  return id - FIRST_GROUP + 1;
}

/** The ids of all groups, and which of them are bulk bookings. */
class Groups {
  #made = 0;
  readonly #bulks = new Set<number>();

  get made(): number {
    return this.#made;
  }

  /** The id of the next group. It counts as used only when a booking with it is made. */
  next(kind: 'group' | 'bulk'): number {
    const id = FIRST_GROUP + this.#made;
    if (kind === 'bulk') this.#bulks.add(id);
    else this.#bulks.delete(id);
    return id;
  }

  spend(id: number): void {
    this.#made = groupNumber(id);
  }

  isBulk(id: number): boolean {
    return this.#bulks.has(id);
  }

  /** The group ids of bulk bookings. */
  get bulks(): number[] {
    return [...this.#bulks].filter((id) => id < FIRST_GROUP + this.#made);
  }

  /** Restores exported groups. */
  replace(made: number, bulks: readonly number[]): void {
    this.#made = made;
    this.#bulks.clear();
    for (const id of bulks) this.#bulks.add(id);
  }
}

/** One change of a store as data. Its size does not depend on what else is in the store. */
export type StoreChange = BookedChange | CanceledChange | PaidChange | AmendedChange | TokenChange;

/** What was booked in one step. */
export interface BookedChange {
  readonly kind: 'booked';
  readonly bookings: readonly BookingState[];
  /** Whether the group of these bookings was made by the v3 bulk operation. */
  readonly bulk?: true;
}

export interface CanceledChange {
  readonly kind: 'canceled';
  /** The number of the booking. */
  readonly sequence: number;
  readonly canceledAt: string;
}

export interface PaidChange {
  readonly kind: 'paid';
  readonly sequence: number;
  readonly paymentConfirmedAt: string;
}

/** The first `kept` changes by operators stay, and these follow. */
export interface AmendedChange {
  readonly kind: 'amended';
  readonly kept: number;
  readonly amendments: readonly Amendment[];
}

/** The change that made bookings. */
function bookedChange(booked: readonly Booking[], isBulk: boolean): BookedChange {
  return { kind: 'booked', bookings: booked.map(recordOf), ...(isBulk ? { bulk: true } : {}) };
}

/** The change from one list of changes by operators to another. */
function amendedChange(before: readonly Amendment[], now: readonly Amendment[]): AmendedChange {
  let kept = 0;
  while (kept < before.length && before[kept] === now[kept]) kept += 1;
  return { kind: 'amended', kept, amendments: now.slice(kept).map((one) => ({ ...one })) };
}

/** The content of a store as data. */
export interface StoreState {
  /** In order of creation. */
  readonly bookings: readonly BookingState[];
  /** The number of the newest booking. */
  readonly sequence: number;
  readonly groups: number;
  /** The group ids of bulk bookings. */
  readonly bulks: readonly number[];
  readonly tokens: TokensState;
  /** The changes by operators since the start of the world. */
  readonly amendments: readonly Amendment[];
}

/** The content of a store without its bookings. */
export type StoreParts = Omit<StoreState, 'bookings'>;

/** A state that was read and checked, but not applied yet. */
export interface ReadStore {
  readonly parts: StoreParts;
  readonly ledger: Ledger;
}

/** The state of one sandbox. Every lookup uses an index, and every write is one synchronous step. */
export class Store {
  readonly zones = createZones();
  readonly caches = new StoreCaches();
  readonly #revisions = new Revisions();
  #bookings: SeededBookings;
  tokens: TokenStore;
  readonly #groups = new Groups();
  #amendments: readonly Amendment[] = [];
  /** Called after each change, except a reset and a restore, which the caller reports. */
  onChange: () => void = () => {};
  /** Receives the same changes as data. */
  report: ((change: StoreChange) => void) | undefined;
  /** Called when a booking is cancelled or paid for. */
  /** Whether the memory of the server has room for further bookings. */
  hasRoom: () => boolean = () => true;
  onBooking: (booking: Booking, event: 'canceled' | 'paid') => void = () => {};
  /** The current catalogue. */
  world: World;

  #base: World;

  /** @param now The start of the world in epoch milliseconds. */
  constructor(base: World, now: number) {
    this.#base = base;
    this.world = base;
    this.#bookings = new SeededBookings(base, this.zones, now);
    this.tokens = this.#newTokens();
  }

  /** The catalogue without the changes by operators. */
  get base(): World {
    return this.#base;
  }

  /** Takes another catalogue, at its baseline. */
  begin(base: World, now: number): void {
    this.#base = base;
    this.world = base;
    this.#amendments = [];
    this.caches.clear();
    this.reset(now);
  }

  /** Goes back to the baseline: initial refresh tokens and seed bookings only. */
  reset(now: number): void {
    this.#bookings = new SeededBookings(this.base, this.zones, now);
    this.#begin({ groups: 0, bulks: [], amendments: [] });
  }

  /** All bookings. Those of the start are made when it is first asked for. */
  get ledger(): Ledger {
    return this.#bookings.ledger;
  }

  /** The number of bookings that clients have made. */
  get booked(): number {
    const { made } = this.#bookings;
    return made ? Math.max(0, made.ofChannels - this.#bookings.seeds) : 0;
  }

  /** Bytes of all bookings and tokens, estimated from above. */
  get bytes(): number {
    return (this.#bookings.made?.bytes ?? 0) + this.tokens.bytes;
  }

  /** Everything but the bookings. */
  exportParts(): StoreParts {
    const newest = this.#bookings.mark();
    return {
      get sequence() {
        return newest();
      },
      groups: this.#groups.made,
      bulks: this.#groups.bulks,
      tokens: this.tokens.export(),
      amendments: this.#amendments.map((one) => ({ ...one })),
    };
  }

  /** Replaces the state by one that was read, in one synchronous step. */
  replace({ parts, ledger }: ReadStore): void {
    this.#begin(parts);
    this.tokens.import(parts.tokens);
    this.#bookings.replace(ledger, parts.sequence);
  }

  /** Starts again with the initial bookings and tokens. */
  #begin({ groups, bulks, amendments }: Pick<StoreParts, 'groups' | 'bulks' | 'amendments'>): void {
    this.tokens = this.#newTokens();
    this.#groups.replace(groups, bulks);
    this.#amend(amendments);
    this.forgetAnswers();
  }

  #newTokens(): TokenStore {
    return new TokenStore(this.base.seed, this.base.channels, (change) => this.#changed(change));
  }

  /** The changes by operators since the start of the world, in order. */
  get amendments(): readonly Amendment[] {
    return this.#amendments;
  }

  /** Replaces the changes by operators. */
  amend(amendments: readonly Amendment[]): void {
    const change = amendedChange(this.#amendments, amendments);
    this.#amend(amendments);
    this.#changed(change);
  }

  #changed(change: StoreChange): void {
    this.report?.(change);
    this.onChange();
  }

  #amend(amendments: readonly Amendment[]): void {
    if (amendments.length === 0 && this.#amendments.length === 0) return;
    this.#amendments = amendments;
    this.world = amendWorld(this.base, amendments);
    this.caches.sheets.clear();
    this.forgetAnswers();
  }

  /** Drops every cached response that depends on bookings or the dialect. */
  forgetAnswers(): void {
    this.caches.forgetAnswers();
    this.#bookings.made?.forgetWritten();
    this.#revisions.clear();
  }

  /** Drops every cache; nothing but time is lost. */
  dropCaches(): void {
    this.caches.clear();
    this.#bookings.made?.forgetWritten();
  }

  sheet(course: Course, day: number): TeeSheet {
    const key = `${course.id} ${day}`;
    return this.caches.sheets.get(key) ?? this.caches.sheets.set(key, teeSheet(this.world, course, day));
  }

  /** The tee time with this id; undefined if no course has published it. */
  locate(teeId: number): Located | undefined {
    const found = placeOfTeeId(this.world, teeId);
    if (!found) return undefined;
    const sheet = this.sheet(found.course, found.day);
    // Where none was withdrawn, it is at its place.
    const isAtPlace = sheet.teeTimes[found.index]?.teeId === teeId;
    const index = isAtPlace ? found.index : sheet.teeTimes.findIndex((teeTime) => teeTime.teeId === teeId);
    return index < 0 ? undefined : { course: found.course, sheet, index };
  }

  /** The free slots of a tee time. */
  free(teeTime: TeeTime): number {
    return teeTime.free - this.ledger.taken(teeTime.teeId);
  }

  /** A number that changes whenever free slots of these courses change on that day. */
  revision(courses: readonly Course[], day: number): number {
    return this.#revisions.of(courses, day);
  }

  /** The epoch milliseconds of a local time. */
  instant(timeZone: string, day: number, minute: number): number {
    return instantOf(this.zones, timeZone, day, minute);
  }

  /** The id of the next group. It counts as used only when a booking with it is made. */
  groupId(kind: 'group' | 'bulk'): number {
    return this.#groups.next(kind);
  }

  /** Whether a group was made by the v3 bulk operation. */
  isBulk(groupId: number): boolean {
    return this.#groups.isBulk(groupId);
  }

  /**
   * Checks that all requested bookings can be made together.
   *
   * @throws {Refusal} `cart-problem` if a tee time has fewer free slots than players.
   */
  hold(matched: readonly MatchedBooking[]): void {
    const wanted = matched.length > 1 ? new Map<number, number>() : undefined;
    for (const { teeTime, request } of matched) {
      const players = (wanted?.get(teeTime.teeId) ?? 0) + request.players;
      wanted?.set(teeTime.teeId, players);
      if (players <= this.free(teeTime)) continue;
      throw cartProblem(
        'bookings.effect.availability',
        `tee time ${teeTime.teeId} has ${this.free(teeTime)} free slots, not ${players}`,
      );
    }
  }

  /**
   * Makes all requested bookings or none, in one synchronous step, so that no other request can interfere.
   *
   * @throws {Refusal} as `hold` does.
   */
  book(matched: readonly MatchedBooking[], terms: BookingTerms): Booking[] {
    this.hold(matched);
    if (terms.groupId !== null) this.#groups.spend(terms.groupId);
    const booked = matched.map((one) => this.#add(one, terms));
    this.report?.(bookedChange(booked, terms.groupId !== null && this.isBulk(terms.groupId)));
    this.onChange();
    return booked;
  }

  /** Cancels a booking and frees its slots. */
  cancel(booking: Booking, now: number): void {
    if (booking.status === 'CANCELED') return;
    const canceledAt = stamp(now);
    this.onBooking(booking, 'canceled');
    this.ledger.cancel(booking, canceledAt);
    this.#revisions.touch(booking);
    this.#changed({ kind: 'canceled', sequence: booking.sequence, canceledAt });
  }

  confirmPayment(booking: Booking, now: number): void {
    if (booking.paymentConfirmedAt !== null) return;
    const paymentConfirmedAt = stamp(now);
    booking.paymentConfirmedAt = paymentConfirmedAt;
    this.ledger.changed(booking);
    this.onBooking(booking, 'paid');
    this.#changed({ kind: 'paid', sequence: booking.sequence, paymentConfirmedAt });
  }

  #add({ request, teeTime, product }: MatchedBooking, { channel, groupId, paymentIntent, now }: BookingTerms): Booking {
    const sequence = this.#bookings.next();
    const { course, day } = placeOfTeeId(this.world, teeTime.teeId)!;
    const booking = new Booking(request, {
      sequence,
      ...derivedFields(this.world, this.zones, sequence, { course, day, teeTime }),
      channel,
      productId: product.mid,
      groupId,
      paymentIntent,
      createdAt: stamp(now),
    });
    this.ledger.add(booking);
    this.#revisions.touch(booking);
    return booking;
  }
}
