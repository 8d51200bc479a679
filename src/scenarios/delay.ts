import { hash32 } from '../domain/hash.js';
import type { Delay } from '../generated/scenarios.js';

export const LONGEST_DELAY = 600_000;
const WIDEST_SIGMA = 5;
/** Stream of the hash that delays are drawn from. */
const DELAYS = 0xde1a;

/** How a delay is written in a header; in JSON `800`, `{"uniform": [100, 900]}`, `{"lognormal": {"median": 400, "sigma": 0.5}}`. */
export const DELAY_FORMS = ['delay=MILLISECONDS', 'delay=uniform(LEAST,MOST)', 'delay=lognormal(MEDIAN,SIGMA)'];

const written = /^(uniform|lognormal)\( *(\d{1,9}) *, *(\d{1,9}(?:\.\d{1,6})?) *\)$/;

/** Reads a delay as a header has it; what is none is given back for `isDelay` to refuse. */
export function readDelay(text: string): unknown {
  const [, kind, first, second] = written.exec(text) ?? [];
  if (kind === 'uniform') return { uniform: [Number(first), Number(second)] };
  if (kind === 'lognormal') return { lognormal: { median: Number(first), sigma: Number(second) } };
  return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LONGEST_DELAY;
}

export function isDelay(value: unknown): value is Delay {
  if (typeof value !== 'object' || value === null) return isTime(value);
  const [[kind, given] = [], ...rest] = Object.entries(value);
  if (rest.length > 0) return false;
  if (kind === 'uniform')
    return Array.isArray(given) && given.length === 2 && given.every(isTime) && given[0]! <= given[1]!;
  if (kind !== 'lognormal' || typeof given !== 'object' || given === null) return false;
  const { median, sigma, ...others } = given;
  const narrow = typeof sigma === 'number' && sigma >= 0 && sigma <= WIDEST_SIGMA;
  return isTime(median) && median > 0 && narrow && Object.keys(others).length === 0;
}

/** Milliseconds of one draw: the same seed and turn give the same. */
export function drawDelay(delay: Delay, seed: number, turn: number): number {
  if (typeof delay === 'number') return delay;
  const chance = (part: number) => (hash32(seed, DELAYS, turn, part) + 0.5) / 2 ** 32;
  if ('uniform' in delay) {
    const [least, most] = delay.uniform;
    return least + Math.floor(chance(0) * (most - least + 1));
  }
  const { median, sigma } = delay.lognormal;
  // Box and Muller: two even draws give one of the normal distribution.
  const normal = Math.sqrt(-2 * Math.log(chance(0))) * Math.cos(2 * Math.PI * chance(1));
  return Math.min(LONGEST_DELAY, Math.round(median * Math.exp(sigma * normal)));
}
