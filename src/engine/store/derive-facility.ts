import { between, finish, fraction, hash32, mix, pick } from '../model/hash.js';
import type { Cents, Course, ExtraProduct, Facility } from '../model/world.js';
import { completed, type FacilityCore, FIRST_FACILITY_ID } from './complete-facility.js';
import type { Country, Town } from './fixtures.js';

/** The inputs from which a facility is derived. */
interface FacilitySource {
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
  const level = between(next(), 750, 1300);
  return completed({
    ...template,
    id,
    name,
    website: `https://www.${slug(name)}-${id}.example`,
    phoneNumber: fill(country.phone, draw),
    address: deriveAddress(town, country, draw),
    timeZone: town.timeZone,
    created: new Date(CREATED_FROM + Math.floor(fraction(next()) * CREATED_SPAN)).toISOString().slice(0, -1),
    reservationsContact: {
      name: `${pick(next(), country.firstNames)} ${pick(next(), country.lastNames)}`,
      phoneNumber: fill(country.phone, draw),
    },
    foundedIn: between(next(), 1889, 2016),
    description: template.description.replace(template.name, name).replace(template.address.place, town.place),
    images: between(next(), 1, 4),
    extraProducts: template.extraProducts.map((extra) => {
      const price = roundFee((extra.price * level) / 1000, country);
      return { ...extra, ...ratesOf(price, template.courses[0]?.leastAmount) };
    }),
    courses: template.courses.map((course) => deriveCourse(course, level, country)),
    channels,
  });
}

function stream(start: number): () => number {
  let count = 0;
  return () => finish(mix(start, (count += 1)));
}

function deriveAddress(town: Town, country: Country, draw: Draw): FacilityCore['address'] {
  const near = (degrees: number): number => Math.round(degrees * 100_000 + draw(4001) - 2000) / 100_000;
  return {
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

/** The price of an extra product with its net and public rate, which are whole amounts of the currency. */
export function ratesOf(price: Cents, least = 1): Pick<ExtraProduct, 'price' | 'netRate' | 'publicRate'> {
  const netRate = Math.floor((price * 85) / (100 * least)) * least;
  return { price, netRate, publicRate: Math.ceil((price * 110) / (100 * least)) * least };
}

function deriveCourse(course: Course, level: number, country: Country): Course {
  const products = course.products.map((product) => ({
    ...product,
    price: roundFee((product.price * level) / 1000, country),
  }));
  return { ...course, products };
}

/** A source of whole numbers from 0 (inclusive) to the bound (exclusive). */
type Draw = (bound: number) => number;

const LETTERS = 'ABCDEFGHJKLMNPRSTVWXYZ';
/** Letters that Unicode does not decompose into a base letter and a mark. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ı: 'i', ł: 'l', đ: 'd' };

/** Fills a pattern: `#` becomes a digit, `@` a letter. */
export function fill(pattern: string, draw: Draw): string {
  return pattern.replace(/[#@]/g, (mark) => (mark === '#' ? String(draw(10)) : LETTERS[draw(LETTERS.length)]!));
}

/** The ASCII form of a name for host names: `Ørnehøj Golfklub` becomes `ornehoj-golfklub`. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[øæßıłđ]/g, (letter) => WHOLE_LETTERS[letter]!)
    .normalize('NFD')
    .replace(/[\u0300-\u036f.'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The number of different facility names in a country. */
export function nameCount({ patterns, fronts, backs }: Country): number {
  return patterns.length * fronts.length * backs.length;
}

/** One of the facility names of a country, by its number. */
export function facilityName({ patterns, fronts, backs }: Country, number: number): string {
  const front = fronts[number % fronts.length]!;
  const rest = Math.floor(number / fronts.length);
  const back = backs[rest % backs.length]!;
  const pattern = patterns[Math.floor(rest / backs.length) % patterns.length]!;
  return pattern.replace('{stem}', front + back);
}

/** Rounds a fee to whole units, or more coarsely in currencies with small units. */
export function roundFee(value: number, { fee }: Country): number {
  const step = fee >= 200_000 ? 5_000 : fee >= 40_000 ? 1_000 : 100;
  return Math.max(step, Math.round(value / step) * step);
}
