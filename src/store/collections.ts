import { Collection } from '@msw/data';
import type { Booking } from '../domain/booking.js';
import type { Channel, Course, Facility, Product, World } from '../domain/world.js';
import type { Ledger } from './ledger.js';

/** The queries of a collection. It is read-only, because all writes must go through the indexes of the store. */
export type Queries<T extends object> = Pick<Collection<PassThroughSchema<T>>, 'findFirst' | 'findMany' | 'count'>;

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
    findMany: ((predicate, { cursor, ...options } = {}) => {
      if (cursor === undefined) return of().findMany(predicate, options);
      // Rows have none of the keys by which the library would look for the cursor.
      const rows = of().all();
      const at = rows.indexOf(cursor);
      const from = collection<T>();
      const isBackwards = (options.take ?? 0) < 0;
      if (at >= 0) for (const row of isBackwards ? rows.slice(0, at + 1) : rows.slice(at)) from.all().push(row);
      return from.findMany(predicate, options);
    }) as Queries<T>['findMany'],
    count: () => of().count(),
  };
}

/** Larger worlds are filled on request, because filling derives every facility. */
const FILLED_AT_ONCE = 1000;

/** The rows for queries. The service itself reads the catalogue and the ledger. */
export function databaseOf(world: World, ledger: () => Ledger): Database {
  let isLoaded = world.size <= FILLED_AT_ONCE;
  /** Adds the rows of the catalogue, one time. */
  const catalogue = <T extends object>(rowsIn: () => Iterable<T>) => {
    let isFilled = false;
    return queries<T>((rows) => {
      if (isFilled || !isLoaded) return;
      isFilled = true;
      for (const one of rowsIn()) rows.push(rowOf(one));
    });
  };
  const courses = () => [...world.facilities()].flatMap((facility) => facility.courses);
  let shown: Ledger | undefined;
  return {
    facilities: catalogue(() => world.facilities()),
    courses: catalogue(courses),
    products: catalogue(() => courses().flatMap((course) => course.products)),
    channels: catalogue(() => world.channels.map(({ name, username }) => ({ name, username }))),
    bookings: queries<Booking>((rows) => {
      // A reset or a restore begins another ledger.
      if (shown !== ledger()) rows.length = 0;
      shown = ledger();
      if (rows.length === shown.size) return;
      let at = 0;
      for (const booking of shown.all()) if ((at += 1) > rows.length) rows.push(booking);
    }),
    load: async () => void (isLoaded = true),
  };
}
