import type { Schedule } from '../../../../src/engine/model/clock.js';
import type { Clock } from '../../../../src/engine/library.js';

/** Who set a timer. A client's deadline passes no time by itself: somebody else must wait for longer. */
type Owner = 'sandbox' | 'sleep' | 'deadline';

interface Timer {
  readonly due: number;
  readonly owner: Owner;
  readonly work: () => void;
}

/** Macrotasks after which a process that only waits for timers has nothing left to do. */
const TURNS = 4;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Time that passes as soon as everybody waits: for a client and the sandbox that it talks to. It is shown by the frozen
 * clock of the sandbox. Nothing really waits, and the order of events is that of real time.
 */
export class VirtualTime {
  readonly #timers = new Set<Timer>();
  #clock: Clock | undefined;
  #elapsed = 0;
  #running = false;
  #busy = 0;

  /** Moves the clock of a sandbox from now on. */
  follow(clock: Clock): void {
    this.#clock = clock;
  }

  readonly schedule: Schedule = (work, delay) => this.#add('sandbox', work, delay);

  readonly sleep = (delay: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const off = this.#add('sleep', resolve, delay);
      signal?.addEventListener('abort', () => {
        off();
        resolve();
      });
    });

  readonly deadline = (delay: number): { readonly signal: AbortSignal; off(): void } => {
    const controller = new AbortController();
    const error = new DOMException(`no answer within ${delay / 1000} s`, 'TimeoutError');
    const off = this.#add('deadline', () => controller.abort(error), delay);
    return { signal: controller.signal, off };
  };

  /** No time passes until the work is done, unless the sandbox itself waits. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work;
    } finally {
      this.#busy -= 1;
    }
  }

  #add(owner: Owner, work: () => void, delay: number): () => void {
    const timer = { due: this.#elapsed + delay, owner, work };
    this.#timers.add(timer);
    if (owner !== 'deadline') void this.#run();
    return () => void this.#timers.delete(timer);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    while (this.#has('sandbox') || this.#has('sleep')) {
      for (let turns = 0; turns < TURNS; turns += 1) await turn();
      if (this.#has('sandbox') || (this.#has('sleep') && this.#busy === 0)) this.#pass();
    }
    this.#running = false;
  }

  #has(owner: Owner): boolean {
    for (const timer of this.#timers) if (timer.owner === owner) return true;
    return false;
  }

  /** Passes the time until the next timer. */
  #pass(): void {
    const [next] = [...this.#timers].sort((a, b) => a.due - b.due);
    const ahead = Math.max(0, next!.due - this.#elapsed);
    this.#elapsed += ahead;
    if (ahead > 0) this.#clock?.advance(ahead);
    // What the clock started may have called it off.
    if (this.#timers.delete(next!)) next!.work();
  }
}
