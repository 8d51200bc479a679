import {
  namesOfCountries,
  facilities,
  facility,
  connectedCountries,
  connectedCountry,
} from '../../journeys/connected-facilities.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { isObject } from '../../../common/index.js';
import { Inconclusive } from '../../client/outcome.js';
import type { Relation } from '../../facts/relation.js';
import { allListed } from './lists.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { unknownAnswer } from '../answers.js';
import { newestOf, olderOf, operationIn, shows, versionsOf, without } from '../../client/operations.js';

const versions = versionsOf('listFacilities');
const onlyById = ['mid', 'latitude', 'longitude', 'region'];

/** The by-id forms whose address has these fields (section "Address", row mid). */
const byId: readonly unknown[] = versionsOf('findFacility', shows('mid')).map((version) =>
  operationIn('findFacility', version),
);
const oldDetails: readonly unknown[] = versionsOf('facilityDetails', without(shows('reservationsContact'))).map(
  (version) => operationIn('facilityDetails', version),
);

const plainAddresses: Relation = {
  reads: ['facilities'],
  changes: false,
  *compare({ facilities: claims }) {
    for (const claim of claims) {
      const { by, facilityId, fields, where } = claim;
      const { address } = fields;
      if (byId.includes(by.operation) || !isObject(address)) continue;
      const actual = onlyById.filter((name) => name in address);
      const what = (): string =>
        `The address of facility ${facilityId} in ${where} has a field that only ${newestOf('findFacility', shows('mid'))} by id shows.`;
      const expected = `no ${onlyById.join(', ')}`;
      yield { holds: actual.length === 0, what, expected, actual, facility: facilityId, claims: [claim] };
    }
  },
};

/** Only the details of the newest version have a contact for reservations. */
const contactOfNewest: Relation = {
  reads: ['facilities'],
  changes: false,
  *compare({ facilities: claims }) {
    for (const claim of claims) {
      const { by, facilityId, fields, version } = claim;
      if (!oldDetails.includes(by.operation)) continue;
      const what = (): string => `The ${version} details of facility ${facilityId} have a reservations contact.`;
      yield { holds: !('reservationsContact' in fields), what, facility: facilityId, claims: [claim] };
    }
  },
};

/** A facility that is listed twice in one answer. */
async function listedOnce({ session, expect }: RuleContext): Promise<void> {
  for (const { country } of (await connectedCountries(session)).slice(0, 2)) {
    for (const version of versions) {
      for (const connected of [true, undefined]) {
        const ids = (await facilities(session, version, country, connected)).map(({ id }) => id);
        const again = ids.find((id, index) => ids.indexOf(id) !== index);
        const what = `Facility ${again} is listed twice for ${country} in ${version}.`;
        if (ids.length > 0) expect.that(again === undefined, what, { actual: ids });
      }
    }
  }
}

/** Rules of facilities, other than those about the form of their fields. */
export const facilityRules: readonly RuleSpec[] = [
  defineRule({
    id: 'facilities.list',
    async run({ session, expect }) {
      // Not the country of the journeys, since they found it with the newest list.
      const [first] = await namesOfCountries(session, newestOf('listCountries'), true);
      if (first === undefined) throw new Inconclusive('no-data', 'a country with connected facilities');
      const newest = await session.read(operationIn('listFacilities'), { country: first, connected: true });
      expect.succeeds(newest, `${newestOf('listFacilities')} does not return the facilities.`);
      const { country } = await connectedCountry(session);
      for (const version of olderOf('listFacilities')) {
        const reply = await session.read(operationIn('listFacilities', version), { country, connected: true });
        expect.succeeds(reply, `${version} does not return the facilities.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.find',
    async run({ session, expect }) {
      const { id: facilityId } = await facility(session);
      for (const version of versions) {
        const reply = await session.read(operationIn('findFacility', version), { facilityId });
        expect.succeeds(reply, `A listed facility is not found by its id in ${version}.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.details',
    async run({ session, expect }) {
      const { id: facilityId } = await facility(session);
      for (const version of versionsOf('facilityDetails')) {
        const reply = await session.read(operationIn('facilityDetails', version), { facilityId });
        expect.succeeds(reply, `${version} does not return the details of a listed facility.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.query.country',
    async run(context) {
      const { country } = await connectedCountry(context.session);
      for (const version of versions) {
        const operation = operationIn('listFacilities', version);
        const control = { operation, params: { country, connected: true } };
        const probe = { operation, params: { connected: true } };
        await context.refuses(probe, control, `The facility list of ${version} is returned without a country.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.path.facilityId',
    async run(context) {
      const { id: facilityId } = await facility(context.session);
      for (const operation of [operationIn('findFacility'), operationIn('facilityDetails')]) {
        const probe = { operation, params: { facilityId: `${facilityId}abc` } };
        await context.refuses(
          probe,
          { operation, params: { facilityId } },
          'A facility id that is not an integer is accepted.',
        );
      }
    },
  }),
  defineRule({
    id: 'facilities.list.connected-subset',
    run: async ({ session }) => void (await connectedCountry(session)),
    relation: allListed,
  }),
  defineRule({ id: 'facilities.list.no-duplicates', run: listedOnce }),
  defineRule({ id: 'facilities.details.contact-not-in-old', relation: contactOfNewest }),
  defineRule({ id: 'facilities.address.by-id-only', relation: plainAddresses }),
  defineRule({
    id: 'facilities.details.not-in-oldest',
    async run(context) {
      const { id: facilityId } = await facility(context.session);
      const [first] = versionsOf('findFacility');
      const probe = { method: 'GET', path: `/api/${first}/facilities/details/${facilityId}` };
      const operation = operationIn('facilityDetails', versionsOf('facilityDetails')[0]);
      const control = { operation, params: { facilityId } };
      await context.refuses(probe, control, `Version ${first} has the verbose details.`);
    },
  }),
  defineRule({
    id: 'facilities.unknown',
    async run({ probe, observe, expect }) {
      const reply = await probe({
        operation: operationIn('findFacility', olderOf('findFacility').at(-1)),
        params: { facilityId: UNKNOWN_ID },
      });
      const answer = unknownAnswer(reply);
      if (answer !== undefined) return observe('facility.unknown', answer);
      const what = 'The answer to an unknown facility is none that a dialect card can give.';
      expect.that(false, what, { actual: reply.status });
    },
  }),
];
