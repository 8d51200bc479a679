import { DAY_MS, formatQueryDate } from '../model/calendar.js';
import type { OperationName, OperationSpec } from '../../contract/index.js';
import { closest } from '../../common/index.js';
import type { JournalEntry } from '../record/journal-entry.js';

const MOST_NAMES = 5;
const SHOWN = 40;

/** Adds to what log and journal tell about a request that is answered all the same. */
export function warn(entry: JournalEntry, warnings: readonly string[]): void {
  if (warnings.length > 0) entry.warnings = [...(entry.warnings ?? []), ...warnings];
}

/** Query parameters that the operation does not have: the service ignores them. */
export function strayWarnings(names: readonly string[], { parameters }: OperationSpec): string[] {
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const listed = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`;
  return names.slice(0, MOST_NAMES).map((name) => {
    const guess = closest(name, known);
    const hint = guess ? `Did you mean \`${guess}\`?` : listed;
    return `The query parameter \`${name.slice(0, SHOWN)}\` is unknown to this operation and is ignored. ${hint}`;
  });
}

/** The last day that an operation looks at. A list of bookings may well look back. */
const lastDays: { readonly [Name in OperationName]?: string } = {
  listTeeTimes: 'bookingDate',
  listPrices: 'toDate',
  searchTeeTimes: 'toDate',
};

/** Hours by which the westernmost zone is behind UTC: what is past there is past everywhere. */
const WEST = 12;

const NONE: readonly string[] = [];

/** A day that is past, on which nothing is for sale any more. */
export function pastWarnings(
  { name }: OperationSpec,
  params: Readonly<Record<string, unknown>>,
  now: number,
): readonly string[] {
  const field = lastDays[name as OperationName];
  const day = field === undefined ? undefined : params[field];
  if (typeof day !== 'number' || day >= Math.floor(now / DAY_MS - WEST / 24)) return NONE;
  const clock = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return [`\`${field}\` ${formatQueryDate(day)} is in the past: the clock of the sandbox is at ${clock}.`];
}
