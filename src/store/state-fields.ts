/** Why a value cannot be taken for a state: where it does not fit and what would. */
export class StateMisfit extends Error {
  override readonly name = 'StateMisfit';
}

/** What a field must be: in words, and as a test. */
export interface Kind {
  readonly due: string;
  fits(value: unknown): boolean;
}

type Fields = Readonly<Record<string, Kind>>;
/** An object whose fields are there, and of their kinds. */
export type Row = Readonly<Record<string, unknown>>;

const SHOWN = 80;

/** Refuses what stands at `path`. */
export function misfit(path: string, due: string, got: unknown): StateMisfit {
  const text = got === undefined ? 'nothing' : (JSON.stringify(got) ?? typeof got);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
  return new StateMisfit(`\`${path}\` must be ${due}; got ${shown}.`);
}

/** @throws {StateMisfit} for a value that is not of the kind. */
export function check(value: unknown, path: string, { due, fits }: Kind): void {
  if (!fits(value)) throw misfit(path, due, value);
}

/**
 * An object with exactly these fields; `path` is empty at the top.
 *
 * @throws {StateMisfit} for anything else, naming the first field that does not fit.
 */
export function readRow(value: unknown, path: string, fields: Fields): Row {
  const names = Object.keys(fields);
  if (!object.fits(value)) throw misfit(path || 'state', `an object with ${names.join(', ')}`, value);
  const row = value as Row;
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of names) check(Object.hasOwn(row, name) ? row[name] : undefined, at(name), fields[name]!);
  const stray = Object.keys(row).find((name) => !Object.hasOwn(fields, name));
  if (stray === undefined) return row;
  throw new StateMisfit(`\`${at(stray.slice(0, SHOWN))}\` is not known here; there are ${names.join(', ')}.`);
}

/** Reads each item of a field that is a list. */
export function readList<T>(value: unknown, path: string, read: (item: unknown, path: string) => T): T[] {
  return (value as readonly unknown[]).map((item, index) => read(item, `${path}[${index}]`));
}

/** Refuses the second of two equal values. */
export function createUnique(): (value: string | number, path: string) => void {
  const seen = new Set<string | number>();
  return (value, path) => {
    if (seen.has(value)) throw new StateMisfit(`\`${path}\` must be unique; ${JSON.stringify(value)} stands twice.`);
    seen.add(value);
  };
}

export const text: Kind = { due: 'a text', fits: (value) => typeof value === 'string' };
export const flag: Kind = { due: 'true or false', fits: (value) => typeof value === 'boolean' };
export const list: Kind = { due: 'a list', fits: (value) => Array.isArray(value) };
export const number: Kind = { due: 'a number', fits: (value) => typeof value === 'number' && !Number.isNaN(value) };
export const epoch: Kind = {
  due: 'an instant in epoch milliseconds',
  fits: (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15,
};
export const object: Kind = {
  due: 'an object',
  fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

export function whole(low: number, high: number = Number.MAX_SAFE_INTEGER): Kind {
  const to = high === Number.MAX_SAFE_INTEGER ? 'on' : `to ${high}`;
  const fits = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high;
  return { due: `a whole number from ${low} ${to}`, fits };
}

export function oneOf(...values: readonly (string | number)[]): Kind {
  const due = values.map((value) => JSON.stringify(value)).join(' or ');
  return { due, fits: (value) => values.includes(value as string) };
}

export function orNull({ due, fits }: Kind): Kind {
  return { due: `${due} or null`, fits: (value) => value === null || fits(value) };
}

/** A moment as bookings keep it: ISO 8601 with milliseconds, UTC, no zone. */
export const moment: Kind = {
  due: 'a moment such as 2026-06-01T08:00:00.000, in UTC',
  fits(value) {
    const at = typeof value === 'string' ? new Date(`${value}Z`) : new Date(NaN);
    return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, -1) === value;
  },
};
