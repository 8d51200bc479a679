import type { Change } from '../../engine/index.js';
import { checkedLine } from './line-check.js';

/** Changes that go to the file together, as one line: after a kill, all of them are there or none. */
export class Batch {
  #records: string[] = [];
  #characters = 0;
  /** Changes that are worth telling: no counters. */
  changes = 0;
  bookings = 0;
  /** Epoch milliseconds of the first change. */
  since: number | undefined;
  #promise: Promise<void> | undefined;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  get characters(): number {
    return this.#characters;
  }

  get line(): string {
    return checkedLine(this.#records);
  }

  /** The state has them too, so that a snapshot is as good as a line. */
  add(change: Change): void {
    // A whole state is never written as a line.
    const record = change.kind === 'state' ? '' : JSON.stringify(change);
    this.#records.push(record);
    this.#characters += record.length;
    if (change.kind === 'requests' || change.kind === 'counts') return;
    this.changes += 1;
    this.since ??= Date.now();
    if (change.kind === 'booked') this.bookings += change.bookings.length;
  }

  /** Puts the changes that were taken since then behind these. */
  follow(later: Batch): void {
    this.#records = this.#records.concat(later.#records);
    this.#characters += later.#characters;
    this.changes += later.changes;
    this.bookings += later.bookings;
    this.since ??= later.since;
  }

  /** Forgets the text, which only a new snapshot can replace. */
  forget(): void {
    this.#records = [''];
    this.#characters = 0;
  }

  /** Resolves when they are kept. */
  kept(): Promise<void> {
    if (!this.#promise) {
      this.#promise = new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
      });
      this.#promise.catch(() => {});
    }
    return this.#promise;
  }

  done(): void {
    this.#resolve();
  }

  /** Whoever waits gets the error; later ones do not get it again. */
  refuse(error: Error): void {
    this.#reject(error);
    this.#promise = undefined;
  }
}
