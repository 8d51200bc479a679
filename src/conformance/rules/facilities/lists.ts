import {
  namesOfCountries,
  facilities,
  facility,
  type FacilityItem,
  connectedCountry,
  connectedCountries,
} from '../../journeys/connected-facilities.js';
import { plainCountry } from './country-names.js';
import { priceDays } from '../../journeys/tee-sheets.js';
import { isObject } from '../../../common/index.js';
import { Inconclusive, unlessInconclusive } from '../../client/outcome.js';
import { closestTo, type FacilityListClaim, grouped } from '../../facts/facts.js';
import type { Relation } from '../../facts/relation.js';
import { setDifference, without } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { lastOf, type Session } from '../../client/session.js';
import { newestOf, operationIn, versionsOf } from '../../client/operations.js';

const versions = versionsOf('listFacilities');
const newest = newestOf('listFacilities');
const COUNTRIES_TRIED = 3;
const SOME = 3;
const ids = (list: readonly FacilityItem[]): number[] => list.map(({ id }) => id);

/** A country that is not listed as connected has no connected facilities. */
async function noneElsewhere({ session, expect }: RuleContext): Promise<void> {
  session.needsTwoOf('listFacilities');
  const connected = new Set((await namesOfCountries(session, newestOf('listCountries'), true)).map(plainCountry));
  const all = await namesOfCountries(session, newestOf('listCountries'));
  for (const country of all.filter((name) => !connected.has(plainCountry(name))).slice(0, SOME)) {
    for (const version of session.served('listFacilities', versions)) {
      const { ok, data } = await session.read(operationIn('listFacilities', version), { country, connected: true });
      const what = `${version} lists connected facilities in ${country}, which has none by the list of countries.`;
      expect.that(!ok || !Array.isArray(data) || data.length === 0, what, { actual: data });
    }
  }
}

/** The lists of connected facilities are those of the channel, whatever the version: a cache may have those of another. */
export const sameConnected: Relation = {
  reads: ['facilities'],
  changes: true,
  ofChannel: true,
  *compare({ facilityLists }) {
    const connected = facilityLists.filter((list) => list.connected === true);
    for (const all of grouped(connected, ({ channel, country }) => `${channel} ${country}`).values()) {
      for (const list of all) {
        const other = closestTo(
          list,
          all.filter(({ version }) => version !== list.version),
        );
        // Two empty lists agree about nothing.
        if (!other || list.ids.length + other.ids.length === 0) continue;
        const what = (): string =>
          `The connected facilities of ${list.country} differ between ${list.version} and ${other.version}.`;
        const differing = setDifference(list.ids, other.ids);
        yield { holds: differing === undefined, what, claims: [list, other], ...differing };
      }
    }
  },
};

/**
 * Without `connected`, a list has the connected facilities, too. With `connected=false` it has at least all others, whether
 * that is no filter or the opposite one.
 */
export const allListed: Relation = {
  reads: ['facilities'],
  changes: true,
  ofChannel: true,
  *compare({ facilityLists }) {
    const keyOf = ({ channel, country, version }: FacilityListClaim): string => `${channel} ${country} ${version}`;
    for (const all of grouped(facilityLists, keyOf).values()) {
      const [whole, own, others] = [undefined, true, false].map((flag) => all.find((one) => one.connected === flag));
      if (!whole || !own || own.ids.length === 0) continue;
      const { version, country } = whole;
      const unlisted = without(own.ids, whole.ids);
      yield {
        holds: unlisted.length === 0,
        what: () => `A connected facility is missing from the ${version} list of all facilities of ${country}.`,
        expected: `all ${own.ids.length} items`,
        actual: { missing: unlisted },
        claims: [whole, own],
      };
      if (!others) continue;
      const missing = without(without(whole.ids, own.ids), others.ids);
      yield {
        holds: missing.length === 0,
        what: () => `With connected=false, ${version} leaves out facilities of ${country} that are not connected.`,
        expected: whole.ids,
        actual: { missing },
        claims: [others, whole, own],
      };
    }
  },
};

async function acceptsConnected({ session, expect }: RuleContext): Promise<void> {
  const { country } = await connectedCountry(session);
  for (const version of session.served('listFacilities', versions)) {
    for (const connected of [true, false, undefined]) {
      const reply = await session.read(operationIn('listFacilities', version), { country, connected });
      const sent = connected === undefined ? 'a request without `connected`' : `connected=${connected}`;
      expect.succeeds(reply, `The facility list of ${version} does not accept ${sent}.`);
    }
  }
}

/** The address of a listed facility names no other listed country. Whole names count: one may be part of another. */
const ofItsCountry: Relation = {
  reads: ['facilities'],
  changes: false,
  *compare({ facilityLists }, all) {
    const names = new Set(
      [...all.countryLists.flatMap((list) => list.names), ...all.facilityLists.map(({ country }) => country)].map(
        plainCountry,
      ),
    );
    const isNamed = (name: unknown): boolean => typeof name === 'string' && names.has(plainCountry(name));
    const byId = grouped(all.facilities, ({ facilityId }) => facilityId);
    for (const list of facilityLists) {
      for (const id of list.ids) {
        const claim = byId.get(id)?.find(({ fields }) => isNamed(fields['country']));
        if (!claim) continue;
        const [expected, actual] = [list.country, claim.fields['country']];
        const what = (): string =>
          `Facility ${id} is listed for ${expected} in ${list.version} but its address names another country.`;
        const holds = plainCountry(actual) === plainCountry(expected);
        yield { holds, what, expected, actual, facility: id, claims: [list, claim] };
      }
    }
  },
};

/** A facility must not be listed for two countries. */
async function onlyOfCountry({ session, expect }: RuleContext): Promise<void> {
  // Its relation knows the countries by their list.
  await namesOfCountries(session, newestOf('listCountries')).catch(unlessInconclusive);
  const first = await connectedCountry(session);
  const second = (await connectedCountries(session)).find(
    ({ country }) => plainCountry(country) !== plainCountry(first.country),
  );
  for (const version of session.served('listFacilities', versions)) {
    for (const connected of [true, undefined]) {
      const seen = new Map<number, string>();
      const listOf = (country: string) =>
        lastOf(session, operationIn('listFacilities', version), { country, connected });
      for (const { country } of second ? [first, second] : [first]) {
        for (const { id } of await facilities(session, version, country, connected)) {
          const known = seen.get(id) ?? country;
          expect.about(listOf(country), listOf(known));
          expect.that(known === country, `Facility ${id} of ${version} is listed for ${known} and ${country}.`);
          seen.set(id, country);
        }
      }
    }
  }
}

const leading = /^the\s+/i;
const otherForm = (name: string): string => (leading.test(name) ? name.replace(leading, '') : `the ${name}`);

async function countryAsSent(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const names = await namesOfCountries(session, newestOf('listCountries'));
  const { country } = await connectedCountry(session);
  const connected = await namesOfCountries(session, newestOf('listCountries'), true);
  // A name with a leading "the", if there is one. Its other form must not be the name of a country too.
  const fitting = [country, ...connected].filter((name) => !names.includes(otherForm(name)));
  const led = fitting.find((name) => leading.test(name)) ?? fitting[0];
  if (led === undefined)
    throw new Inconclusive('no-data', 'a country whose name with or without "the" is not another country');
  for (const version of session.served('listFacilities', versions)) {
    const found = await facilities(session, version, led, true);
    if (found.length === 0) throw new Inconclusive('control-failed', `a connected facility in ${led}`);
    const operation = operationIn('listFacilities', version);
    const reply = await context.probe({ operation, params: { country: otherForm(led), connected: true } });
    const none = !reply.ok || !Array.isArray(reply.data) || reply.data.length === 0;
    expect.that(none, `${version} finds the facilities of "${led}" by "${otherForm(led)}".`);
  }
}

/** A facility that the channel is not connected to. */
async function unconnected(session: Session): Promise<FacilityItem> {
  const own = (await connectedCountry(session)).country;
  const others = (await namesOfCountries(session, newestOf('listCountries'))).filter((country) => country !== own);
  const connected = new Set(await namesOfCountries(session, newestOf('listCountries'), true));
  // None of the facilities of a country without connected ones are connected; other countries may have some too.
  others.sort((a, b) => Number(connected.has(a)) - Number(connected.has(b)));
  for (const country of [own, ...others].slice(0, COUNTRIES_TRIED)) {
    const known = connected.has(country) ? new Set(ids(await facilities(session, newest, country, true))) : new Set();
    const found = (await facilities(session, newest, country)).find(({ id }) => !known.has(id));
    if (found) return found;
  }
  throw new Inconclusive('no-data', 'a facility that the channel is not connected to');
}

async function scope({ session, observe }: RuleContext): Promise<void> {
  const { id } = await unconnected(session);
  const { from, to } = await priceDays(session);
  // The default offset of a page is an open question.
  const dates = { fromDate: from.query, toDate: to.query, offset: 0 };
  const reply = await session.read(operationIn('listPrices'), { facilityIds: id, ...dates });
  if (!reply.ok) {
    const own = await session.read(operationIn('listPrices'), { facilityIds: (await facility(session)).id, ...dates });
    if (!own.ok)
      throw new Inconclusive('control-failed', `a successful answer to ${own.what} (the status was ${own.status})`);
    if (reply.status < 500) observe('facility.unconnected', 'refused');
    return;
  }
  const records = isObject(reply.data) ? reply.data['records'] : undefined;
  if (Array.isArray(records)) observe('facility.unconnected', records.length > 0 ? 'open' : 'empty');
}

const texts = ['address1', 'number', 'addition', 'zipcode', 'place', 'state', 'country'];
const detailFields = ['phoneNumber', 'foundedIn', 'description', 'services', 'logo', 'images', 'latitude', 'longitude'];
const recordFields = ['timeZone', 'address', 'language', 'currencyCode', 'created'];

/** Objects of facility answers with fields that may be empty: first those with text, then the others. */
async function emptiable(session: Session): Promise<[object: unknown, names: readonly string[]][][]> {
  const listed = (await connectedCountries(session)).flatMap(({ facilities }) => facilities);
  const facilityId = (await facility(session)).id;
  const details = await session.data(operationIn('facilityDetails'), { facilityId });
  const byId = await session.data(operationIn('findFacility'), { facilityId });
  const [record, terms] = Array.isArray(byId) ? (byId as unknown[]) : [];
  const text = listed.flatMap((item): [unknown, readonly string[]][] => [
    [item, ['website', 'email', 'address']],
    [item.address, texts],
  ]);
  text.push([details, ['phoneNumber']]);
  return [
    text,
    [
      [details, [...detailFields, 'reservationsContact']],
      [record, recordFields],
      [terms, ['paymentRule', 'applicableForWhitelable']],
    ],
  ];
}

type Empty = 'present' | 'absent' | 'null';

function emptyAs(value: unknown): Empty | undefined {
  if (value === '') return 'present';
  if (value === null) return 'null';
  return value === undefined ? 'absent' : undefined;
}

/** How most of the empty fields of facilities are shown. */
async function emptyFields({ session, observe }: RuleContext): Promise<void> {
  for (const shapes of await emptiable(session)) {
    const counts = { present: 0, absent: 0, null: 0 };
    for (const [object, names] of shapes) {
      for (const name of isObject(object) ? names : []) {
        const how = emptyAs((object as Record<string, unknown>)[name]);
        if (how) counts[how] += 1;
      }
    }
    const [most] = (Object.keys(counts) as Empty[]).sort((a, b) => counts[b] - counts[a]);
    if (counts[most!] > 0) return observe('facility.empty-fields', most!);
  }
  throw new Inconclusive('no-data', 'a facility with an empty field');
}

/** Rules of the filters of facility lists, and of facilities that are not connected. */
export const facilityListRules: readonly RuleSpec[] = [
  defineRule({ id: 'facilities.list.connected-only', run: noneElsewhere, relation: sameConnected }),
  defineRule({ id: 'facilities.list.country-only', run: onlyOfCountry, relation: ofItsCountry }),
  defineRule({ id: 'facilities.list.country-as-sent', run: countryAsSent }),
  defineRule({ id: 'facilities.connected-optional', run: acceptsConnected }),
  defineRule({ id: 'facilities.connected-scope', run: scope }),
  defineRule({ id: 'facilities.optional-fields', run: emptyFields }),
  defineRule({
    id: 'facilities.query.connected',
    async run(context) {
      const { session } = context;
      const { country } = await connectedCountry(session);
      for (const version of session.served('listFacilities', versions)) {
        const operation = operationIn('listFacilities', version);
        const control = { operation, params: { country, connected: true } };
        const probe = { operation, params: { country, connected: 'perhaps' } };
        await context.refuses(probe, control, `The facility list of ${version} accepts \`connected=perhaps\`.`);
      }
    },
  }),
];
