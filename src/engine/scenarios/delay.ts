import { hash32 } from '../model/hash.js';
import type { Delay } from '../../contract/index.js';
import { misfit } from '../../common/index.js';

const LONGEST_DELAY = 600_000;
/** The stream of the hash from which delays are drawn. */
const DELAYS = 0xde1a;

/** The forms of a delay in a header. In JSON: `800`, `{"uniform": [100, 900]}`, `{"lognormal": {"median": 400, "sigma": 0.5}}`. */
export const DELAY_FORMS = ['delay=MILLISECONDS', 'delay=uniform(LEAST,MOST)', 'delay=lognormal(MEDIAN,SIGMA)'];

const written = /^(uniform|lognormal)\( *(\d{1,9}) *, *(\d{1,9}(?:\.\d{1,6})?) *\)$/;

/**
 * Reads a delay from a header. The schema of a plan checks its numbers.
 *
 * @throws {Misfit} for an unknown form, with the known ones.
 */
export function readDelay(text: string): Delay {
  const [, kind, first, second] = written.exec(text) ?? [];
  if (kind === 'uniform') return { uniform: [Number(first), Number(second)] };
  if (kind === 'lognormal') return { lognormal: { median: Number(first), sigma: Number(second) } };
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw misfit('delay', 'a whole number of milliseconds, or a distribution', text, DELAY_FORMS);
}

/** Draws a delay in milliseconds. The same seed and turn give the same delay. */
export function drawDelay(delay: Delay, seed: number, turn: number): number {
  if (typeof delay === 'number') return delay;
  const chance = (part: number) => (hash32(seed, DELAYS, turn, part) + 0.5) / 2 ** 32;
  if ('uniform' in delay) {
    const [least, most] = delay.uniform;
    return least + Math.floor(chance(0) * (most - least + 1));
  }
  const { median, sigma } = delay.lognormal;
  // Box-Muller transform: two uniform draws make one normally distributed draw.
  const normal = Math.sqrt(-2 * Math.log(chance(0))) * Math.cos(2 * Math.PI * chance(1));
  return Math.min(LONGEST_DELAY, Math.round(median * Math.exp(sigma * normal)));
}
