import type { State } from '../state/state.js';

/** A named state. */
export interface Snapshot {
  readonly name: string;
  /** ISO 8601, on the clock of the sandbox. */
  readonly takenAt: string;
  readonly state: State;
}

/** Maximum number of snapshots. */
export const MOST_SNAPSHOTS = 50;

/** Named states in order of creation. A reset and a restore keep them. */
export class Snapshots {
  readonly #byName = new Map<string, Snapshot>();

  get all(): readonly Snapshot[] {
    return [...this.#byName.values()];
  }

  get(name: string): Snapshot | undefined {
    return this.#byName.get(name);
  }

  /** Whether there is room for a snapshot of this name. */
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
