import type { Answers } from '../generated/questions.js';
import type { RuleId } from '../generated/rule-basis.js';
import { differences } from './dialect.js';
import type { Evidence } from './evidence.js';
import { shown } from './expect.js';
import type { Masker } from './mask.js';
import { Finding, Inconclusive, NotAllowed, NoDeployment, SuiteError, withoutLeave } from './outcome.js';
import { RuleContext, ruleOf, type RuleSpec } from './rule.js';
import { type Run, Session } from './session.js';
import type { Basis, RuleResult, Verdict } from './types.js';

/** What decides a verdict beside the rule itself. */
export interface Judgement {
  /** A breach of what is implied fails too, and a drift from the card. */
  readonly strict: boolean;
  /** The card that the deployment is compared with. */
  readonly card: Partial<Answers>;
}

type Said = Pick<RuleResult, 'verdict'> &
  Partial<Pick<RuleResult, 'message' | 'expected' | 'actual' | 'reason' | 'missing' | 'answers'>>;

/** Runs one rule and says what it came to. */
export async function judge(spec: RuleSpec, run: Run, evidence: Evidence, judgement: Judgement): Promise<RuleResult> {
  const rule = ruleOf(spec.id);
  const context = new RuleContext(rule, new Session(run));
  let said = unmet(spec, run);
  if (!said) {
    try {
      await spec.run(context);
      said = outcomeOf(context, judgement);
    } catch (error) {
      if (error instanceof NoDeployment) throw error;
      said = saidBy(error, rule.basis, context, evidence, judgement);
    }
  }
  const { id, basis, source, statement } = rule;
  const exchanges = [...context.session.exchanges];
  return {
    id: id as RuleId,
    ...masked(said, run.transport.masker),
    basis,
    source,
    statement,
    assertions: context.expect.held,
    exchanges,
  };
}

/** Sets going what a rule waits for later; why that cannot be, the rule tells when its turn comes. */
export async function begin(spec: RuleSpec, run: Run): Promise<void> {
  if (unmet(spec, run)) return;
  try {
    await spec.begin?.(new Session(run));
  } catch (error) {
    if (error instanceof NoDeployment) throw error;
  }
}

/** Without secrets: a rule sees answers whole, and quotes of them what it finds wrong. */
function masked(said: Said, masker: Masker): Said {
  const texts = (['message', 'expected', 'actual', 'missing'] as const).flatMap((name) => {
    const text = said[name];
    return text === undefined ? [] : [[name, masker.cut(text)] as const];
  });
  return { ...said, ...Object.fromEntries(texts) };
}

/** What a rule needs and the run has not. */
function unmet({ needs }: RuleSpec, { transport }: Run): Said | undefined {
  for (const need of needs) {
    if (need === 'second-channel') continue;
    if (!transport.allows(need)) return notAllowed(withoutLeave(need));
  }
  if (!needs.includes('second-channel') || transport.channels.second) return undefined;
  const missing = 'a second channel (--second-basic or --second-refresh-token)';
  return { verdict: 'inconclusive', reason: 'not-given', missing };
}

function notAllowed({ reason, missing }: NotAllowed): Said {
  return { verdict: 'not-run', reason, missing };
}

/** A rule that ran to its end. */
function outcomeOf({ answers, expect, rule }: RuleContext, { card, strict }: Judgement): Said {
  if (Object.keys(answers).length > 0) {
    const [drift] = differences(answers, card);
    if (drift) return { verdict: strict ? 'fail' : 'warn', message: `The dialect differs: ${drift}.`, answers };
    // A rule about something else may learn an answer on its way.
    if (rule.basis !== 'open' && expect.held > 0) return { verdict: 'pass', answers };
    const message = Object.entries(answers).map(([question, answer]) => `${question}: ${shown(answer)}`);
    return { verdict: 'observed', message: message.join(', '), answers };
  }
  if (expect.held > 0) return { verdict: 'pass' };
  return { verdict: 'inconclusive', reason: 'no-data', missing: 'something to judge: the rule found no case' };
}

function saidBy(error: unknown, basis: Basis, context: RuleContext, evidence: Evidence, how: Judgement): Said {
  if (error instanceof Finding) {
    const { message, expected, actual } = error;
    const detail = { ...(expected === undefined ? {} : { expected }), ...(actual === undefined ? {} : { actual }) };
    return { verdict: severityOf(basis, how.strict), message, ...detail };
  }
  if (error instanceof Inconclusive) {
    const { reason, missing } = error;
    return { verdict: 'inconclusive', reason, missing };
  }
  if (error instanceof NotAllowed) return notAllowed(error);
  // A rule that stumbles over an answer of the wrong form, or asks for what such an answer names, says nothing new: the
  // rule of that form does.
  const { exchanges, run } = context.session;
  const all = error instanceof SuiteError ? run.transport.replies.map(({ id }) => id) : [];
  const broken = evidence.brokenAmong([...exchanges, ...all]);
  if (broken) {
    const missing = `an answer of the right form (${broken.exchange}: ${broken.fault.at} ${broken.fault.message}, see ${broken.fault.rule})`;
    return { verdict: 'inconclusive', reason: 'precondition', missing };
  }
  if (error instanceof SuiteError) return { verdict: 'error', message: error.message };
  return { verdict: 'error', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

/** How hard a breach weighs, by what the rule rests on. */
export function severityOf(basis: Basis, strict: boolean): Verdict {
  if (basis === 'stated') return 'fail';
  if (basis === 'implied') return strict ? 'fail' : 'warn';
  return 'observed';
}
