/** Bytes that are held, estimated from above. */
export interface Held {
  bytes: number;
}

/** What an entry holds beside its key and its value. */
const ENTRY_BYTES = 100;

/** A map of a limited size: the oldest entry is evicted first. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, T>();

  /**
   * @param weigh The bytes of a value, the same as long as it is here.
   * @param held Counts the bytes of this cache and others.
   */
  constructor(
    readonly limit: number,
    readonly weigh: (value: T) => number,
    readonly held: Held,
  ) {}

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): T {
    this.#delete(key);
    this.#entries.set(key, value);
    this.held.bytes += this.#bytesOf(key, value);
    if (this.#entries.size > this.limit) this.#delete(this.#entries.keys().next().value!);
    return value;
  }

  clear(): void {
    for (const [key, value] of this.#entries) this.held.bytes -= this.#bytesOf(key, value);
    this.#entries.clear();
  }

  #delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.held.bytes -= this.#bytesOf(key, value);
  }

  #bytesOf(key: string, value: T): number {
    return ENTRY_BYTES + 2 * key.length + this.weigh(value);
  }
}

/** Caches that are counted and cleared together. */
export class Caches implements Held {
  bytes = 0;
  readonly #all: { clear(): void }[] = [];

  create<T>(limit: number, weigh: (value: T) => number): BoundedCache<T> {
    const cache = new BoundedCache(limit, weigh, this);
    this.#all.push(cache);
    return cache;
  }

  clear(): void {
    for (const cache of this.#all) cache.clear();
  }
}
