/** The scenarios of one request: `answer.ts` asks at each checkpoint which of them are triggered. */
import type { JsonObject } from '../../common/index.js';
import { Refusal, type RefusalCode } from '../model/refusal.js';
import type { Channel } from '../model/world.js';
import type { Effect, OperationSpec, Scenario } from '../../contract/index.js';
import type { Moment } from '../scenarios/spec.js';
import { bodiesIn, type Requested, type Scenarios } from '../scenarios/scenarios.js';
import type { Lack, PlanContext, TriggeredScenario } from '../scenarios/triggered-scenario.js';
import type { EntryScenario, JournalEntry } from '../record/journal.js';
import { transferFailedWords } from './refusals.js';

export type NetworkFault = Extract<Effect, { kind: 'network' }>['fault'];

/** Faults whose delay is their duration rather than the delay of the response. */
const WAITING: readonly string[] = ['timeout', 'slow-body', 'late', 'out-of-order'];

/** Thrown if the network ends a request before any work, so that there is no response to break. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const nothingBefore = (): void => {};

/** What scenarios need to know of a request; the host of them reads it when it is asked. */
interface Seen {
  readonly operation: OperationSpec;
  readonly requestId: string;
  readonly at: number;
  /** The caller as far as known; undefined if its credentials are not valid. */
  caller(): Channel | undefined;
  /** The access token of the request, if any. */
  token(): string | undefined;
  /** The parameters as they were sent. */
  sent(): Readonly<Record<string, string>>;
}

/** What a request triggers on arrival: before its work in this order, and on its response. */
export interface Arrival {
  readonly before: readonly TriggeredScenario[];
  readonly response: readonly TriggeredScenario[];
}

/** The scenarios of one request. The object lives only as long as the request. */
export class RequestScenarios {
  /** What the host did instead of a fault that it cannot produce. */
  as: string | undefined;
  readonly #requested: Requested[];
  #bodies: readonly JsonObject[] = [];
  readonly #reached = new Set<Moment>();
  readonly #applied: TriggeredScenario[] = [];

  /** @throws {ValidationError} for an invalid header. */
  constructor(
    readonly scenarios: Scenarios,
    readonly seen: Seen,
    header: string | undefined,
  ) {
    this.#requested = header === undefined ? [] : scenarios.asked(header, seen.operation.name);
  }

  /**
   * Looks at the body, before any scenario is triggered. Names that almost switch a scenario on are noted in the journal.
   *
   * @throws {ValidationError} for a comment that asks for what does not fit.
   */
  look(entry: JournalEntry, body: unknown): void {
    const { name } = this.seen.operation;
    this.#bodies = bodiesIn(body);
    const near = this.scenarios.nearNames(name, this.#bodies);
    if (near.length > 0) entry.warnings = [...(entry.warnings ?? []), ...near];
    this.#requested.push(...this.scenarios.magic(name, this.#bodies));
    const context = this.#context(nothingBefore);
    // Checked before any scenario is triggered, so that a request with a mistake does nothing.
    this.scenarios.checkRequested(context, this.#requested);
    this.#requested.push(...this.scenarios.draw(context));
  }

  /** What is triggered before anything is done with the request, and what affects its response. */
  onArrival(): Arrival | undefined {
    const triggered = [...this.#triggered('arrival')];
    if (triggered.length === 0) return undefined;
    const isBefore = ({ phase }: TriggeredScenario) => phase === 'before-commit';
    return { before: triggered.filter(isBefore), response: triggered.filter((one) => !isBefore(one)) };
  }

  /** What is triggered by credentials that are valid so far. */
  onCredentials(): TriggeredScenario | undefined {
    return this.#triggered('credentials').next().value ?? undefined;
  }

  /** What is triggered by a request that is valid and could be carried out. */
  onStep(moment: 'change' | 'step', ready: () => void): Iterable<TriggeredScenario> {
    return this.#triggered(moment, ready);
  }

  /** Triggers scenarios of a request whose work is done. Throws if a scenario refuses it now. */
  onAnswer(): void {
    for (const trigger of this.#triggered('answer')) trigger.apply();
  }

  /** Notes, for the plans that the request did not reach, why it ended. */
  ended(why: string): void {
    if (this.scenarios.armed) this.scenarios.missed(this.#reached, this.#context(nothingBefore), why);
  }

  /** Whether any scenario was triggered. */
  get triggered(): boolean {
    return this.#applied.length > 0;
  }

  /** The journal entry: the scenario that decided the response comes before that of the network. */
  get journalled(): EntryScenario | undefined {
    const { as } = this;
    const [first, ...others] = this.#applied.toSorted((a, b) => decisiveness(a) - decisiveness(b));
    if (!first) {
      const [asked] = this.#idle;
      return asked && { id: asked.spec.scenario.id, source: asked.source, struck: false };
    }
    const { scenario, source, phase, plan } = first;
    const also = others.map((other) => other.scenario.id);
    return {
      id: scenario.id,
      source,
      ...(plan === undefined ? {} : { plan }),
      struck: true,
      phase,
      ...(as === undefined ? {} : { as }),
      ...(also.length > 0 ? { also } : {}),
    };
  }

  /** The value of the response header `Teebox-Scenario`: what was triggered, and what the header asked for without effect. */
  get header(): string | undefined {
    const triggered = this.#applied.map(({ scenario, source }) => `${scenario.id}; source=${source}`);
    const idle = this.#idle.map(({ spec, source }) => `${spec.scenario.id}; source=${source}; struck=no`);
    return [...triggered, ...idle].join(', ') || undefined;
  }

  /** What the header asked for but was not triggered. */
  get #idle(): readonly Requested[] {
    return this.#requested.filter(
      ({ spec, source }) =>
        source === 'header' && !this.#applied.some((one) => one.source === source && one.scenario === spec.scenario),
    );
  }

  /** The network fault that breaks the response, and its delay. */
  get fault(): { readonly fault: NetworkFault; readonly delay: number } | undefined {
    for (const { scenario, delay } of this.#applied) {
      const { effect } = scenario;
      if (effect.kind === 'network' && effect.fault !== 'slow') return { fault: effect.fault, delay };
    }
    return undefined;
  }

  /** Milliseconds to delay the response. Other delays belong to a network fault or a callback. */
  get lateBy(): number {
    return this.#applied.reduce((sum, trigger) => sum + latenessOf(trigger), 0);
  }

  #triggered(moment: Moment, ready = nothingBefore): Generator<TriggeredScenario, void> {
    this.#reached.add(moment);
    return this.scenarios.triggered(moment, this.#context(ready), this.#requested);
  }

  #context(ready: () => void): PlanContext {
    const { seen } = this;
    return {
      requestId: seen.requestId,
      operation: seen.operation,
      channel: () => seen.caller()?.name,
      bodies: this.#bodies,
      sent: () => seen.sent(),
      now: seen.at,
      ready,
      lacks: (scenario) => this.#lacks(scenario),
      apply: (trigger) => this.#apply(trigger),
    };
  }

  #lacks({ effect }: Scenario): Lack | undefined {
    const needsToken = effect.kind === 'change' && effect.change === 'token-expired';
    if (!needsToken || this.seen.token() !== undefined) return undefined;
    return {
      why: 'the request carries no access token that could expire (Basic credentials have none)',
      due: 'an access token instead of Basic credentials',
    };
  }

  #apply(trigger: TriggeredScenario): void {
    this.#applied.push(trigger);
    const { effect, id } = trigger.scenario;
    const goesOn = effect.kind === 'network' && effect.fault === 'slow';
    if (effect.kind === 'network' && trigger.phase === 'before-commit' && !goesOn) throw new ConnectionLost(id);
    if (effect.kind !== 'refusal') return;
    const code = effect.code as RefusalCode;
    const words = code === 'transfer-failed' ? { words: transferFailedWords(this.seen.requestId) } : {};
    const detail = `scenario ${id}, asked for by ${trigger.source}`;
    throw new Refusal(code, effect.rule, { ...words, detail, ...(effect.headers ? { headers: effect.headers } : {}) });
  }
}

/** A refusal decides the response, and a change may; the network decides only whether it arrives. */
function decisiveness({ scenario: { effect } }: TriggeredScenario): number {
  if (effect.kind === 'refusal') return 0;
  return effect.kind === 'network' ? 2 : 1;
}

function latenessOf({ scenario: { effect }, phase, delay }: TriggeredScenario): number {
  if (effect.kind !== 'network' && effect.kind !== 'callback') return delay;
  const waited = effect.fault === 'slow' && phase === 'before-commit';
  return waited || WAITING.includes(effect.fault) ? 0 : delay;
}
