/** A map of a limited size: the oldest entry is evicted first. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, T>();

  constructor(readonly limit: number) {}

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): T {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.limit) this.#entries.delete(this.#entries.keys().next().value!);
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }
}
