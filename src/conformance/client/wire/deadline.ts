import { NotAllowed } from '../outcome.js';
import type { Host } from '../types.js';

/** Milliseconds after the end for evaluating what was received. */
const EVALUATING = 5000;

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

  /** Milliseconds until the end of the run, at least 0. */
  get left(): number {
    if (this.signal?.aborted) return 0;
    if (this.milliseconds <= 0) return Infinity;
    this.#end ??= this.host.now() + this.milliseconds;
    return Math.max(0, this.#end - this.host.now());
  }

  get isOver(): boolean {
    return this.left === 0;
  }

  /** Whether the time for evaluating what was received is over, too. */
  get isLongOver(): boolean {
    return this.#end !== undefined && this.host.now() > this.#end + EVALUATING;
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
