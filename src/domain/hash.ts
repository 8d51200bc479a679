/**
 * Integer hashing, the only source of variety in the catalogue: the same numbers in, the same number out, on
 * every engine. Mixing steps as in MurmurHash3 (public domain), which need 32-bit integers alone.
 */

const FIRST = 0x9747b28c | 0;
const TWO_32 = 4_294_967_296;

/** Folds one 32-bit value into a running state. Call `finish` once at the end. */
export function mix(state: number, value: number): number {
  let k = Math.imul(value | 0, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  let h = state ^ Math.imul(k, 0x1b873593);
  h = (h << 13) | (h >>> 19);
  return (Math.imul(h, 5) + 0xe6546b64) | 0;
}

/** Spreads a running state over all 32 bits; the result is an unsigned integer. */
export function finish(state: number): number {
  let h = state ^ (state >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Hash of whole numbers of any size up to 2^53, as an unsigned 32-bit integer. */
export function hash32(...values: readonly number[]): number {
  let state = FIRST;
  for (const value of values) {
    state = mix(state, value);
    const high = Math.floor(value / TWO_32);
    if (high !== 0) state = mix(state, high);
  }
  return finish(state);
}

/** A fraction in [0, 1) from an unsigned 32-bit hash. */
export function fraction(hash: number): number {
  return hash / TWO_32;
}

/** A whole number from `low` to `high`, both inclusive. */
export function between(hash: number, low: number, high: number): number {
  return low + Math.floor(fraction(hash) * (high - low + 1));
}

/** One element of a list that is not empty. */
export function pick<T>(hash: number, list: readonly T[]): T {
  return list[Math.floor(fraction(hash) * list.length)]!;
}
