import { formatDate, formatMinute } from './calendar.js';
import { dayDemand, freeSlots } from './demand.js';
import { opening } from './opening.js';
import { firstTeeId } from './tee-id.js';
import type { Course, Product, World } from './world.js';

export { priceSteps, type PriceStep } from './rates.js';
export { decodeTeeId, placeOfTeeId } from './tee-id.js';

/** A tee time as the course publishes it, before any booking. */
export interface TeeTime {
  readonly teeId: number;
  /** Minutes after midnight, local. */
  readonly minute: number;
  /** Local date and time, `yyyy-mm-ddTHH:MM:ss`. */
  readonly time: string;
  readonly holes: 9 | 18;
  /** Slots that are free before any booking of this sandbox, 0 to 4. */
  readonly free: number;
  /** The products of this tee time. Versions without products use the first. */
  readonly products: readonly Product[];
}

export interface TeeSheet {
  readonly course: Course;
  readonly day: number;
  /** `yyyy-mm-dd` */
  readonly date: string;
  /** In order of time; empty if the course is closed. */
  readonly teeTimes: readonly TeeTime[];
}

/** Tee times from minute `from` until the next window have `holes` and sell `products`. */
interface Window {
  readonly holes: 9 | 18;
  readonly products: readonly Product[];
  readonly until: number;
}

/** The tee times of a course on a day, a pure function of seed, course and day. */
export function teeSheet(world: World, course: Course, day: number): TeeSheet {
  const date = formatDate(day);
  const hours = opening(world, course, day);
  if (!hours) return { course, day, date, teeTimes: [] };
  const demand = dayDemand(world.seed, course, day);
  const first = firstTeeId(world, course, day);
  const soldOut = course.amended?.soldOut.has(day) ?? false;
  const teeTimes: TeeTime[] = [];
  let window = windowAt(course, hours.first);
  for (let index = 0; index < hours.count; index += 1) {
    const minute = hours.first + index * course.interval;
    if (minute >= window.until) window = windowAt(course, minute);
    if (course.amended?.withdrawn.has(first + index)) continue;
    teeTimes.push({
      teeId: first + index,
      minute,
      // In one piece, since its bookings keep it.
      time: [date, formatMinute(minute)].join('T'),
      holes: window.holes,
      free: soldOut ? 0 : freeSlots(demand, index, minute),
      products: window.products,
    });
  }
  return { course, day, date, teeTimes };
}

/** The windows of a day. Tee times in one window share one list of products. */
function windowAt(course: Course, minute: number): Window {
  const evening = course.holes === 18 && minute >= course.eveningNineFrom;
  const holes = evening ? 9 : course.holes;
  let until = course.holes === 18 && !evening ? course.eveningNineFrom : Infinity;
  for (const { from, to } of course.products) {
    if (from > minute && from < until) until = from;
    if (to > minute && to < until) until = to;
  }
  const products = course.products.filter((one) => one.teeTimeHoles === holes && one.from <= minute && minute < one.to);
  return { holes, products, until };
}
