/**
 * What Teebox uses of the platform (workerd, Cloudflare Workers), as interfaces of its own: whoever has the types of the
 * platform can pass theirs.
 */

/** A value in a row of SQLite. */
export type SqlValue = string | number | null | ArrayBuffer;

/** The SQLite database of an object. */
export interface ObjectSql {
  /** Runs a statement at once. What one request does is written as a whole before its response leaves. */
  exec(statement: string, ...bindings: SqlValue[]): { toArray(): Record<string, SqlValue>[] };
  readonly databaseSize: number;
}

/** The storage of an object: its database and its alarm. */
export interface ObjectStorage {
  readonly sql: ObjectSql;
  /** Runs work of which either all is stored or nothing. */
  transactionSync<T>(work: () => T): T;
  deleteAll(): Promise<void>;
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** What an object gets from the platform. */
export interface ObjectContext {
  readonly id: { readonly name?: string; toString(): string };
  readonly storage: ObjectStorage;
  /** Holds back every request until the work is done. */
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
  waitUntil(work: Promise<unknown>): void;
}

/** Something that answers requests: a service, static files, an object. */
export interface Fetcher {
  fetch(request: Request): Promise<Response>;
}

/** The objects of a class by name. */
export interface ObjectNamespace<Calls> {
  idFromName(name: string): object;
  get(id: never): Fetcher & Calls;
}

/** The constructor of the platform's base class. */
export type ObjectBase = new <Environment>(
  ctx: ObjectContext,
  env: Environment,
) => { readonly ctx: ObjectContext; readonly env: Environment };
