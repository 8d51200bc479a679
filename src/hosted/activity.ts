import type { WorldCounts } from './operator/meter.js';
import type { WorldActivity, WorldStorage } from './world-storage.js';

/** Milliseconds after a request in which its number is written. */
const LATER = 1000;

/** Notes how a world is used: at most one write in a second, and none for a world that rests. */
export class Activity {
  requests = 0;
  lastUsedAt: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  bookings: () => number = () => 0;
  /** What the meter has counted; until there is one, what was stored. */
  counts: () => WorldCounts | undefined = () => undefined;

  constructor(readonly storage: WorldStorage) {}

  /** Goes on where the object was when it left the memory. */
  resume({ requests, lastUsedAt, counts }: WorldActivity): void {
    this.requests = requests;
    this.lastUsedAt = lastUsedAt;
    this.counts = () => counts;
  }

  /** Takes note of a request. */
  touch(now: number): void {
    this.lastUsedAt = now;
    this.#timer ??= setTimeout(() => this.write(), LATER);
  }

  write(): void {
    this.stop();
    this.storage.note(this.now);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get now(): WorldActivity {
    const { requests, lastUsedAt } = this;
    const counts = this.counts();
    return { requests, lastUsedAt, bookings: this.bookings(), ...(counts ? { counts } : {}) };
  }
}
