import { isDay } from '../common/index.js';
import { obligations as catalogue } from '../contract/index.js';
import type { ObligationResult } from './obligations/client-checker.js';

/** A failure of a client that is known, as an entry of a baseline. */
export interface KnownObligation {
  readonly id: string;
  /** The issue that tracks it. */
  readonly issue?: string;
  /** `yyyy-mm-dd`; the last day on which the failure is ignored. */
  readonly until?: string;
}

const members = ['id', 'issue', 'until'] as const;
const FORM = '`{"known": [{"id", "issue"?, "until"?}]}`';

/**
 * Reads a baseline from parsed JSON: `{"known": [{"id", "issue"?, "until"?}]}`.
 *
 * @throws {Error} that names the first invalid entry.
 */
export function readKnownObligations(value: unknown): readonly KnownObligation[] {
  const list = (value as { readonly known?: unknown } | null)?.known;
  if (!Array.isArray(list)) throw new Error(`a baseline must be a JSON object ${FORM}.`);
  for (const [index, entry] of list.entries()) {
    const fault = faultOf(entry);
    if (fault !== undefined) throw new Error(`entry ${index + 1}${fault}`);
  }
  return list as KnownObligation[];
}

function faultOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return ' is not an object.';
  const stray = Object.keys(entry).find((key) => !(members as readonly string[]).includes(key));
  if (stray !== undefined) return ` has \`${stray}\`; the allowed members are ${members.join(', ')}.`;
  const { id, issue, until } = entry as Record<string, unknown>;
  if (typeof id !== 'string') return ' has no `id`, the id of an obligation.';
  if (!catalogue.some((one) => one.id === id)) {
    return `: \`${id}\` is not an obligation. Run \`npx --no-install teebox list obligations\` for the list.`;
  }
  if (issue !== undefined && typeof issue !== 'string') return ': `issue` must be a string.';
  if (until === undefined || isDay(until)) return undefined;
  return `: \`until\` must be a valid date, yyyy-mm-dd; got ${JSON.stringify(until)}.`;
}

interface EvaluatedObligation {
  readonly id: string;
  readonly verdict: ObligationResult['verdict'];
  readonly doubtful?: unknown;
}

/** The results with known failures marked, and the obligations of the baseline that no longer fail. */
export function applyKnownObligations<Result extends EvaluatedObligation>(
  results: readonly Result[],
  known: readonly KnownObligation[],
  today: string,
): { readonly results: readonly (Result & { known?: readonly KnownObligation[] })[]; readonly stale: string[] } {
  const current = known.filter(({ until }) => until === undefined || until >= today);
  const marked = results.map((result) => {
    const entries = result.verdict === 'fail' ? current.filter(({ id }) => id === result.id) : [];
    return entries.length > 0 ? { ...result, known: entries } : result;
  });
  const met = new Set(results.filter(({ verdict, doubtful }) => verdict === 'pass' && !doubtful).map(({ id }) => id));
  return { results: marked, stale: [...new Set(known.map(({ id }) => id))].filter((id) => met.has(id)) };
}

/** A baseline of the failures of a run. What is known keeps its issue and date. */
export function baselineOfClient(
  obligations: readonly (EvaluatedObligation & { readonly known?: readonly KnownObligation[] })[],
): { readonly known: readonly KnownObligation[] } {
  const failed = obligations.filter(({ verdict }) => verdict === 'fail');
  return { known: failed.flatMap(({ id, known = [{ id }] }) => known) };
}
