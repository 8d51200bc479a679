import fc from 'fast-check';

/** How many kills a test makes: a few in the gate, and as many as `TEEBOX_KILLS` says by hand. */
export const KILLS = Number(process.env['TEEBOX_KILLS'] ?? 3);

/** The same on each run; `TEEBOX_KILLS_SEED` sets other ones. */
const seed = Number(process.env['TEEBOX_KILLS_SEED'] ?? 20_260_601);

/** Moments of kills in milliseconds, one for each kill; in the gate as many as a test says. */
export function moments(longest: number, inGate = KILLS): readonly number[] {
  const numRuns = process.env['TEEBOX_KILLS'] === undefined ? inGate : KILLS;
  return fc.sample(fc.integer({ min: 0, max: longest }), { seed, numRuns });
}

/** Prints figures of a run by hand. */
export function figures(text: () => string): void {
  if (process.env['TEEBOX_KILLS'] !== undefined) console.log(text());
}
