import { signal } from '@preact/signals';
import type { AdminType } from './api.js';

export type RequestRow = AdminType<'RequestSummary'>;

/** Whether a request did not get what it asked for. */
export function hasFailed({ state, status }: Pick<RequestRow, 'state' | 'status'>): boolean {
  return state === 'cut' || status >= 400;
}

/** The most requests that a page remembers; the sandbox itself remembers fewer. */
export const KEPT_REQUESTS = 10_000;
/** How many are dropped together, so that it happens rarely. */
const DROPPED = 500;
/** New requests are shown together, so that a load test does not draw the page for each of them. */
const FLUSH_MS = 60;

/** The requests that a page has seen, oldest first. Its size is bounded. */
export class RequestLog {
  /** Changes whenever the rows do. */
  readonly version = signal(0);
  #rows: RequestRow[] = [];
  /** Places by id, counted from the first row that there ever was. */
  #places = new Map<string, number>();
  #gone = 0;
  #pending: RequestRow[] = [];
  /** When the page first heard of a request, in milliseconds. */
  readonly #heard = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly now: () => number = () => performance.now()) {}

  get rows(): readonly RequestRow[] {
    return this.#rows;
  }

  find(id: string): RequestRow | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#rows[place - this.#gone];
  }

  /** Takes a new state of a request, soon. */
  take(row: RequestRow): void {
    if (!this.#heard.has(row.id) && !this.#places.has(row.id)) this.#heard.set(row.id, this.now());
    this.#pending.push(row);
    if (this.#pending.length >= DROPPED) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** Milliseconds from the request before to this one, on the clock of the page; unknown if it was not there for both. */
  sinceLast(id: string): number | undefined {
    const place = this.#places.get(id);
    const former = place === undefined ? undefined : this.#rows[place - this.#gone - 1];
    const [now, before] = [this.#heard.get(id), former && this.#heard.get(former.id)];
    return now === undefined || before === undefined ? undefined : now - before;
  }

  /** Starts anew with a list; what has been taken meanwhile stays. */
  replace(rows: readonly RequestRow[]): void {
    const meanwhile = this.#pending;
    this.clear();
    this.#pending = [...rows, ...meanwhile];
    this.flush();
  }

  clear(): void {
    this.#stopTimer();
    this.#rows = [];
    this.#pending = [];
    this.#places.clear();
    this.#heard.clear();
    this.#gone = 0;
    this.version.value += 1;
  }

  /** Shows what has been taken. */
  flush(): void {
    this.#stopTimer();
    for (const row of this.#pending) this.#put(row);
    this.#pending = [];
    if (this.#rows.length > KEPT_REQUESTS) this.#drop(this.#rows.length - KEPT_REQUESTS + DROPPED);
    this.version.value += 1;
  }

  #put(row: RequestRow): void {
    const place = this.#places.get(row.id);
    if (place !== undefined) {
      // A list may be older than an event that came before it.
      const known = this.#rows[place - this.#gone]!;
      if (row.state !== 'open' || known.state === 'open') this.#rows[place - this.#gone] = row;
      return;
    }
    this.#places.set(row.id, this.#gone + this.#rows.length);
    this.#rows.push(row);
  }

  #drop(count: number): void {
    for (const { id } of this.#rows.splice(0, count)) {
      this.#places.delete(id);
      this.#heard.delete(id);
    }
    this.#gone += count;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
