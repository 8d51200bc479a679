import { clockAt, dateOf, dayOf, mix, wallClock } from './go.js';
import type { Surroundings } from '../../independent/desk.js';
import { type Mistake, mistakes } from './mistakes.js';
import { type Account, accounts, type Course, earlierBookings, type Facility, facilityOf, plan } from './world.js';

export interface Booking {
  readonly id: string;
  readonly account: Account;
  readonly facility: Facility;
  readonly course: Course;
  readonly teeId: number;
  /** On the wall clock of the facility: yyyy-mm-ddTHH:MM:ss. */
  readonly at: string;
  readonly players: number;
  readonly productId: number;
  readonly linkedTeeTimeRef: string | undefined;
  readonly contact: {
    readonly first: string;
    readonly last: string;
    readonly phone: string;
    readonly email: string;
  };
  readonly createdAt: number;
  readonly version: number;
  readonly canceled: boolean;
  paid: boolean;
  groupPaid: boolean;
}

export interface State {
  readonly around: Surroundings;
  is(mistake: Mistake): boolean;
  /** Changes with each iteration over a map, so that no two look alike. */
  iteration(): number;
  readonly bookings: Booking[];
  readonly groups: Map<number, readonly Booking[]>;
  readonly refreshTokens: Map<string, Account>;
  readonly accessTokens: Map<string, { readonly account: Account; readonly until: number }>;
  lastRefreshed: Account | undefined;
  /** Slots that a refused booking keeps, by tee time. */
  readonly held: Map<number, number>;
  readonly sheets: Map<string, unknown>;
  countries: readonly string[] | undefined;
}

/** The identifiers of bookings: a prefix, the facility and tee time, and a suffix. */
export function bookingId(facility: Facility, at: string, count: number): string {
  const suffix = mix(facility.id, count, 77).toString(36).toUpperCase().padStart(7, '0');
  return `GTT-${facility.id}-${at.slice(0, 16).replace(/\D/g, '')}-${suffix}${count}`;
}

/** What a slot has left for players, counting the bookings that `counts` selects. */
export function freeSlots(
  state: State,
  slot: { readonly teeId: number; readonly taken: number },
  counts: (booking: Booking) => boolean = () => true,
): number {
  const booked = state.bookings
    .filter(({ teeId, canceled }) => teeId === slot.teeId && !canceled)
    .filter((booking) => counts(booking) && !(booking.groupPaid && state.is('paidReleased')))
    .reduce((sum, { players }) => sum + players, 0);
  return Math.max(0, 4 - slot.taken - booked - (state.held.get(slot.teeId) ?? 0));
}

export function begin(around: Surroundings, broken: ReadonlySet<string>): State {
  let iterations = 0;
  const state: State = {
    around,
    is: (mistake) => broken.has(mistakes[mistake]),
    iteration: () => (iterations += 1),
    bookings: [],
    groups: new Map(),
    refreshTokens: new Map(accounts.map((account) => [account.refreshToken, account])),
    accessTokens: new Map(),
    lastRefreshed: undefined,
    held: new Map(),
    sheets: new Map(),
    countries: undefined,
  };
  earlierBookings.forEach((earlier, index) => bookEarlier(state, earlier, index));
  return state;
}

function bookEarlier(state: State, earlier: (typeof earlierBookings)[number], index: number): void {
  const facility = facilityOf(earlier.facility);
  const course = facility?.courses.find(({ id }) => id === earlier.course);
  const account = accounts[earlier.account];
  if (facility === undefined || course === undefined || account === undefined) return;
  const now = state.around.now();
  const today = dayOf(wallClock(facility.zone, now).slice(0, 10));
  const direction = Math.sign(earlier.offset);
  for (let day = today + earlier.offset; ; day += direction) {
    const slot = plan(facility, course, day).find(
      (place) => place.clock > clockAt(9 * 60) && freeSlots(state, place) >= earlier.players,
    );
    if (slot === undefined) continue;
    const at = `${dateOf(day)}T${slot.clock}:00`;
    const [first, last] = earlier.contact;
    state.bookings.push({
      id: bookingId(facility, at, index + 1),
      account,
      facility,
      course,
      teeId: slot.teeId,
      at,
      players: earlier.players,
      productId: slot.products[0]?.mid ?? 0,
      linkedTeeTimeRef: undefined,
      contact: { first, last, phone: `+31 6 5550 01${10 + index}`, email: `guest${index + 1}@mail.example` },
      createdAt: now - (Math.max(0, -earlier.offset) + 9 + index) * 86_400_000 - (mix(index, 3) % 40_000_000),
      version: 5,
      canceled: earlier.canceled,
      paid: false,
      groupPaid: false,
    });
    return;
  }
}
