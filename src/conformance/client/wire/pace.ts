import type { Host } from '../types.js';
import type { Deadline } from './deadline.js';

/** Milliseconds between requests that the first sign of overload asks for, and the most. */
const [FIRST_GAP, LONGEST_GAP] = [50, 2000];
/** What remains of such a gap after an answer. */
const EASE = 0.95;
/** A gap this short makes no difference. */
const SHORTEST_GAP = 10;
/** Refusals, with answers between them, over which the pace of a deployment is measured. */
const SPAN = 4;
/** How much longer than the measured one a gap gets. */
const MARGIN = 1.25;
/** Answers without a refusal after which the deployment may permit more than was measured. */
const STEADY = 100;

/** Milliseconds before the second attempt; each further pause is twice as long. */
const FIRST_BACKOFF = 250;
/** The longest pause that the run makes for a deployment that asks for one, in milliseconds. */
export const LONGEST_PAUSE = 60_000;

/** The pause after an attempt that failed, in milliseconds, where the deployment asks for none. */
export function backoffOf(attempt: number): number {
  return FIRST_BACKOFF * 2 ** (attempt - 1);
}

/** How a deployment has slowed a run down. */
export interface Slowdown {
  /** For how long no request was sent, beyond the pace of the run. */
  readonly milliseconds: number;
  /** Pauses after an answer 429. */
  readonly limited: number;
  /** Pauses after a lost connection, or an answer of a service that is away. */
  readonly failed: number;
}

/** The pace of a run: at most that of `--rps`, and slower for a while when the deployment cannot keep up. */
export class Pace {
  readonly #usual: number;
  #extra = 0;
  #free = 0;
  /** Answers since the last refusal. */
  #answered = 0;
  /** The last refusals that had answers before them. */
  #refusals: readonly { readonly at: number; readonly answered: number }[] = [];
  /** The fewest milliseconds between two answers, over several refusals: the deployment permits so much. */
  #enough = Infinity;
  /** The end of the last wait. */
  #waitedUntil = 0;
  #slowdown = { milliseconds: 0, limited: 0, failed: 0 };

  /** @param rps The most requests per second; 0 is no limit. */
  constructor(
    rps: number,
    readonly host: Pick<Host, 'now'>,
    readonly deadline: Deadline,
  ) {
    this.#usual = rps > 0 ? 1000 / rps : 0;
  }

  get slowdown(): Slowdown {
    return this.#slowdown;
  }

  /** Waits for the turn of the next request. */
  async turn(): Promise<void> {
    const now = this.host.now();
    const at = Math.max(now, this.#free);
    this.#free = at + Math.max(this.#usual, this.#extra);
    if (at <= now) return;
    // Several may wait at the same time.
    this.#slowdown.milliseconds += Math.max(0, at - Math.max(now, this.#waitedUntil) - this.#usual);
    this.#waitedUntil = at;
    await this.deadline.sleep(at - now);
  }

  /**
   * The deployment limits the rate: requests are sent less often, until it keeps up again. A gap much longer than what was
   * enough before is no help: some deployments refuse a share of the requests at any pace.
   */
  slower(): void {
    this.#measure();
    const gap = Math.max(FIRST_GAP, this.#extra * 2);
    this.#extra = Math.min(LONGEST_GAP, gap, Math.max(FIRST_GAP, this.#enough * MARGIN));
  }

  #measure(): void {
    if (this.#answered === 0 && this.#refusals.length > 0) return;
    const at = this.host.now();
    this.#refusals = [...this.#refusals, { at, answered: this.#answered }].slice(-SPAN);
    this.#answered = 0;
    if (this.#refusals.length < SPAN) return;
    const [first, ...others] = this.#refusals;
    const answered = others.reduce((sum, one) => sum + one.answered, 0);
    this.#enough = Math.min(this.#enough, (at - first!.at) / answered);
  }

  /** No request is sent for so many milliseconds. */
  pause(milliseconds: number, why: 'limited' | 'failed'): void {
    this.#slowdown[why] += 1;
    this.#free = Math.max(this.#free, this.host.now() + milliseconds);
  }

  /** The deployment answers. */
  faster(): void {
    this.#answered += 1;
    if (this.#answered > STEADY) [this.#refusals, this.#enough] = [[], Infinity];
    const least = this.#enough === Infinity ? 0 : Math.min(this.#enough, this.#extra);
    const gap = Math.max(least, this.#extra * EASE);
    this.#extra = gap < SHORTEST_GAP ? 0 : gap;
  }
}
