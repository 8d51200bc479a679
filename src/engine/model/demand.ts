import { civilDate, isWeekend } from './calendar.js';
import { finish, hash32, mix } from './hash.js';
import type { Course } from './world.js';

/** How busy a course is on one day, without the bookings of the sandbox. */
export interface Demand {
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

const MORNING_FROM = 8 * 60;
const MORNING_TO = 12 * 60;
const LATE_FROM = 15 * 60;
const COMPETITION_ENDS = 13 * 60;

/** Weekends, high season and a popular course each make a day one step busier. */
export function dayDemand(seed: number, course: Course, day: number): Demand {
  const state = hash32(seed, course.id, day);
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

/** The free slots of the tee time at this position of the day, 0 to 4. */
export function freeSlots(demand: Demand, position: number, minute: number): number {
  if (minute < demand.heldUntil) return 0;
  const morning = minute >= MORNING_FROM && minute < MORNING_TO ? 1 : 0;
  const late = minute >= LATE_FROM && demand.level > 0 ? 1 : 0;
  const [none, one, two, three] = FREE_SLOTS[demand.level + morning - late]!;
  const draw = finish(mix(demand.state, position)) % 1000;
  if (draw < two) return draw < none ? 0 : draw < one ? 1 : 2;
  return draw < three ? 3 : 4;
}
