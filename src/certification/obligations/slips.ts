import { keepNewest } from './bounded.js';
import type { Breach, Exhibit, Sight } from './obligation.js';
import { isCreation } from './operations.js';
import { answerOf, type ClientCall } from './traffic.js';

/** A breach; without evidence, the call itself shows it. */
type Mistake = Omit<Breach, 'evidence'> & Partial<Pick<Breach, 'evidence'>>;

interface Slip {
  readonly scope: string;
  readonly breach: Breach;
  readonly times: number;
  readonly turn: number;
}

/** Different mistakes that are remembered. */
const MOST = 200;
/** Right requests for each wrong one by which a repeated mistake is taken for a test of the client's own error handling. */
const RIGHT_FOR_WRONG = 3;
const MOST_TIMES = 10;

/**
 * Tells the mistakes of a client from the tests of its own error handling: those send a wrong request on purpose, it is
 * refused, and the client sends right ones of its kind too. A mistake that is accepted, or repeated, or that is all the
 * client ever sends of its kind, is a breach.
 *
 * Tests build on one another: after a booking that the service failed, the next one may pay `undefined`. A refused mistake
 * after such a failure is none, since a habit shows where nothing goes wrong too.
 */
export class Slips {
  readonly #slips = new Map<string, Slip>();
  #troubleAt = Infinity;

  constructor(readonly sight: Sight) {}

  /** To be told of every call. */
  heard(call: ClientCall): void {
    if (isTrouble(call)) this.#troubleAt = Math.min(this.#troubleAt, call.turn);
  }

  /** A right request of a kind, such as that with one parameter of an operation. */
  right(scope: string, ...evidence: readonly Exhibit[]): void {
    countRight(this.sight, scope);
    this.sight.met(...evidence);
  }

  /** A wrong one; `mistake` tells different mistakes of this kind apart. */
  wrong(scope: string, mistake: string, call: ClientCall, said: Mistake): void {
    const key = `${scope} ${mistake}`;
    const before = this.#slips.get(key);
    const evidence = [...(before?.breach.evidence ?? []), ...(said.evidence ?? [{ id: call.id }])];
    const breach = { ...said, evidence, rights: () => this.sight.rights.get(scope) ?? 0 };
    const times = (before?.times ?? 0) + 1;
    const rights = this.sight.rights.get(scope) ?? 0;
    const isHabit = times > 1 && (rights < times * RIGHT_FOR_WRONG || times >= MOST_TIMES);
    if (answerOf(call).ok || isHabit) {
      this.#slips.delete(key);
      return this.sight.broken(breach);
    }
    keepNewest(this.#slips, key, { scope, breach, times, turn: call.turn }, MOST);
  }

  /** At the end of the session. */
  end(): void {
    for (const { scope, breach, turn } of this.#slips.values()) {
      if (this.sight.rights.has(scope)) this.sight.mistaken(breach);
      else if (turn <= this.#troubleAt) this.sight.broken(breach);
    }
    this.#slips.clear();
  }
}

/** Counts a right request of a kind. */
export function countRight({ rights }: Sight, scope: string): void {
  rights.set(scope, (rights.get(scope) ?? 0) + 1);
}

/** Whether the service failed a call, rather than the client. */
export function isTrouble(call: ClientCall): boolean {
  const { status, struck } = call;
  const isBusy = status === 0 || status === 429 || status >= 500;
  return isBusy || struck !== undefined || (isCreation(call) && !answerOf(call).ok);
}
