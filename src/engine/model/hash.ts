/**
 * Integer hashing, the only source of variety in the catalogue: the same input gives the same output on every engine.
 * The mixing steps are those of MurmurHash3 (public domain), which need only 32-bit integers.
 */

const FIRST = 0x9747b28c | 0;
const TWO_32 = 4_294_967_296;

/** Mixes one 32-bit value into a running state. Call `finish` at the end. */
export function mix(state: number, value: number): number {
  let k = Math.imul(value | 0, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  let h = state ^ Math.imul(k, 0x1b873593);
  h = (h << 13) | (h >>> 19);
  return (Math.imul(h, 5) + 0xe6546b64) | 0;
}

/** Finishes a running state; the result is an unsigned 32-bit integer. */
export function finish(state: number): number {
  let h = state ^ (state >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The hash of whole numbers up to 2^53, as an unsigned 32-bit integer. */
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

/** Picks one element of a non-empty list. */
export function pick<T>(hash: number, list: readonly T[]): T {
  return list[Math.floor(fraction(hash) * list.length)]!;
}
