import type { GivenAnswers } from '../../contract/index.js';
import type { CheckOptions } from './check-options.js';
import { coverageOf } from './summary/coverage.js';
import type { Evidence } from './evidence.js';
import { groupsOf } from './summary/finding-groups.js';
import { latencyOf } from './summary/latency.js';
import { applyKnown } from './known.js';
import type { NoDeployment } from '../client/outcome.js';
import type { Run } from '../client/session.js';
import type { Coverage } from '../client/report-parts.js';
import { type Health, type Litter, type Report, type RuleResult, type Verdict, verdicts } from '../client/types.js';

interface Finished {
  readonly options: Pick<CheckOptions, 'known' | 'maxP95' | 'minConclusive'>;
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
  const { results: rules, stale } = applyKnown(results, options.known ?? [], at.slice(0, 10));
  const counts = Object.fromEntries(
    verdicts.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  const found = rules.filter(({ verdict }) => verdict === 'fail').flatMap(({ operations = [] }) => operations);
  const health = run.transport.health.health(new Set(found));
  const coverage = coverageOf(rules, run.transport.replies, finished.written);
  return {
    ...overall({ ...finished, results: rules }, health, coverage, stale.length),
    health,
    target: { baseUrl, runId: run.runId, startedAt: at },
    durationMs: run.host.now() - startedAt,
    requests: run.transport.requests,
    counts,
    coverage,
    rules,
    findings: groupsOf(rules),
    dialect: { name: new URL(baseUrl).host, answers: answersOf(rules) },
    latency: latencyOf(run.transport.replies, options.maxP95),
    litter: litterOf(run, canceled),
    canceled: canceled.size,
    unknownProperties: evidence.unknown(),
    stale,
  };
}

/** What is left of what the run has made: bookings that were not cancelled, and payments. */
function litterOf({ transport, found }: Run, canceled: ReadonlySet<string>): readonly Litter[] {
  const bookings = [...transport.budget.litter, ...found];
  const left = bookings.filter(({ bookingId }) => bookingId === undefined || !canceled.has(bookingId));
  return [...left, ...transport.own.payments];
}

type Verdicts = Pick<Report, 'verdict' | 'exitCode' | 'message'>;

function overall(
  { options, results, stopped }: Finished,
  health: Health,
  { observable, judged, conclusive }: Coverage,
  stale: number,
): Verdicts {
  if (stopped) return { verdict: stopped.kind, exitCode: 3, message: stopped.message };
  const broken = results.filter(({ verdict }) => verdict === 'fail');
  const failed = broken.filter(({ known }) => !known).length;
  if (!health.healthy) return { verdict: 'unhealthy', exitCode: 4, message: unhealthy(health, failed) };
  if (failed > 0 || stale > 0) {
    const parts = [
      ...(failed > 0 ? [`${count(failed, 'rule is', 'rules are')} broken`] : []),
      ...(stale > 0 ? [`${count(stale, 'entry', 'entries')} of the baseline no longer fail: remove them`] : []),
    ];
    return { verdict: 'not-conformant', exitCode: 1, message: `${parts.join(', and ')}.` };
  }
  const little = (message: string): Verdicts => ({ verdict: 'too-little-judged', exitCode: 4, message });
  if (results.some(({ reason }) => reason === 'interrupted')) {
    return little(`The run was stopped after ${judged} of ${results.length} rules.`);
  }
  const late = results.filter(({ reason }) => reason === 'deadline').length;
  if (late > 0) return little(`The deadline ended the run before ${late} of ${results.length} rules were judged.`);
  const full = results.filter(({ reason }) => reason === 'evidence').length;
  if (full > 0) {
    const room = 'The answers take more room than --max-evidence permits';
    return little(`${room}: ${full} of ${results.length} rules were not judged.`);
  }
  const errors = results.filter(({ verdict }) => verdict === 'error').length;
  if (errors > 0)
    return little(`${count(errors, 'rule', 'rules')} could not be judged because of an error in the suite.`);
  if (judged === 0) return little('Nothing was judged.');
  const { minConclusive = 0 } = options;
  if (conclusive < minConclusive) {
    return little(
      `${conclusive}% of the ${observable} observable rules were judged; the minimum is ${minConclusive}%.`,
    );
  }
  const besides = broken.length > 0 ? ` except the ${broken.length} in the baseline` : '';
  return { verdict: 'conformant', exitCode: 0, message: `No rule is broken${besides}; ${judged} were judged.` };
}

function unhealthy({ isDown, requests, failed, percent, limit }: Health, broken: number): string {
  return [
    `The deployment is unhealthy: ${failed} of ${count(requests, 'request', 'requests')} failed (${percent}%; --max-errors is ${limit}%).`,
    ...(isDown ? ['It stopped answering, so the run was stopped.'] : []),
    ...(broken > 0 ? [`${count(broken, 'rule is', 'rules are')} broken, perhaps because of that.`] : []),
  ].join(' ');
}

/** A number with its noun. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function answersOf(rules: readonly RuleResult[]): GivenAnswers {
  const answers = Object.assign({}, ...rules.map((rule) => rule.answers ?? {})) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)));
}
