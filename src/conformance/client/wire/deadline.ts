import { NotAllowed } from '../outcome.js';
import type { Host } from '../types.js';

/**
 * What is kept of the time limit for evaluating what was received, and for writing the reports: the share of a short limit, and
 * the most milliseconds.
 */
const [EVALUATING, WRITING] = [
  { share: 0.25, most: 5000 },
  { share: 0.25, most: 5000 },
];

/** The end of a whole run: its time limit, which starts with the first question about it, or an interruption. */
export class Deadline {
  #end: number | undefined;
  readonly #interruption: Promise<void> | undefined;

  /**
   * @param milliseconds 0 is no limit.
   * @param signal Interrupts the run.
   */
  constructor(
    readonly milliseconds: number,
    readonly host: Pick<Host, 'now' | 'sleep'>,
    readonly signal?: AbortSignal,
  ) {
    if (!signal) return;
    this.#interruption = new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Milliseconds until nothing more is asked, at least 0. */
  get left(): number {
    return this.signal?.aborted ? 0 : this.#leftOf(EVALUATING, WRITING);
  }

  /** Milliseconds until nothing more is evaluated, at least 0. A request that changes something may take so long. */
  get leftInAll(): number {
    return this.#leftOf(WRITING);
  }

  #leftOf(...kept: readonly (typeof EVALUATING)[]): number {
    if (this.milliseconds <= 0) return Infinity;
    this.#end ??= this.host.now() + this.milliseconds;
    const rest = kept.reduce((sum, { share, most }) => sum + Math.min(most, this.milliseconds * share), 0);
    return Math.max(0, this.#end - rest - this.host.now());
  }

  get isOver(): boolean {
    return this.left === 0;
  }

  /** Whether the time for evaluating what was received is over, too. */
  get isLongOver(): boolean {
    return this.leftInAll === 0;
  }

  /** The error, and the reason in a report, for what the run has no time left for. */
  get error(): NotAllowed {
    if (this.signal?.aborted) return new NotAllowed('interrupted', 'a run that is not interrupted');
    return new NotAllowed('deadline', `more time than ${this.milliseconds / 1000} s (--deadline)`);
  }

  /** Sleeps as the host does, and no longer than the run lasts. */
  readonly sleep: Host['sleep'] = (milliseconds, signal) => {
    const slept = this.host.sleep(Math.min(milliseconds, this.left), signal);
    return this.#interruption ? Promise.race([slept, this.#interruption]) : slept;
  };

  /** @throws {NotAllowed} after the end of the run. */
  readonly ready = (): void => {
    if (this.isOver) throw this.error;
  };
}
