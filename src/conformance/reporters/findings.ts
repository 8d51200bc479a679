import type { Exchange } from '../exchange.js';
import type { Report, RuleResult, Verdict } from '../types.js';
import { curlOf } from './curl.js';
import type { RecordedRun } from './reporter.js';

/** The results that somebody has to look at, the gravest first and what is known last. */
export function findingsOf({ rules }: Report): readonly RuleResult[] {
  const all = (['fail', 'warn', 'error'] as const).flatMap((verdict) => resultsWith(rules, verdict));
  return [...all.filter(({ known }) => !known), ...all.filter(({ known }) => known)];
}

/** The results with a verdict, in order. */
export function resultsWith(rules: readonly RuleResult[], verdict: Verdict): readonly RuleResult[] {
  return rules.filter((rule) => rule.verdict === verdict);
}

/** The exchanges that a result rests on, as far as they were recorded. */
export function exchangesOf({ exchanges }: RuleResult, run: Pick<RecordedRun, 'exchanges'>): readonly Exchange[] {
  return exchanges.map((id) => run.exchanges.get(id)).filter((exchange) => exchange !== undefined);
}

/** The request that shows a finding again: the last that was sent for it. */
export function decisiveOf(result: RuleResult, run: Pick<RecordedRun, 'exchanges'>): Exchange | undefined {
  return exchangesOf(result, run).findLast(({ caller }) => caller !== 'deployment');
}

/** What a report says of a finding beside its id, as labels and texts. */
export function detailsOf(result: RuleResult, run: Pick<RecordedRun, 'exchanges'>): readonly [string, string][] {
  const { statement, expected, actual, source, reason, missing, exchanges } = result;
  const again = decisiveOf(result, run);
  const rows: [string, string | undefined][] = [
    ['Rule', statement],
    ['Expected', expected],
    ['Actual', actual],
    ['Reason', reason],
    ['Missing', missing],
    ['Document', `${source.section}, ${source.item}`],
    ['Again', again && curlOf(again)],
    ['Exchanges', exchanges.join(', ') || undefined],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

/** What a result says in one sentence. */
export function headlineOf({ message, missing, statement, verdict }: RuleResult): string {
  if (message !== undefined) return message;
  return missing === undefined || verdict === 'pass' ? statement : `It lacks ${missing}.`;
}

/** The resource that a rule is about: the first part of its id. */
export function resourceOf({ id }: Pick<RuleResult, 'id'>): string {
  return id.split('.', 1)[0]!;
}

/** Open questions and how the deployment answers them, in words. */
export function answersOf({ dialect }: Report): readonly [question: string, answer: string][] {
  return Object.entries(dialect.answers).map(([question, answer]) => [
    question,
    Array.isArray(answer) ? answer.join(', ') || 'none' : String(answer),
  ]);
}

/** What the rules that were not judged lack, with how many rules lack it, the most wanted first. */
export function wantsOf({ rules }: Report): readonly [missing: string, rules: number][] {
  const wants = new Map<string, number>();
  for (const result of [...resultsWith(rules, 'inconclusive'), ...resultsWith(rules, 'not-run')]) {
    const { missing = 'nothing known' } = result;
    wants.set(missing, (wants.get(missing) ?? 0) + 1);
  }
  return [...wants].sort(([, a], [, b]) => b - a);
}

/** What was left behind, one line each. */
export function litterOf({ litter }: Report): readonly string[] {
  return litter.map(({ kind, bookingId, what, channel, exchange }) => {
    const named = kind === 'booking' ? `booking ${bookingId ?? 'without an id'}` : 'perhaps a booking';
    return `${named}: ${what} (${channel}, ${exchange})`;
  });
}

/** Exchanges of a recording that no rule could use, one line each. */
export function unjudgedOf({ unjudged = [] }: Report): readonly string[] {
  return unjudged.map(({ method, url, why }) => `${method} ${url}: ${why}`);
}
