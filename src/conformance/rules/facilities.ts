import { countries, facilities, facility, type FacilityItem, place } from '../journeys/places.js';
import { spread } from '../journeys/steady.js';
import { UNKNOWN_ID } from '../journeys/unknown-id.js';
import { isObject } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { unknownAnswer } from './answers.js';

const versions = ['v1', 'v2', 'v3'] as const;
const onlyById = ['mid', 'latitude', 'longitude', 'region'];

const flat = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value);
/** What all forms of a facility have; blanks that a form adds do not make it another one. */
const identity = ({ id, name, website, email }: FacilityItem): unknown => ({
  id,
  name: flat(name),
  website: flat(website),
  email: flat(email),
});

/** The address of an object, if it has one. */
function addressOf(value: unknown): object[] {
  return isObject(value) && isObject(value['address']) ? [value['address']] : [];
}

async function sameFacility({ session, expect }: RuleContext): Promise<void> {
  const { country, facilities: listed } = await place(session);
  const first = listed[0]!;
  for (const version of versions) {
    const same = (await facilities(session, version, country, true)).find(({ id }) => id === first.id);
    expect.equal(
      same && identity(same),
      identity(first),
      `The facility list of ${version} tells the facility otherwise.`,
    );
    const data = await session.data(`${version}.findFacility`, { facilityId: first.id });
    const one = (Array.isArray(data) ? data[0] : data) as FacilityItem;
    expect.equal(identity(one), identity(first), `${version} by id tells the facility otherwise than the list.`);
  }
  for (const version of ['v2', 'v3'] as const) {
    const details = (await session.data(`${version}.facilityDetails`, { facilityId: first.id })) as FacilityItem;
    expect.equal(
      identity(details),
      identity(first),
      `The ${version} details tell the facility otherwise than the list.`,
    );
  }
}

/** Rules of facilities beyond the form of their fields. */
export const facilityRules: readonly RuleSpec[] = [
  defineRule({
    id: 'facilities.list',
    async run({ session, expect }) {
      // Not by way of a place that was found: what finds it is the v3 list itself.
      const [first] = await countries(session, 'v3', true);
      if (first === undefined) throw new Inconclusive('no-data', 'a country with connected facilities');
      const newest = await session.read('v3.listFacilities', { country: first, connected: true });
      expect.succeeds(newest, 'The facilities of v3 are not answered.');
      const { country } = await place(session);
      for (const version of ['v1', 'v2'] as const) {
        const reply = await session.read(`${version}.listFacilities`, { country, connected: true });
        expect.succeeds(reply, `The facilities of ${version} are not answered.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.find',
    async run({ session, expect }) {
      const { id: facilityId } = await facility(session);
      for (const version of versions) {
        const reply = await session.read(`${version}.findFacility`, { facilityId });
        expect.succeeds(reply, `A listed facility is not found by its id in ${version}.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.details',
    async run({ session, expect }) {
      const { id: facilityId } = await facility(session);
      for (const version of ['v2', 'v3'] as const) {
        const reply = await session.read(`${version}.facilityDetails`, { facilityId });
        expect.succeeds(reply, `The details of a listed facility are not answered in ${version}.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.query.country',
    async run(context) {
      const { country } = await place(context.session);
      for (const version of spread(context.session, versions, 1)) {
        const operation = `${version}.listFacilities` as const;
        const twin = { operation, params: { country, connected: true } };
        const probe = { operation, params: { connected: true } };
        await context.refuses(probe, twin, `The facility list of ${version} is answered without a country.`);
      }
    },
  }),
  defineRule({
    id: 'facilities.path.facilityId',
    async run(context) {
      const { id: facilityId } = await facility(context.session);
      for (const operation of spread(context.session, ['v3.findFacility', 'v3.facilityDetails'] as const)) {
        const probe = { operation, params: { facilityId: `${facilityId}abc` } };
        await context.refuses(
          probe,
          { operation, params: { facilityId } },
          'A facility id that is no integer is taken.',
        );
      }
    },
  }),
  defineRule({
    id: 'facilities.list.connected-subset',
    async run({ session, expect }) {
      const { country, facilities: connected } = await place(session);
      const all = await facilities(session, 'v3', country);
      const ids = (list: readonly FacilityItem[]): number[] => list.map(({ id }) => id);
      expect.subset(ids(connected), ids(all), 'A connected facility is missing from the list of all facilities.');
    },
  }),
  defineRule({
    id: 'facilities.same-across-versions',
    run: sameFacility,
  }),
  defineRule({
    id: 'facilities.details.contact-not-in-old',
    async run({ session, expect }) {
      const details = await session.data('v2.facilityDetails', { facilityId: (await facility(session)).id });
      expect.that(
        isObject(details) && !('reservationsContact' in details),
        'The v2 details have a reservations contact.',
      );
    },
  }),
  defineRule({
    id: 'facilities.address.by-id-only',
    async run({ session, expect }) {
      const { id: facilityId } = await facility(session);
      const { facilities: listed } = await place(session);
      const others = [
        await session.data('v1.findFacility', { facilityId }),
        await session.data('v3.facilityDetails', { facilityId }),
      ];
      const what = 'An address outside the v3 by-id form has a field of that form.';
      const plain = (address: object): boolean => !onlyById.some((name) => name in address);
      expect.every([...listed, ...others].flatMap(addressOf), plain, what, `no ${onlyById.join(', ')}`);
    },
  }),
  defineRule({
    id: 'facilities.details.not-in-oldest',
    async run(context) {
      const { id: facilityId } = await facility(context.session);
      const probe = { method: 'GET', path: `/api/v1/facilities/details/${facilityId}` };
      const twin = { operation: 'v2.facilityDetails', params: { facilityId } } as const;
      await context.refuses(probe, twin, 'Version v1 has the verbose details.');
    },
  }),
  defineRule({
    id: 'facilities.unknown',
    async run({ probe, observe }) {
      const reply = await probe({ operation: 'v2.findFacility', params: { facilityId: UNKNOWN_ID } });
      const answer = unknownAnswer(reply);
      if (answer !== undefined) observe('facility.unknown', answer);
    },
  }),
];
