import type { Channel, Facility, SeedBooking } from '../model/world.js';
import { fixturesJson } from '../../contract/index.js';
import type { Country } from './places.js';

/** The committed fixtures; read-only. */
export interface Fixtures {
  readonly facilities: readonly Facility[];
  readonly channels: readonly Channel[];
  readonly bookings: readonly SeedBooking[];
  readonly countryOf: (facility: Facility) => Country;
}

let shared: Fixtures | undefined;

/** The fixtures that are embedded as text. They are parsed once for all worlds of a process, and are frozen. */
export const readFixtures = (): Fixtures => (shared ??= parseFixtures());

function parseFixtures(): Fixtures {
  const facilities = JSON.parse(fixturesJson.facilities) as Facility[];
  const channels = JSON.parse(fixturesJson.channels) as Channel[];
  const bookings = JSON.parse(fixturesJson.bookings) as SeedBooking[];
  let countries: ReadonlyMap<string, Country> | undefined;
  // Only derived worlds need geography, so it is parsed on demand.
  const countryOf = ({ address }: Facility): Country => {
    countries ??= new Map((JSON.parse(fixturesJson.places) as Country[]).map((one) => [one.name, one]));
    return countries.get(address.country)!;
  };
  return { ...frozen({ facilities, channels, bookings }), countryOf };
}

/** Freezes a value and all in it: worlds share it. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
