import type { Channel, Facility, SeedBooking } from '../model/world.js';
import { fixturesJson } from '../../contract/index.js';
import { completed, type FacilityCore } from './complete-facility.js';

/** The committed fixtures; read-only. */
export interface Fixtures {
  readonly facilities: readonly Facility[];
  readonly channels: readonly Channel[];
  readonly bookings: readonly SeedBooking[];
  readonly countryOf: (facility: Facility) => Country;
  readonly countryNamed: (name: string) => Country | undefined;
  /** The names of the countries of which something is known. */
  readonly countries: readonly string[];
}

let shared: Fixtures | undefined;

/** The fixtures that are embedded as text. They are parsed once for all worlds of a process, and are frozen. */
export const readFixtures = (): Fixtures => (shared ??= parseFixtures());

function parseFixtures(): Fixtures {
  const facilities = (JSON.parse(fixturesJson.facilities) as FacilityCore[]).map(completed);
  const channels = JSON.parse(fixturesJson.channels) as Channel[];
  const bookings = JSON.parse(fixturesJson.bookings) as SeedBooking[];
  let known: ReadonlyMap<string, Country> | undefined;
  // Only derived worlds need geography, so it is parsed on demand.
  const places = (): ReadonlyMap<string, Country> =>
    (known ??= new Map((JSON.parse(fixturesJson.places) as Country[]).map((one) => [one.name, one])));
  return {
    ...frozen({ facilities, channels, bookings }),
    countryOf: ({ address }) => places().get(address.country)!,
    countryNamed: (name) => places().get(name),
    get countries() {
      return [...places().keys()];
    },
  };
}

/** Freezes a value and all in it: worlds share it. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** A real town of the catalogue's geography. */
export interface Town {
  readonly place: string;
  /** State or province. */
  readonly state: string;
  /** Touristic region. */
  readonly region: string;
  /** The postal code of the town, where `#` is a digit and `@` a letter. */
  readonly zipcode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
}

/** The data for plausible facilities in one country: geography and parts of names. */
export interface Country {
  readonly name: string;
  readonly language: string;
  readonly currency: string;
  /** The green fee of an average 18-hole course, in hundredths of the currency. */
  readonly fee: number;
  /** Unassigned phone numbers, where `#` is a digit. */
  readonly phone: string;
  readonly highMonths: readonly number[];
  /** The months in which some courses of the country close because of snow or heat. */
  readonly closedMonths: readonly number[];
  readonly towns: readonly Town[];
  /** Patterns of facility names with `{stem}` (a front and a back joined) and optionally `{place}`. */
  readonly patterns: readonly string[];
  readonly fronts: readonly string[];
  readonly backs: readonly string[];
  /** Names of the first, second and third course of 18 holes, and of 9 holes. */
  readonly eighteens: readonly string[];
  readonly nines: readonly string[];
  readonly streets: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
}
