import { connectedCountries, connectedCountry } from '../../journeys/connected-facilities.js';
import { plainCountry } from './country-names.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { isObject } from '../../../common/index.js';
import { operationIn, versionsOf } from '../../client/operations.js';
import { type FacilityClaim, grouped } from '../../facts/facts.js';
import type { Comparison, Relation } from '../../facts/relation.js';
import type { Session } from '../../client/session.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const versions = versionsOf('listFacilities');
const FEW = 3;
/** Degrees by which two answers may round or place a facility differently. */
const NEAR = 0.5;

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

/** The id of the facility in the answer to a request by id. */
function idIn(data: unknown): unknown {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  return isObject(first) ? first['id'] : undefined;
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

/** Every form of a facility shows the same. */
const sameFacility: Relation = {
  reads: ['facilities'],
  changes: false,
  *compare({ facilities: claims }) {
    for (const [facility, all] of grouped(claims, ({ facilityId }) => facilityId)) {
      // One answer of each form: the latest.
      const forms = [...new Map(all.map((claim) => [claim.where, claim])).values()];
      for (const [index, claim] of forms.entries()) {
        for (const before of forms.slice(0, index)) yield* differences(facility, before, claim);
      }
    }
  },
};

function* differences(facility: number, before: FacilityClaim, claim: FacilityClaim): Iterable<Comparison> {
  for (const [name, expected] of Object.entries(before.fields)) {
    const actual = claim.fields[name];
    const own = Object.hasOwn(compared, name) ? compared[name] : undefined;
    const alike = own ?? (typeof expected === 'boolean' ? sameText : undefined);
    // The rule of a field reports another type.
    if (!alike || !isShown(expected) || !isShown(actual) || typeof actual !== typeof expected) continue;
    const what = (): string =>
      `\`${name}\` of facility ${facility} differs between ${before.where} and ${claim.where}.`;
    yield { facility, holds: alike(actual, expected), what, expected, actual, claims: [claim, before] };
  }
}

async function foundById({ session, expect, probe }: RuleContext): Promise<void> {
  const find = versions.map((version) => operationIn('findFacility', version));
  const details = versionsOf('facilityDetails').map((version) => operationIn('facilityDetails', version));
  for (const { id: facilityId } of await some(session)) {
    for (const operation of [...find, ...details]) {
      const reply = await session.read(operation, { facilityId });
      expect.succeeds(reply, `A listed facility is not found by its id (${operation}).`);
      const id = idIn(reply.data);
      if (id !== undefined) expect.equal(id, facilityId, `${operation} returns another facility than asked for.`);
    }
  }
  for (const operation of [...find, ...details]) {
    const { ok, data } = await probe({ operation, params: { facilityId: UNKNOWN_ID } });
    const id = ok ? idIn(data) : undefined;
    const isOther = id !== undefined && id !== null && id !== UNKNOWN_ID;
    expect.that(!isOther, `${operation} returns a facility for an id that does not exist.`, { actual: id });
  }
}

/** Rules of how the forms of a facility agree. */
export const facilityAgreementRules: readonly RuleSpec[] = [
  defineRule({
    id: 'facilities.same-across-versions',
    run: async ({ session }) => void (await connectedCountry(session)),
    relation: sameFacility,
  }),
  defineRule({ id: 'facilities.list-finds', run: foundById }),
];
