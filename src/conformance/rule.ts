import { type Rule, rules as catalogue } from '../generated/catalogue.js';
import type { Answers } from '../generated/questions.js';
import type { RuleId } from '../generated/rule-basis.js';
import type { Reply } from './exchange.js';
import { Expect } from './expect.js';
import { Inconclusive, SuiteError } from './outcome.js';
import { effectOf } from './permission.js';
import { type Call, keyOf, type OperationCall, operationOf, type RawCall } from './request.js';
import type { Session } from './session.js';
import type { Permission } from './types.js';

/** What a rule cannot do without: leave for something, or a second channel. */
export type Need = Permission | 'second-channel';

/** A rule of the suite: an id of the catalogue and how it is judged. */
export interface RuleSpec {
  readonly id: RuleId;
  /** Without these the rule is not run. */
  readonly needs: readonly Need[];
  /** `last` sends its requests after all others; `evidence` runs after that, over what was collected. */
  readonly phase: 'probe' | 'last' | 'evidence';
  /** Sets going what takes its time, while other rules run; `run` then finds it under way. */
  begin?(session: Session): Promise<unknown>;
  run(context: RuleContext): Promise<void> | void;
}

type Omitting<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A probe: the rule that it breaks is the one that sends it. */
export type Probe = Omitting<OperationCall, 'breaking'> | Omitting<RawCall, 'breaking'>;

/**
 * Makes a rule. Its verdict follows from what `run` does:
 *
 * - an assertion of `expect` that does not hold: `fail`, `warn` or `observed`, by the basis in the catalogue;
 * - `observe`: `observed`;
 * - {@link Inconclusive}, thrown by a journey or by the rule: `inconclusive`;
 * - otherwise `pass`, if at least one assertion held; without any, `inconclusive` for lack of data.
 *
 * @example
 * export const connectedSubset = defineRule({
 *   id: 'countries.connected-subset',
 *   async run({ session, expect }) {
 *     const all = await countries(session, 'v3');
 *     const connected = await countries(session, 'v3', true);
 *     expect.subset(connected, all, 'A connected country is missing from the list of all countries.');
 *   },
 * });
 */
export function defineRule(spec: {
  readonly id: RuleId;
  readonly needs?: readonly Need[];
  readonly phase?: RuleSpec['phase'];
  begin?(session: Session): Promise<unknown>;
  run(context: RuleContext): Promise<void> | void;
}): RuleSpec {
  return { needs: [], phase: 'probe', ...spec };
}

/** What a rule works with. All of it belongs to one rule in one run. */
export class RuleContext {
  readonly expect = new Expect();
  readonly #answers: Partial<Record<keyof Answers, unknown>> = {};

  constructor(
    readonly rule: Rule,
    readonly session: Session,
  ) {}

  /** Answers to open questions that were observed. */
  get answers(): Partial<Answers> {
    return this.#answers as Partial<Answers>;
  }

  /**
   * Tells how the deployment answers an open question.
   */
  readonly observe = <Q extends keyof Answers>(question: Q, answer: Answers[Q]): void => {
    this.#answers[question] = answer;
  };

  /**
   * A negative probe: sends what breaks the rule and expects a refusal. First the twin is sent, which is the same but
   * right; when it does not succeed the probe proves nothing, and the rule is inconclusive.
   *
   * @param twin A call, read once in a run where it is a read; or an answer that is there already.
   * @returns The refusal.
   */
  readonly refuses = async (probe: Probe, twin: OperationCall | Reply, what: string): Promise<Reply> => {
    const control = 'status' in twin ? twin : await this.#control(twin);
    this.session.exchanges.add(control.id);
    if (!control.ok) {
      throw new Inconclusive('control-failed', `a successful answer to ${control.what} (it was ${control.status})`);
    }
    const reply = await this.probe(probe);
    this.expect.refused(reply, what);
    return reply;
  };

  /**
   * Sends a request that may break the contract: it says so in the name of this rule. What only reads is asked once in
   * a run, also where several rules look at the answer.
   */
  readonly probe = (probe: Probe): Promise<Reply> => {
    const call = { ...probe, breaking: this.rule.id } as Call;
    if (!onlyReads(call)) return this.session.send(call);
    return this.session.once(`probe ${keyOf(probe)}`, (session) => session.send(call));
  };

  #control(twin: OperationCall): Promise<Reply> {
    const { operation, params, as, body, scheme, headers } = twin;
    if (body !== undefined || scheme || headers) return this.session.send(twin);
    return this.session.read(operation, params, as);
  }
}

function onlyReads(call: Call): boolean {
  const { method, path } = 'operation' in call ? operationOf(call.operation) : call;
  return effectOf(method, path) === 'read';
}

const byId = new Map<string, Rule>(catalogue.map((rule) => [rule.id, rule]));

/** The entry of the catalogue. */
export function ruleOf(id: RuleId): Rule {
  return byId.get(id)!;
}

/**
 * Rules by id.
 *
 * @throws {SuiteError} for two rules of one id, and for a rule about something that cannot be seen from outside.
 */
export function ruleTable(specs: readonly RuleSpec[]): ReadonlyMap<RuleId, RuleSpec> {
  const table = new Map<RuleId, RuleSpec>();
  for (const spec of specs) {
    const rule = byId.get(spec.id);
    if (!rule) throw new SuiteError(`${spec.id} is no rule of the catalogue.`);
    if (!rule.observable) throw new SuiteError(`${spec.id} cannot be seen from outside: ${rule.unobservable}`);
    if (table.has(spec.id)) throw new SuiteError(`${spec.id} has two rules.`);
    table.set(spec.id, spec);
  }
  return table;
}
