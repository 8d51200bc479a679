import { Booking, type BookingTerms } from '../domain/booking.js';
import { DAY_MS } from '../domain/calendar.js';
import { compositeBookingId, shortBookingId } from '../domain/identifiers.js';
import type { Wish } from '../domain/linked.js';
import { cartProblem, type Located } from '../domain/match.js';
import { decodeTeeId, type Slot, teeSheet, type TeeSheet } from '../domain/tee-sheet.js';
import type { Course, World } from '../domain/world.js';
import { createZones } from '../domain/zone.js';
import { Collections, type Database } from './collections.js';
import { Kept, type KeptPage, type KeptPrices, type KeptWhole, type WrittenSheet } from './kept.js';
import { Ledger } from './ledger.js';
import { plantSeedBookings } from './seed-bookings.js';
import { TokenStore } from './tokens.js';

const FIRST_GROUP = 5001;

/** Epoch milliseconds as `createdAt` shows them: ISO 8601 with milliseconds, UTC, no zone. */
function stamp(epoch: number): string {
  return new Date(epoch).toISOString().slice(0, -1);
}

/** All state of one sandbox. Every look-up goes through an index, every write is one step without a pause. */
export class Store {
  readonly zones = createZones();
  /** Answers of the catalogue, which never change. */
  readonly kept = new Kept<Uint8Array>(2000);
  readonly pages = new Kept<KeptPage>(400);
  readonly writtenSheets = new Kept<WrittenSheet>(400);
  /** Price pages and lists of bookings, each with the days it is made of. */
  readonly wholes = new Kept<KeptWhole>(400);
  readonly priceDays = new Kept<KeptPrices>(4000);
  readonly #sheets = new Kept<TeeSheet>(1000);
  readonly #collections: Collections;
  readonly #revisions = new Map<string, number>();
  ledger = new Ledger();
  tokens: TokenStore;
  #sequence = 0;
  #groups = 0;
  readonly #bulks = new Set<number>();

  private constructor(readonly world: World) {
    this.tokens = new TokenStore(world.seed, world.channels);
    this.#collections = new Collections(world);
  }

  /** A store at its baseline; `now` is the instant, in epoch milliseconds, at which the world begins. */
  static async create(world: World, now: number): Promise<Store> {
    const store = new Store(world);
    plantSeedBookings(store, now);
    await store.#collections.ready();
    return store;
  }

  /** Entities for queries; see `Database`. */
  get db(): Database {
    return this.#collections.database;
  }

  /** Back to the baseline: initial refresh tokens, seed bookings and nothing else. */
  async reset(now: number): Promise<void> {
    this.ledger = new Ledger();
    this.tokens = new TokenStore(this.world.seed, this.world.channels);
    this.#sequence = 0;
    this.#groups = 0;
    this.#bulks.clear();
    this.#collections.clear();
    this.forgetAnswers();
    plantSeedBookings(this, now);
    await this.#collections.ready();
  }

  /** Drops every kept answer that bookings or the dialect shape. */
  forgetAnswers(): void {
    for (const kept of [this.kept, this.pages, this.writtenSheets, this.priceDays, this.wholes]) kept.clear();
    this.ledger.forgetWritten();
    this.#revisions.clear();
  }

  sheet(course: Course, day: number): TeeSheet {
    const key = `${course.id} ${day}`;
    return this.#sheets.get(key) ?? this.#sheets.set(key, teeSheet(this.world, course, day));
  }

  /** The tee time an id names; undefined when no course has published it. */
  locate(teeId: number): Located | undefined {
    const found = decodeTeeId(this.world, teeId);
    if (!found) return undefined;
    const sheet = this.sheet(found.course, found.day);
    const index = sheet.slots.findIndex((slot) => slot.teeId === teeId);
    return index < 0 ? undefined : { course: found.course, sheet, index };
  }

  /** Places of a tee time that can still be booked. */
  free(slot: Slot): number {
    return slot.free - this.ledger.taken(slot.teeId);
  }

  /** Changes whenever a booking changes what one of these courses has free on that day. */
  revision(courses: readonly Course[], day: number): number {
    let sum = 0;
    for (const { id } of courses) sum += this.#revisions.get(`${id} ${day}`) ?? 0;
    return sum;
  }

  /** Epoch milliseconds of a local time. */
  instant(timeZone: string, day: number, minute: number): number {
    const local = day * DAY_MS + minute * 60_000;
    return timeZone === 'UTC' ? local : this.zones.toInstant(timeZone, local);
  }

  /** The id for the bookings of the next group; it is spent only when one of them is made. */
  groupId(kind: 'group' | 'bulk'): number {
    const id = FIRST_GROUP + this.#groups;
    if (kind === 'bulk') this.#bulks.add(id);
    else this.#bulks.delete(id);
    return id;
  }

  /** Whether a group was made by the v3 bulk operation. */
  isBulk(groupId: number): boolean {
    return this.#bulks.has(groupId);
  }

  /**
   * Checks that all wishes can be had together.
   *
   * @throws {Refusal} `cart-problem` when a tee time has fewer places left than players.
   */
  hold(wishes: readonly Wish[]): void {
    const wanted = new Map<number, number>();
    for (const { slot, request } of wishes) {
      const players = (wanted.get(slot.teeId) ?? 0) + request.players;
      wanted.set(slot.teeId, players);
      if (players <= this.free(slot)) continue;
      throw cartProblem(
        'bookings.effect.availability',
        `tee time ${slot.teeId} has ${this.free(slot)} places, not ${players}`,
      );
    }
  }

  /**
   * Takes the places of all wishes or of none: checked and taken without a pause, so nothing can come between.
   *
   * @throws {Refusal} as `hold` does.
   */
  book(wishes: readonly Wish[], terms: BookingTerms): Booking[] {
    this.hold(wishes);
    if (terms.groupId !== null) this.#groups = terms.groupId - FIRST_GROUP + 1;
    return wishes.map((wish) => this.#add(wish, terms));
  }

  /** Cancels a booking and gives its places back. */
  cancel(booking: Booking, now: number): void {
    this.ledger.cancel(booking, stamp(now));
    this.#touch(booking);
  }

  confirmPayment(booking: Booking, now: number): void {
    booking.paymentConfirmedAt ??= stamp(now);
  }

  /** Resolves when every booking made so far can be queried in `db`. */
  mirrored(): Promise<unknown> {
    return this.#collections.settled();
  }

  #add({ request, slot, product }: Wish, { channel, groupId, paymentIntent, now }: BookingTerms): Booking {
    const sequence = ++this.#sequence;
    const facility = this.world.facility(request.facilityId)!;
    const { course, day } = decodeTeeId(this.world, slot.teeId)!;
    const booking = new Booking(request, {
      sequence,
      bookingId: compositeBookingId(this.world.seed, sequence, facility.id, slot.teeId),
      code: shortBookingId(this.world.seed, sequence),
      channel,
      courseId: course.id,
      day,
      startsAt: this.instant(facility.timeZone, day, slot.minute),
      startsAtAsUtc: this.instant('UTC', day, slot.minute),
      productId: product.mid,
      groupId,
      paymentIntent,
      createdAt: stamp(now),
    });
    this.ledger.add(booking);
    this.#collections.add(booking);
    this.#touch(booking);
    return booking;
  }

  #touch({ courseId, day }: Booking): void {
    const key = `${courseId} ${day}`;
    this.#revisions.set(key, (this.#revisions.get(key) ?? 0) + 1);
  }
}
