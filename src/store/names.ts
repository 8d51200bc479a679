import type { Country } from './places.js';

/** A source of whole numbers: from 0 up to, but not including, the bound. */
export type Draw = (bound: number) => number;

const LETTERS = 'ABCDEFGHJKLMNPRSTVWXYZ';
/** Letters that do not come apart into a base letter and a mark. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ı: 'i', ł: 'l', đ: 'd' };

/** Fills a pattern: `#` becomes a digit, `@` a letter. */
export function fill(pattern: string, draw: Draw): string {
  return pattern.replace(/[#@]/g, (mark) => (mark === '#' ? String(draw(10)) : LETTERS[draw(LETTERS.length)]!));
}

/** ASCII form of a name for addresses on the net: `Ørnehøj Golfklub` becomes `ornehoj-golfklub`. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[øæßıłđ]/g, (letter) => WHOLE_LETTERS[letter]!)
    .normalize('NFD')
    .replace(/[\u0300-\u036f.'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** How many different facility names the parts of a country make. */
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

/** Rounds a fee as a club would: to whole units, or coarser in currencies of small worth. */
export function roundFee(value: number, { fee }: Country): number {
  const step = fee >= 200_000 ? 5_000 : fee >= 40_000 ? 1_000 : 100;
  return Math.max(step, Math.round(value / step) * step);
}
