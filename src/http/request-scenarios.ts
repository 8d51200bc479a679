import type { JsonObject } from '../domain/json-object.js';
import { Refusal, type RefusalCode } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Effect, Scenario } from '../generated/scenarios.js';
import type { Lack, PlanContext } from '../scenarios/plans.js';
import type { Moment, Scenarios } from '../scenarios/scenarios.js';
import type { Strike } from '../scenarios/strike.js';
import { Misfit } from '../input/misfit.js';
import type { ScenarioSpec } from '../scenarios/spec.js';
import type { EntryScenario } from '../journal/journal-entry.js';
import { transferFailedWords } from './refusals.js';

export type NetworkFault = Extract<Effect, { kind: 'network' }>['fault'];

/** Faults whose delay is their duration rather than the delay of the response. */
const WAITING: readonly string[] = ['timeout', 'slow-body', 'late', 'out-of-order'];

/** Thrown if the network ends a request before any work, so that there is no response to break. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const nothingBefore = (): void => {};

/** The scenarios of one request. The object lives only as long as the request. */
export class RequestScenarios {
  /** What the host did instead of a fault that it cannot produce. */
  as: string | undefined;
  /** The access token of the request, if any. */
  token: string | undefined;
  readonly #asked: ScenarioSpec | undefined;
  readonly #applied: Strike[] = [];

  /** @throws {Misfit} for an invalid header. */
  constructor(
    readonly scenarios: Scenarios,
    readonly operation: OperationSpec,
    readonly requestId: string,
    readonly at: number,
    header: string | undefined,
  ) {
    this.#asked = header === undefined ? undefined : scenarios.asked(header, operation.name);
  }

  /** The strike on the credentials of a request that are valid so far. */
  onCredentials(channel: Channel): Strike | undefined {
    return this.#match('credentials', channel, []);
  }

  /** The strike on the whole request: before it is read any further, or on its response. */
  onArrival(channel: Channel | undefined, params: unknown): Strike | undefined {
    return this.#match('arrival', channel, [params as JsonObject]);
  }

  /** The strike on a request that is valid and could be carried out. */
  onStep(channel: Channel | undefined, bodies: readonly JsonObject[], ready: () => void): Strike | undefined {
    const strike = this.#match('step', channel, bodies, ready);
    if (!strike || strike.item === null || strike.item <= bodies.length) return strike;
    throw new Misfit(`The request has no booking ${strike.item}.`, [`item=1 to item=${bodies.length}`]);
  }

  /** Whether any scenario has struck. */
  get struck(): boolean {
    return this.#applied.length > 0;
  }

  /** The journal entry: the scenario that decided the response comes before that of the network. */
  get journalled(): EntryScenario | undefined {
    const { as } = this;
    const [first, ...others] = this.#applied.toSorted((a, b) => Number(isOfNetwork(a)) - Number(isOfNetwork(b)));
    if (!first) return this.#asked && { id: this.#asked.scenario.id, source: 'header', struck: false };
    const { scenario, source, phase } = first;
    const also = others.map((other) => other.scenario.id);
    return {
      id: scenario.id,
      source,
      struck: true,
      phase,
      ...(as === undefined ? {} : { as }),
      ...(also.length > 0 ? { also } : {}),
    };
  }

  /** The value of the response header `Teebox-Scenario`. */
  get header(): string | undefined {
    if (!this.struck) return this.#asked && `${this.#asked.scenario.id}; source=header; struck=no`;
    return this.#applied.map(({ scenario, source }) => `${scenario.id}; source=${source}`).join(', ');
  }

  /** The network fault of the response, and its delay. */
  get fault(): { readonly fault: NetworkFault; readonly delay: number } | undefined {
    for (const { scenario, delay } of this.#applied) {
      if (scenario.effect.kind === 'network') return { fault: scenario.effect.fault, delay };
    }
    return undefined;
  }

  /** Milliseconds to delay the response. Other delays belong to a network fault or a callback. */
  get lateBy(): number {
    return this.#applied.reduce((sum, strike) => sum + latenessOf(strike), 0);
  }

  #match(
    moment: Moment,
    channel: Channel | undefined,
    bodies: readonly JsonObject[],
    ready = nothingBefore,
  ): Strike | undefined {
    const { operation, at: now } = this;
    const lacks = (scenario: Scenario) => this.#lacks(scenario);
    const apply = (strike: Strike) => this.#apply(strike);
    const context: PlanContext = { operation, channel: channel?.name ?? '', bodies, now, ready, lacks, apply };
    return this.scenarios.match(moment, context, this.#asked);
  }

  #lacks({ effect }: Scenario): Lack | undefined {
    const needsToken = effect.kind === 'change' && effect.change === 'token-expired';
    if (!needsToken || this.token !== undefined) return undefined;
    return { why: 'the request carries no access token', due: 'an access token in place of Basic credentials' };
  }

  #apply(strike: Strike): void {
    this.#applied.push(strike);
    const { effect, id } = strike.scenario;
    const goesOn = effect.kind === 'network' && effect.fault === 'slow';
    if (effect.kind === 'network' && strike.phase === 'before-commit' && !goesOn) throw new ConnectionLost(id);
    if (effect.kind !== 'refusal') return;
    const code = effect.code as RefusalCode;
    const words = code === 'transfer-failed' ? { words: transferFailedWords(this.requestId) } : {};
    const detail = `scenario ${id}, asked for by ${strike.source}`;
    throw new Refusal(code, effect.rule, { ...words, detail, ...(effect.headers ? { headers: effect.headers } : {}) });
  }
}

const isOfNetwork = ({ scenario }: Strike): boolean => scenario.effect.kind === 'network';

function latenessOf({ scenario: { effect }, phase, delay }: Strike): number {
  if (effect.kind !== 'network' && effect.kind !== 'callback') return delay;
  const waited = effect.fault === 'slow' && phase === 'before-commit';
  return waited || WAITING.includes(effect.fault) ? 0 : delay;
}

/** The bookings of a body, or the one thing that it is. */
export function bodiesIn(body: unknown): readonly JsonObject[] {
  if (Array.isArray(body)) return body;
  const { details } = (body ?? {}) as { details?: unknown };
  return Array.isArray(details) ? details : [(body ?? {}) as JsonObject];
}
