import type { Host } from '../types.js';
import type { Deadline } from './deadline.js';

/** Milliseconds between requests that the first sign of overload asks for, and the most. */
const [FIRST_GAP, LONGEST_GAP] = [50, 2000];
/** What remains of such a gap after an answer. */
const EASE = 0.95;
/** A gap this short makes no difference. */
const SHORTEST_GAP = 10;

/** The pace of a run: at most that of `--rps`, and slower for a while when the deployment cannot keep up. */
export class Pace {
  readonly #usual: number;
  #extra = 0;
  #free = 0;

  /** @param rps The most requests per second; 0 is no limit. */
  constructor(
    rps: number,
    readonly host: Pick<Host, 'now'>,
    readonly deadline: Deadline,
  ) {
    this.#usual = rps > 0 ? 1000 / rps : 0;
  }

  /** Waits for the turn of the next request. */
  async turn(): Promise<void> {
    const now = this.host.now();
    const at = Math.max(now, this.#free);
    this.#free = at + Math.max(this.#usual, this.#extra);
    if (at > now) await this.deadline.sleep(at - now);
  }

  /** The deployment limits the rate: requests are sent less often, until it keeps up again. */
  slower(): void {
    this.#extra = Math.min(LONGEST_GAP, Math.max(FIRST_GAP, this.#extra * 2));
  }

  /** No request is sent for so many milliseconds. */
  pause(milliseconds: number): void {
    this.#free = Math.max(this.#free, this.host.now() + milliseconds);
  }

  /** The deployment answers. */
  faster(): void {
    this.#extra = this.#extra * EASE < SHORTEST_GAP ? 0 : this.#extra * EASE;
  }
}
