import type { KnownFinding } from '../client/report-parts.js';
import type { TextTable } from './coverage-table.js';
import type { Exchange } from '../client/exchange.js';
import type { FaultKind, FindingGroup, Report, RuleResult, Verdict } from '../client/types.js';
import { curlOf } from './formats/curl.js';
import { findingsAmong } from '../run/summary/finding-groups.js';
import { valueText } from '../run/summary/values.js';
import { answerText } from '../run/dialect.js';
import type { RecordedRun } from './reporter.js';

/** The results that need attention, the gravest first and known findings last. */
export function findingsOf({ rules }: Report): readonly RuleResult[] {
  return findingsAmong(rules);
}

/** Findings of one cause: the first is shown in full, and the others with it. */
export interface Caused {
  readonly group: FindingGroup;
  readonly first: RuleResult;
  readonly others: readonly RuleResult[];
}

/** The findings by their cause, the gravest first and known ones last. */
export function causesOf({ findings, rules }: Report): readonly Caused[] {
  const byId = new Map<string, RuleResult>(rules.map((rule) => [rule.id, rule]));
  return findings.map((group) => {
    const [first, ...others] = group.rules.map((id) => byId.get(id)!);
    return { group, first: first!, others };
  });
}

/** What a report says of the findings that share a cause with the one it shows: none, where that is alone. */
export function sharedBy({ group, others }: Caused): string | undefined {
  if (others.length === 0) return undefined;
  const where = group.operations.length === 0 ? '' : `, in ${group.operations.join(', ')}`;
  return `${others.length + 1} rules${where}: ${group.cause}`;
}

/** The results with a verdict, in order. */
export function resultsWith(rules: readonly RuleResult[], verdict: Verdict): readonly RuleResult[] {
  return rules.filter((rule) => rule.verdict === verdict);
}

/** The exchanges that a result rests on, as far as they were recorded. */
export function exchangesOf({ exchanges }: RuleResult, run: Pick<RecordedRun, 'exchanges'>): readonly Exchange[] {
  return exchanges.map((id) => run.exchanges.get(id)).filter((exchange) => exchange !== undefined);
}

/** The request that reproduces a finding: the one that shows it, or the last one sent for it. */
export function decisiveOf(result: RuleResult, run: Pick<RecordedRun, 'exchanges'>): Exchange | undefined {
  const shown = result.shownBy === undefined ? undefined : run.exchanges.get(result.shownBy);
  if (shown && shown.caller !== 'deployment') return shown;
  return exchangesOf(result, run).findLast(({ caller }) => caller !== 'deployment');
}

/** The details of a finding beside its id, as labels and texts. */
export function detailsOf(result: RuleResult, run: Pick<RecordedRun, 'exchanges'>): readonly [string, string][] {
  const { statement, source, reason, missing, exchanges } = result;
  const again = decisiveOf(result, run);
  const rows: [string, string | undefined][] = [
    ['Rule', statement],
    ...valuesOf(result),
    ['Reason', reason],
    ['Missing', missing],
    ['Document', `${source.section}, ${source.item}`],
    ['Again', again && curlOf(again)],
    ['Exchanges', exchanges.join(', ') || undefined],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

/** What was expected, what came and where, and what the baseline and the team say, as labels and texts. */
export function valuesOf({
  expected,
  actual,
  at,
  severity,
  severityReason,
  known,
  expired,
}: RuleResult): readonly [string, string][] {
  return [
    ...(expected === undefined ? [] : [['Expected', valueText(expected)] satisfies [string, string]]),
    ...(actual === undefined ? [] : [['Actual', valueText(actual)] satisfies [string, string]]),
    ...(at === undefined || at === '' ? [] : [['Place', at] satisfies [string, string]]),
    ...(severityReason === undefined
      ? []
      : [['Severity', `${severity}: ${severityReason}`] satisfies [string, string]]),
    ...(known ?? []).map((entry): [string, string] => ['Known', knownText(entry)]),
    ...(expired ?? []).map((entry): [string, string] => ['Expired', knownText(entry)]),
  ];
}

/** An entry of the baseline: its issue, its last day, and the operations that it is limited to. */
export function knownText({ issue, until, operation, version }: KnownFinding): string {
  const place = [version, operation].filter((part) => part !== undefined).join(' ');
  return [issue ?? 'no issue', ...(until ? [`until ${until}`] : []), ...(place ? [`in ${place}`] : [])].join(', ');
}

/** What a result says in one sentence. */
export function headlineOf({ message, missing, statement, verdict }: RuleResult): string {
  if (message !== undefined) return message;
  return missing === undefined || verdict === 'pass' ? statement : `Missing: ${missing}.`;
}

/** The resource that a rule is about: the first part of its id. */
export function resourceOf({ id }: Pick<RuleResult, 'id'>): string {
  return id.split('.', 1)[0]!;
}

/** Open questions and how the deployment answers them, in words. */
export function answersOf({ dialect }: Report): readonly [question: string, answer: string][] {
  return Object.entries(dialect.answers).map(([question, answer]) => [question, answerText(answer)]);
}

/** What the rules that were not judged need, with the number of rules that need it, most first. */
export function wantsOf({ rules }: Report): readonly [missing: string, rules: number][] {
  const wants = new Map<string, number>();
  for (const result of [...resultsWith(rules, 'inconclusive'), ...resultsWith(rules, 'not-run')]) {
    const { missing = 'nothing known' } = result;
    wants.set(missing, (wants.get(missing) ?? 0) + 1);
  }
  return [...wants].sort(([, a], [, b]) => b - a);
}

/** What was left behind, one line each, with where the report shows it. */
export function litterOf({ litter }: Report, place = true): readonly string[] {
  return litter.map(({ kind, bookingId, what, channel, exchange }) => {
    const where = place ? ` (${channel}, ${exchange})` : '';
    if (kind === 'payment' || what.startsWith('perhaps')) return `${what}${where}`;
    const named =
      kind === 'booking' ? `${place ? 'booking ' : ''}${bookingId ?? 'without an id'}` : 'perhaps a booking';
    return `${named}: ${what}${where}`;
  });
}

/** The title over {@link litterOf}. */
export function litterTitle({ canceled }: Report): string {
  if (canceled === 0) return 'Left behind, since the service cannot take it back';
  return `Left behind after ${canceled} ${canceled === 1 ? 'booking was' : 'bookings were'} cancelled`;
}

const faultNames: Readonly<Record<FaultKind, string>> = {
  network: 'without a response',
  timeout: 'too slow',
  unavailable: 'with 502, 503 or 504',
  'too-large': 'with a body that is too long',
};

/** The operations that failed, one line each, those that failed most often first. */
export function faultsOf({ health }: Report): readonly string[] {
  return health.operations
    .filter(({ failed }) => failed > 0)
    .map(({ operation, requests, failed, faults }) => {
      const kinds = Object.entries(faults).map(([kind, times]) => `${times} ${faultNames[kind as FaultKind]}`);
      return `${operation}: ${failed} of ${requests} requests failed (${kinds.join(', ')})`;
    });
}

/** A table of the latency of each operation, in milliseconds, the slowest first. */
export function latencyTable({ latency }: Report): TextTable {
  const rows = latency.map(({ operation, count, median, p95, max, isSlow }) => [
    isSlow ? `${operation} (slow)` : operation,
    ...[count, median, p95, max].map(String),
  ]);
  return { head: ['operation', 'answers', 'median', 'p95', 'max'], rows };
}

/** Operations that are slower than `--max-p95`, one line each. */
export function slowOf({ latency }: Report): readonly string[] {
  return latency
    .filter(({ isSlow }) => isSlow)
    .map(({ operation, count, p95 }) => `${operation}: 95 % of ${count} answers within ${p95} ms`);
}

/** Exchanges of a recording that no rule could use, one line each. */
export function unjudgedOf({ unjudged = [] }: Report): readonly string[] {
  return unjudged.map(({ method, url, why }) => `${method} ${url}: ${why}`);
}
