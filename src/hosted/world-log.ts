import { applyChanges, type Change, type ChangeSink, PendingCallbacks, type State } from '../engine/index.js';
import type { ObjectStorage } from './platform.js';
import { chunkOf, readSnapshot, writeSnapshot } from './snapshot-rows.js';

/** Rows of changes after which the snapshot is brought up to date. */
const MOST_ROWS = 500;

/**
 * Keeps the state of a world in the database of its object: a snapshot, and the changes since then. The platform holds a
 * response back until what was written before is stored.
 */
export class WorldLog implements ChangeSink {
  /** The changes that are not written yet, after `#whole` if there is one. */
  #taken: Change[] = [];
  /** A state that replaces everything. */
  #whole: State | undefined;
  /** The chunks of bookings that have changed since the snapshot. */
  readonly #stale = new Set<number>();
  /** The callbacks that are not delivered yet, which are no part of the state. */
  readonly pending = new PendingCallbacks();
  #rows = 0;
  #isStored = false;
  /** Changes of callbacks before the sandbox is ready. */
  readonly #early: Change[] = [];
  /** The present state; undefined until the sandbox is ready. */
  #present: (() => State) | undefined;

  constructor(
    readonly storage: ObjectStorage,
    readonly activity: { requests: number; write(): void },
    /** Called with each write, which is stored together with an alarm that is set in it. */
    readonly written: () => void,
  ) {}

  /** Reads the state; undefined if none was written. */
  read(): State | undefined {
    const { sql } = this.storage;
    const state = readSnapshot(sql);
    if (!state) return undefined;
    this.#isStored = true;
    const rows = sql.exec('SELECT text FROM changes ORDER BY n').toArray();
    const changes = rows.flatMap(({ text }) => JSON.parse(String(text)) as Change[]);
    for (const change of changes) {
      this.#mark(change);
      this.pending.apply(change);
    }
    this.#rows = rows.length;
    return applyChanges(state, changes);
  }

  /** Keeps changes from now on. A state of which nothing is stored is written first. */
  begin(present: () => State): void {
    this.#present = present;
    for (const change of this.#early.splice(0)) this.append(change);
    if (this.#isStored) return;
    this.append({ kind: 'state', state: present() });
    this.#write();
  }

  /** The number of a request without changes is kept when there is time. */
  counted(requests: number): void {
    this.activity.requests = requests;
  }

  append(change: Change): void {
    // The state of the start is stored, but not that its callbacks are over.
    if (!this.#present && change.kind === 'callback') this.#early.push(change);
    if (!this.#present) return;
    this.pending.apply(change);
    if (change.kind === 'requests') this.counted(change.requests);
    if (change.kind === 'state') {
      this.counted(change.state.requests);
      this.#whole = change.state;
      this.#taken = [];
    } else {
      // What one turn changes is one row, of which nothing is lost or all.
      if (this.#taken.length === 0) queueMicrotask(() => void this.kept()?.catch(() => {}));
      this.#taken.push(change);
    }
  }

  kept(): Promise<void> | undefined {
    if (this.#taken.length === 0 && !this.#whole) return undefined;
    try {
      this.#write();
      return undefined;
    } catch (error) {
      return Promise.reject(new Error(`the storage of the world failed: ${(error as Error).message}`));
    }
  }

  /** Writes what was taken, all of it or nothing. */
  #write(): void {
    const { sql } = this.storage;
    for (const change of this.#taken) this.#mark(change);
    const whole = this.#whole ?? (this.#rows >= MOST_ROWS ? this.#present?.() : undefined);
    this.storage.transactionSync(() => {
      if (whole) {
        writeSnapshot(sql, whole, this.#whole ? 'all' : this.#stale);
        sql.exec('DELETE FROM changes');
        this.activity.write();
      }
      for (const row of this.#rowsAfter(whole)) {
        sql.exec('INSERT INTO changes (text) VALUES (?)', JSON.stringify(row));
      }
    });
    if (whole) this.#stale.clear();
    this.#rows = whole ? 0 : this.#rows + 1;
    if (this.#whole) for (const change of this.#taken) this.#mark(change);
    this.#whole = undefined;
    this.#taken = [];
    this.#isStored = true;
    this.written();
  }

  /** A snapshot of this moment has what was taken, but not the callbacks. */
  #rowsAfter(snapshot: State | undefined): readonly (readonly Change[])[] {
    if (snapshot && !this.#whole) return this.pending.changes(true).map((change) => [change]);
    return this.#taken.length > 0 ? [this.#taken] : [];
  }

  #mark(change: Change): void {
    if (change.kind === 'booked') for (const { sequence } of change.bookings) this.#stale.add(chunkOf(sequence));
    if (change.kind === 'canceled' || change.kind === 'paid') this.#stale.add(chunkOf(change.sequence));
  }
}
