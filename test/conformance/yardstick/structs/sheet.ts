import { dateOf, dayOf, Decimal, shuffled, wallClock, weekdayName, weekdayOf } from './go.js';
import { type Booking, freeSlots, type State } from './state.js';
import { type Course, type Facility, type Holes, isWeekend, plan, type Product, rounded, totalFor } from './world.js';
import type { Slot } from './world.js';

/** Tee sheets and prices, as the versions show them. */

export interface OpenSlot extends Slot {
  readonly course: Course;
  readonly free: number;
  readonly at: string;
}

export const daysAhead = 731;

export function today(state: State, facility: Facility): number {
  return dayOf(wallClock(facility.zone, state.around.now()).slice(0, 10));
}

/** The tee times of a course that are still to come and have a free slot for each player. */
export function openSlots(
  state: State,
  facility: Facility,
  course: Course,
  day: number,
  players: number,
  counts?: (booking: Booking) => boolean,
): OpenSlot[] {
  if (day > today(state, facility) + daysAhead) return [];
  const now = wallClock(facility.zone, state.around.now());
  return plan(facility, course, day)
    .map((slot) => ({
      ...slot,
      course,
      free: freeSlots(state, slot, counts),
      at: `${dateOf(day)}T${slot.clock}:00`,
    }))
    .filter(({ free, at }) => free >= players && at > now);
}

/** The tee times for a number of holes, of several courses, in the order of the day. */
export function search(
  state: State,
  facility: Facility,
  courses: readonly Course[],
  day: number,
  players: number,
  holes: Holes,
): OpenSlot[] {
  return courses
    .flatMap((course) => openSlots(state, facility, course, day, players))
    .filter((slot) => slot.holes === holes)
    .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

const money = (amount: number, currency: string) => ({ amount: new Decimal(amount), currency });

function threePrices(amount: number, currency: string, netCurrency = currency) {
  return {
    price: money(amount, currency),
    netRate: money(rounded(amount * 0.82, currency), netCurrency),
    publicRate: money(rounded(amount * 1.1, currency), currency),
  };
}

const extraProducts = (state: State, facility: Facility) =>
  shuffled(facility.extras, state.iteration()).map(({ mid, name, category, amount }) => ({
    mid,
    name,
    category,
    ...threePrices(rounded(amount, facility.currency), facility.currency),
  }));

function priceStep(state: State, facility: Facility, product: Product, day: number, quantity: number, version: number) {
  const v4 = version === 4;
  const sold = v4 && state.is('twilightDay') ? { ...product, rate: product.fullRate } : product;
  let amount = totalFor(facility, sold, isWeekend(day), quantity);
  if (v4 && quantity === 4 && facility.currency === 'IDR' && state.is('rupiahOverflow')) {
    amount = ((amount * 100) | 0) / 100;
  }
  const euro = v4 && quantity === 3 && facility.currency === 'GBP' && state.is('poundsInEuro');
  return { quantity, ...threePrices(amount, facility.currency, euro ? 'EUR' : facility.currency) };
}

/** The `teeTimeV3` form. */
export function teeTimeV3(state: State, facility: Facility, slot: OpenSlot, version: number) {
  const available = Math.min(4, slot.free);
  return {
    teeid: slot.teeId,
    time: slot.at,
    course: slot.course.name,
    holes: slot.holes,
    extraProducts: extraProducts(state, facility),
    products: slot.products.map((product, index) => ({
      mid: product.mid,
      name: product.name,
      category: 'Greenfee',
      available,
      pricing: shuffled([1, 2, 3, 4], state.iteration())
        .filter((quantity) => quantity <= available)
        .map((quantity) => priceStep(state, facility, product, slot.day, quantity, version)),
      players: null,
      linkedProducts: version === 5 && index > 0 && state.is('linkedNull') ? null : [],
    })),
  };
}

/** The forms of v2 and v3, which know only the first product of a tee time. */
export function olderTeeTime(state: State, facility: Facility, slot: OpenSlot, version: number) {
  const [product] = slot.products;
  const friday = version === 2 && weekdayOf(slot.day) === 5 && state.is('fridayWeekend');
  const pricing = [1, 2, 3, 4].slice(0, slot.free).map((players) => {
    const total = product === undefined ? 0 : totalFor(facility, product, isWeekend(slot.day) || friday, players);
    const cut = version === 3 && players === 3 && facility.currency === 'EUR' && state.is('threeRounded');
    return { players: String(players), price: money(cut ? Math.floor(total) : total, facility.currency) };
  });
  return {
    id: slot.teeId,
    time: slot.at,
    course: version === 2 ? undefined : slot.course.name,
    round: version === 2 ? slot.course.name : undefined,
    holes: slot.holes,
    players: Math.min(4, slot.free),
    extraProducts: version === 2 ? undefined : extraProducts(state, facility),
    pricing,
  };
}

export const cancellationPolicy = (state: State, { policy }: Facility, version: number) =>
  policy
    .slice(0, version === 3 && policy.length > 1 && state.is('policyCut') ? -1 : undefined)
    .map(([minimumPlayer, maximumPlayer, timePeriod]) => ({ minimumPlayer, maximumPlayer, timePeriod }));

/** What a price record is about; the record itself is written only for the page that is asked for. */
export interface Priced {
  readonly facility: Facility;
  readonly course: Course;
  readonly product: Product;
  readonly day: number;
}

export function priceRecord(state: State, { facility, course, product, day }: Priced) {
  const weekend = isWeekend(day) && !(weekdayOf(day) === 0 && state.is('sundayPrice'));
  const price = totalFor(facility, product, weekend, 1);
  const counts = state.is('oldBookingsFree') ? ({ version }: Booking) => version === 5 : undefined;
  const availability = openSlots(state, facility, course, day, 1, counts)
    .filter(({ products }) => products.includes(product))
    .map(({ clock, free }) => ({ time: `${clock}:00`, available: Math.min(4, free) }));
  const closed = plan(facility, course, day).length === 0;
  return {
    facilityId: facility.id,
    facilityName: facility.name,
    courseId: course.id,
    courseName: course.name,
    countryName: facility.country,
    date: dateOf(day),
    dayOfWeek: weekdayName(day - (facility.zone.startsWith('Asia/') && state.is('asianWeekday') ? 1 : 0)),
    productId: product.mid,
    productName: product.name,
    price: new Decimal(facility.currency === 'JPY' && state.is('yenMinor') ? price / 100 : price),
    currency: facility.currency,
    availability: closed && state.is('closedNull') ? null : availability,
  };
}
