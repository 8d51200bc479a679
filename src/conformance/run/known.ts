import { isDay } from '../../common/index.js';
import {
  rules as catalogue,
  type OperationId,
  type OperationName,
  operations,
  type RuleId,
  type Version,
  operationOf,
} from '../../contract/index.js';
import type { KnownFinding } from '../client/report-parts.js';
import type { RuleResult } from '../client/types.js';

const members = ['id', 'operation', 'version', 'issue', 'until'] as const;
const ids = new Set<string>(catalogue.map(({ id }) => id));
const FORM = '`{"known": [{"id", "operation"?, "version"?, "issue"?, "until"?}]}`';

/**
 * Reads a baseline from parsed JSON: `{"known": [{"id", "operation"?, "version"?, "issue"?, "until"?}]}`.
 *
 * @throws {Error} that names the first invalid entry.
 */
export function readKnown(value: unknown): readonly KnownFinding[] {
  const list = (value as { readonly known?: unknown } | null)?.known;
  if (!Array.isArray(list)) throw new Error(`a baseline must be a JSON object ${FORM}.`);
  for (const [index, entry] of list.entries()) {
    const fault = faultOf(entry);
    if (fault !== undefined) throw new Error(`entry ${index + 1}${fault}`);
  }
  return list as KnownFinding[];
}

const quoted = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

function faultOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return ' is not an object.';
  const stray = Object.keys(entry).find((key) => !(members as readonly string[]).includes(key));
  if (stray !== undefined) return ` has \`${stray}\`; the allowed members are ${members.join(', ')}.`;
  const { id, operation, version, issue, until } = entry as Record<string, unknown>;
  if (typeof id !== 'string') return ' has no `id`, the id of a rule.';
  if (!ids.has(id)) return `: \`${id}\` is not a rule. Run \`npx --no-install teebox list rules\` for the list.`;
  if (operation !== undefined && !operations.some(({ name }) => name === operation)) {
    const names = [...new Set(operations.map(({ name }) => name))];
    return `: ${quoted(operation)} is not an operation; the operations are ${names.join(', ')}.`;
  }
  const isThere = (one: (typeof operations)[number]): boolean =>
    one.version === version && (operation === undefined || one.name === operation);
  if (version !== undefined && !operations.some(isThere)) {
    const of = typeof operation === 'string' ? ` of ${operation}` : '';
    return `: there is no version ${quoted(version)}${of}.`;
  }
  if (issue !== undefined && typeof issue !== 'string') return ': `issue` must be a string.';
  if (until === undefined || isDay(until)) return undefined;
  return `: \`until\` must be a valid date, yyyy-mm-dd; got ${JSON.stringify(until)}.`;
}

type Place = { readonly name: OperationName; readonly version: Version };
const isLoud = ({ verdict }: RuleResult): boolean => verdict === 'fail' || verdict === 'warn';

/** The results with known findings marked, and the rules in the baseline that hold again. */
export function applyKnown(
  results: readonly RuleResult[],
  known: readonly KnownFinding[],
  today: string,
): { readonly results: readonly RuleResult[]; readonly stale: readonly RuleId[] } {
  const isCurrent = ({ until }: KnownFinding): boolean => until === undefined || until >= today;
  const listed = new Set(known.map(({ id }) => id));
  const holds = new Set(results.filter(({ verdict }) => ['pass', 'observed'].includes(verdict)).map(({ id }) => id));
  const marked = results.map((result) => {
    const own = isLoud(result) ? known.filter((entry) => entry.id === result.id) : [];
    const entries = entriesFor(result, own.filter(isCurrent));
    if (entries) return { ...result, known: entries };
    const expired = entriesFor(result, own)?.filter((entry) => !isCurrent(entry));
    return expired ? { ...result, expired } : result;
  });
  return { results: marked, stale: [...listed].filter((id) => holds.has(id)) };
}

/** The entries that list a finding in all its operations; undefined if one of these is not listed. */
function entriesFor(
  { operations: ids = [] }: RuleResult,
  entries: readonly KnownFinding[],
): KnownFinding[] | undefined {
  const covers = ({ operation, version }: KnownFinding, place?: Place): boolean =>
    [undefined, place?.name].includes(operation) && [undefined, place?.version].includes(version);
  const places = ids.length === 0 ? [undefined] : placesOf(ids);
  const isListed = (place?: Place): boolean => entries.some((entry) => covers(entry, place));
  if (!places.every(isListed)) return undefined;
  return entries.filter((entry) => places.some((place) => covers(entry, place)));
}

/** Operations by name and version; a path with two methods is one. */
function placesOf(ids: readonly OperationId[]): readonly Place[] {
  const places = ids.map((id) => operationOf(id));
  return places.filter(
    ({ name, version }, index) =>
      places.findIndex((other) => other.name === name && other.version === version) === index,
  ) as readonly Place[];
}

/** A baseline of what a run has found: an entry for each finding in each operation. What is known keeps its issue and date. */
export function baselineOf(results: readonly RuleResult[]): { readonly known: readonly KnownFinding[] } {
  const known = results.filter(isLoud).flatMap((result): KnownFinding[] => {
    const { id, operations: own = [], known: entries } = result;
    if (entries) return [...entries];
    if (own.length === 0) return [{ id }];
    return placesOf(own).map(({ name, version }) => ({ id, operation: name, ...(version === '*' ? {} : { version }) }));
  });
  return { known };
}
