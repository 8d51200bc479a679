import { Refusal } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { PendingStrike } from '../routes/call.js';
import type { Moment, Scenarios, Strike } from '../scenarios/scenarios.js';
import { Misfit, type ScenarioSpec } from '../scenarios/spec.js';
import { transferFailedWords } from './refusals.js';

type Fields = Readonly<Record<string, unknown>>;

/** What scenarios do to one request; it lives as long as the request, so nothing of it reaches another. */
export class RequestStrikes {
  /** What struck. */
  struck: Strike | undefined;
  readonly #asked: ScenarioSpec | undefined;

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

  /** The refusal that meets the request before anything looks at it, or one to put in place of its answer. */
  onArrival(channel: Channel | undefined, params: unknown): PendingStrike | undefined {
    if (!this.#asked && !this.scenarios.armed) return undefined;
    return this.#strike('arrival', channel, [params as Fields]);
  }

  /** What strikes a request whose bookings could be made. */
  onBooking(channel: Channel, body: unknown, ready: () => void): PendingStrike | undefined {
    const bookings = bookingsIn(body);
    const strike = this.#strike('booking', channel, bookings, ready);
    if (!strike || strike.item === null || strike.item <= bookings.length) return strike;
    throw new Misfit(`The request has no booking ${strike.item}.`, [`item=1 to item=${bookings.length}`]);
  }

  /** The value of `Teebox-Scenario` on the answer; what was asked for and did not strike is said too. */
  get told(): string | undefined {
    if (this.struck) return `${this.struck.scenario.id}; source=${this.struck.source}`;
    return this.#asked && `${this.#asked.scenario.id}; source=header; struck=no`;
  }

  #strike(
    moment: Moment,
    channel: Channel | undefined,
    bodies: readonly Fields[],
    ready = (): void => {},
  ): PendingStrike | undefined {
    const { operation, at: now } = this;
    const context = { operation, channel: channel?.name ?? '', bodies, now, ready };
    const strike = this.scenarios.strike(moment, context, this.#asked);
    if (!strike) return undefined;
    return {
      phase: strike.phase,
      item: strike.item,
      refusal: () => {
        this.struck = strike;
        return this.#refusalOf(strike);
      },
    };
  }

  #refusalOf({ scenario: { id, refusal }, source }: Strike): Refusal {
    const { code, rule, headers } = refusal;
    const words = code === 'transfer-failed' ? { words: transferFailedWords(this.requestId) } : {};
    const detail = `scenario ${id}, asked for by ${source}`;
    return new Refusal(code, rule, { ...words, detail, ...(headers ? { headers } : {}) });
  }
}

function bookingsIn(body: unknown): readonly Fields[] {
  if (Array.isArray(body)) return body;
  const { details } = body as { details?: unknown };
  return Array.isArray(details) ? details : [body as Fields];
}
