import { Collection } from '@msw/data';
import type { Booking } from '../model/booking.js';
import type { Channel, Course, Facility, Product, World } from '../model/world.js';
import type { Ledger } from './ledger.js';

/** What a row must be: a value or a function for each field. Of a field with a list, what each of its elements must be. */
type RowCriteria<T> = { readonly [Field in keyof T]?: FieldCriterion<T[Field]> };
type FieldCriterion<V> =
  NonNullable<V> extends readonly (infer One)[]
    ? RowCriteria<One & object>
    : NonNullable<V> extends object
      ? RowCriteria<NonNullable<V>> | Extract<V, null | undefined>
      : V | ((value: V) => unknown);

/** Conditions on rows, as @msw/data has them. Its own types would bring its packages into every installation. */
export interface RowQuery<T> {
  where(condition: RowCriteria<T> | ((row: T) => unknown)): RowQuery<T>;
  and(...conditions: readonly (RowQuery<T> | RowCriteria<T> | ((row: T) => unknown))[]): RowQuery<T>;
  or(...conditions: readonly (RowQuery<T> | RowCriteria<T> | ((row: T) => unknown))[]): RowQuery<T>;
}

type RowOrder<T> = {
  readonly [Field in keyof T]?: NonNullable<T[Field]> extends object ? RowOrder<NonNullable<T[Field]>> : 'asc' | 'desc';
};

/** Which of the rows that are found. */
interface RowPage<T> {
  /** The row to begin with. */
  readonly cursor?: T;
  readonly skip?: number;
  /** Maximum of rows. If negative, rows are taken from the end, or back from the cursor. */
  readonly take?: number;
  readonly orderBy?: RowOrder<T> | readonly RowOrder<T>[];
  /** Whether to throw if nothing is found. */
  readonly strict?: boolean;
}

type RowPredicate<T> = (query: RowQuery<T>) => RowQuery<T>;

/** The queries of a collection. It is read-only, because all writes must go through the indexes of the store. */
export interface Queries<T> {
  findFirst(predicate: RowPredicate<T> | undefined, options: { readonly strict: true }): T;
  findFirst(predicate?: RowPredicate<T>, options?: { readonly strict?: boolean }): T | undefined;
  findMany(predicate?: RowPredicate<T>, options?: RowPage<T>): T[];
  count(): number;
}

/**
 * The entities of a sandbox, for queries and assertions with @msw/data.
 *
 * @example
 * sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace', status: 'BOOKED' }));
 */
export interface Database {
  readonly facilities: Queries<Facility>;
  readonly courses: Queries<Course>;
  readonly products: Queries<Product>;
  readonly channels: Queries<Omit<Channel, 'password' | 'refreshToken'>>;
  readonly bookings: Queries<Booking>;
  /** Fills the catalogue of a world with more than 1,000 facilities, which is not filled at its creation. */
  load(): Promise<void>;
}

/** A schema (Standard Schema specification) that accepts any value. */
interface PassThroughSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { value: T };
    readonly types?: { readonly input: T; readonly output: T };
  };
}

/** A query as the library takes it: it gives rows a key, which the types of a sandbox leave out. */
type LibraryQuery<T extends object> = Parameters<Collection<PassThroughSchema<T>>['findMany']>;

/** A class, so that a row is no object of the catalogue, which never changes. */
class StoredEntity {
  constructor(fields: object) {
    Object.assign(this, fields);
  }
}

function rowOf<T extends object>(fields: T): T {
  return new StoredEntity(fields) as T;
}

function collection<T extends object>(): Collection<PassThroughSchema<T>> {
  const validate = (value: unknown): { value: T } => ({ value: value as T });
  return new Collection<PassThroughSchema<T>>({ schema: { '~standard': { version: 1, vendor: 'teebox', validate } } });
}

/**
 * The rows of one collection, which are added when somebody asks for them. They go straight into the list of the
 * library: its own way takes a promise, a random key and ten times as long as a booking for each.
 */
function queries<T extends object>(addTo: (rows: T[]) => void): Queries<T> {
  let all: Collection<PassThroughSchema<T>> | undefined;
  const of = () => {
    all ??= collection<T>();
    addTo(all.all() as T[]);
    return all;
  };
  return {
    findFirst: ((...args: []) => of().findFirst(...args)) as Queries<T>['findFirst'],
    findMany: ((predicate, { cursor, ...rest } = {}) => {
      const [query, options] = [predicate, rest] as unknown as Required<LibraryQuery<T>>;
      if (cursor === undefined) return of().findMany(query, options);
      // Rows have none of the keys by which the library would look for the cursor.
      const rows: T[] = of().all();
      const at = rows.indexOf(cursor);
      const from = collection<T>();
      const isBackwards = (options.take ?? 0) < 0;
      const copied: T[] = from.all();
      if (at >= 0) for (const row of isBackwards ? rows.slice(0, at + 1) : rows.slice(at)) copied.push(row);
      return from.findMany(query, options);
    }) as Queries<T>['findMany'],
    count: () => of().count(),
  };
}

/** Larger worlds are filled on request, because filling derives every facility. */
const FILLED_AT_ONCE = 1000;

/** Adds the queries. Nobody can ask a server for them, so it does without the library that answers them. */
export function withDatabase<Sandbox extends { readonly catalogue: World; readonly ledger: Ledger }>(
  sandbox: Sandbox,
): Sandbox & { readonly db: Database } {
  return Object.assign(sandbox, { db: databaseOf(sandbox) });
}

/** The rows for queries. The service itself reads the catalogue and the ledger. */
function databaseOf(source: { readonly catalogue: World; readonly ledger: Ledger }): Database {
  let isLoaded = false;
  /** Adds the rows of the catalogue, once; another world has others. */
  const catalogue = <T extends object>(rowsIn: (world: World) => Iterable<T>) => {
    let filled: World | undefined;
    return queries<T>((rows) => {
      const { catalogue: world } = source;
      if (filled === world || (!isLoaded && world.size > FILLED_AT_ONCE)) return;
      filled = world;
      rows.length = 0;
      for (const one of rowsIn(world)) rows.push(rowOf(one));
    });
  };
  const courses = (world: World) => [...world.facilities()].flatMap((facility) => facility.courses);
  let shown: Ledger | undefined;
  return {
    facilities: catalogue((world) => world.facilities()),
    courses: catalogue(courses),
    products: catalogue((world) => courses(world).flatMap((course) => course.products)),
    channels: catalogue((world) => world.channels.map(({ name, username }) => ({ name, username }))),
    bookings: queries<Booking>((rows) => {
      // A reset or a restore begins another ledger.
      if (shown !== source.ledger) rows.length = 0;
      shown = source.ledger;
      if (rows.length === shown.size) return;
      let at = 0;
      for (const booking of shown.all()) if ((at += 1) > rows.length) rows.push(booking);
    }),
    load: async () => void (isLoaded = true),
  };
}
