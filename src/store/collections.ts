import { Collection } from '@msw/data';
import type { Booking } from '../domain/booking.js';
import type { Channel, Course, Facility, Product, World } from '../domain/world.js';

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

/** A class, because the library deeply copies plain objects and stores instances unchanged. */
class StoredEntity {
  constructor(fields: object) {
    Object.assign(this, fields);
  }
}

function collection<T extends object>(): Collection<PassThroughSchema<T>> {
  const validate = (value: unknown): { value: T } => ({ value: value as T });
  return new Collection<PassThroughSchema<T>>({ schema: { '~standard': { version: 1, vendor: 'teebox', validate } } });
}

function queries<T extends object>(of: () => Collection<PassThroughSchema<T>>): Queries<T> {
  return {
    findFirst: ((...args: []) => of().findFirst(...args)) as Queries<T>['findFirst'],
    findMany: (...args) => of().findMany(...args),
    count: () => of().count(),
  };
}

/** Rows of bookings, which take the place of the present ones when they are complete. */
export const bookingRows = (): Collection<PassThroughSchema<Booking>> => collection<Booking>();

/** Larger worlds are filled on request, because filling derives every facility. */
const FILLED_AT_ONCE = 1000;

/** The rows for queries. New bookings are mirrored here; the service itself reads the ledger. */
export class Collections {
  readonly #world: World;
  readonly #facilities = collection<Facility>();
  readonly #courses = collection<Course>();
  readonly #products = collection<Product>();
  readonly #channels = collection<Omit<Channel, 'password' | 'refreshToken'>>();
  #bookings = collection<Booking>();
  #filled: Promise<void> | undefined;
  #pending: Promise<unknown> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
  }

  readonly database: Database = {
    facilities: queries(() => this.#facilities),
    courses: queries(() => this.#courses),
    products: queries(() => this.#products),
    channels: queries(() => this.#channels),
    bookings: queries(() => this.#bookings),
    load: () => this.#fill(),
  };

  /** Makes the collections ready for queries. */
  async ready(): Promise<void> {
    if (this.#world.size <= FILLED_AT_ONCE) await this.#fill();
    await this.#pending;
  }

  /** Adds a booking; it can be queried after `settled` resolves. */
  add(booking: Booking): void {
    this.#pending = this.#bookings.create(booking);
  }

  settled(): Promise<unknown> {
    return this.#pending;
  }

  /** Replaces all bookings; without an argument, by none. */
  replace(bookings = bookingRows()): void {
    this.#bookings = bookings;
  }

  #fill(): Promise<void> {
    this.#filled ??= this.#fillCatalogue();
    return this.#filled;
  }

  async #fillCatalogue(): Promise<void> {
    const entry = <T extends object>(fields: T): T => new StoredEntity(fields) as T;
    for (const { name, username } of this.#world.channels) await this.#channels.create(entry({ name, username }));
    for (const facility of this.#world.facilities()) {
      await this.#facilities.create(entry(facility));
      for (const course of facility.courses) {
        await this.#courses.create(entry(course));
        for (const product of course.products) await this.#products.create(entry(product));
      }
    }
  }
}
