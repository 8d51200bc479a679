import { weekdayName } from '../../model/calendar.js';
import { closureOf, decodeTeeId, priceSteps, teeSheet, type TeeTime } from '../../model/tee-sheet.js';
import type { Course, Product } from '../../model/world.js';
import type { Engine } from '../../api/routes/call.js';
import { viewOf } from '../bookings/booking-view.js';

/** The slots of a tee time. */
const CAPACITY = 4;
/** How long a round takes, by which the second tee time of a linked product is suggested. */
const MINUTES_A_HOLE = 15;

/** The tee times of a course on a day, also those that its operator has withdrawn. */
function wholeSheet({ store }: Engine, course: Course, day: number): readonly TeeTime[] {
  const { amended } = course;
  if (!amended?.withdrawn.size) return store.sheet(course, day).teeTimes;
  return teeSheet(store.world, { ...course, amended: { ...amended, withdrawn: new Set() } }, day).teeTimes;
}

/** A tee time by its id, also a withdrawn one. */
export function findTeeTime(engine: Engine, teeId: number): TeeTime | undefined {
  const found = decodeTeeId(engine.store.world, teeId);
  return found && wholeSheet(engine, found.course, found.day).find((one) => one.teeId === teeId);
}

/** The tee sheet of a course. */
export function sheetView(engine: Engine, course: Course, day: number): unknown {
  const { amended } = course;
  const { teeTimes } = engine.store.sheet(course, day);
  const withdrawn = wholeSheet(engine, course, day).filter(({ teeId }) => amended?.withdrawn.has(teeId));
  return {
    courseId: course.id,
    name: course.name,
    holes: course.holes,
    closed: closedView(course, day),
    soldOut: amended?.soldOut.has(day) ?? false,
    raised: amended?.raised.get(day) ?? 0,
    products: course.products.map((product) => productView(course, product, day)),
    teeTimes: teeTimes.map((teeTime) => ({
      ...teeTimeView(engine, teeTime),
      linked: linkedViews(engine, teeTime, teeTimes),
    })),
    withdrawn: withdrawn.map((teeTime) => ({ ...teeTimeView(engine, teeTime), linked: [] })),
  };
}

function closedView(course: Course, day: number): unknown {
  const why = closureOf(course, day);
  if (why === undefined) return null;
  const words = {
    'no-calendar': 'Tee sheets exist from 2000 to 2199.',
    weekday: `${course.name} is closed every ${capital(weekdayName(day))}.`,
    season: `${course.name} is closed for the season in this month.`,
  };
  return { why, words: words[why] };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function productView(course: Course, product: Product, day: number): unknown {
  const { mid, name, category, holes, teeTimeHoles } = product;
  const prices = priceSteps(course, product, day).map(({ quantity, price, publicRate, netRate }) => ({
    players: quantity,
    price: price / 100,
    publicRate: publicRate / 100,
    netRate: netRate / 100,
  }));
  return { productId: mid, name, category, holes, teeTimeHoles, prices };
}

/** For each product that needs several rounds, the tee times that suit as the further ones. */
function linkedViews({ store }: Engine, teeTime: TeeTime, teeTimes: readonly TeeTime[]): unknown[] {
  return teeTime.products.flatMap((product) => {
    const rounds = Math.ceil(product.holes / teeTime.holes);
    if (rounds < 2) return [];
    const teeIds: number[] = [];
    let over = teeTime.minute + teeTime.holes * MINUTES_A_HOLE;
    for (const one of teeTimes) {
      if (teeIds.length === rounds - 1) break;
      if (one.minute < over || store.free(one) < 1 || !one.products.includes(product)) continue;
      teeIds.push(one.teeId);
      over = one.minute + one.holes * MINUTES_A_HOLE;
    }
    return [{ productId: product.mid, rounds, teeIds }];
  });
}

/** A tee time: of its capacity some is sold elsewhere, some is held by bookings of this sandbox, the rest is free. */
export function teeTimeView(engine: Engine, teeTime: TeeTime): object {
  const { store } = engine;
  const held = store.ledger.at(teeTime.teeId).filter(({ status }) => status === 'BOOKED');
  // A day that is sold out after a booking has less than no free slots.
  const free = Math.max(0, store.free(teeTime));
  return {
    teeId: teeTime.teeId,
    time: teeTime.time,
    holes: teeTime.holes,
    capacity: CAPACITY,
    soldElsewhere: CAPACITY - store.ledger.taken(teeTime.teeId) - free,
    free,
    productIds: teeTime.products.map(({ mid }) => mid),
    bookings: held.map((booking) => viewOf(engine, booking)),
  };
}
