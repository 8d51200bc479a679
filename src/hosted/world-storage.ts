/** What the database of a world keeps besides its log: settings, use, and how the world ended. */
import type { HostStore, VerifiedHost } from './callbacks/host-book.js';
import type { WorldCounts } from './operator/meter.js';
import type { WorldSettings } from './operator/settings.js';
import type { ObjectStorage } from './platform.js';
import { changesTable, snapshotTable } from './snapshot-rows.js';

const metaTable = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';

/** What is noted of the use of a world from time to time; a kill may lose the last second of it. */
export interface WorldActivity {
  /** The number of counted requests. */
  readonly requests: number;
  readonly bookings: number;
  /** Epoch milliseconds. */
  readonly lastUsedAt: number | null;
  readonly counts?: WorldCounts;
}

/** What stays of a world that has ended, so that its callers learn why. */
export interface WorldEnd {
  readonly name: string;
  readonly reason: 'expired' | 'idle';
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What the database of a world holds. Nothing is written for a world that was never made. */
export class WorldStorage implements HostStore {
  constructor(readonly storage: ObjectStorage) {}

  /** The settings; undefined if there is no world. */
  settings(): WorldSettings | undefined {
    return this.#isEmpty ? undefined : this.#get('settings');
  }

  /** Makes the tables of a new world. */
  begin(settings: WorldSettings): void {
    for (const table of [metaTable, snapshotTable, changesTable]) this.storage.sql.exec(table);
    this.adjust(settings);
  }

  /** What is left of a world that has ended. */
  end(): WorldEnd | undefined {
    return this.#isEmpty ? undefined : this.#get('end');
  }

  /** Clears the storage but for the end of the world. Call it after everything is deleted. */
  clear(end: WorldEnd): void {
    this.storage.sql.exec(metaTable);
    this.#set('end', end);
  }

  adjust(settings: WorldSettings): void {
    this.#set('settings', settings);
  }

  activity(): WorldActivity | undefined {
    return this.#get('activity');
  }

  note(activity: WorldActivity): void {
    this.#set('activity', activity);
  }

  get #isEmpty(): boolean {
    return this.storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'meta'").toArray().length === 0;
  }

  #get<T>(key: string): T | undefined {
    const [row] = this.storage.sql.exec('SELECT value FROM meta WHERE key = ?', key).toArray();
    return row && (JSON.parse(String(row['value'])) as T);
  }

  #set(key: string, value: object): void {
    this.storage.sql.exec('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, JSON.stringify(value));
  }

  /** The verified hosts of a world that was made. */
  loadHosts(): readonly VerifiedHost[] {
    const [row] = this.storage.sql.exec("SELECT value FROM meta WHERE key = 'hosts'").toArray();
    return row ? (JSON.parse(String(row['value'])) as VerifiedHost[]) : [];
  }

  saveHosts(hosts: readonly VerifiedHost[]): void {
    this.storage.sql.exec("INSERT OR REPLACE INTO meta VALUES ('hosts', ?)", JSON.stringify(hosts));
  }
}
