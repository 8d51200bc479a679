import { between, finish, fraction, hash32, mix, pick } from '../model/hash.js';
import { COURSES_PER_FACILITY } from '../model/tee-id.js';
import type { Address, Course, ExtraProduct, Facility } from '../model/world.js';
import { type Draw, facilityName, fill, nameCount, roundFee, slug } from './names.js';
import type { Country, Town } from './places.js';

/** The first facility id. */
export const FIRST_FACILITY_ID = 1001;

/** The inputs from which a facility is derived. */
export interface FacilitySource {
  readonly seed: number;
  /** The position in the world, from 0. */
  readonly position: number;
  /** The committed facility whose courses and terms it copies. */
  readonly template: Facility;
  readonly country: Country;
  readonly channels: readonly string[];
}

/** The stream from which a facility is drawn. Its channels have a separate stream. */
const STREAM = 1;
const CREATED_FROM = 1_388_534_400_000;
const CREATED_SPAN = 330_000_000_000;

/** Derives the facility at a position: a club similar to the template, in the same country. */
export function deriveFacility(origin: FacilitySource): Facility {
  const { seed, position, template, country, channels } = origin;
  const next = stream(hash32(seed, position, STREAM));
  const draw: Draw = (bound) => between(next(), 0, bound - 1);
  const id = FIRST_FACILITY_ID + position;
  const town = pick(next(), country.towns);
  const name = facilityName(country, draw(nameCount(country)));
  const domain = `${slug(name)}-${id}.example`;
  const level = between(next(), 750, 1300);
  return {
    ...template,
    id,
    name,
    website: `https://www.${domain}`,
    email: `info@${domain}`,
    phoneNumber: fill(country.phone, draw),
    address: deriveAddress(id, town, country, draw),
    timeZone: town.timeZone,
    created: new Date(CREATED_FROM + Math.floor(fraction(next()) * CREATED_SPAN)).toISOString().slice(0, -1),
    reservationsContact: {
      name: `${pick(next(), country.firstNames)} ${pick(next(), country.lastNames)}`,
      email: `reservations@${domain}`,
      phoneNumber: fill(country.phone, draw),
    },
    foundedIn: between(next(), 1889, 2016),
    description: template.description.replace(template.name, name).replace(template.address.place, town.place),
    services: { ...template.services, mid: 40_000 + id },
    images: between(next(), 1, 4),
    extraProducts: template.extraProducts.map((extra, index) =>
      deriveExtra(extra, id * 100 + index + 1, level, country),
    ),
    courses: template.courses.map((course, index) => deriveCourse(course, id, index, level, country)),
    channels,
  };
}

function stream(start: number): () => number {
  let count = 0;
  return () => finish(mix(start, (count += 1)));
}

function deriveAddress(id: number, town: Town, country: Country, draw: Draw): Address {
  const near = (degrees: number): number => Math.round(degrees * 100_000 + draw(4001) - 2000) / 100_000;
  return {
    mid: 20_000 + id,
    address1: country.streets[draw(country.streets.length)]!,
    address2: '',
    number: String(1 + draw(240)),
    addition: '',
    zipcode: fill(town.zipcode, draw),
    place: town.place,
    state: town.state,
    country: country.name,
    region: town.region,
    latitude: near(town.latitude),
    longitude: near(town.longitude),
  };
}

function deriveExtra(extra: ExtraProduct, mid: number, level: number, country: Country): ExtraProduct {
  const price = roundFee((extra.price * level) / 1000, country);
  return { ...extra, mid, price, netRate: Math.floor((price * 85) / 100), publicRate: Math.ceil((price * 110) / 100) };
}

function deriveCourse(course: Course, facilityId: number, index: number, level: number, country: Country): Course {
  const id = facilityId * 10 + index + 1;
  const ordinal = (facilityId - FIRST_FACILITY_ID) * COURSES_PER_FACILITY + index;
  const products = course.products.map((product, at) => ({
    ...product,
    mid: id * 10 + at + 1,
    courseId: id,
    price: roundFee((product.price * level) / 1000, country),
  }));
  return { ...course, id, facilityId, ordinal, products };
}
