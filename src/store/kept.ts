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

/** How often a booking changed what a course has free on a day. */
export class Revisions {
  readonly #counts = new Map<string, number>();

  of(courses: readonly { readonly id: number }[], day: number): number {
    let sum = 0;
    for (const { id } of courses) sum += this.#counts.get(`${id} ${day}`) ?? 0;
    return sum;
  }

  touch({ courseId, day }: { readonly courseId: number; readonly day: number }): void {
    const key = `${courseId} ${day}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  clear(): void {
    this.#counts.clear();
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

/** Larger bodies are made anew, so that what is kept stays within some hundred megabytes. */
const LARGEST_KEPT = 262_144;

/** A body with the parts it was put together from. */
export interface KeptWhole {
  readonly parts: readonly unknown[];
  readonly body: Uint8Array;
}

/** The body of these parts: the kept one as long as every part is the one it was made from. */
export function wholeOf(
  kept: Kept<KeptWhole>,
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
