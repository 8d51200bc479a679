import { between, hash32 } from '../model/hash.js';
import { COURSES_PER_FACILITY } from '../model/tee-sheet.js';
import type { Course, Facility, SeedBooking, World } from '../model/world.js';
import { type Fixtures, frozen, readFixtures } from './fixtures.js';
import { FIRST_FACILITY_ID } from './complete-facility.js';
import { deriveFacility } from './derive-facility.js';

/** The seed whose facilities are exactly the committed ones. */
export const DEFAULT_SEED = 1;
/** With this many facilities, tee time ids are far below 2^53, the limit of exact integers. */
const MAX_FACILITIES = 100_000;

interface WorldOptions {
  /** The seed of the generated data, a whole number from 0. */
  readonly seed?: number;
  /** The number of facilities. Default: that of the committed ones. */
  readonly facilities?: number;
}

/** The stream of the hash from which the channels of a facility are drawn. */
const CHANNELS = 2;

/** The world of the committed facilities, which all sandboxes of a process share. */
let committed: World | undefined;

/**
 * Creates a world. Facilities are derived on first use, so a large world starts as fast as a small one.
 *
 * @throws {RangeError} if an option is out of range.
 */
export function createWorld({ seed = DEFAULT_SEED, facilities }: WorldOptions = {}): World {
  const catalogue = readFixtures();
  const size = facilities ?? catalogue.facilities.length;
  checkRange('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  checkRange('facilities', size, 1, MAX_FACILITIES);
  if (seed !== DEFAULT_SEED || size !== catalogue.facilities.length) return worldOf(catalogue, seed, size);
  return (committed ??= worldOf(catalogue, seed, size));
}

function worldOf(catalogue: Fixtures, seed: number, size: number): World {
  const derived = new DerivedFacilities(catalogue, seed, size);
  const byCountry = lazily((country: string) =>
    derived.inCountry(country).map((position) => derived.facility(position)!),
  );
  const connected = lazily((channel: string) => sortedCountries(derived, channel));
  const facility = (id: number): Facility | undefined => derived.facility(id - FIRST_FACILITY_ID);
  const courseAt = (ordinal: number): Course | undefined =>
    derived.facility(Math.floor(ordinal / COURSES_PER_FACILITY))?.courses[ordinal % COURSES_PER_FACILITY];
  let all: readonly string[] | undefined;
  return {
    seed,
    size,
    ordinals: size * COURSES_PER_FACILITY,
    channels: catalogue.channels,
    seedBookings: catalogue.bookings.flatMap((booking, index) => locateSeedBooking(derived, booking, index)),
    facility,
    at: (position) => derived.facility(position),
    position: (id) => Math.min(size, Math.max(0, Math.ceil(id) - FIRST_FACILITY_ID)),
    course: (id) => facility(Math.floor(id / 10))?.courses[(id % 10) - 1],
    courseAt,
    countries: (channel) => (channel === undefined ? (all ??= sortedCountries(derived)) : connected(channel)),
    facilitiesIn: (country) => (derived.inCountry(country).length === 0 ? [] : byCountry(country)),
    *facilities() {
      for (let position = 0; position < size; position += 1) yield derived.facility(position)!;
    },
  };
}

/** The facilities of a world by position. Committed ones are unchanged; others are derived once. */
class DerivedFacilities {
  readonly #kept = new Map<number, Facility>();
  #countries: Map<string, number[]> | undefined;
  /** Facilities named after scenarios are last, in every world that is large enough. */
  readonly #ordinary: number;

  constructor(
    readonly catalogue: Fixtures,
    readonly seed: number,
    readonly size: number,
  ) {
    this.#ordinary = catalogue.facilities.filter(({ scenario }) => scenario === undefined).length;
  }

  template(position: number): Facility {
    const { facilities } = this.catalogue;
    return facilities[position < facilities.length ? position : position % this.#ordinary]!;
  }

  facility(position: number): Facility | undefined {
    if (!(position >= 0 && position < this.size)) return undefined;
    if (this.#committed(position)) return this.catalogue.facilities[position];
    let facility = this.#kept.get(position);
    if (!facility && Number.isInteger(position)) {
      const template = this.template(position);
      const country = this.catalogue.countryOf(template);
      facility = frozen(
        deriveFacility({ seed: this.seed, position, template, country, channels: this.channels(position) }),
      );
      this.#kept.set(position, facility);
    }
    return facility;
  }

  /** The channels of a facility, without deriving it. One facility of each world has none. */
  channels(position: number): readonly string[] {
    const { facilities, channels } = this.catalogue;
    if (this.#committed(position)) return facilities[position]!.channels;
    if (position < facilities.length && facilities[position]!.channels.length === 0) return [];
    const set = between(hash32(this.seed, position, CHANNELS), 1, 2 ** channels.length - 1);
    return channels.filter((_, index) => (set >> index) & 1).map(({ name }) => name);
  }

  country(position: number): string {
    return this.template(position).address.country;
  }

  /** The positions of the facilities in a country, in ascending order. */
  inCountry(country: string): readonly number[] {
    if (!this.#countries) {
      this.#countries = new Map();
      for (let position = 0; position < this.size; position += 1) {
        const list = this.#countries.get(this.country(position));
        if (list) list.push(position);
        else this.#countries.set(this.country(position), [position]);
      }
    }
    return this.#countries.get(country) ?? [];
  }

  #committed(position: number): boolean {
    const { facilities } = this.catalogue;
    if (position >= facilities.length) return false;
    return this.seed === DEFAULT_SEED || facilities[position]?.scenario !== undefined;
  }
}

/** The names of the countries of all facilities, or of those connected to a channel. */
function sortedCountries(derived: DerivedFacilities, channel?: string): readonly string[] {
  const found = new Set<string>();
  for (let position = 0; position < derived.size; position += 1) {
    if (channel === undefined || derived.channels(position).includes(channel)) found.add(derived.country(position));
  }
  // The default sort compares code units, which for these names is the order of code points.
  return [...found].sort();
}

/** The names of the countries of facilities, or of those connected to a channel. */
export function sortedNames(facilities: readonly Facility[], channel?: string): readonly string[] {
  const fitting = facilities.filter(({ channels }) => channel === undefined || channels.includes(channel));
  return [...new Set(fitting.map(({ address }) => address.country))].sort();
}

/** The facility of a seed booking: its own, or the next one that is connected to its channel. */
function locateSeedBooking(derived: DerivedFacilities, booking: SeedBooking, index: number): SeedBooking[] {
  const { seed, size } = derived;
  const home = booking.facilityId - FIRST_FACILITY_ID;
  const start = seed === DEFAULT_SEED ? home : home + hash32(seed, index);
  for (let step = 0; step < size; step += 1) {
    const position = (start + step) % size;
    const neverCloses = derived.template(position).courses[booking.course]?.closedMonths.length === 0;
    if (!neverCloses || !derived.channels(position).includes(booking.channel)) continue;
    return [{ ...booking, facilityId: FIRST_FACILITY_ID + position }];
  }
  return [];
}

/** Computes the value of each key once. */
function lazily<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    let found = kept.get(key);
    if (found === undefined) kept.set(key, (found = make(key)));
    return found;
  };
}

function checkRange(name: string, value: number, low: number, high: number): void {
  if (Number.isSafeInteger(value) && value >= low && value <= high) return;
  throw new RangeError(
    `Failed to create the world: \`${name}\` must be a whole number from ${low} to ${high}; got ${value}.`,
  );
}
