// Apart from `verify.ts`, which is loaded on demand: a page needs only this class of it.
/** A request that almost matches. */
export interface NearMiss {
  readonly id: string;
  /** The number of criteria that it meets, and of all criteria. */
  readonly matched: number;
  readonly of: number;
  /** The first criterion that it does not meet. */
  readonly differs: { readonly field: string; readonly wanted: unknown; readonly got: unknown };
}

/** Thrown if there are too few or too many matching requests. */
export class Unverified extends Error {
  override readonly name = 'Unverified';

  constructor(
    message: string,
    readonly count: number,
    /** Up to five closest requests, best first. */
    readonly nearest: readonly NearMiss[],
  ) {
    super(message);
  }
}
