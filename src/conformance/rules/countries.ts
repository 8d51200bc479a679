import { countries, facilities } from '../journeys/places.js';
import { spread } from '../journeys/steady.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleSpec } from '../rule.js';

const versions = ['v2', 'v3'] as const;
const FEW = 3;
const MANY = 20;

/** Rules of the country list. */
export const countryRules: readonly RuleSpec[] = [
  defineRule({
    id: 'countries.list',
    async run({ session, expect }) {
      for (const version of versions) {
        expect.succeeds(
          await session.read(`${version}.listCountries`),
          `The countries of ${version} are not answered.`,
        );
      }
    },
  }),
  defineRule({
    id: 'countries.item',
    async run({ session, expect }) {
      for (const version of versions) {
        const plain = (name: unknown): boolean => typeof name === 'string' && name.trim() !== '';
        expect.every(await countries(session, version), plain, `A country of ${version} is no plain string.`, 'a name');
      }
    },
  }),
  defineRule({
    id: 'countries.query.connected',
    async run({ session, expect }) {
      for (const connected of spread(session, [true, false])) {
        const reply = await session.read('v3.listCountries', { connected });
        expect.succeeds(reply, `The country list does not take connected=${connected}.`);
      }
    },
  }),
  defineRule({
    id: 'countries.connected-subset',
    async run({ session, expect }) {
      for (const version of versions) {
        const [all, connected] = [await countries(session, version), await countries(session, version, true)];
        if (connected.length === 0) throw new Inconclusive('no-data', 'a country with connected facilities');
        expect.subset(connected, all, `A connected country of ${version} is missing from the list of all countries.`);
      }
    },
  }),
  defineRule({
    id: 'countries.connected-only',
    async run({ session, expect }) {
      const older = new Set(await countries(session, 'v2', true));
      const connected = [...(await countries(session, 'v3', true))];
      if (connected.length === 0) throw new Inconclusive('no-data', 'a country with connected facilities');
      connected.sort((a, b) => Number(older.has(a)) - Number(older.has(b)));
      for (const country of connected.slice(0, spread(session, [1, MANY]).at(-1))) {
        const found = await facilities(session, 'v3', country, true);
        expect.that(found.length > 0, `${country} is listed as connected and has no connected facility.`);
      }
    },
  }),
  defineRule({
    id: 'countries.same-across-versions',
    async run({ session, expect }) {
      const [older, newer] = [await countries(session, 'v2'), await countries(session, 'v3')];
      expect.sameItems(older, newer, 'The countries of v2 and v3 differ.');
    },
  }),
  defineRule({
    id: 'countries.match-facilities',
    async run({ session, expect }) {
      const names = await countries(session, 'v3');
      // Names with a space, a capital inside or letters beyond ASCII are those that get lost on the way.
      const delicate = names.filter((name) => /[^A-Za-z]|^[a-z]/.test(name));
      for (const country of spread(session, [...delicate, ...names].slice(0, FEW))) {
        const found = await facilities(session, 'v3', country);
        expect.that(found.length > 0, `No facility is found by the listed country ${country}.`);
      }
    },
  }),
  defineRule({
    id: 'countries.unknown',
    async run({ probe, observe }) {
      const { status, data, ok } = await probe({ operation: 'v3.listFacilities', params: { country: 'Nowhere' } });
      if (ok && Array.isArray(data) && data.length === 0) observe('country.unknown', 'empty');
      else if (status === 404 || status === 400) observe('country.unknown', status);
    },
  }),
];
