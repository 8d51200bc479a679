import type { ReadAhead } from '../client/wire/read-ahead.js';
import type { RuleSpec } from '../rules/rule.js';
import { nothingYet, type Run } from '../client/session.js';
import { foretell } from './evaluate.js';

/** Milliseconds from which an answer is worth being asked for ahead of time, and so many answers in a row must take them. */
const [WORTHWHILE, IN_A_ROW] = [20, 3];
/** Rules at a time for each request at a time: some of them wait for what another one reads. */
const RULES_FOR_EACH = 2;

/**
 * Foresees what a run will read, so that several reads are under way at a time. It runs rules and reads for relations as the
 * run does, with a memory of its own, and forgets what they find.
 */
export class Scout {
  readonly #ahead: ReadAhead;
  readonly #run: Run;
  #isStarted = false;

  constructor(
    readonly of: Run,
    readonly width: number,
  ) {
    this.#ahead = of.transport.readAhead(width);
    this.#run = {
      ...of,
      transport: of.transport.scout(),
      // What the run draws must not depend on the scout.
      host: { ...of.host, random: () => 0.5 },
      receiver: undefined,
      onExchange: () => {},
      ...nothingYet(),
      width,
    };
  }

  /** Starts to foresee what some rules read, as soon as the deployment takes its time. They change nothing. */
  foresee(rules: readonly RuleSpec[]): void {
    if (this.#isStarted || !this.#isWorthwhile) return;
    this.#isStarted = true;
    const left = [...rules];
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next && this.#ahead.isOpen; next = left.shift()) await foretell(next, this.#run);
    };
    this.#open();
    for (let count = 0; count < this.width * RULES_FOR_EACH; count += 1) void lane();
  }

  /** Starts to foresee what is read for relations. */
  foreseeReads(read: (run: Run) => Promise<void>): void {
    if (!this.#isWorthwhile) return;
    this.#open();
    void read(this.#run).catch(() => {});
  }

  stop(): void {
    this.#ahead.stop();
  }

  #open(): void {
    this.#run.transport.clock = this.of.transport.clock;
    this.#ahead.open();
  }

  get #isWorthwhile(): boolean {
    const latest = this.of.transport.replies.slice(-IN_A_ROW);
    return latest.length > 0 && latest.every(({ durationMs }) => durationMs >= WORTHWHILE);
  }
}
