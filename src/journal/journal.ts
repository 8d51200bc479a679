import type { JournalEntry } from './journal-entry.js';

/** Called twice for each request: on arrival, and when it is answered or cut. */
export type JournalListener = (entry: JournalEntry) => void;

/** Why a journal began: the sandbox was created, or its state was reset or restored. */
export type Beginning = 'start' | 'reset' | 'restore';

/** Follows a journal across resets, until its sandbox ends. */
export interface JournalFollower {
  readonly entry: JournalListener;
  /** The journal has begun anew, and its ids are counted again. */
  readonly begun: () => void;
  /** The sandbox has ended; the follower is removed. */
  readonly ended: (reason: string) => void;
}

/** Maximum number of entries, and of characters of a body; for a longer body only the length is kept. */
const REMEMBERED = 1000;
export const LONGEST_BODY = 65_536;

/** The last requests of a sandbox, in a ring buffer. Nothing is copied or masked until it is read. */
export class Journal {
  readonly #ring: JournalEntry[] = [];
  readonly #listeners = new Set<JournalListener>();
  readonly #followers = new Set<JournalFollower>();
  /** Entries of before that are still open: their ids are given to others now. */
  readonly #former = new WeakSet<JournalEntry>();
  #next = 0;
  #newest: JournalEntry | undefined;
  #ended: string | undefined;
  /** How often it has begun anew, and why the last time. */
  generation = 0;
  beginning: Beginning = 'start';

  arrive(entry: JournalEntry): void {
    this.#ring[this.#next] = entry;
    this.#next = (this.#next + 1) % REMEMBERED;
    this.#newest = entry;
    if (this.#listeners.size > 0) this.#tell(entry);
  }

  complete(entry: JournalEntry): void {
    if (this.#listeners.size > 0 && !this.#former.has(entry)) this.#tell(entry);
  }

  /** The entries, oldest first. */
  get entries(): readonly JournalEntry[] {
    const ring = this.#ring;
    return ring.length < REMEMBERED ? ring : [...ring.slice(this.#next), ...ring.slice(0, this.#next)];
  }

  find(requestId: string): JournalEntry | undefined {
    return this.#ring.find((entry) => entry.requestId === requestId);
  }

  /** The last request that arrived since the journal began; `clear` does not forget it. */
  get newest(): JournalEntry | undefined {
    return this.#newest;
  }

  clear(): void {
    this.#ring.length = 0;
    this.#next = 0;
  }

  /** Begins anew after a reset or restore: requests are counted again. */
  begin(why: Beginning): void {
    for (const entry of this.#ring) if (entry.state === 'open') this.#former.add(entry);
    this.clear();
    this.#newest = undefined;
    this.generation += 1;
    this.beginning = why;
    for (const { begun } of this.#followers) begun();
  }

  /** Ends together with its sandbox. Whoever still waits is told why. */
  end(reason: string): void {
    this.#ended = reason;
    const followers = [...this.#followers];
    this.#followers.clear();
    this.#listeners.clear();
    for (const { ended } of followers) ended(reason);
  }

  /** The number of listeners. */
  get listening(): number {
    return this.#listeners.size;
  }

  /** Adds a follower; the returned function removes it. */
  follow(follower: JournalFollower): () => void {
    if (this.#ended !== undefined) {
      follower.ended(this.#ended);
      return () => {};
    }
    this.#followers.add(follower);
    const unlisten = this.listen(follower.entry);
    return () => {
      unlisten();
      this.#followers.delete(follower);
    };
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }
}
