import {
  rules as catalogue,
  type GivenAnswers,
  type OperationId,
  operations,
  type OperationSpec,
  type Rule,
  isAmong,
} from '../../contract/index.js';
import { counted, staleEntries } from '../../common/index.js';
import type { CheckOptions } from './check-options.js';
import type { Evidence } from './evidence.js';
import { emptyLists, groupsOf } from './summary/finding-groups.js';
import { keptWords } from './summary/values.js';
import { maskedAgain } from './evaluate.js';
import { applyKnown } from './known.js';
import type { NoDeployment } from '../client/outcome.js';
import type { Run } from '../client/session.js';
import type { Coverage, CoverageCell, OperationLatency, RunReach } from '../client/report-parts.js';
import {
  type Health,
  type Leftover,
  type LowerBounds,
  type Report,
  type RuleResult,
  type Verdict,
  verdicts,
} from '../client/types.js';
import type { Reply } from '../client/exchange.js';
import { hintsOf } from './summary/hints.js';
import { factsOf } from '../facts/facts.js';
import { reachOf } from '../facts/reach.js';

/**
 * How long the answers of each operation took, the slowest operation first.
 *
 * @param most Milliseconds; an operation is slow if 95 % of its answers do not come within that time.
 */
export function latencyOf(replies: readonly Reply[], most = Infinity): readonly OperationLatency[] {
  const times = new Map<OperationId, number[]>();
  for (const { operation, durationMs, probe } of replies) {
    if (!operation || probe) continue;
    times.set(operation, [...(times.get(operation) ?? []), durationMs]);
  }
  return [...times].map(([operation, all]) => measured(operation, all, most)).sort((a, b) => b.p95 - a.p95);
}

function measured(operation: OperationId, times: readonly number[], most: number): OperationLatency {
  const sorted = times.toSorted((a, b) => a - b);
  /** The least time within which that share of the answers came. */
  const within = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  const p95 = within(0.95);
  const slow = p95 > most ? { isSlow: true as const } : {};
  return { operation, count: sorted.length, median: within(0.5), p95, max: sorted.at(-1)!, ...slow };
}

const saysSomething: readonly Verdict[] = ['pass', 'fail', 'warn', 'observed'];
const observable = catalogue.filter((rule) => rule.observable);

/**
 * The share of the API specification that a run has evaluated. There is one definition of it: evaluated, of all observable
 * rules about what the deployment is said to have.
 */
function coverageOf(results: readonly RuleResult[], { replies, scope }: Run['transport'], written: number): Coverage {
  const outside = new Set<string>(results.filter(({ reason }) => reason === 'out-of-scope').map(({ id }) => id));
  const inScope = observable.filter(
    ({ id, operations: names, versions }) => !outside.has(id) && scope.hasAny(names, versions),
  );
  const evaluated = results.filter(({ verdict }) => saysSomething.includes(verdict));
  return {
    statements: catalogue.length,
    observable: inScope.length,
    written,
    selected: results.length,
    judged: evaluated.length,
    conclusive: Math.floor((evaluated.length / Math.max(1, inScope.length)) * 1000) / 10,
    cells: cellsOf(evaluated, replies),
  };
}

function cellsOf(evaluated: readonly RuleResult[], replies: readonly Reply[]): readonly CoverageCell[] {
  const results = new Map<string, RuleResult>(evaluated.map((result) => [result.id, result]));
  const askedIn = new Map<string, Reply>(replies.map((reply) => [reply.id, reply]));
  const answered = new Set(replies.filter(({ ok }) => ok).map(({ operation }) => operation));
  const isEvaluated = (rule: Rule, ids: readonly OperationId[]): boolean => {
    const result = results.get(rule.id);
    if (!result || ids.some((id) => answered.has(id))) return result !== undefined;
    const isBroken = result.verdict === 'fail' || result.verdict === 'warn';
    return result.exchanges.some((exchange) => {
      const { operation, status } = askedIn.get(exchange) ?? {};
      // A 404 in place of an operation says nothing about it, unless the rule objects to that.
      return operation !== undefined && ids.includes(operation) && (status !== 404 || isBroken);
    });
  };
  return cells.map(({ operation, version, ids, rules }) => {
    const count = rules.filter((rule) => isEvaluated(rule, ids)).length;
    const extent = count === 0 ? 'none' : count === rules.length ? 'all' : 'some';
    return { operation, version, observable: rules.length, judged: count, extent };
  });
}

/** An operation may have an id for each of its methods. */
interface RulesOfCell extends Pick<CoverageCell, 'operation' | 'version'> {
  readonly ids: readonly OperationId[];
  readonly rules: readonly Rule[];
}

const cells: readonly RulesOfCell[] = operations
  .filter((operation, index) => operations.findIndex((other) => isSameCell(operation, other)) === index)
  .map((operation) => ({
    operation: operation.name,
    version: operation.version,
    ids: operations.filter((other) => isSameCell(operation, other)).map(({ id }) => id),
    rules: observable.filter((rule) => isAmong(operation, rule)),
  }));

function isSameCell(one: OperationSpec, other: OperationSpec): boolean {
  return one.name === other.name && one.version === other.version;
}

interface Finished {
  readonly options: Pick<CheckOptions, 'known' | 'maxP95' | 'minConclusive' | 'parallel'>;
  readonly run: Run;
  readonly evidence: Evidence;
  readonly results: readonly RuleResult[];
  readonly stopped: NoDeployment | undefined;
  readonly startedAt: number;
  readonly written: number;
  /** The ids of the bookings that the run has cancelled again; default: none. */
  readonly canceled?: ReadonlySet<string>;
  readonly baseUrl: string;
}

/** The report of a run that has ended. */
export function reportOf(finished: Finished): Report {
  const { options, run, evidence, results, startedAt, baseUrl, canceled = new Set<string>() } = finished;
  const at = new Date(startedAt).toISOString();
  // A finding may quote what became known as a secret only afterwards.
  const masked = results.map((result) => maskedAgain(result, run.transport.masker));
  const { results: rules, stale } = applyKnown(masked, options.known ?? [], at.slice(0, 10));
  const counts = Object.fromEntries(
    verdicts.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  const found = rules.filter(({ verdict }) => verdict === 'fail').flatMap(({ operations = [] }) => operations);
  const health = run.transport.health.health(new Set(found));
  const coverage = coverageOf(rules, run.transport, finished.written);
  const reach = reachOf(factsOf(run), rules);
  return {
    ...overall({ ...finished, results: rules }, health, coverage, reach, stale.length),
    health,
    target: { baseUrl, runId: run.runId, startedAt: at },
    durationMs: run.host.now() - startedAt,
    requests: run.transport.requests,
    counts,
    coverage,
    reach,
    rules,
    findings: groupsOf(rules, emptyLists(run.transport.replies)),
    dialect: { name: new URL(baseUrl).host, answers: answersOf(rules), ...boundsOf(rules) },
    latency: latencyOf(run.transport.replies, options.maxP95),
    litter: leftoversOf(run, canceled),
    canceled: canceled.size,
    unknownProperties: evidence.unknown().map((one) => ({ ...one, place: run.transport.masker.text(one.place) })),
    hints: hintsOf(run, rules, options.parallel),
    stale,
  };
}

/** What is left of what the run has made: bookings that were not cancelled, and payments. */
export function leftoversOf({ transport }: Run, canceled: ReadonlySet<string>): readonly Leftover[] {
  const left = transport.budget.leftovers.filter(
    ({ bookingId }) => bookingId === undefined || !canceled.has(bookingId),
  );
  const shown = left.map((one) =>
    one.bookingId === undefined ? one : { ...one, bookingId: keptWords(one.bookingId) },
  );
  const { first, second } = transport.channels;
  const tokens = [first.leftover, second?.leftover].filter((one) => one !== undefined);
  return [...shown, ...transport.own.payments, ...tokens];
}

type Verdicts = Pick<Report, 'verdict' | 'exitCode' | 'message'>;

function overall(
  { options, results, stopped }: Finished,
  health: Health,
  { observable, judged, conclusive }: Coverage,
  reach: RunReach,
  stale: number,
): Verdicts {
  if (stopped) return { verdict: stopped.kind, exitCode: 3, message: stopped.message };
  const broken = results.filter(({ verdict }) => verdict === 'fail');
  const failed = broken.filter(({ known }) => !known).length;
  if (!health.healthy) return { verdict: 'unhealthy', exitCode: 4, message: unhealthy(health, failed) };
  if (failed > 0 || stale > 0) {
    const parts = [
      ...(failed > 0 ? [`${counted(failed, 'rule is', 'rules are')} broken`] : []),
      ...(stale > 0 ? [staleEntries(stale)] : []),
    ];
    return { verdict: 'not-conformant', exitCode: 1, message: `${parts.join(', and ')}.` };
  }
  const little = (message: string): Verdicts => ({ verdict: 'too-little-judged', exitCode: 4, message });
  if (results.some(({ reason }) => reason === 'interrupted')) {
    return little(`The run was stopped after ${judged} of ${results.length} rules.`);
  }
  const full = results.filter(({ reason }) => reason === 'evidence').length;
  if (full > 0) {
    const room = 'The answers take more room than the setting max-evidence permits';
    return little(`${room}: ${full} of ${results.length} rules were not evaluated.`);
  }
  const errors = results.filter(({ verdict }) => verdict === 'error').length;
  if (errors > 0) return little(`${counted(errors, 'rule')} could not be evaluated because of an error in the suite.`);
  if (judged === 0) return little('Nothing was evaluated.');
  const cut = results.filter(({ reason }) => reason !== undefined && budgets.has(reason));
  const inScope = results.filter(({ reason }) => reason !== 'out-of-scope').length;
  const short = `${budgetsOf(cut)} ended the run before ${cut.length} of ${results.length} rules were evaluated`;
  const { minConclusive = 0 } = options;
  if (conclusive < minConclusive) {
    const share = `${conclusive}% of the ${observable} observable rules were evaluated; the minimum is ${minConclusive}%.`;
    return little(cut.length > 0 ? `${short}: ${share}` : share);
  }
  if (cut.length > 0 && options.minConclusive === undefined && (judged / inScope) * 100 < MIN_OF_CUT_RUN) {
    const share = Math.floor((judged / inScope) * 1000) / 10;
    return little(`${short}: ${share}% were, and such a run needs ${MIN_OF_CUT_RUN}% (--min-conclusive).`);
  }
  const besides = broken.length > 0 ? ` except the ${broken.length} in the baseline` : '';
  const message = `No rule is broken${besides}; ${judged} were evaluated${groundOf(reach)}.`;
  if (cut.length === 0) return { verdict: 'conformant', exitCode: 0, message };
  return {
    verdict: 'conformant-as-far-as-it-went',
    exitCode: 0,
    message: `As far as it went: ${message} ${sentence(short)}.`,
  };
}

/** Kinds of things that the verdict names; a section of the report has all of them. */
const MOST_NAMED = 3;

/** On how much the verdict rests, what it does not rest on, and what would bring that. */
function groundOf({ comparisons, never }: RunReach): string {
  if (comparisons === 0) return '';
  const over = ` over ${comparisons.toLocaleString('en')} comparisons`;
  const more = never.length - MOST_NAMED;
  const named = [...never.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return never.length === 0 ? over : `${over}; not met: ${named} (name a facility that has it with --facility ID)`;
}

/** The reasons of rules that a budget, or the pace that the deployment permits, has kept from being evaluated. */
export const budgets: ReadonlySet<string> = new Set(['budget', 'deadline', 'rate-limited']);
/** The percentage of the rules in scope that a run must have evaluated which a budget cut short. */
export const MIN_OF_CUT_RUN = 60;

/** The flags that ended a run, as its results name them. */
function budgetsOf(cut: readonly RuleResult[]): string {
  const flags = cut.flatMap(({ missing = '' }) => /\((--[a-z-]+)/.exec(missing)?.[1] ?? []);
  return [...new Set(flags)].join(' and ') || 'a budget';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function unhealthy({ isDown, requests, failed, percent, limit }: Health, broken: number): string {
  return [
    `The deployment is unhealthy: ${failed} of ${counted(requests, 'request')} failed (${percent}%; max-errors is ${limit}%).`,
    ...(isDown ? ['It stopped answering, so the run was stopped.'] : []),
    ...(broken > 0 ? [`${counted(broken, 'rule is', 'rules are')} broken, perhaps because of that.`] : []),
  ].join(' ');
}

function answersOf(rules: readonly RuleResult[]): GivenAnswers {
  const answers = Object.assign({}, ...rules.map((rule) => rule.answers ?? {})) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the card says of limits that no request has reached. */
function boundsOf(rules: readonly RuleResult[]): Pick<Report['dialect'], 'atLeast'> {
  const atLeast = Object.assign({}, ...rules.map((rule) => rule.lowerBounds ?? {})) as LowerBounds;
  return Object.keys(atLeast).length === 0 ? {} : { atLeast };
}
