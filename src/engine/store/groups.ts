/** The first group id. */
const FIRST_GROUP = 5001;

/** Whether an id belongs to an existing group. */
export function isGroup(id: number, made: number): boolean {
  return id >= FIRST_GROUP && id < FIRST_GROUP + made;
}

/** The number of a group, in order of creation from 1. */
export function groupNumber(id: number): number {
  return id - FIRST_GROUP + 1;
}

/** The ids of all groups, and which of them are bulk bookings. */
export class Groups {
  #made = 0;
  readonly #bulks = new Set<number>();

  /** The number of groups. */
  get made(): number {
    return this.#made;
  }

  /** The id of the next group. It counts as used only when a booking with it is made. */
  next(kind: 'group' | 'bulk'): number {
    const id = FIRST_GROUP + this.#made;
    if (kind === 'bulk') this.#bulks.add(id);
    else this.#bulks.delete(id);
    return id;
  }

  spend(id: number): void {
    this.#made = groupNumber(id);
  }

  isBulk(id: number): boolean {
    return this.#bulks.has(id);
  }

  /** The group ids of bulk bookings. */
  get bulks(): number[] {
    return [...this.#bulks].filter((id) => id < FIRST_GROUP + this.#made);
  }

  /** Restores exported groups. */
  replace(made: number, bulks: readonly number[]): void {
    this.#made = made;
    this.#bulks.clear();
    for (const id of bulks) this.#bulks.add(id);
  }
}
