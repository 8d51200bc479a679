import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Facility } from '../../src/engine/model/world.js';
import { type Candidate, type FacilityNeed, type FacilityNeedId, facilityNeeds } from './facility-needs.js';
import { rootFolder } from './folders.js';
import { code, table } from './markdown.js';

/** How many further facilities a row names. */
const MOST_OTHERS = 4;

/** A need with what meets it: the facility that the table recommends first. */
export interface MetNeed {
  readonly id: FacilityNeedId;
  readonly need: FacilityNeed;
  readonly met: readonly Candidate[];
}

/** The committed facilities: those of the default seed. */
function readFacilities(): readonly Facility[] {
  return JSON.parse(readFileSync(resolve(rootFolder, 'fixtures/facilities.json'), 'utf8')) as Facility[];
}

/** Each need with one candidate of each facility that meets it. Those of the first channel come first. */
export function metNeeds(): MetNeed[] {
  const ordinary = readFacilities().filter(({ scenario }) => scenario === undefined);
  const [first, others] = [ordinary.filter(isOfFirstChannel), ordinary.filter((one) => !isOfFirstChannel(one))];
  return Object.entries(facilityNeeds).map(([name, need]) => {
    const id = name as FacilityNeedId;
    const met = [...first, ...others].flatMap((facility) => candidatesOf(facility).filter(need.fits).slice(0, 1));
    if (met.length === 0)
      throw new Error(
        `No facility in fixtures/facilities.json meets the need ${id} of spec/generate/facility-needs.ts. ` +
          'Change the fixtures or the need.',
      );
    return { id, need, met };
  });
}

function isOfFirstChannel({ channels }: Facility): boolean {
  return channels.includes('fairway');
}

function candidatesOf(facility: Facility): Candidate[] {
  return facility.courses.flatMap((course) => course.products.map((product) => ({ facility, course, product })));
}

function named(id: number, name: string): string {
  return `${code(id)} ${name}`;
}

export function facilityNeedTable(): string {
  const rows = metNeeds().map(({ need, met }) => {
    const [{ facility, course, product }, ...rest] = met as [Candidate, ...Candidate[]];
    const others = rest.slice(0, MOST_OTHERS).map((one) => code(one.facility.id));
    const channels = facility.channels.length === 3 ? 'all' : facility.channels.join(', ') || 'none';
    return [
      need.need,
      `${named(facility.id, facility.name)}, ${facility.address.country}`,
      need.part === 'facility' ? '' : named(course.id, course.name),
      need.part === 'product' ? named(product.mid, product.name) : '',
      channels,
      others.join(', ') + (rest.length > MOST_OTHERS ? ', …' : ''),
    ];
  });
  return table(['you need', 'facility', 'course', 'product', 'channels', 'also'], rows);
}

/** The currencies with their time zones, and where to find each. */
export function currencyTable(): string {
  const facilities = readFacilities().filter(({ scenario }) => scenario === undefined);
  const pairs = new Map<string, Facility[]>();
  for (const one of facilities) {
    const key = `${one.currency} ${one.timeZone}`;
    pairs.set(key, [...(pairs.get(key) ?? []), one]);
  }
  const rows = [...pairs.values()].map((some) => {
    const shown = [...some.filter(isOfFirstChannel), ...some.filter((one) => !isOfFirstChannel(one))];
    const { currency, timeZone, language } = shown[0]!;
    const countries = [...new Set(some.map(({ address }) => address.country))].join(', ');
    const ids = shown.slice(0, 3).map(({ id }) => code(id));
    return [currency, timeZone, language, countries, ids.join(', ')];
  });
  rows.sort((a, b) => (a.join() < b.join() ? -1 : 1));
  return table(['currency', 'time zone', 'language', 'country', 'facilities'], rows);
}

/** Facilities that trigger a scenario at every booking. */
export function magicFacilityTable(): string {
  const rows = readFacilities().flatMap(({ id, name, scenario }) =>
    scenario ? [[String(id), name, code(scenario)]] : [],
  );
  return table(['id', 'facility', 'scenario'], rows);
}
