import { type GivenAnswers, type Rule, type RuleId, operationOf } from '../../contract/index.js';
import type { CheckOptions } from './check-options.js';
import { belowBounds, boundText, differences } from './dialect.js';
import { answerRule } from './fields.js';
import type { Evidence } from './evidence.js';
import { shown } from '../rules/expect.js';
import { keptValue, keptWords, withTexts } from './summary/values.js';
import type { ComparedAnswers, Severity } from '../client/report-parts.js';
import { defined, MASK, type Masker } from '../../common/index.js';
import {
  Finding,
  Inconclusive,
  NoDeployment,
  NotAllowed,
  Refused,
  SuiteError,
  withoutPermission,
} from '../client/outcome.js';
import { evaluateRelation, voteOn } from '../facts/relation.js';
import { RuleContext, ruleOf, type RuleSpec } from '../rules/rule.js';
import type { Reply } from '../client/exchange.js';
import { operationIn } from '../client/operations.js';
import { type Run, Session } from '../client/session.js';
import { type Concern, type Reason, type RuleResult, severities, type Verdict } from '../client/types.js';

/** Rules whose id tells what their findings are about; all others are about the meaning of one operation. */
const byId: readonly (readonly [id: RegExp, concern: Concern])[] = [
  [/^auth\./, 'access'],
  // Whoever reads `success` takes the request for refused.
  [/^envelope\.success-true/, 'access'],
  [/^(envelope|dates\.response-format)/, 'form'],
  [/\.(agrees|same-across-versions|price-across-versions|match-facilities|list-finds|side-by-side)\b/, 'agreement'],
  [/\.agrees-/, 'agreement'],
  [/^bookings\.(effect|status|linked|list\.order)/, 'agreement'],
  [/^teetimes\.(courses-union|item\.teeid-books|cancellation\.by-facility)/, 'agreement'],
];

/** What the findings of a rule are about. */
function concernOf({ id, concern }: Pick<RuleSpec, 'id' | 'concern'>): Concern {
  return concern ?? byId.find(([ids]) => ids.test(id))?.[1] ?? 'meaning';
}

export interface VerdictSettings {
  /** The lowest severity at which a broken rule fails; undefined: the default of {@link CheckOptions}. */
  readonly failOn?: Severity;
  readonly severities: NonNullable<CheckOptions['severities']>;
  /** The card that the deployment is compared with. */
  readonly card: GivenAnswers;
  readonly explain?: RuleId | undefined;
}

/** The outcome of a rule; the rest of its result is known without running it. */
type Said = Pick<RuleResult, 'verdict'> & Partial<Omit<RuleResult, 'id' | 'basis' | 'severity'>>;

/** How the rules of a run are evaluated. */
export function verdictSettingsOf({
  failOn,
  card = {},
  severities: own = {},
  explain,
}: Pick<CheckOptions, 'failOn' | 'card' | 'severities' | 'explain'>): VerdictSettings {
  return { card, severities: own, explain, ...(failOn ? { failOn } : {}) };
}

function withOwnSeverity(rule: Rule, { severities: own }: VerdictSettings): Rule {
  const { severity = rule.severity } = own[rule.id as RuleId] ?? {};
  return { ...rule, severity };
}

/** Runs one rule and returns its result. */
export async function evaluateRule(
  spec: RuleSpec,
  run: Run,
  evidence: Evidence,
  settings: VerdictSettings,
): Promise<RuleResult> {
  const rule = withOwnSeverity(ruleOf(spec.id), settings);
  let context = new RuleContext(rule, new Session(run));
  const { deadline } = run.transport;
  let said = unmet(spec, run);
  if (!said) {
    try {
      context = await probed(spec, context);
      said = outcomeOf(context, settings);
    } catch (error) {
      if (error instanceof NoDeployment) throw error;
      said = saidBy(error, spec, context, evidence, settings);
    }
    // A rule that the deadline cuts short has no finding. Rules about the evidence check what was seen before.
    if (spec.phase !== 'evidence' && deadline.isOver) said = notAllowed(deadline.error);
  }
  const { id, basis, severity, source, statement } = rule;
  const own = settings.severities[id as RuleId];
  const exchanges = [...context.session.exchanges];
  return {
    id: id as RuleId,
    ...masked(said, run.transport.masker),
    basis,
    severity,
    ...(own ? { severityReason: own.reason } : {}),
    source,
    statement,
    assertions: context.expect.held,
    exchanges,
  };
}

/**
 * Evaluates the relation of a rule over all answers of the run, and adds what it says to the result of the rule so far. What
 * was found before stands.
 */
export async function relate(
  spec: RuleSpec,
  alone: RuleResult,
  run: Run,
  evidence: Evidence,
  settings: VerdictSettings,
): Promise<RuleResult> {
  const { relation } = spec;
  const explained: ComparedAnswers[] | undefined = settings.explain === spec.id ? [] : undefined;
  const before = explained ? { ...alone, comparisons: explained } : alone;
  if (!relation) return before;
  if (found.includes(before.verdict)) {
    voteOn(relation, run, explained);
    return before;
  }
  if (before.verdict === 'not-run' && !asksElsewhere.includes(before.reason)) return before;
  // Lists of two channels say nothing where the rule has found that there is no second one, or that it is the first.
  if (spec.needs.includes('second-channel') && before.reason && noOtherChannel.includes(before.reason)) return before;
  const context = new RuleContext(withOwnSeverity(ruleOf(spec.id), settings), new Session(run));
  const { session } = context;
  const { reason, missing: _, ...rest } = before;
  try {
    if (run.transport.deadline.isLongOver) throw run.transport.deadline.error;
    const reach = await evaluateRelation(relation, session, explained);
    if (reach.comparisons === 0) return before;
    const said = reason === undefined ? {} : ({ verdict: 'pass' } as const);
    const exchanges = [...new Set([...before.exchanges, ...session.exchanges])];
    return { ...rest, ...said, assertions: before.assertions + reach.comparisons, exchanges, reach };
  } catch (error) {
    if (error instanceof NoDeployment) throw error;
    const said = saidBy(error, spec, context, evidence, settings);
    const { masker } = run.transport;
    const result = { ...rest, ...masked(said, masker), exchanges: [...session.exchanges] };
    const { settle } = error instanceof Finding ? error.detail : {};
    if (settle) unsettled.set(result, () => ({ ...result, ...masked({ ...said, ...settle() }, masker) }));
    return result;
  }
}

const unsettled = new WeakMap<RuleResult, () => RuleResult>();

/** A result of {@link relate} after all rules that compare answers were evaluated. */
export function settled(result: RuleResult): RuleResult {
  return unsettled.get(result)?.() ?? result;
}

/** Verdicts that a relation does not change. */
const found: readonly Verdict[] = ['fail', 'warn', 'error'];

/** Why a rule did not run whose relation may have what it needs in the answers to other rules. */
const asksElsewhere: readonly (Reason | undefined)[] = ['not-allowed', 'replayed'];

/** Why a rule has nothing to compare the first channel with. */
const noOtherChannel: readonly Reason[] = ['control-failed', 'not-given'];

/** Runs a rule only for its requests, whatever it finds. */
export async function foretell(spec: RuleSpec, run: Run): Promise<void> {
  if (unmet(spec, run)) return;
  await probed(spec, new RuleContext(ruleOf(spec.id), new Session(run))).catch(() => {});
}

/** Runs a rule with the right requests after its probes. If one is refused, the rule is run again on new material. */
async function probed(spec: RuleSpec, context: RuleContext): Promise<RuleContext> {
  await spec.run(context);
  try {
    await context.close();
    return context;
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'control-failed') throw error;
  }
  const again = new RuleContext(context.rule, context.session);
  await spec.run(again);
  await again.close();
  return again;
}

/** Starts the slow work of a rule. If that fails, the rule itself reports the reason later. */
export async function begin(spec: RuleSpec, run: Run): Promise<void> {
  if (unmet(spec, run)) return;
  try {
    await spec.begin?.(new Session(run));
  } catch (error) {
    if (error instanceof NoDeployment) throw error;
  }
}

/** Masks secrets: a rule reads whole answers and quotes from them in its findings. */
function masked(said: Said, masker: Masker): Said {
  const changed: Record<string, unknown> = {};
  for (const name of ['message', 'missing'] as const) {
    if (said[name] !== undefined) changed[name] = masker.cut(keptWords(said[name]));
  }
  for (const name of ['expected', 'actual'] as const) {
    if (said[name] !== undefined) changed[name] = maskedValue(keptValue(said[name]), masker);
  }
  return { ...said, ...changed };
}

/** A result without the secrets that became known only after it. */
export function maskedAgain(result: RuleResult, masker: Masker): RuleResult {
  const { message, missing, expected, actual, at, cause } = result;
  const said = defined({ message, missing, expected, actual, at, cause });
  return { ...result, ...(withTexts(said, (text) => masker.known(text)) as Partial<RuleResult>) };
}

/** A value with its secrets masked: those in its texts, and those of members that are named like a secret. */
function maskedValue(value: unknown, masker: Masker): unknown {
  const masked = withTexts(value, (text) => masker.cut(text));
  if (typeof masked === 'number' && masker.cut(String(masked)) !== String(masked)) return MASK;
  if (typeof masked !== 'object') return masked;
  const text = masker.text(JSON.stringify(masked));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The reason why a rule cannot run: something that it needs is missing. */
function unmet({ id, needs, phase }: RuleSpec, { transport }: Run): Said | undefined {
  const { operations, versions } = ruleOf(id);
  if (!transport.scope.hasAny(operations, versions)) {
    const missing = 'an operation of this rule, since all are outside the settings versions and operations';
    return { verdict: 'not-run', reason: 'out-of-scope', missing };
  }
  for (const need of needs) {
    if (need === 'second-channel') continue;
    if (!transport.allows(need)) return notAllowed(withoutPermission(need));
  }
  if (needs.includes('second-channel') && !transport.channels.second) {
    const missing = 'a second channel (--second-basic or --second-refresh-token)';
    return { verdict: 'inconclusive', reason: 'not-given', missing };
  }
  const { isOver, isLongOver } = transport.deadline;
  const isLate = phase === 'evidence' ? isLongOver : isOver;
  return isLate ? notAllowed(transport.deadline.error) : undefined;
}

function notAllowed({ reason, missing }: NotAllowed): Said {
  return { verdict: 'not-run', reason, missing };
}

/** The verdict of a rule that ran without a finding. */
function outcomeOf(context: RuleContext, { card, failOn }: VerdictSettings): Said {
  const { answers, lowerBounds, expect, rule } = context;
  if (hasObserved(context)) {
    const observed = { answers, ...(Object.keys(lowerBounds).length === 0 ? {} : { lowerBounds }) };
    const [drift] = [...differences(answers, card), ...belowBounds(lowerBounds, card)];
    const verdict = failOn === 'minor' ? 'fail' : 'warn';
    if (drift) return { verdict, message: `The dialect differs: ${drift}.`, ...observed };
    // Other rules may observe an answer too.
    if (rule.basis !== 'open' && expect.held > 0) return { verdict: 'pass', ...observed };
    const message = [
      ...Object.entries(answers).map(([question, answer]) => `${question}: ${shown(answer)}`),
      ...Object.entries(lowerBounds).map(([question, number]) => `${question}: ${boundText(number)}`),
    ];
    return { verdict: 'observed', message: message.join(', '), ...observed };
  }
  if (expect.held > 0) return { verdict: 'pass' };
  return { verdict: 'inconclusive', reason: 'no-data', missing: 'something to check: the rule found no matching data' };
}

function hasObserved({ answers, lowerBounds }: RuleContext): boolean {
  return Object.keys(answers).length + Object.keys(lowerBounds).length > 0;
}

function saidBy(error: unknown, spec: RuleSpec, context: RuleContext, evidence: Evidence, how: VerdictSettings): Said {
  if (error instanceof Finding) {
    return { verdict: verdictOf(context.rule, how.failOn), ...foundBy(error, spec, context.session) };
  }
  if (error instanceof Inconclusive) {
    const { reason, missing } = error;
    if (reason === 'out-of-scope') {
      // What the deployment has was evaluated before.
      const isEvaluated = context.expect.held > 0 || hasObserved(context);
      return isEvaluated ? outcomeOf(context, how) : { verdict: 'not-run', reason, missing };
    }
    const see = error instanceof Refused && error.reply.operation && `; see ${answerRule(error.reply.operation)}`;
    return { verdict: 'inconclusive', reason, missing: see ? `${missing}${see}` : missing };
  }
  if (error instanceof NotAllowed) return notAllowed(error);
  // A rule that fails because of an answer in the wrong form is inconclusive: the rule of that form reports the fault.
  const { exchanges, run } = context.session;
  const all = error instanceof SuiteError ? run.transport.replies.map(({ id }) => id) : [];
  const broken = evidence.brokenAmong([...exchanges, ...all]);
  if (broken) {
    const missing = `a response of the right form (${broken.exchange}: ${broken.fault.at} ${broken.fault.message}, see ${broken.fault.rule})`;
    return { verdict: 'inconclusive', reason: 'precondition', missing };
  }
  if (error instanceof SuiteError) return { verdict: 'error', message: error.message };
  return { verdict: 'error', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** What a finding says. It is in the operations that it names, or in that of the last request. */
function foundBy({ message, expected, actual, detail }: Finding, spec: RuleSpec, session: Session): Partial<Said> {
  const { run } = session;
  const { at, cause, against, concern = concernOf(spec), shownBy = shownByDefault(spec, message, session) } = detail;
  const isDelivery = shownBy?.startsWith('c');
  const operation = isDelivery
    ? operationIn('searchTeeTimes')
    : run.transport.replies.find(({ id }) => id === shownBy)?.operation;
  const operations = detail.operations ?? (operation ? [operation] : []);
  const known = { expected, actual, at, cause, concern, shownBy, against };
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  return { message, ...Object.fromEntries(given), operations };
}

/**
 * The last exchange that a rule looked at: of a rule about results, the last one that was posted, and of a finding that
 * names a version, the last one of that version.
 */
function shownByDefault(
  { id }: RuleSpec,
  message: string,
  { exchanges, run: { transport } }: Session,
): string | undefined {
  const all = [...exchanges];
  const posted = /^(callback\.|search\.asynchronous)/.test(id) ? all.findLast((one) => one.startsWith('c')) : undefined;
  const version = (/(?<=missing from the )v\d\b/.exec(message) ?? /(?<![/\w])v\d\b/.exec(message))?.[0];
  const isOfVersion = ({ id: one, operation }: Reply): boolean =>
    exchanges.has(one) && operation !== undefined && operationOf(operation).version === version;
  return posted ?? transport.replies.findLast(isOfVersion)?.id ?? all.at(-1);
}

/** The verdict of a broken rule. */
function verdictOf({ basis, severity }: Rule, failOn?: Severity): Verdict {
  if (basis === 'open') return 'observed';
  const line = failOn ?? (basis === 'stated' ? 'minor' : 'major');
  return severities.indexOf(severity) <= severities.indexOf(line) ? 'fail' : 'warn';
}
