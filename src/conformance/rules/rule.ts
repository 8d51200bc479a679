import {
  type Answers,
  rules as catalogue,
  type GivenAnswers,
  type QuestionId,
  type Rule,
  type RuleId,
  type VersionedQuestion,
  operationOf,
} from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import type { Relation } from '../facts/relation.js';
import { Expect } from './expect.js';
import { Refused, SuiteError } from '../client/outcome.js';
import { effectOf } from '../client/permission.js';
import { type RequestCall, keyOf, type OperationCall, type Probe } from '../client/request.js';
import { resourceOf } from '../client/resource.js';
import type { Session } from '../client/session.js';
import type { Concern, Permission } from '../client/types.js';

/** The questions about a number of which 0 means that there is no limit. */
type LimitQuestion = 'prices.default-limit' | 'prices.max-limit';

/** What a rule needs: a permission, or a second channel. */
export type Need = Permission | 'second-channel';

/** A rule of the suite: an id of the catalogue and how it is evaluated. */
export interface RuleSpec {
  readonly id: RuleId;
  /** The rule is not run if one of these is missing. */
  readonly needs: readonly Need[];
  /** `last` sends its requests after all others; `evidence` runs after that and evaluates the collected exchanges. */
  readonly phase: 'probe' | 'last' | 'evidence';
  /** What its findings are about; default: see `concernOf`. */
  readonly concern?: Concern;
  /** Starts slow work, which continues while other rules run; `run` then uses its results. */
  begin?(session: Session): Promise<unknown>;
  run(context: RuleContext): Promise<void> | void;
  /** What must hold over all answers of the run; evaluated after all rules of the phases before `evidence`. */
  readonly relation?: Relation;
}

/**
 * Makes a rule. Its verdict follows from what `run` does:
 *
 * - an assertion of `expect` that does not hold: `fail`, `warn` or `observed`, by the basis in the catalogue;
 * - `observe`: `observed`;
 * - {@link Inconclusive}, thrown by a journey or by the rule: `inconclusive`;
 * - otherwise `pass`, if at least one assertion held; without any, `inconclusive` for lack of data.
 *
 * A `relation` adds to that: a difference that remains is a finding, and a comparison that held makes a `pass` of a rule that
 * had no data to evaluate.
 *
 * @example
 * export const connectedSubset = defineRule({
 *   id: 'countries.connected-subset',
 *   async run({ session, expect }) {
 *     const all = await countries(session, newestOf('listCountries'));
 *     const connected = await countries(session, newestOf('listCountries'), true);
 *     expect.subset(connected, all, 'A connected country is missing from the list of all countries.');
 *   },
 * });
 */
export function defineRule(spec: Pick<RuleSpec, 'id'> & Partial<RuleSpec>): RuleSpec {
  return { needs: [], phase: 'probe', run: () => {}, ...spec };
}

/** The answer to a probe that only reads; it is sent once in a run. */
const readingProbe = resourceOf('probe', (session, call: RequestCall) => session.send(call), keyOf);

/** What a rule works with. All of it belongs to one rule in one run. */
export class RuleContext {
  readonly expect = new Expect();
  readonly #answers: Partial<Record<QuestionId, unknown>> = {};
  readonly #closing = new Map<string, () => Promise<void>>();

  constructor(
    readonly rule: Rule,
    readonly session: Session,
  ) {}

  /** Answers to open questions that were observed. */
  get answers(): GivenAnswers {
    return this.#answers as GivenAnswers;
  }

  /** Records how the deployment answers an open question. */
  readonly observe = <Q extends QuestionId>(question: Q, answer: Answers[Q]): void => {
    this.#answers[question] = answer;
  };

  /** Numbers that answers to open questions are not below, where the evidence does not say more. */
  readonly lowerBounds: Partial<Record<QuestionId, number>> = {};

  /**
   * Records that a limit is not below a number of records that came: the deployment has no more to return, so it may
   * be higher, or there may be none.
   */
  readonly observeAtLeast = (question: LimitQuestion, number: number): void => {
    this.lowerBounds[question] = number;
  };

  /** Records how one version of the deployment answers an open question. */
  readonly observeVersion = <Q extends VersionedQuestion, V extends keyof Answers[Q]>(
    question: Q,
    version: V,
    answer: Answers[Q][V],
  ): void => {
    const all = { ...(this.#answers[question] as Partial<Answers[Q]>), [version]: answer };
    this.#answers[question] = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  /**
   * Adds a check that follows the probes of the rule: a right request on the same material, which must be accepted. The
   * last check of a key is kept, so that one right request follows a series of probes.
   */
  readonly closeWith = (key: string, check: () => Promise<void>): void => void this.#closing.set(key, check);

  /**
   * Shows that the probes were refused for what is wrong with them: the right requests after them are accepted.
   *
   * @throws {Inconclusive} `control-failed` if one is not.
   */
  async close(): Promise<void> {
    for (const check of this.#closing.values()) await check();
  }

  /**
   * Sends a request that breaks the rule and expects a refusal. The control request is sent first: the same, but
   * valid. If it is refused, the probe proves nothing and the rule is inconclusive. One that reads is sent
   * again after the probes of the rule.
   *
   * @param control A call, sent once in a run if it is a read, or an answer that was already received.
   * @returns The refusal.
   */
  readonly refuses = async (probe: Probe, control: OperationCall | Reply, what: string): Promise<Reply> => {
    const accepted = 'status' in control ? control : await this.#control(control);
    this.session.exchanges.add(accepted.id);
    if (!accepted.ok) throw new Refused(accepted, 'control-failed');
    const reply = await this.probe(probe);
    this.expect.refused(reply, what);
    if (!('status' in control) && onlyReads(control)) this.closeWith(keyOf(control), () => this.#accepts(control));
    return reply;
  };

  async #accepts(control: OperationCall): Promise<void> {
    const reply = await this.session.send(control);
    if (!reply.ok) throw new Refused(reply, 'control-failed');
  }

  /**
   * Sends a request that may break the contract, marked with the id of this rule. A read is sent once in a
   * run, even if several rules use the answer.
   */
  readonly probe = (probe: Probe): Promise<Reply> => {
    const call = { ...probe, breaking: this.rule.id } as RequestCall;
    if (!onlyReads(call)) return this.session.send(call);
    return readingProbe(this.session, call);
  };

  #control(control: OperationCall): Promise<Reply> {
    const { operation, params, as, body, scheme, headers } = control;
    if (body !== undefined || scheme || headers) return this.session.send(control);
    return this.session.read(operation, params, as);
  }
}

function onlyReads(call: RequestCall): boolean {
  const { method, path } = 'operation' in call ? operationOf(call.operation) : call;
  return effectOf(method, path) === 'read';
}

const byId = new Map<string, Rule>(catalogue.map((rule) => [rule.id, rule]));

/** The entry of a rule in the catalogue. */
export function ruleOf(id: RuleId): Rule {
  return byId.get(id)!;
}

/**
 * The rules by id.
 *
 * @throws {SuiteError} if two rules have the same id, or if a rule is not observable from outside.
 */
export function ruleTable(specs: readonly RuleSpec[]): ReadonlyMap<RuleId, RuleSpec> {
  const table = new Map<RuleId, RuleSpec>();
  for (const spec of specs) {
    const rule = byId.get(spec.id);
    if (!rule) throw new SuiteError(`${spec.id} is not a rule of the catalogue.`);
    if (!rule.observable) throw new SuiteError(`${spec.id} cannot be seen from outside: ${rule.unobservable}`);
    if (table.has(spec.id)) throw new SuiteError(`${spec.id} has two rules.`);
    table.set(spec.id, spec);
  }
  return table;
}
