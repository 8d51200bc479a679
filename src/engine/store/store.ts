import { type Amendment, amendWorld } from '../model/amend.js';
import { Booking, type BookingTerms } from '../model/booking.js';
import type { Wish } from '../model/linked.js';
import { cartProblem, type Located } from '../model/match.js';
import { placeOfTeeId, type TeeTime, teeSheet, type TeeSheet } from '../model/tee-sheet.js';
import type { Course, World } from '../model/world.js';
import { createZones } from '../model/zone.js';
import { derivedFields, instantOf, stamp } from './derived.js';
import { Groups } from './groups.js';
import { StoreCaches } from './caches.js';
import { type Ledger, Revisions } from './ledger.js';
import { SeededBookings } from './seed-bookings.js';
import type { ReadStore, StoreParts } from './state.js';
import { amendedChange, bookedChange, type StoreChange } from './store-change.js';
import { TokenStore } from './tokens.js';

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
  /** Told of the same changes as data. */
  report: ((change: StoreChange) => void) | undefined;
  /** Called when a booking is cancelled or paid for. */
  onBooking: (booking: Booking, event: 'canceled' | 'paid') => void = () => {};
  /** The current catalogue. */
  world: World;

  constructor(
    /** The catalogue without the changes by operators. */
    readonly base: World,
    /** The start of the world in epoch milliseconds. */
    now: number,
  ) {
    this.world = base;
    this.#bookings = new SeededBookings(base, this.zones, now);
    this.tokens = this.#newTokens();
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
    return Math.max(0, (this.#bookings.made?.ofChannels ?? 0) - this.base.seedBookings.length);
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
   * Checks that all wishes can be booked together.
   *
   * @throws {Refusal} `cart-problem` if a tee time has fewer free slots than players.
   */
  hold(wishes: readonly Wish[]): void {
    const wanted = wishes.length > 1 ? new Map<number, number>() : undefined;
    for (const { teeTime, request } of wishes) {
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
   * Books all wishes or none, in one synchronous step, so that no other request can interfere.
   *
   * @throws {Refusal} as `hold` does.
   */
  book(wishes: readonly Wish[], terms: BookingTerms): Booking[] {
    this.hold(wishes);
    if (terms.groupId !== null) this.#groups.spend(terms.groupId);
    const booked = wishes.map((wish) => this.#add(wish, terms));
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

  #add({ request, teeTime, product }: Wish, { channel, groupId, paymentIntent, now }: BookingTerms): Booking {
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
