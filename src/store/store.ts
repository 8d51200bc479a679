import { type Amendment, amendWorld } from '../domain/amend.js';
import { Booking, type BookingTerms } from '../domain/booking.js';
import type { Wish } from '../domain/linked.js';
import { cartProblem, type Located } from '../domain/match.js';
import { decodeTeeId, type Slot, teeSheet, type TeeSheet } from '../domain/tee-sheet.js';
import type { Course, World } from '../domain/world.js';
import { createZones } from '../domain/zone.js';
import { Collections, type Database } from './collections.js';
import { derivedFields, instantOf, stamp } from './derived.js';
import { Groups } from './groups.js';
import { Kept, type KeptPage, type KeptPrices, type KeptWhole, Revisions, type WrittenSheet } from './kept.js';
import { Ledger } from './ledger.js';
import { plantSeedBookings } from './seed-bookings.js';
import { readStoreState, type StoreParts, type StoreState } from './state.js';
import { exportBooking } from './state-bookings.js';
import { TokenStore } from './tokens.js';

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
  readonly #revisions = new Revisions();
  ledger = new Ledger();
  tokens: TokenStore;
  #sequence = 0;
  readonly #groups = new Groups();

  readonly #base: World;
  #amendments: readonly Amendment[] = [];
  /** Told after each change; a reset and a restore are told by who asks for them. */
  onChange: () => void = () => {};
  /** The catalogue as it is now. */
  world: World;

  private constructor(world: World) {
    this.#base = world;
    this.world = world;
    this.tokens = this.#newTokens();
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
    this.#begin(0, 0, [], []);
    plantSeedBookings(this, now);
    await this.#collections.ready();
  }

  export(): StoreState {
    return {
      bookings: Array.from(this.ledger.all(), exportBooking),
      sequence: this.#sequence,
      groups: this.#groups.made,
      bulks: this.#groups.bulks,
      tokens: this.tokens.export(),
      amendments: this.#amendments.map((one) => ({ ...one })),
    };
  }

  /**
   * Reads what was exported, and puts nothing in place.
   *
   * @throws {StateMisfit} naming the first field that does not fit; `path` is where it stands.
   */
  read(state: unknown, path: string): StoreParts {
    return readStoreState(state, path, this.#base, this.zones);
  }

  /** Goes on from a state that was read, without a pause; `mirrored` tells when it can be queried. */
  replace({ bookings, sequence, groups, bulks, tokens, amendments }: StoreParts): void {
    this.#begin(sequence, groups, bulks, amendments);
    this.tokens.import(tokens);
    for (const booking of bookings) {
      this.ledger.add(booking);
      this.#collections.add(booking);
    }
  }

  /** Begins anew, with no booking and the tokens of the start. */
  #begin(sequence: number, groups: number, bulks: readonly number[], amendments: readonly Amendment[]): void {
    this.ledger = new Ledger();
    this.tokens = this.#newTokens();
    this.#sequence = sequence;
    this.#groups.replace(groups, bulks);
    this.#collections.clear();
    this.#amend(amendments);
    this.forgetAnswers();
  }

  #newTokens(): TokenStore {
    return new TokenStore(this.#base.seed, this.#base.channels, () => this.onChange());
  }

  /** What operators did since the world began, in order. */
  get amendments(): readonly Amendment[] {
    return this.#amendments;
  }

  /** Makes this the list of what operators did. */
  amend(amendments: readonly Amendment[]): void {
    this.#amend(amendments);
    this.onChange();
  }

  #amend(amendments: readonly Amendment[]): void {
    if (amendments.length === 0 && this.#amendments.length === 0) return;
    this.#amendments = amendments;
    this.world = amendWorld(this.#base, amendments);
    this.#sheets.clear();
    this.forgetAnswers();
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
    return this.#revisions.of(courses, day);
  }

  /** Epoch milliseconds of a local time. */
  instant(timeZone: string, day: number, minute: number): number {
    return instantOf(this.zones, timeZone, day, minute);
  }

  /** The id for the bookings of the next group; it is spent only when one of them is made. */
  groupId(kind: 'group' | 'bulk'): number {
    return this.#groups.next(kind);
  }

  /** Whether a group was made by the v3 bulk operation. */
  isBulk(groupId: number): boolean {
    return this.#groups.isBulk(groupId);
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
    if (terms.groupId !== null) this.#groups.spend(terms.groupId);
    const booked = wishes.map((wish) => this.#add(wish, terms));
    this.onChange();
    return booked;
  }

  /** Cancels a booking and gives its places back. */
  cancel(booking: Booking, now: number): void {
    this.ledger.cancel(booking, stamp(now));
    this.#revisions.touch(booking);
    this.onChange();
  }

  confirmPayment(booking: Booking, now: number): void {
    if (booking.paymentConfirmedAt !== null) return;
    booking.paymentConfirmedAt = stamp(now);
    this.onChange();
  }

  /** Resolves when every booking made so far can be queried in `db`. */
  mirrored(): Promise<unknown> {
    return this.#collections.settled();
  }

  #add({ request, slot, product }: Wish, { channel, groupId, paymentIntent, now }: BookingTerms): Booking {
    const sequence = ++this.#sequence;
    const { course, day } = decodeTeeId(this.world, slot.teeId)!;
    const booking = new Booking(request, {
      sequence,
      ...derivedFields(this.world, this.zones, sequence, { course, day, slot }),
      channel,
      productId: product.mid,
      groupId,
      paymentIntent,
      createdAt: stamp(now),
    });
    this.ledger.add(booking);
    this.#collections.add(booking);
    this.#revisions.touch(booking);
    return booking;
  }
}
