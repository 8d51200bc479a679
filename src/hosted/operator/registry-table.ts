import type { ObjectStorage, SqlValue } from '../platform.js';
import type { WorldLimits, WorldSettings } from './settings.js';

/** A world in the list. Nothing of its token is here: the world alone keeps the hash. */
export interface ListedWorld {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly endedAt: number | null;
  readonly endedBy: string | null;
  readonly seed: number | null;
  readonly facilities: number | null;
  readonly dialect: string | null;
  readonly limits: WorldLimits;
}

const schema = `
  CREATE TABLE IF NOT EXISTS worlds (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, expires_at INTEGER,
    ended_at INTEGER, ended_by TEXT, seed INTEGER, facilities INTEGER, dialect TEXT, limits TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS ended ON worlds (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS unsettled (name TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/**
 * The worlds of a deployment in SQLite. A world is in the list only when it is complete. While it is made or deleted, its
 * name is among the unsettled ones, so that a stop of the process leaves no trace that nobody removes. Each statement
 * reads the rows that it needs, by an index.
 */
export class RegistryTable {
  #counts: { listed: number; live: number } | undefined;

  constructor(readonly storage: ObjectStorage) {
    storage.sql.exec(schema);
  }

  /** Worlds in the list, and those of them that have not ended. Counted once, as each row that is read has a price. */
  get counts(): { listed: number; live: number } {
    const [row] = this.#counts ? [] : this.#rows('SELECT COUNT(*) AS listed, COUNT(ended_at) AS ended FROM worlds');
    if (row) this.#counts = { listed: Number(row['listed']), live: Number(row['listed']) - Number(row['ended']) };
    return this.#counts!;
  }

  find(name: string): ListedWorld | undefined {
    return this.#worlds('WHERE name = ?', name)[0];
  }

  /** Worlds after an id, oldest first. */
  page(after: number, limit: number): ListedWorld[] {
    return this.#worlds('WHERE id > ? ORDER BY id LIMIT ?', after, limit);
  }

  endedBefore(instant: number, limit: number): ListedWorld[] {
    return this.#worlds('WHERE ended_at < ? LIMIT ?', instant, limit);
  }

  /** When the first world ended that is still in the list. */
  firstEnd(): number | undefined {
    const [row] = this.#rows('SELECT ended_at FROM worlds WHERE ended_at IS NOT NULL ORDER BY ended_at LIMIT 1');
    return row && Number(row['ended_at']);
  }

  /** Names of worlds that are being made or deleted, or were when the process stopped. */
  unsettled(limit: number): string[] {
    return this.#rows('SELECT name FROM unsettled LIMIT ?', limit).map((row) => String(row['name']));
  }

  isUnsettled(name: string): boolean {
    return this.#rows('SELECT name FROM unsettled WHERE name = ?', name).length > 0;
  }

  /** Before anything of a world is made. */
  unsettle(name: string): void {
    this.#rows('INSERT OR IGNORE INTO unsettled (name) VALUES (?)', name);
  }

  /** After everything of a world is deleted. */
  settle(name: string): void {
    this.#rows('DELETE FROM unsettled WHERE name = ?', name);
  }

  /** After a world is made: it is in the list from now on. */
  add({ name, seed, facilities, dialect, world, expiresAt, limits }: WorldSettings, now: number): ListedWorld {
    const { counts } = this;
    this.storage.transactionSync(() => {
      this.#rows(
        `INSERT INTO worlds (name, created_at, expires_at, seed, facilities, dialect, limits)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        name,
        now,
        expiresAt,
        seed ?? null,
        facilities ?? null,
        (dialect ?? world?.dialect)?.name ?? null,
        JSON.stringify(limits),
      );
      this.settle(name);
    });
    this.#counts = { listed: counts.listed + 1, live: counts.live + 1 };
    return this.find(name)!;
  }

  /** Before a world is deleted: it is not in the list from now on. */
  remove({ name, endedAt }: ListedWorld): void {
    const { listed, live } = this.counts;
    this.storage.transactionSync(() => {
      this.#rows('DELETE FROM worlds WHERE name = ?', name);
      this.unsettle(name);
    });
    this.#counts = { listed: listed - 1, live: live - (endedAt === null ? 1 : 0) };
  }

  change(name: string, expiresAt: number | null, limits: WorldLimits): void {
    this.#rows('UPDATE worlds SET expires_at = ?, limits = ? WHERE name = ?', expiresAt, JSON.stringify(limits), name);
  }

  /** Notes the end of a world that has not ended. */
  end(name: string, reason: string, at: number): void {
    const { listed, live } = this.counts;
    this.#rows('UPDATE worlds SET ended_at = ?, ended_by = ? WHERE name = ?', at, reason, name);
    this.#counts = { listed, live: live - 1 };
  }

  #worlds(rest: string, ...bindings: SqlValue[]): ListedWorld[] {
    return this.#rows(`SELECT * FROM worlds ${rest}`, ...bindings).map((row) => ({
      id: Number(row['id']),
      name: String(row['name']),
      createdAt: Number(row['created_at']),
      expiresAt: row['expires_at'] as number | null,
      endedAt: row['ended_at'] as number | null,
      endedBy: row['ended_by'] as string | null,
      seed: row['seed'] as number | null,
      facilities: row['facilities'] as number | null,
      dialect: row['dialect'] as string | null,
      limits: JSON.parse(String(row['limits'])) as WorldLimits,
    }));
  }

  #rows(statement: string, ...bindings: SqlValue[]): Record<string, SqlValue>[] {
    return this.storage.sql.exec(statement, ...bindings).toArray();
  }
}
