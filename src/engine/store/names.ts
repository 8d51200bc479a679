import type { Country } from './places.js';

/** A source of whole numbers from 0 (inclusive) to the bound (exclusive). */
export type Draw = (bound: number) => number;

const LETTERS = 'ABCDEFGHJKLMNPRSTVWXYZ';
/** Letters that Unicode does not decompose into a base letter and a mark. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ı: 'i', ł: 'l', đ: 'd' };

/** Fills a pattern: `#` becomes a digit, `@` a letter. */
export function fill(pattern: string, draw: Draw): string {
  return pattern.replace(/[#@]/g, (mark) => (mark === '#' ? String(draw(10)) : LETTERS[draw(LETTERS.length)]!));
}

/** The ASCII form of a name for host names: `Ørnehøj Golfklub` becomes `ornehoj-golfklub`. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[øæßıłđ]/g, (letter) => WHOLE_LETTERS[letter]!)
    .normalize('NFD')
    .replace(/[\u0300-\u036f.'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The number of different facility names in a country. */
export function nameCount({ patterns, fronts, backs }: Country): number {
  return patterns.length * fronts.length * backs.length;
}

/** One of the facility names of a country, by its number. */
export function facilityName({ patterns, fronts, backs }: Country, number: number): string {
  const front = fronts[number % fronts.length]!;
  const rest = Math.floor(number / fronts.length);
  const back = backs[rest % backs.length]!;
  const pattern = patterns[Math.floor(rest / backs.length) % patterns.length]!;
  return pattern.replace('{stem}', front + back);
}

/** Rounds a fee to whole units, or more coarsely in currencies with small units. */
export function roundFee(value: number, { fee }: Country): number {
  const step = fee >= 200_000 ? 5_000 : fee >= 40_000 ? 1_000 : 100;
  return Math.max(step, Math.round(value / step) * step);
}
