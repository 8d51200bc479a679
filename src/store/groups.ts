/** Ids of groups begin here. */
export const FIRST_GROUP = 5001;

/** The ids of the groups that were made, and which of them the bulk operation made. */
export class Groups {
  #made = 0;
  readonly #bulks = new Set<number>();

  /** How many were made. */
  get made(): number {
    return this.#made;
  }

  /** The id for the bookings of the next group; it is spent only when one of them is made. */
  next(kind: 'group' | 'bulk'): number {
    const id = FIRST_GROUP + this.#made;
    if (kind === 'bulk') this.#bulks.add(id);
    else this.#bulks.delete(id);
    return id;
  }

  spend(id: number): void {
    this.#made = id - FIRST_GROUP + 1;
  }

  isBulk(id: number): boolean {
    return this.#bulks.has(id);
  }

  /** Ids of the groups that the bulk operation made. */
  get bulks(): number[] {
    return [...this.#bulks].filter((id) => id < FIRST_GROUP + this.#made);
  }

  /** Goes on from there. */
  replace(made: number, bulks: readonly number[]): void {
    this.#made = made;
    this.#bulks.clear();
    for (const id of bulks) this.#bulks.add(id);
  }
}
