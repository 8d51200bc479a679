/** Why requests that came near a plan did not match it. */
export interface NearView {
  /** Number of requests that the scenario could have struck, had they met all conditions of the plan. */
  readonly count: number;
  /** The latest reasons, newest last. */
  readonly reasons: readonly NearReason[];
}

export interface NearReason {
  readonly why: string;
  readonly count: number;
  /** The id of the newest such request. */
  readonly last: string;
}

/** Maximum number of reasons of a plan. */
const KEPT = 5;

/** Counts the requests that came near a plan. */
export class NearMisses {
  #count = 0;
  readonly #reasons = new Map<string, NearReason>();

  add(why: string, requestId: string): void {
    this.#count += 1;
    const count = (this.#reasons.get(why)?.count ?? 0) + 1;
    // The map is in order of the newest request.
    this.#reasons.delete(why);
    this.#reasons.set(why, { why, count, last: requestId });
    if (this.#reasons.size > KEPT) this.#reasons.delete(this.#reasons.keys().next().value!);
  }

  get view(): NearView {
    return { count: this.#count, reasons: [...this.#reasons.values()] };
  }
}
