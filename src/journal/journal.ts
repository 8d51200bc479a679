import type { JournalEntry } from './journal-entry.js';

/** Called twice for each request: on arrival, and when it is answered or cut. */
export type JournalListener = (entry: JournalEntry) => void;

/** Maximum number of entries, and of characters of a body; for a longer body only the length is kept. */
const REMEMBERED = 1000;
export const LONGEST_BODY = 65_536;

/** The last requests of a sandbox, in a ring buffer. Nothing is copied or masked until it is read. */
export class Journal {
  readonly #ring: JournalEntry[] = [];
  readonly #listeners = new Set<JournalListener>();
  #next = 0;

  arrive(entry: JournalEntry): void {
    this.#ring[this.#next] = entry;
    this.#next = (this.#next + 1) % REMEMBERED;
    if (this.#listeners.size > 0) this.#tell(entry);
  }

  complete(entry: JournalEntry): void {
    if (this.#listeners.size > 0) this.#tell(entry);
  }

  /** The entries, oldest first. */
  get entries(): readonly JournalEntry[] {
    const ring = this.#ring;
    return ring.length < REMEMBERED ? ring : [...ring.slice(this.#next), ...ring.slice(0, this.#next)];
  }

  find(requestId: string): JournalEntry | undefined {
    return this.#ring.find((entry) => entry.requestId === requestId);
  }

  clear(): void {
    this.#ring.length = 0;
    this.#next = 0;
  }

  /** The number of listeners. */
  get listening(): number {
    return this.#listeners.size;
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
