import { rules as catalogue } from '../generated/catalogue.js';
import type { Answers } from '../generated/questions.js';
import type { CheckOptions } from './check-options.js';
import type { Evidence } from './evidence.js';
import { applyKnown } from './known.js';
import type { NoDeployment } from './outcome.js';
import type { Run } from './session.js';
import { type Coverage, type Report, type RuleResult, type Verdict, verdicts } from './types.js';

interface Finished {
  readonly options: Pick<CheckOptions, 'known' | 'minConclusive'>;
  readonly run: Run;
  readonly evidence: Evidence;
  readonly results: readonly RuleResult[];
  /** How many results there are when a run comes to its end; default: as many as there are. */
  readonly selected?: number;
  readonly stopped: NoDeployment | undefined;
  readonly startedAt: number;
  readonly written: number;
  readonly baseUrl: string;
}

const saysSomething: readonly Verdict[] = ['pass', 'fail', 'warn', 'observed'];

/** The report of a run that has ended. */
export function reportOf(finished: Finished): Report {
  const { options, run, evidence, results, startedAt, baseUrl } = finished;
  const at = new Date(startedAt).toISOString();
  const { results: rules, stale } = applyKnown(results, options.known ?? [], at.slice(0, 10));
  const counts = Object.fromEntries(
    verdicts.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  const coverage = coverageOf(rules, finished.written);
  return {
    ...overall({ ...finished, results: rules }, coverage, stale.length),
    target: { baseUrl, runId: run.runId, startedAt: at },
    durationMs: run.host.now() - startedAt,
    requests: run.transport.requests,
    counts,
    coverage,
    rules,
    dialect: { name: new URL(baseUrl).host, answers: answersOf(rules) },
    litter: [...run.transport.budget.litter, ...run.found],
    unknownProperties: evidence.unknown(),
    stale,
  };
}

function coverageOf(rules: readonly RuleResult[], written: number): Coverage {
  const judged = rules.filter(({ verdict }) => saysSomething.includes(verdict)).length;
  const allowed = rules.filter(({ verdict }) => verdict !== 'not-run').length;
  return {
    statements: catalogue.length,
    observable: catalogue.filter(({ observable }) => observable).length,
    written,
    selected: rules.length,
    judged,
    conclusive: allowed === 0 ? 0 : Math.floor((judged / allowed) * 100),
  };
}

type Verdicts = Pick<Report, 'verdict' | 'exitCode' | 'message'>;

function overall(
  { options, results, selected = 0, stopped }: Finished,
  { judged, conclusive }: Coverage,
  stale: number,
): Verdicts {
  if (stopped) return { verdict: stopped.kind, exitCode: 3, message: stopped.message };
  const broken = results.filter(({ verdict }) => verdict === 'fail');
  const failed = broken.filter(({ known }) => !known).length;
  if (failed > 0 || stale > 0) {
    const parts = [
      ...(failed > 0 ? [`${count(failed, 'rule is', 'rules are')} broken`] : []),
      ...(stale > 0 ? [`${count(stale, 'entry', 'entries')} of the baseline no longer fail; please remove them`] : []),
    ];
    return { verdict: 'not-conformant', exitCode: 1, message: `${parts.join(', and ')}.` };
  }
  const little = (message: string): Verdicts => ({ verdict: 'too-little-judged', exitCode: 4, message });
  if (results.length < selected) return little(`The run was stopped after ${results.length} of ${selected} rules.`);
  const errors = results.filter(({ verdict }) => verdict === 'error').length;
  if (errors > 0) return little(`${count(errors, 'rule', 'rules')} could not be judged for an error of the suite.`);
  if (judged === 0) return little('Nothing was judged, and that is no success.');
  const { minConclusive = 0 } = options;
  if (conclusive < minConclusive) {
    return little(`${conclusive}% of the rules were judged, and ${minConclusive}% must be.`);
  }
  const besides = broken.length > 0 ? ` besides the ${broken.length} that the baseline lists` : '';
  return { verdict: 'conformant', exitCode: 0, message: `No rule is broken${besides}; ${judged} were judged.` };
}

/** A number with its noun. */
export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function answersOf(rules: readonly RuleResult[]): Partial<Answers> {
  const answers = Object.assign({}, ...rules.map((rule) => rule.answers ?? {})) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)));
}
