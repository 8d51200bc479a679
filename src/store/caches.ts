import type { BoundedCache } from './bounded-cache.js';

/** A body that is valid while its revision is current and the clock is in [from, until). */
export interface CachedPage {
  readonly body: Uint8Array;
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

/** Larger bodies are not cached, so that the cache stays within a few hundred megabytes. */
const LARGEST_KEPT = 262_144;

/** A body with the parts that it was made from. */
export interface CachedBody {
  readonly parts: readonly unknown[];
  readonly body: Uint8Array;
}

/** The body of these parts; the cached one is reused as long as all parts are identical. */
export function cachedBody(
  kept: BoundedCache<CachedBody>,
  key: string,
  parts: readonly unknown[],
  make: () => Uint8Array,
): Uint8Array {
  const known = kept.get(key);
  if (known && known.parts.length === parts.length && known.parts.every((part, index) => part === parts[index]))
    return known.body;
  const body = make();
  if (body.byteLength <= LARGEST_KEPT) kept.set(key, { parts, body });
  return body;
}
