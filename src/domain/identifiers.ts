/**
 * Ids depend only on the seed and a counter, so that the same calls give the same bytes. Multiplying by a number
 * coprime to the range visits every value once, so ids never collide.
 */

const SUFFIX_RANGE = 36 ** 6;
const CODE_RANGE = 36 ** 8;
const SUFFIX_STEP = 1_000_003;
const CODE_STEP = 100_000_007;

function scatter(counter: number, step: number, range: number, digits: number, seed: number): string {
  const value = (counter * step + seed * 7_919) % range;
  return value.toString(36).toUpperCase().padStart(digits, '0');
}

/** The composite booking id: prefix, facility, tee time, suffix. */
export function compositeBookingId(seed: number, sequence: number, facilityId: number, teeId: number): string {
  return `TBX-${facilityId}-${teeId}-${scatter(sequence, SUFFIX_STEP, SUFFIX_RANGE, 6, seed)}`;
}

/** The short booking id: eight letters and digits. */
export function shortBookingId(seed: number, sequence: number): string {
  return scatter(sequence, CODE_STEP, CODE_RANGE, 8, seed);
}
