import type { State } from '../app/state.js';

/** A state that was kept under a name. */
export interface Snapshot {
  readonly name: string;
  /** ISO 8601, on the clock of the sandbox. */
  readonly takenAt: string;
  readonly state: State;
}

/** Snapshots kept at most. */
export const MOST_SNAPSHOTS = 50;

/** States under names, in order of taking; a reset and a restore leave them. */
export class Snapshots {
  readonly #byName = new Map<string, Snapshot>();

  get all(): readonly Snapshot[] {
    return [...this.#byName.values()];
  }

  get(name: string): Snapshot | undefined {
    return this.#byName.get(name);
  }

  /** Whether one more under this name has a place. */
  takes(name: string): boolean {
    return this.#byName.has(name) || this.#byName.size < MOST_SNAPSHOTS;
  }

  keep(snapshot: Snapshot): void {
    this.#byName.delete(snapshot.name);
    this.#byName.set(snapshot.name, snapshot);
  }

  delete(name: string): boolean {
    return this.#byName.delete(name);
  }

  clear(): void {
    this.#byName.clear();
  }
}
