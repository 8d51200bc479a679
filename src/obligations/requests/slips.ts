import { keepNewest } from '../bounded.js';
import type { Breach, Sight } from '../obligation.js';
import { answerOf, type ClientCall } from '../traffic.js';

interface Slip {
  readonly scope: string;
  readonly breach: Breach;
  times: number;
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
 */
export class Slips {
  readonly #slips = new Map<string, Slip>();
  readonly #rights = new Map<string, number>();

  constructor(readonly sight: Sight) {}

  /** A right request of a kind, such as that with one parameter of an operation. */
  right(scope: string, call: ClientCall): void {
    this.#rights.set(scope, (this.#rights.get(scope) ?? 0) + 1);
    this.sight.met(call);
  }

  /** A wrong one; `mistake` tells different mistakes of this kind apart. */
  wrong(scope: string, mistake: string, call: ClientCall, said: Omit<Breach, 'evidence'>): void {
    const key = `${scope} ${mistake}`;
    const before = this.#slips.get(key);
    const evidence = [...(before?.breach.evidence ?? []), { id: call.id }];
    const breach = { ...said, evidence };
    const times = (before?.times ?? 0) + 1;
    const rights = this.#rights.get(scope) ?? 0;
    const isHabit = times > 1 && (rights < times * RIGHT_FOR_WRONG || times >= MOST_TIMES);
    if (answerOf(call).ok || isHabit) {
      this.#slips.delete(key);
      return this.sight.broken(breach);
    }
    keepNewest(this.#slips, key, { scope, breach, times }, MOST);
  }

  /** At the end of the session. */
  end(): void {
    for (const { scope, breach } of this.#slips.values()) if (!this.#rights.has(scope)) this.sight.broken(breach);
    this.#slips.clear();
  }
}
