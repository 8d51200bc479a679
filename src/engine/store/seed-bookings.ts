import { Booking, type BookingFields, type BookingRequest } from '../model/booking.js';
import { DAY_MS, type Zones } from '../model/calendar.js';
import { type TeeTime, teeSheet } from '../model/tee-sheet.js';
import type { Course, SeedBooking, World } from '../model/world.js';
import { frozen } from './fixtures.js';
import { derivedFields, Ledger, stamp } from './ledger.js';

/** Maximum days by which a seed booking is moved if the course is closed or full. */
const SEARCHED_DAYS = 45;

/** Maximum number of days for which the seed bookings of a world are kept. */
const KEPT_DAYS = 10;

/** A seed booking at its tee time. Only the moment of its creation depends on the clock. */
interface PlacedBooking extends Omit<BookingFields, 'createdAt'> {
  readonly status: SeedBooking['status'];
  /** Epoch milliseconds; one that is after the start of the world is made at the start. */
  readonly bookedAt: number;
}

/** The seed bookings by world and first day. They follow from both, so all sandboxes share them. */
const placed = new WeakMap<World, Map<number, readonly PlacedBooking[]>>();

/** The bookings of a sandbox, with their numbers. Those of the start are made when they are first asked for. */
export class SeededBookings {
  /** Undefined until somebody asks for bookings. */
  #ledger: Ledger | undefined;
  #newest = 0;

  constructor(
    readonly world: World,
    readonly zones: Zones,
    /** The start of the world in epoch milliseconds. */
    readonly start: number,
  ) {}

  get ledger(): Ledger {
    if (!this.#ledger) this.replace(seedLedger(this.#placed, this.start), this.#placed.length);
    return this.#ledger!;
  }

  /** The ledger, if there is one already. */
  get made(): Ledger | undefined {
    return this.#ledger;
  }

  /** Tells the number of the booking that is the newest now. The seed bookings are not placed until it is called. */
  mark(): () => number {
    const newest = this.#newest;
    return this.#ledger ? () => newest : () => this.#placed.length;
  }

  /** The number of the next booking, which counts as used. There has to be a ledger. */
  next(): number {
    return (this.#newest += 1);
  }

  replace(ledger: Ledger, newest: number): void {
    this.#ledger = ledger;
    this.#newest = newest;
  }

  /** How many bookings there are at the start: one for which there is no room is left out. */
  get seeds(): number {
    return this.#placed.length;
  }

  get #placed(): readonly PlacedBooking[] {
    return placedIn(this.world, this.zones, Math.floor(this.start / DAY_MS));
  }
}

function seedLedger(seeds: readonly PlacedBooking[], start: number): Ledger {
  const ledger = new Ledger();
  for (const seed of seeds) {
    const createdAt = stamp(Math.min(start, seed.bookedAt));
    const booking = new Booking(seed, { ...seed, createdAt });
    ledger.add(booking);
    if (seed.status === 'CANCELED') ledger.cancel(booking, createdAt);
  }
  return ledger;
}

function placedIn(world: World, zones: Zones, today: number): readonly PlacedBooking[] {
  let days = placed.get(world);
  if (!days) placed.set(world, (days = new Map()));
  let found = days.get(today);
  if (!found) {
    if (days.size === KEPT_DAYS) days.clear();
    days.set(today, (found = place(world, zones, today)));
  }
  return found;
}

/** Finds a tee time for each seed booking, with the free slots that those before it leave. */
function place(world: World, zones: Zones, today: number): PlacedBooking[] {
  const taken = new Map<number, number>();
  const found: PlacedBooking[] = [];
  for (const seed of world.seedBookings) {
    const course = world.facility(seed.facilityId)?.courses[seed.course];
    const at = course && findTeeTime(world, seed, course, seed.on ?? today + seed.day, taken);
    if (!at) continue;
    const { teeTime, day } = at;
    const product = teeTime.products[0]!;
    const sequence = found.length + 1;
    const derived = derivedFields(world, zones, sequence, { course, day, teeTime });
    if (seed.status === 'BOOKED') taken.set(teeTime.teeId, (taken.get(teeTime.teeId) ?? 0) + seed.players);
    found.push({
      ...requestOf(seed, course, teeTime, product.mid),
      ...derived,
      sequence,
      channel: seed.channel,
      groupId: null,
      paymentIntent: null,
      status: seed.status,
      bookedAt: derived.startsAt - seed.bookedAhead * 1000,
    });
  }
  return frozen(found);
}

function findTeeTime(
  world: World,
  { day: ahead, on, minute, players, pick }: SeedBooking,
  course: Course,
  wanted: number,
  taken: ReadonlyMap<number, number>,
): { readonly teeTime: TeeTime; readonly day: number } | undefined {
  const step = ahead < 0 ? -1 : 1;
  for (let moved = 0; moved < (on === undefined ? SEARCHED_DAYS : 1); moved += 1) {
    const day = wanted + moved * step;
    const fits = (one: TeeTime) =>
      one.free - (taken.get(one.teeId) ?? 0) >= players && (minute === undefined || one.minute === minute);
    const teeTimes = teeSheet(world, course, day).teeTimes.filter(fits);
    if (teeTimes.length > 0) return { teeTime: teeTimes[pick % teeTimes.length]!, day };
  }
  return undefined;
}

/** Who books, where, and for how many. */
type Buyer = Pick<
  SeedBooking,
  'facilityId' | 'players' | 'contactFirstName' | 'contactLastName' | 'contactPhone' | 'contactEmail'
>;

export function requestOf(
  seed: Buyer,
  course: Course,
  teeTime: TeeTime,
  productId: number,
): BookingRequest & { readonly productId: number } {
  return {
    facilityId: seed.facilityId,
    teeId: teeTime.teeId,
    time: teeTime.time,
    course: course.name,
    holes: teeTime.holes,
    players: seed.players,
    productId,
    contactFirstName: seed.contactFirstName,
    contactLastName: seed.contactLastName,
    contactPhone: seed.contactPhone,
    contactEmail: seed.contactEmail,
    netRate: null,
    extraProducts: [],
    comments: null,
    additionalPlayers: [],
    linkedTeeTimeRef: null,
    providerPlayerTypeId: null,
  };
}
