import { FIRST_DAY, LAST_DAY, MAX_TEE_TIMES, opening } from './opening.js';
import type { Course, World } from './world.js';

/** Maximum courses of a facility. Each position has an ordinal, used or not. */
export const COURSES_PER_FACILITY = 3;

/** The id of the first tee time of a day; the others follow in sequence. */
export function firstTeeId(world: World, course: Course, day: number): number {
  return ((day - FIRST_DAY) * world.size * COURSES_PER_FACILITY + course.ordinal) * MAX_TEE_TIMES;
}

interface Decoded {
  readonly course: Course;
  readonly day: number;
  readonly index: number;
}

/** The course, day and position of a tee time id, also where the course is closed; undefined if there is no such day. */
export function placeOfTeeId(world: World, teeId: number): Decoded | undefined {
  if (!Number.isSafeInteger(teeId) || teeId < 0) return undefined;
  const ordinals = world.size * COURSES_PER_FACILITY;
  const index = teeId % MAX_TEE_TIMES;
  const courseDay = (teeId - index) / MAX_TEE_TIMES;
  const ordinal = courseDay % ordinals;
  const day = (courseDay - ordinal) / ordinals + FIRST_DAY;
  const course = day > LAST_DAY ? undefined : world.courseAt(ordinal);
  // A quotient is a number in memory of its own, which each booking of the day would keep; this is a small integer.
  return course && { course, day: day | 0, index };
}

/** The course, day and position of a tee time id; undefined if no such tee time can exist. */
export function decodeTeeId(world: World, teeId: number): Decoded | undefined {
  const place = placeOfTeeId(world, teeId);
  const hours = place && opening(world, place.course, place.day);
  return hours && place.index < hours.count ? place : undefined;
}
