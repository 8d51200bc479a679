import { FIRST_DAY, MAX_SLOTS, opening } from './opening.js';
import type { Course, World } from './world.js';

/** A facility has at most this many courses; each position is an ordinal, taken or not. */
export const COURSES_PER_FACILITY = 3;

/** Id of the first tee time of a day; the others follow one by one. */
export function firstTeeId(world: World, course: Course, day: number): number {
  return ((day - FIRST_DAY) * world.size * COURSES_PER_FACILITY + course.ordinal) * MAX_SLOTS;
}

/** Finds what a tee time id stands for; undefined when no such tee time exists. */
export function decodeTeeId(world: World, teeId: number): { course: Course; day: number; slot: number } | undefined {
  if (!Number.isSafeInteger(teeId) || teeId < 0) return undefined;
  const ordinals = world.size * COURSES_PER_FACILITY;
  const slot = teeId % MAX_SLOTS;
  const courseDay = (teeId - slot) / MAX_SLOTS;
  const ordinal = courseDay % ordinals;
  const day = (courseDay - ordinal) / ordinals + FIRST_DAY;
  const course = world.courseAt(ordinal);
  const hours = course && opening(world, course, day);
  return hours && slot < hours.count ? { course, day, slot } : undefined;
}
