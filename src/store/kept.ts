/** A bounded map of answers that were worked out once; the oldest goes first. */
export class Kept<T> {
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

/** A body that holds while its revision is current and the clock is in [from, until). */
export interface KeptPage {
  readonly body: Uint8Array;
  readonly revision: number;
  readonly from: number;
  readonly until: number;
}

/** The price records of one course and day as text, with the span in which they hold. */
export interface KeptPrices extends Omit<KeptPage, 'body'> {
  readonly texts: readonly string[];
}

/** The tee times of a sheet as text, each with the free places it was written for (-1: not yet). */
export interface WrittenSheet {
  readonly texts: string[];
  readonly free: Int8Array;
}
