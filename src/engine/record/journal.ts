import type { JournalEntry, OpenEntry } from './journal-entry.js';
import { Ring } from './ring.js';

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

/** Maximum number of event streams, and of waiting verifications. */
const MOST_PLACES = 100;
const words = { streams: 'event streams are open', waiters: 'verifications wait' };

/** Thrown if too many follow the journal, or wait for requests. */
export class Crowded extends Error {
  override readonly name = 'Crowded';
}

/** The last requests of a sandbox, in a ring buffer. Nothing is copied or masked until it is read. */
export class Journal {
  readonly #ring = new Ring();
  readonly #listeners = new Set<JournalListener>();
  readonly #followers = new Set<JournalFollower>();
  /** Entries of before that are still open: their ids are given to others now. */
  readonly #former = new WeakSet<JournalEntry>();
  #newest: JournalEntry | undefined;
  #ended: string | undefined;
  /** How often it has begun anew, and why the last time. */
  generation = 0;
  beginning: Beginning = 'start';

  arrive(entry: OpenEntry): void {
    this.#ring.add(entry);
    this.#newest = entry;
    if (this.#listeners.size > 0) this.#tell(entry);
  }

  complete(entry: JournalEntry): void {
    if (this.#listeners.size > 0 && !this.#former.has(entry)) this.#tell(entry);
  }

  /** The entries, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#ring.all;
  }

  /** Bytes that the entries hold, estimated from above. */
  get bytes(): number {
    return this.#ring.bytes;
  }

  /** Keeps the text of a request body, unless it is too long. */
  keepRequest(entry: OpenEntry, text: string): void {
    this.#ring.keepRequest(entry, text);
  }

  /** Keeps a response body, unless it is too long. */
  keepResponse(entry: OpenEntry, body: string | Uint8Array): void {
    this.#ring.keepResponse(entry, body);
  }

  /** Drops all bodies. */
  dropBodies(): void {
    this.#ring.shed(0);
  }

  find(requestId: string): JournalEntry | undefined {
    return this.#ring.all.find((entry) => entry.requestId === requestId);
  }

  /** The last request that arrived since the journal began; `clear` does not forget it. */
  get newest(): JournalEntry | undefined {
    return this.#newest;
  }

  clear(): void {
    this.#ring.clear();
  }

  /** Begins anew after a reset or restore: requests are counted again. */
  begin(why: Beginning): void {
    for (const entry of this.#ring.all) if (entry.state === 'open') this.#former.add(entry);
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

  /** How many follow the journal, and how many wait for requests in it. */
  readonly places = { streams: 0, waiters: 0 };

  /**
   * Takes a place; the returned function gives it up.
   *
   * @throws {Crowded} if there is none.
   */
  take(kind: keyof Journal['places']): () => void {
    const { places } = this;
    if (places[kind] >= MOST_PLACES) throw new Crowded(`${MOST_PLACES} ${words[kind]} already.`);
    places[kind] += 1;
    let left = false;
    return () => {
      if (!left) places[kind] -= 1;
      left = true;
    };
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
