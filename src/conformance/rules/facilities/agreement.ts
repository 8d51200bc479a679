import { connectedCountries, connectedCountry, facilities } from '../../journeys/connected-facilities.js';
import { plainCountry } from './country-names.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { isObject } from '../../client/exchange.js';
import { operationIn, versionsOf } from '../../client/operations.js';
import type { Session } from '../../client/session.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const versions = versionsOf('listFacilities');
const FEW = 3;
/** Degrees by which two answers may round or place a facility differently. */
const NEAR = 0.5;

type Fields = Readonly<Record<string, unknown>>;

/** A form of a facility, and where it was read. */
interface Form {
  readonly where: string;
  readonly fields: Fields;
}

const flat = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value);
const isShown = (value: unknown): boolean => value !== undefined && value !== null && flat(value) !== '';
const sameText = (a: unknown, b: unknown): boolean => flat(a) === flat(b);
const isNear = (a: unknown, b: unknown): boolean =>
  typeof a !== 'number' || typeof b !== 'number' || Math.abs(a - b) < NEAR;

/** What every form of a facility that has the field must show alike. */
const compared: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  id: sameText,
  name: sameText,
  website: sameText,
  email: sameText,
  zipcode: sameText,
  place: sameText,
  state: sameText,
  country: (a, b) => plainCountry(a) === plainCountry(b),
  latitude: isNear,
  longitude: isNear,
  foundedIn: (a, b) => a === b,
};

/** The fields of a facility and of its address. In the v3 by-id form the address has the coordinates. */
function fieldsOf(data: unknown): Fields {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  if (!isObject(first)) return {};
  const address = isObject(first['address']) ? first['address'] : {};
  const services = isObject(first['services']) ? first['services'] : {};
  const { zipcode, place, state, country, latitude, longitude } = { ...first, ...address };
  const flags = Object.entries(services).filter(([, value]) => typeof value === 'boolean');
  return { ...first, zipcode, place, state, country, latitude, longitude, ...Object.fromEntries(flags) };
}

/** By-id forms and details of a facility, in each version. */
async function byId(session: Session, facilityId: number): Promise<readonly Form[]> {
  const forms: Form[] = [];
  for (const version of versions) {
    const data = await session.data(operationIn('findFacility', version), { facilityId });
    forms.push({ where: `${version} by id`, fields: fieldsOf(data) });
  }
  for (const version of versionsOf('facilityDetails')) {
    const data = await session.data(operationIn('facilityDetails', version), { facilityId });
    forms.push({ where: `the ${version} details`, fields: fieldsOf(data) });
  }
  return forms;
}

/** A few connected facilities, of more than one country where possible. */
async function some(session: Session): Promise<readonly { readonly id: number; readonly country: string }[]> {
  const best = await connectedCountry(session);
  const others = (await connectedCountries(session)).filter(({ country }) => country !== best.country);
  const [own, other] = [best, ...others].map(({ country, facilities: listed }) =>
    listed.map(({ id }) => ({ id, country })),
  );
  return [...own!.slice(0, FEW - 1), ...(other ?? []), ...own!.slice(FEW - 1)].slice(0, FEW);
}

async function sameFacility({ session, expect }: RuleContext): Promise<void> {
  for (const { id, country } of await some(session)) {
    const forms: Form[] = [];
    for (const version of versions) {
      const same = (await facilities(session, version, country, true)).find((one) => one.id === id);
      expect.that(same !== undefined, `Facility ${id} is missing from the list of ${version}.`);
      forms.push({ where: `the ${version} list`, fields: fieldsOf(same) });
    }
    forms.push(...(await byId(session, id)));
    for (const [index, form] of forms.entries()) {
      for (const before of forms.slice(0, index)) same(expect, id, before, form);
    }
  }
}

function same(expect: RuleContext['expect'], id: number, before: Form, form: Form): void {
  for (const [name, expected] of Object.entries(before.fields)) {
    const actual = form.fields[name];
    const alike = compared[name] ?? (typeof expected === 'boolean' ? sameText : undefined);
    // The rule of a field reports another type.
    if (!alike || !isShown(expected) || !isShown(actual) || typeof actual !== typeof expected) continue;
    const what = `\`${name}\` of facility ${id} differs between ${before.where} and ${form.where}.`;
    expect.that(alike(actual, expected), what, { expected, actual });
  }
}

async function foundById({ session, expect, probe }: RuleContext): Promise<void> {
  const find = versions.map((version) => operationIn('findFacility', version));
  const details = versionsOf('facilityDetails').map((version) => operationIn('facilityDetails', version));
  for (const { id: facilityId } of await some(session)) {
    for (const operation of [...find, ...details]) {
      const reply = await session.read(operation, { facilityId });
      expect.succeeds(reply, `A listed facility is not found by its id (${operation}).`);
      const { id } = fieldsOf(reply.data);
      if (id !== undefined) expect.equal(id, facilityId, `${operation} returns another facility than asked for.`);
    }
  }
  for (const operation of [...find, ...details]) {
    const { ok, data } = await probe({ operation, params: { facilityId: UNKNOWN_ID } });
    const { id } = ok ? fieldsOf(data) : {};
    const isOther = id !== undefined && id !== null && id !== UNKNOWN_ID;
    expect.that(!isOther, `${operation} returns a facility for an id that does not exist.`, { actual: id });
  }
}

/** Rules of how the forms of a facility agree. */
export const facilityAgreementRules: readonly RuleSpec[] = [
  defineRule({ id: 'facilities.same-across-versions', run: sameFacility }),
  defineRule({ id: 'facilities.list-finds', run: foundById }),
];
