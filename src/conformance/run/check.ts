import { anyGlob } from '../../common/index.js';
import { rules as catalogue } from '../../contract/index.js';
import { cleanUp } from './target/clean-up.js';
import { connect } from './target/connect.js';
import { type CheckOptions, PARALLEL, type RunOptions } from './check-options.js';
import { Evidence } from './evidence.js';
import type { Exchange } from '../client/exchange.js';
import { begin, evaluateRule, relate, settled, verdictSettingsOf } from './evaluate.js';
import { expectGivenToken } from './given-token.js';
import { openRun, shownBase } from './target/open-run.js';
import { NoDeployment } from '../client/outcome.js';
import { reportOf } from './report.js';
import { type RuleSpec, ruleTable } from '../rules/rule.js';
import { formRules } from './form-rules.js';
import { handWritten } from '../rules/index.js';
import { Scout } from './scout.js';
import { survey } from '../journeys/survey.js';
import { serverErrorRules } from '../rules/server-errors.js';
import { type Run, Session } from '../client/session.js';
import { permissions, type Report, type RuleResult } from '../client/types.js';

const LAST = permissions.length + 1;
const EVIDENCE = LAST + 1;
const LOCKOUT = EVIDENCE + 1;

/** The position of a rule by its permissions: reading first, using up tokens last. */
function rank({ needs }: Pick<RuleSpec, 'needs'>): number {
  const order: readonly string[] = ['callbacks', 'bookings', 'payments', 'tokens'];
  return Math.max(0, ...needs.map((need) => order.indexOf(need) + 1));
}

/** Whether a rule may take away the tokens of a channel. */
function mayLockOut({ needs }: Pick<RuleSpec, 'needs'>): boolean {
  return needs.includes('lockout');
}

/**
 * The position of a rule in a run: by permission, then rules that disturb others, then rules about the evidence, and last
 * of all those after which a channel may be locked out.
 */
function orderOf({ needs, phase }: Pick<RuleSpec, 'needs' | 'phase'>): number {
  if (mayLockOut({ needs })) return LOCKOUT;
  if (phase === 'evidence') return EVIDENCE;
  return phase === 'last' ? LAST : rank({ needs });
}

/** Whether a rule sends requests before the evidence is evaluated. */
export const isProbe = (spec: RuleSpec): boolean => orderOf(spec) < EVIDENCE;

/** Whether a rule reads, and disturbs no other one. */
const onlyReads = (spec: RuleSpec): boolean => orderOf(spec) === 0;

/** Reads what the relations of some rules compare. */
export function readFor(rules: readonly RuleSpec[], run: Run, depth: CheckOptions['depth']): Promise<void> {
  const wanted = rules.flatMap(({ relation }) => relation?.reads ?? []);
  return survey(new Session(run), wanted, depth);
}

/** A run before its first request: what rules share, and the rules selected. */
export interface PreparedRun {
  readonly run: Run;
  readonly evidence: Evidence;
  readonly selected: readonly RuleSpec[];
  readonly written: number;
}

/** Checks a deployment. The report is complete even if the deployment cannot be reached. */
export function check(options: CheckOptions): Promise<Report> {
  return checkBy(options);
}

/** {@link check} with all that can be set. */
export async function checkBy(options: RunOptions): Promise<Report> {
  const { host, onEvent = () => {} } = options;
  const startedAt = host.now();
  const prepared = prepareRun(options, (exchange) => onEvent({ type: 'exchange', exchange }));
  const { run, evidence, selected, written } = prepared;
  onEvent({ type: 'start', baseUrl: shownBase(options.baseUrl), runId: run.runId, rules: selected.length });
  const results: RuleResult[] = [];
  const tell = (result: RuleResult): void => {
    results.push(result);
    onEvent({ type: 'rule', result });
  };
  /** The rules whose relation is not evaluated yet. */
  const related = new Map<RuleSpec, RuleResult>();
  let canceled: ReadonlySet<string> | undefined;
  let stopped: NoDeployment | undefined;
  const { parallel = PARALLEL } = options;
  const scout = parallel > 1 && !options.rehearse ? new Scout(run, parallel) : undefined;
  try {
    await connect(new Session(run));
    const settings = verdictSettingsOf(options);
    const yieldTurn = yielding(host);
    const beginBefore = slowWorkOf(selected, run);
    const relateAll = async (): Promise<void> => {
      const rules = [...related.keys()];
      scout?.foreseeReads((own) => readFor(rules, own, options.depth));
      await readFor(rules, run, options.depth);
      const results: RuleResult[] = [];
      for (const [spec, before] of related) {
        results.push(await relate(spec, before, run, evidence, settings));
        await yieldTurn();
      }
      related.clear();
      for (const result of results) tell(settled(result));
    };
    for (const [at, spec] of selected.entries()) {
      if (!isProbe(spec)) await relateAll();
      scout?.foresee(selected.slice(at).filter(onlyReads));
      // The channel can cancel its bookings as long as it is not locked out.
      if (mayLockOut(spec)) canceled ??= await cleanUp(new Session(run));
      await beginBefore(spec);
      const result = await evaluateRule(spec, run, evidence, settings);
      await yieldTurn();
      if (spec.relation) related.set(spec, result);
      else tell(await relate(spec, result, run, evidence, settings));
      expectGivenToken(run.transport, results, false);
    }
    await relateAll();
    canceled ??= await cleanUp(new Session(run));
    expectGivenToken(run.transport, results, true);
  } catch (error) {
    if (!(error instanceof NoDeployment)) throw error;
    for (const result of related.values()) tell(result);
    stopped = new NoDeployment(error.kind, run.transport.masker.text(error.message));
  } finally {
    scout?.stop();
  }
  const report = reportOf({
    options,
    ...(canceled ? { canceled } : {}),
    run,
    evidence,
    results,
    stopped,
    startedAt,
    written,
    baseUrl: shownBase(options.baseUrl),
  });
  onEvent({ type: 'end', report, mask: (text) => run.transport.masker.text(text) });
  return report;
}

/** Starts the slow work of rules, of each before the first rule that comes after what it needs. */
export function slowWorkOf(selected: readonly RuleSpec[], run: Run): (spec: RuleSpec) => Promise<void> {
  const early = selected.filter(({ begin }) => begin).sort((a, b) => rank(b) - rank(a));
  return async (spec) => {
    while (early.length > 0 && rank(early.at(-1)!) < orderOf(spec)) await begin(early.pop()!, run);
  };
}

/** Milliseconds of work after which others get their turn, such as the signal that interrupts a run. */
const MOST_WITHOUT_YIELD = 50;

function yielding({ now, sleep }: CheckOptions['host']): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < MOST_WITHOUT_YIELD) return;
    await sleep(0);
    since = now();
  };
}

/** Every rule of the suite by id: those written by hand, and a generic one for each form that has none of its own. */
export function allRules(evidence: () => Evidence): readonly RuleSpec[] {
  const own = new Set(handWritten.map(({ id }) => id));
  const observable = new Set<string>(catalogue.filter((rule) => rule.observable).map(({ id }) => id));
  const forms = formRules(evidence).filter(({ id }) => !own.has(id) && observable.has(id));
  return [...handWritten.filter((rule) => !serverErrorRules.includes(rule)), ...forms, ...serverErrorRules];
}

/** Makes a run with its rules; nothing is sent yet. */
export function prepareRun(options: RunOptions, onExchange: (exchange: Exchange) => void): PreparedRun {
  const run = openRun(options, onExchange);
  const evidence = new Evidence(run);
  return { run, evidence, ...selectRules(options, () => evidence) };
}

/** The rules of a run in the order in which they are evaluated, and the number of rules to select from. */
export function selectRules(
  { rules, only = ['*'], skip = [] }: Pick<RunOptions, 'rules' | 'only' | 'skip'>,
  evidence: () => Evidence,
): { readonly selected: readonly RuleSpec[]; readonly written: number } {
  const table = ruleTable(rules ?? allRules(evidence));
  const [wanted, unwanted] = [anyGlob(only), anyGlob(skip)];
  const selected = [...table.values()].filter(({ id }) => wanted(id) && !unwanted(id));
  return { selected: selected.sort((a, b) => orderOf(a) - orderOf(b)), written: table.size };
}
