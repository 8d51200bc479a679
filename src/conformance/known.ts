import { rules as catalogue } from '../generated/catalogue.js';
import type { RuleId } from '../generated/rule-basis.js';
import type { RuleResult } from './types.js';

/** A finding that is known already: it does not fail the run until it is gone or its day has come. */
export interface KnownFinding {
  readonly id: RuleId;
  /** Where it is tracked. */
  readonly issue?: string;
  /** `yyyy-mm-dd`; after this day it counts again. */
  readonly until?: string;
}

const keys = new Set(['id', 'issue', 'until']);
const ids = new Set<string>(catalogue.map(({ id }) => id));

/**
 * Reads a baseline from parsed JSON: `{"known": [{"id", "issue"?, "until"?}]}`.
 *
 * @throws {Error} naming the first entry that does not fit.
 */
export function readKnown(value: unknown): readonly KnownFinding[] {
  const list = (value as { readonly known?: unknown } | null)?.known;
  if (!Array.isArray(list)) throw new Error('a baseline is a JSON object `{"known": [{"id", "issue"?, "until"?}]}`.');
  for (const [index, entry] of list.entries()) {
    const at = `entry ${index + 1}`;
    if (typeof entry !== 'object' || entry === null) throw new Error(`${at} is no object.`);
    const stray = Object.keys(entry).find((key) => !keys.has(key));
    if (stray !== undefined) throw new Error(`${at} has \`${stray}\`; it may have id, issue and until.`);
    const { id, until } = entry as Record<string, unknown>;
    if (!ids.has(id as string))
      throw new Error(`${at}: \`${String(id)}\` is no rule. Run \`teebox rules\` for the list.`);
    if (until !== undefined && !isDay(until)) {
      throw new Error(`${at}: \`until\` must be a day that exists, yyyy-mm-dd; got ${JSON.stringify(until)}.`);
    }
  }
  return list as KnownFinding[];
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(value);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** The results with known findings marked, and the entries that are out of date since their rule holds now. */
export function applyKnown(
  results: readonly RuleResult[],
  known: readonly KnownFinding[],
  today: string,
): { readonly results: readonly RuleResult[]; readonly stale: readonly RuleId[] } {
  const current = new Map(
    known.filter(({ until }) => until === undefined || until >= today).map((one) => [one.id, one]),
  );
  const listed = new Set(known.map(({ id }) => id));
  const holds = new Set(results.filter(({ verdict }) => ['pass', 'observed'].includes(verdict)).map(({ id }) => id));
  const marked = results.map((result) =>
    ['fail', 'warn'].includes(result.verdict) && current.has(result.id) ? { ...result, known: true as const } : result,
  );
  return { results: marked, stale: [...listed].filter((id) => holds.has(id)) };
}
