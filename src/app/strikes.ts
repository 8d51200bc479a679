import { Refusal, type RefusalCode } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Effect, Scenario } from '../generated/scenarios.js';
import type { PendingStrike } from '../routes/call.js';
import type { Lack, PlanContext } from '../scenarios/plans.js';
import type { Moment, Scenarios, Strike } from '../scenarios/scenarios.js';
import { Misfit, type ScenarioSpec } from '../scenarios/spec.js';
import type { ExchangeScenario } from './journal.js';
import { transferFailedWords } from './refusals.js';

type Fields = Readonly<Record<string, unknown>>;
export type NetworkFault = Extract<Effect, { kind: 'network' }>['fault'];

/** Faults that take their delay for how long they last, and not for how late the answer is. */
const WAITING: readonly string[] = ['timeout', 'slow-body', 'late', 'out-of-order'];

/** Thrown where a request goes no further because of the network; there is no answer to break. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

const nothingBefore = (): void => {};

/** What scenarios do to one request; it lives as long as the request, so nothing of it reaches another. */
export class RequestStrikes {
  /** What the host did in place of a fault that it cannot do. */
  as: string | undefined;
  /** The access token that the request came with, if it did. */
  token: string | undefined;
  readonly #asked: ScenarioSpec | undefined;
  readonly #struck: Strike[] = [];

  /** @throws {Misfit} when the header asks for what does not fit. */
  constructor(
    readonly scenarios: Scenarios,
    readonly operation: OperationSpec,
    readonly requestId: string,
    readonly at: number,
    header: string | undefined,
  ) {
    this.#asked = header === undefined ? undefined : scenarios.asked(header, operation.name);
  }

  /** What happens to the credentials of a request that are good as yet. */
  onCredentials(channel: Channel): PendingStrike | undefined {
    return this.#meet('credentials', channel, []);
  }

  /** What meets the request before anything looks at it, or takes the place of its answer. */
  onArrival(channel: Channel | undefined, params: unknown): PendingStrike | undefined {
    return this.#meet('arrival', channel, [params as Fields]);
  }

  /** What strikes a request that could be done. */
  onStep(channel: Channel | undefined, bodies: readonly Fields[], ready: () => void): PendingStrike | undefined {
    const strike = this.#meet('step', channel, bodies, ready);
    if (!strike || strike.item === null || strike.item <= bodies.length) return strike;
    throw new Misfit(`The request has no booking ${strike.item}.`, [`item=1 to item=${bodies.length}`]);
  }

  /** Whether anything struck. */
  get any(): boolean {
    return this.#struck.length > 0;
  }

  /** What the journal has of it: what decided before what the network did; what did not strike is said too. */
  get met(): ExchangeScenario | undefined {
    const { as } = this;
    const [first, ...others] = this.#struck.toSorted((a, b) => Number(isOfNetwork(a)) - Number(isOfNetwork(b)));
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

  /** The value of `Teebox-Scenario` on the answer. */
  get told(): string | undefined {
    if (!this.any) return this.#asked && `${this.#asked.scenario.id}; source=header; struck=no`;
    return this.#struck.map(({ scenario, source }) => `${scenario.id}; source=${source}`).join(', ');
  }

  /** The fault that the answer is to meet, and its delay. */
  get fault(): { readonly fault: NetworkFault; readonly delay: number } | undefined {
    for (const { scenario, delay } of this.#struck) {
      if (scenario.effect.kind === 'network') return { fault: scenario.effect.fault, delay };
    }
    return undefined;
  }

  /** Milliseconds that the answer waits; other delays belong to what the scenario does to it, or to its callback. */
  get lateBy(): number {
    return this.#struck.reduce((sum, strike) => sum + latenessOf(strike), 0);
  }

  #meet(
    moment: Moment,
    channel: Channel | undefined,
    bodies: readonly Fields[],
    ready = nothingBefore,
  ): PendingStrike | undefined {
    const { operation, at: now } = this;
    const lacks = (scenario: Scenario) => this.#lacks(scenario);
    const context: PlanContext = { operation, channel: channel?.name ?? '', bodies, now, ready, lacks };
    const strike = this.scenarios.strike(moment, context, this.#asked);
    if (!strike) return undefined;
    const { phase, item, delay, scenario } = strike;
    return { phase, item, delay, effect: scenario.effect, strike: () => this.#strike(strike) };
  }

  #lacks({ effect }: Scenario): Lack | undefined {
    const needsToken = effect.kind === 'change' && effect.change === 'token-expired';
    if (!needsToken || this.token !== undefined) return undefined;
    return { why: 'the request carries no access token', due: 'an access token in place of Basic credentials' };
  }

  #strike(strike: Strike): void {
    this.#struck.push(strike);
    const { effect, id } = strike.scenario;
    const goesOn = effect.kind === 'network' && effect.fault === 'slow';
    if (effect.kind === 'network' && strike.phase === 'before-commit' && !goesOn) throw new Lost(id);
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
export function bodiesIn(body: unknown): readonly Fields[] {
  if (Array.isArray(body)) return body;
  const { details } = (body ?? {}) as { details?: unknown };
  return Array.isArray(details) ? details : [(body ?? {}) as Fields];
}
