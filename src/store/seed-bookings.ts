import type { Booking, BookingRequest, BookingTerms } from '../domain/booking.js';
import { DAY_MS } from '../domain/calendar.js';
import type { Wish } from '../domain/linked.js';
import type { TeeTime, TeeSheet } from '../domain/tee-sheet.js';
import type { Course, SeedBooking, World } from '../domain/world.js';

/** Maximum days by which a seed booking is moved if the course is closed or full. */
const SEARCHED_DAYS = 45;

/** The tee sheets to book from. */
interface Sheets {
  readonly world: World;
  sheet(course: Course, day: number): TeeSheet;
  free(teeTime: TeeTime): number;
  instant(timeZone: string, day: number, minute: number): number;
  book(wishes: readonly Wish[], terms: BookingTerms): Booking[];
  cancel(booking: Booking, now: number): void;
}

/** Makes the initial bookings: past, future and cancelled ones of each channel. */
export function plantSeedBookings(store: Sheets, now: number): void {
  const today = Math.floor(now / DAY_MS);
  for (const seed of store.world.seedBookings) {
    const course = store.world.facility(seed.facilityId)?.courses[seed.course];
    if (course) plant(store, seed, course, today + seed.day, now);
  }
}

function plant(store: Sheets, seed: SeedBooking, course: Course, wanted: number, now: number): void {
  const step = seed.day < 0 ? -1 : 1;
  for (let moved = 0; moved < SEARCHED_DAYS; moved += 1) {
    const day = wanted + moved * step;
    const teeTimes = store.sheet(course, day).teeTimes.filter((teeTime) => store.free(teeTime) >= seed.players);
    const teeTime = teeTimes[seed.pick % teeTimes.length];
    if (!teeTime) continue;
    const product = teeTime.products[0]!;
    const { timeZone } = store.world.facility(seed.facilityId)!;
    const madeAt = Math.min(now, store.instant(timeZone, day, teeTime.minute) - seed.bookedAhead * 1000);
    const terms = { channel: seed.channel, groupId: null, paymentIntent: null, now: madeAt };
    const [booking] = store.book([{ request: requestOf(seed, course, teeTime, product.mid), teeTime, product }], terms);
    if (seed.status === 'CANCELED') store.cancel(booking!, madeAt);
    return;
  }
}

/** Who books, where, and for how many. */
type Buyer = Pick<
  SeedBooking,
  'facilityId' | 'players' | 'contactFirstName' | 'contactLastName' | 'contactPhone' | 'contactEmail'
>;

export function requestOf(seed: Buyer, course: Course, teeTime: TeeTime, productId: number): BookingRequest {
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
