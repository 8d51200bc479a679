import { Problem, shown } from './problem.js';

const form = /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$/;
const units = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/**
 * Milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds; years and months have no length
 * of their own.
 *
 * @throws {Problem} 400 for anything else.
 */
export function readDuration(value: unknown): number {
  const parts = typeof value === 'string' && !/[PT]$/.test(value) ? form.exec(value) : null;
  if (parts) return Math.round(units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0));
  throw new Problem(
    400,
    '`advance` must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, ' +
      `such as PT49H or P2DT30M or PT0.5S; got ${shown(JSON.stringify(value))}.`,
  );
}
