import { connectedCountries, connectedCountry } from '../../journeys/connected-facilities.js';
import { plainCountry } from './country-names.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { isObject } from '../../../common/index.js';
import { operationIn, versionsOf } from '../../client/operations.js';
import { grouped } from '../../facts/facts.js';
import { compareMembers, type Exemptions } from '../../facts/agreement.js';
import type { Relation } from '../../facts/relation.js';
import type { Session } from '../../client/session.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const versions = versionsOf('listFacilities');
const FEW = 3;
/** Degrees by which two answers may round or place a facility differently. */
const NEAR = 0.5;

const isNear = (a: unknown, b: unknown): boolean =>
  typeof a !== 'number' || typeof b !== 'number' || Math.abs(a - b) < NEAR;
/** An address of a picture without its query, which may be a signature that expires. */
const pictures = (value: unknown): string =>
  [value]
    .flat()
    .map((url) => String(url).split('?')[0])
    .sort()
    .join(' ');

const exempt: Exemptions = {
  country: (a, b) => plainCountry(a) === plainCountry(b),
  latitude: isNear,
  longitude: isNear,
  logo: (a, b) => pictures(a) === pictures(b),
  images: (a, b) => pictures(a) === pictures(b),
};
/** What a channel has agreed on with a facility. */
const ofChannel: Exemptions = { ...exempt, paymentRule: false, applicableForWhitelable: false };

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

/** Every answer with a facility shows the same. */
const sameFacility: Relation = {
  reads: ['facilities'],
  changes: false,
  *compare({ facilities: claims }) {
    for (const [facility, all] of grouped(claims, ({ facilityId }) => facilityId)) {
      // Most answers of one form are alike.
      const shown = [...new Map(all.map((claim) => [claim.where + JSON.stringify(claim.fields), claim])).values()];
      for (const [index, claim] of shown.entries()) {
        for (const before of shown.slice(0, index)) {
          yield* compareMembers(claim.fields, before.fields, {
            facility,
            claims: [claim, before],
            exempt: claim.channel === before.channel ? exempt : ofChannel,
            what: (member) => `${member} of facility ${facility} differs between ${before.where} and ${claim.where}.`,
          });
        }
      }
    }
  },
};

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
