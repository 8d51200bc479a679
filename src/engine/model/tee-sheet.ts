import { civilDate, FIRST_DAY, formatDate, formatMinute, isWeekend, LAST_DAY, weekday } from './calendar.js';
import type { Cents, Course, ExactDay, Hours, Product, TeeIds, World } from './world.js';
import { finish, hash32, mix } from './hash.js';

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
  const exact = course.days && exactDay(course, day);
  if (exact) return exactSheet(world, course, day, exact);
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
      free: soldOut ? 0 : course.demand === 'none' ? MOST_SLOTS : freeSlots(demand, index, minute),
      products: window.products,
    });
  }
  return { course, day, date, teeTimes };
}

/** What a file gives for a day: the day itself, or the one that it repeats. */
function exactDay(course: Course, day: number): ExactDay | undefined {
  const { days, repeated } = course;
  const own = days?.get(day);
  if (own || !days || !repeated || closedBy(course, day)) return own;
  const sameWeekday = repeated[weekday(day)]!;
  let latest = sameWeekday[0];
  for (const one of sameWeekday) if (one < day) latest = one;
  return latest === undefined ? undefined : days.get(latest);
}

/** The tee times of a day that a file gives. */
function exactSheet(world: World, course: Course, day: number, exact: ExactDay): TeeSheet {
  const date = formatDate(day);
  const first = firstTeeId(world, course, day);
  const soldOut = course.amended?.soldOut.has(day) ?? false;
  const isOwn = exact === course.days?.get(day);
  const teeTimes = exact.teeTimes.map(({ id, minute, holes, free, products }, index) => {
    const time = [date, formatMinute(minute)].join('T');
    const teeId = isOwn && id !== undefined ? id : first + index;
    return { teeId, minute, time, holes, free: soldOut ? 0 : free, products };
  });
  return { course, day, date, teeTimes: teeTimes.filter(({ teeId }) => !course.amended?.withdrawn.has(teeId)) };
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

/** How busy a course is on one day, without the bookings of the sandbox. */
interface Demand {
  /** The initial state of the hash of each tee time. */
  readonly state: number;
  /** 0 (quiet) to 3 (crowded), before the time of day is considered. */
  readonly level: number;
  /** A competition occupies every tee time before this minute. */
  readonly heldUntil: number;
}

/** Of 1,000 tee times, the number with at most 0, 1, 2 and 3 free slots, from quiet to sold out. */
const FREE_SLOTS: readonly (readonly [number, number, number, number])[] = [
  [40, 80, 190, 300],
  [110, 200, 400, 520],
  [260, 420, 660, 770],
  [460, 680, 870, 930],
  [660, 900, 970, 990],
];

const MOST_SLOTS = 4;
const MORNING_FROM = 8 * 60;
const MORNING_TO = 12 * 60;
const LATE_FROM = 15 * 60;
const COMPETITION_ENDS = 13 * 60;

/** Weekends, high season and a popular course each make a day one step busier. */
function dayDemand(seed: number, course: Course, day: number): Demand {
  const state = hash32(seed, course.id, day);
  if (course.demand) return { state, level: LEVELS[course.demand], heldUntil: 0 };
  const weekend = isWeekend(day);
  const high = course.highMonths.includes(civilDate(day).month);
  const popular = hash32(seed, course.id) % 3 === 0;
  const competition = weekend && finish(mix(state, -1)) % 9 === 0;
  return {
    state,
    level: (weekend ? 1 : 0) + (high ? 1 : 0) + (popular ? 1 : 0),
    heldUntil: competition ? COMPETITION_ENDS : 0,
  };
}

/** How busy a course is that a file calls quiet or crowded. */
const LEVELS = { none: 0, low: 0, high: 3 } as const;

/** The free slots of the tee time at this position of the day, 0 to 4. */
function freeSlots(demand: Demand, position: number, minute: number): number {
  if (minute < demand.heldUntil) return 0;
  const morning = minute >= MORNING_FROM && minute < MORNING_TO ? 1 : 0;
  const late = minute >= LATE_FROM && demand.level > 0 ? 1 : 0;
  const [none, one, two, three] = FREE_SLOTS[demand.level + morning - late]!;
  const draw = finish(mix(demand.state, position)) % 1000;
  if (draw < two) return draw < none ? 0 : draw < one ? 1 : 2;
  return draw < three ? 3 : 4;
}

/** The total for `quantity` players. */
export interface PriceStep {
  readonly quantity: number;
  readonly price: Cents;
  readonly netRate: Cents;
  readonly publicRate: Cents;
}

const QUANTITIES = [1, 2, 3, 4] as const;
/** Fees are rounded to half units of the currency, group totals to twentieths. */
const FEE_STEP = 50;
const TOTAL_STEP = 5;
/** A price increase is 10 %. */
const RISE = 1.1;

/** By how much the prices of a day are above those of a low-season weekday, in millionths. */
function dayRate(course: Course, day: number): number {
  const weekend = isWeekend(day) ? course.weekendRate : 1000;
  const season = course.highMonths.includes(civilDate(day).month) ? course.highSeasonRate : 1000;
  return weekend * season * riseOf(course, day);
}

function riseOf({ amended }: Course, day: number): number {
  return RISE ** (amended?.raised.get(day) ?? 0);
}

/** The fee of one player on a day. It is the same all day; the time of day selects the product. */
export function dayFee(course: Course, product: Product, day: number): Cents {
  const step = Math.max(FEE_STEP, course.leastAmount ?? 1);
  return Math.round((product.price * dayRate(course, day)) / (1_000_000 * step)) * step;
}

/** The prices of a product on a day for one to four players. Each is a total; `netRate <= price <= publicRate`. */
export function priceSteps(course: Course, product: Product, day: number): readonly PriceStep[] {
  const { leastAmount: least = 1 } = course;
  if (product.totals) {
    const exact = exactDay(course, day)?.prices.get(product.mid);
    const totals = exact ?? product.totals;
    const rate = exact ? 1_000_000 * riseOf(course, day) : dayRate(course, day);
    const at = (list: readonly Cents[], quantity: number): Cents =>
      Math.round((list[quantity - 1]! * rate) / (1_000_000 * least)) * least;
    return QUANTITIES.map((quantity) => {
      const { price, netRate, publicRate } = totals;
      return {
        quantity,
        price: at(price, quantity),
        netRate: at(netRate, quantity),
        publicRate: at(publicRate, quantity),
      };
    });
  }
  const fee = dayFee(course, product, day);
  const step = Math.max(TOTAL_STEP, least);
  return QUANTITIES.map((quantity) => {
    const factor = product.groupRates[quantity - 1]!;
    const price = Math.round((fee * quantity * factor) / (1000 * step)) * step;
    return {
      quantity,
      price,
      netRate: Math.floor((price * product.netRate) / (1000 * least)) * least,
      publicRate: Math.ceil((price * product.publicRate) / (1000 * least)) * least,
    };
  });
}

/** Maximum tee times per day of the generated world. The busiest course has 94; a larger maximum would take the ids past 31 bits. */
export const MAX_TEE_TIMES = 112;

/** The tee times of an open day: `count` of them, from minute `first`, one every `course.interval` minutes. */
interface Opening {
  readonly first: number;
  readonly count: number;
}

/** The distance from midsummer in thousandths, by month, in the northern hemisphere. */
const SHORTER_DAYS = [1000, 800, 550, 300, 100, 0, 50, 200, 450, 700, 900, 1000] as const;

/** Why a course has no tee times on a day: the day is outside the calendar, or the course is closed. */
type Closure = 'no-calendar' | 'weekday' | 'season';

export function closureOf(course: Course, day: number): Closure | undefined {
  return course.days && exactDay(course, day)?.teeTimes.length ? undefined : closedBy(course, day);
}

function closedBy(course: Course, day: number): Closure | undefined {
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) return 'no-calendar';
  if (course.closedWeekdays.includes(weekday(day))) return 'weekday';
  return course.closedMonths.includes(civilDate(day).month) ? 'season' : undefined;
}

/** The opening of a course on a day; undefined if it is closed. */
function opening(world: World, course: Course, day: number): Opening | undefined {
  if (closedBy(course, day)) return undefined;
  const most = world.teeIds?.most ?? MAX_TEE_TIMES;
  const own = course.hours && hoursOf(course, day);
  if (own) return { first: own.firstTee, count: Math.min(most, teeTimesOf(own, course.interval)) };
  const latitude = world.facility(course.facilityId)?.address.latitude ?? 0;
  return daylight(course, civilDate(day).month, latitude, most);
}

function hoursOf({ hours }: Course, day: number): Hours | undefined {
  const { month } = civilDate(day);
  return hours?.find(({ weekdays, months }) => weekdays.includes(weekday(day)) && months.includes(month));
}

/** How many tee times there are from the first to the last. */
export function teeTimesOf({ firstTee, lastTee }: Pick<Hours, 'firstTee' | 'lastTee'>, interval: number): number {
  return Math.floor((lastTee - firstTee) / interval) + 1;
}

/** Winter days start later and end earlier, more so further from the equator. */
function daylight(course: Course, month: number, latitude: number, most: number): Opening {
  const shorter = SHORTER_DAYS[(month - 1 + (latitude < 0 ? 6 : 0)) % 12]!;
  const evening = course.hasOwnHours ? 0 : (Math.abs(latitude) * shorter * 4) / 1000;
  const first = course.firstTee + Math.floor(evening / 3 / course.interval) * course.interval;
  const last = Math.max(first, course.lastTee - evening);
  return { first, count: Math.min(most, teeTimesOf({ firstTee: first, lastTee: last }, course.interval)) };
}

/** Maximum courses of a facility. Each position has an ordinal, used or not. */
export const COURSES_PER_FACILITY = 3;

/** The id of the first tee time of a day, if the file does not give it; the others follow in sequence. */
function firstTeeId({ ordinals, teeIds }: World, course: Course, day: number): number {
  const courseDay = (day - FIRST_DAY) * ordinals + course.ordinal;
  return teeIds ? teeIds.from + courseDay * teeIds.most : courseDay * MAX_TEE_TIMES;
}

interface Decoded {
  readonly course: Course;
  readonly day: number;
  readonly index: number;
}

/** The course, day and position of a tee time id, also where the course is closed; undefined if there is no such day. */
export function placeOfTeeId(world: World, teeId: number): Decoded | undefined {
  if (!Number.isSafeInteger(teeId) || teeId < 0) return undefined;
  if (world.teeIds) return placeAmong(world, world.teeIds, teeId);
  return placeOf(world, teeId, MAX_TEE_TIMES);
}

/** The place of an id in a world whose file gives some. */
function placeAmong(world: World, { from, most, given }: TeeIds, teeId: number): Decoded | undefined {
  const place = given.get(teeId);
  if (!place) return teeId < from ? undefined : placeOf(world, teeId - from, most);
  const course = world.courseAt(place.ordinal);
  return course && { course, day: place.day, index: place.index };
}

function placeOf(world: World, teeId: number, most: number): Decoded | undefined {
  const { ordinals } = world;
  const index = teeId % most;
  const courseDay = (teeId - index) / most;
  const ordinal = courseDay % ordinals;
  const day = (courseDay - ordinal) / ordinals + FIRST_DAY;
  const course = day > LAST_DAY ? undefined : world.courseAt(ordinal);
  // A quotient is a number in memory of its own, which each booking of the day would keep; this is a small integer.
  return course && { course, day: day | 0, index };
}

/** The course, day and position of a tee time id; undefined if no such tee time can exist. */
export function decodeTeeId(world: World, teeId: number): Decoded | undefined {
  const place = placeOfTeeId(world, teeId);
  if (!place) return undefined;
  const { course, day, index } = place;
  const exact = course.days && exactDay(course, day);
  // The tee times of a day with given ids use no derived ones.
  if (exact && course.days?.get(day) === exact && (exact.teeTimes[index]?.id ?? teeId) !== teeId) return undefined;
  const count = exact ? exact.teeTimes.length : (opening(world, course, day)?.count ?? 0);
  return index < count ? place : undefined;
}
