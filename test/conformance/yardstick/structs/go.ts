/** The habits of the language that this deployment imitates: its JSON, its map order and its dates. */

/** An amount of money, printed as `strconv.FormatFloat(value, 'g', -1, 64)` prints it. */
export class Decimal {
  constructor(readonly value: number) {}

  toString(): string {
    const size = Math.abs(this.value);
    if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(this.value);
    return this.value.toExponential().replace(/([+-])(\d)$/, '$10$2');
  }
}

const escaped = (text: string) =>
  JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** JSON with HTML characters escaped; a member that is undefined is left out, as `omitempty` does. */
export function encode(value: unknown): string {
  if (value instanceof Decimal) return String(value);
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${escaped(name)}:${encode(member)}`).join(',')}}`;
}

/** Mixes numbers into one that looks random and is the same on every run. */
export function mix(...numbers: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

/** The entries of a map in the order that one iteration happens to take. */
export function shuffled<T>(entries: readonly T[], seed: number): T[] {
  return entries
    .map((entry, index) => ({ entry, key: mix(seed, index) }))
    .sort((one, other) => one.key - other.key)
    .map(({ entry }) => entry);
}

const dayLength = 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Days are counted from 1970-01-01; a date is written yyyy-mm-dd. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayLength;
export const dateOf = (day: number): string => new Date(day * dayLength).toISOString().slice(0, 10);
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
export const weekdayName = (day: number): string => weekdays[weekdayOf(day)] ?? '';

const existing = (date: string) => {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? time / dayLength : undefined;
};

/** Reads dd-mm-yyyy; undefined if there is no such day. */
export function parseDay(text: string): number | undefined {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text) ?? [];
  return day === undefined ? undefined : existing(`${year}-${month}-${day}`);
}

/** Reads yyyy-mm-dd; undefined if there is no such day. */
export const parseIsoDay = (text: string): number | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? existing(text) : undefined;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a location at an instant, as yyyy-mm-ddTHH:MM:ss. */
export function wallClock(zone: string, instant: number): string {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(zone, clock);
  }
  return clock.format(instant).replace(' ', 'T');
}

export const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
export const clockAt = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
