import { keepNewest } from './bounded.js';
import type { Breach, Exhibit, Sight, Watcher } from './obligation.js';
import { isCreation } from './operations.js';
import { answerOf, type ClientCall, type SessionFacts } from './traffic.js';

/** A violation; without evidence, the call itself shows it. */
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
 * refused, and the client sends correct ones of its kind too. A mistake that is accepted, or repeated, or that is all the
 * client ever sends of its kind, is a violation.
 *
 * Tests depend on one another: after a booking that the service failed, the next one may pay `undefined`. A refused mistake
 * after such a failure does not count, since a client that always makes it also makes it when nothing goes wrong.
 */
export class Slips {
  readonly #slips = new Map<string, Slip>();
  #troubleAt = Infinity;

  constructor(readonly sight: Sight) {}

  /** Whether the service has failed a call before, of which another one may want the answer. */
  get hasTrouble(): boolean {
    return this.#troubleAt < Infinity;
  }

  /** To be told of every call. */
  heard(call: ClientCall): void {
    if (isTrouble(call)) this.#troubleAt = Math.min(this.#troubleAt, call.turn);
  }

  /** A correct request of a kind, such as one with a certain parameter. Requests that are wrong on purpose do not count. */
  right(scope: string, ...evidence: readonly (Exhibit & Pick<ClientCall, 'isDeliberate'>)[]): void {
    if (evidence.some(({ isDeliberate }) => isDeliberate)) return;
    count(this.sight, scope);
    this.sight.met(...evidence);
  }

  /** A wrong one; `mistake` tells different mistakes of this kind apart. */
  wrong(scope: string, mistake: string, call: ClientCall, said: Mistake): void {
    if (call.isDeliberate) return;
    const key = `${scope} ${mistake}`;
    const before = this.#slips.get(key);
    const evidence = [...(before?.breach.evidence ?? []), ...(said.evidence ?? [{ id: call.id }])];
    const breach = { ...said, evidence, rights: () => this.sight.counts.get(scope) ?? 0 };
    const times = (before?.times ?? 0) + 1;
    const rights = this.sight.counts.get(scope) ?? 0;
    const isHabit = times > 1 && (rights < times * RIGHT_FOR_WRONG || times >= MOST_TIMES);
    if (answerOf(call).ok || isHabit) {
      this.#slips.delete(key);
      return this.sight.broken(breach);
    }
    keepNewest(this.#slips, key, { scope, breach, times, turn: call.turn }, MOST);
  }

  /**
   * At the end of the session. A request that needs nothing from another one is wrong on the happy path whatever has failed
   * before it.
   */
  end({ isHappy = false }: SessionFacts = {}): void {
    for (const { scope, breach, turn } of this.#slips.values()) {
      if (this.sight.counts.has(scope)) this.sight.mistaken(breach);
      else if (isHappy || turn <= this.#troubleAt) this.sight.broken(breach);
    }
    this.#slips.clear();
  }
}

/** A watcher of calls whose mistakes may be tests of the client's own error handling. */
export function watchSlips(sight: Sight, watch: (slips: Slips, call: ClientCall) => void): Watcher {
  const slips = new Slips(sight);
  return {
    call(call) {
      slips.heard(call);
      watch(slips, call);
    },
    end: (facts) => slips.end(facts),
  };
}

/** Counts something that a client does, in all worlds together; returns how often it has done it. */
export function count({ counts }: Sight, what: string): number {
  const times = (counts.get(what) ?? 0) + 1;
  counts.set(what, times);
  return times;
}

/** What a client sends in place of a value that it does not have. */
export function isNoValue(text: string): boolean {
  return /^(undefined|null|none|nil|nan|\[object object\]|)$/i.test(text);
}

/** Whether the service failed a call, rather than the client. */
export function isTrouble(call: ClientCall): boolean {
  const { status, struck } = call;
  const isBusy = status === 0 || status === 429 || status >= 500;
  return isBusy || struck !== undefined || (isCreation(call) && !answerOf(call).ok);
}
