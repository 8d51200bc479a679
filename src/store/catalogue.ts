import type { Channel, Facility, SeedBooking } from '../domain/world.js';
import { fixturesJson } from '../generated/fixtures.js';
import type { Country } from './places.js';

/** The committed fixtures, read and never changed. */
export interface Catalogue {
  readonly facilities: readonly Facility[];
  readonly channels: readonly Channel[];
  readonly bookings: readonly SeedBooking[];
  readonly countryOf: (facility: Facility) => Country;
}

/** Reads the fixtures that are embedded as text; it takes a millisecond or two. */
export function readCatalogue(): Catalogue {
  const facilities = JSON.parse(fixturesJson.facilities) as Facility[];
  const channels = JSON.parse(fixturesJson.channels) as Channel[];
  const bookings = JSON.parse(fixturesJson.bookings) as SeedBooking[];
  let countries: ReadonlyMap<string, Country> | undefined;
  // Geography is wanted by derived worlds alone, so the default one does not pay for reading it.
  const countryOf = ({ address }: Facility): Country => {
    countries ??= new Map((JSON.parse(fixturesJson.places) as Country[]).map((one) => [one.name, one]));
    return countries.get(address.country)!;
  };
  return { facilities, channels, bookings, countryOf };
}
