import type { TeeSheet } from '../model/tee-sheet.js';

/** Bytes that are held, estimated from above. */
interface Held {
  bytes: number;
}

/** What an entry holds besides its key and its value. */
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

/** A whole response body: text, or its bytes. */
export type CachedText = string | Uint8Array;

/** A body that is valid while its revision is current and the clock is in [from, until). */
interface CachedPage {
  readonly body: CachedText;
  readonly revision: number;
  readonly from: number;
  readonly until: number;
}

/** The price records of one course and day as text, with the span in which they are valid. */
export interface CachedPrices extends Omit<CachedPage, 'body'> {
  readonly texts: readonly string[];
}

/** The tee times of a sheet as text, each with the free slots in it (-1: not written yet). */
export interface WrittenSheet {
  readonly texts: string[];
  readonly free: Int8Array;
}

/** What a tee time holds, as an object and as text. */
const TEE_TIME_BYTES = 500;
const WRITTEN_BYTES = 1000;

function textBytes(body: CachedText): number {
  return typeof body === 'string' ? 2 * body.length : body.length;
}

/** Bytes of a cached response. */
function bodyBytes({ body, parts = [] }: { readonly body: CachedText; readonly parts?: readonly unknown[] }): number {
  return textBytes(body) + 8 * parts.length;
}

/** Bytes of the prices of a day. */
function priceBytes({ texts }: CachedPrices): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function sheetBytes({ teeTimes }: TeeSheet): number {
  return teeTimes.length * TEE_TIME_BYTES;
}

/** Bytes of the texts of a sheet, counted as if all were written: they are added one by one. */
function writtenBytes({ free }: WrittenSheet): number {
  return free.length * WRITTEN_BYTES;
}

/** Larger bodies are not cached, so that the cache stays within a few hundred megabytes. */
const LARGEST_KEPT = 262_144;

export class StoreCaches extends Caches {
  /** Responses of the catalogue, which never change. */
  readonly kept = this.create<CachedText>(2000, textBytes);
  readonly pages = this.create<CachedPage>(400, bodyBytes);
  readonly writtenSheets = this.create<WrittenSheet>(400, writtenBytes);
  /** Price pages and booking lists, each with the days it consists of. */
  readonly wholes = this.create<CachedBody>(400, bodyBytes);
  readonly priceDays = this.create<CachedPrices>(4000, priceBytes);
  readonly sheets = this.create<TeeSheet>(1000, sheetBytes);

  /** Drops what depends on bookings or the dialect. */
  forgetAnswers(): void {
    for (const cache of [this.kept, this.pages, this.writtenSheets, this.priceDays, this.wholes]) cache.clear();
  }
}

/** A body with the parts that it was made from. */
interface CachedBody {
  readonly parts: readonly unknown[];
  readonly body: CachedText;
}

/** The body of these parts; the cached one is reused as long as all parts are identical. */
export function cachedBody(
  kept: BoundedCache<CachedBody>,
  key: string,
  parts: readonly unknown[],
  make: () => CachedText,
): CachedText {
  const known = kept.get(key);
  if (known && known.parts.length === parts.length && known.parts.every((part, index) => part === parts[index]))
    return known.body;
  const body = make();
  if (body.length <= LARGEST_KEPT) kept.set(key, { parts, body });
  return body;
}
