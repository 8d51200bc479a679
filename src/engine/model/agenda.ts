import type { Clock, Schedule } from './clock.js';

/** Work that is due at an instant of a sandbox's clock. */
export interface Work {
  /** Epoch milliseconds. */
  readonly due: number;
  /** Its place among the work of the same instant. */
  readonly order: number;
  /** Milliseconds of real time after which it runs even if the clock is frozen. */
  readonly within?: number;
  /** Runs the work; `at` is its own instant, which the clock may have passed. */
  run(at: number): Promise<void>;
}

/** Work on the agenda. */
export interface Appointment {
  /** Runs the work now. */
  start(): void;
  cancel(): void;
}

/** A move of the clock: to an instant, or forward by milliseconds. */
export type ClockStep = { readonly set: number } | { readonly advance: number };

/** The longest delay of a timer in browsers and Node. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * The work that waits for a sandbox's clock. A running clock starts it by timers. A move of the clock runs everything
 * that falls due, one instant after the other, including what that work adds within the move. The work of one instant is
 * started in order, and runs together.
 */
export class Agenda<T extends Work = Work> {
  readonly #entries = new Map<T, () => void>();
  readonly #busy = new Set<Promise<void>>();
  #moves: Promise<unknown> = Promise.resolve();
  #catchingUp = false;
  #closed = false;

  constructor(
    readonly clock: Clock,
    readonly schedule: Schedule,
  ) {}

  /** The work that has not begun, in no order. */
  get waiting(): Iterable<T> {
    return this.#entries.keys();
  }

  add(work: T): Appointment {
    this.#entries.set(work, this.#timerOf(work));
    if (work.due <= this.clock.now() && work.within === undefined) this.catchUp();
    return {
      start: () => {
        if (this.#entries.has(work)) void this.#start(work, this.clock.now());
      },
      cancel: () => this.#remove(work),
    };
  }

  /** Runs what is due after the clock was moved, frozen or resumed. */
  catchUp(): void {
    for (const [work, cancel] of this.#entries) {
      if (work.within !== undefined) continue;
      cancel();
      this.#entries.set(work, this.#timerOf(work));
    }
    if (!this.#catchingUp) void this.#runDue();
  }

  /**
   * Moves the clock, and stops at each instant at which work is due. It waits for work that is under way, because its
   * outcome decides what falls due next.
   *
   * @returns the work that ran, in order; undefined if the agenda was closed in the meantime.
   */
  move(step: ClockStep): Promise<readonly T[] | undefined> {
    const turn = this.#moves.then(() => this.#move(step));
    this.#moves = turn.catch(() => {});
    return turn;
  }

  /** Resolves when no work is under way. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy);
  }

  /** Drops everything, for a reset. */
  close(): void {
    this.#closed = true;
    for (const work of this.#entries.keys()) this.#remove(work);
  }

  async #move(step: ClockStep): Promise<readonly T[] | undefined> {
    const { clock } = this;
    const target = 'set' in step ? step.set : clock.now() + step.advance;
    let left = 'set' in step ? 0 : step.advance;
    const ran: T[] = [];
    await this.idle();
    for (let next = this.#nextBy(target); next.length > 0; next = this.#nextBy(Math.max(target, clock.now()))) {
      const ahead = next[0]!.due - clock.now();
      if (ahead > 0) clock.advance(ahead);
      left -= Math.max(0, ahead);
      ran.push(...next);
      await this.#startAll(next);
    }
    if (this.#closed) return undefined;
    if ('set' in step) clock.set(target);
    else clock.advance(Math.max(0, left));
    this.catchUp();
    return ran;
  }

  async #runDue(): Promise<void> {
    this.#catchingUp = true;
    for (let next = this.#nextBy(this.clock.now()); next.length > 0; next = this.#nextBy(this.clock.now())) {
      await this.#startAll(next);
    }
    // In the same step as the last look, so that no work is added in between.
    this.#catchingUp = false;
  }

  /** The work of the first instant at which some is due, if that is not after another one. */
  #nextBy(until: number): T[] {
    let first: T[] = [];
    for (const work of this.#entries.keys()) {
      if (work.due > until) continue;
      if (first[0] === undefined || work.due < first[0].due) first = [work];
      else if (work.due === first[0].due) first.push(work);
    }
    return first.sort((a, b) => a.order - b.order);
  }

  async #startAll(works: readonly T[]): Promise<void> {
    await Promise.all(works.map((work) => this.#start(work, work.due)));
  }

  async #start(work: T, at: number): Promise<void> {
    this.#remove(work);
    const running = work.run(at);
    this.#busy.add(running);
    await running.finally(() => this.#busy.delete(running));
  }

  #remove(work: T): void {
    this.#entries.get(work)?.();
    this.#entries.delete(work);
  }

  /** Starts the timer of some work, and returns what cancels it. */
  #timerOf(work: T): () => void {
    const { clock, schedule } = this;
    if (work.within === undefined && clock.mode === 'standing') return () => {};
    const delay = work.within ?? Math.max(0, work.due - clock.now());
    return schedule(
      () => {
        if (delay > LONGEST_TIMER) this.#entries.set(work, this.#timerOf(work));
        else void this.#start(work, clock.now());
      },
      Math.min(delay, LONGEST_TIMER),
    );
  }
}
