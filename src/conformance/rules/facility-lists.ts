import { countries, facilities, facility, type FacilityItem, place, places } from '../journeys/places.js';
import { spread } from '../journeys/steady.js';
import { priceDays } from '../journeys/tee-sheets.js';
import { isObject } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

const versions = ['v1', 'v2', 'v3'] as const;
const COUNTRIES_TRIED = 3;
const FEW = 2;
const ids = (list: readonly FacilityItem[]): number[] => list.map(({ id }) => id);

async function onlyConnected({ session, expect }: RuleContext): Promise<void> {
  const connected = await countries(session, 'v3', true);
  const none = (await countries(session, 'v3')).find((name) => !connected.includes(name));
  const { country, facilities: newest } = await place(session);
  for (const version of versions) {
    const listed = ids(await facilities(session, version, country, true));
    expect.sameItems(
      listed,
      ids(newest),
      `The connected facilities of ${country} are others in ${version} than in v3.`,
    );
    if (none === undefined || !spread(session, versions, 2).includes(version)) continue;
    const { ok, data } = await session.read(`${version}.listFacilities`, { country: none, connected: true });
    const what = `${none} has connected facilities in ${version} and is no country of connected facilities.`;
    expect.that(!ok || !Array.isArray(data) || data.length === 0, what, { actual: data });
  }
}

/** A facility cannot lie in two countries, nor name another country of the list than the one it is listed for. */
async function onlyOfCountry({ session, expect }: RuleContext): Promise<void> {
  const names = new Set(await countries(session, 'v3'));
  const first = await place(session);
  const second = (await places(session)).find(({ country }) => country !== first.country);
  for (const version of versions) {
    const both = spread(session, versions, 2).includes(version) ? [first, second] : [first];
    const seen = new Map<number, string>();
    for (const one of both) {
      if (!one) continue;
      for (const { id, address } of await facilities(session, version, one.country, true)) {
        const known = seen.get(id) ?? one.country;
        expect.that(known === one.country, `Facility ${id} of ${version} is listed for ${known} and ${one.country}.`);
        seen.set(id, one.country);
        const named = isObject(address) ? String(address['country']) : one.country;
        const what = `Facility ${id} is listed for ${one.country} in ${version} and lies elsewhere.`;
        expect.that(named === one.country || !names.has(named), what, { expected: one.country, actual: named });
      }
    }
  }
}

async function countryAsSent(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const names = await countries(session, 'v3');
  const connected = new Set(await countries(session, 'v3', true));
  const { country } = await place(session);
  const the = names.filter((name) => /^the\s/i.test(name) && connected.has(name));
  const led = spread(session, [country, ...the]).at(-1)!;
  const other = /^the\s/i.test(led) ? led.replace(/^the\s+/i, '') : `the ${led}`;
  if (names.includes(other)) throw new Inconclusive('no-data', 'a country whose name is no other one without "the"');
  for (const version of spread(session, versions, 2)) {
    const found = await facilities(session, version, led, true);
    if (found.length === 0) throw new Inconclusive('control-failed', `a connected facility in ${led}`);
    const operation = `${version}.listFacilities` as const;
    const reply = await context.probe({ operation, params: { country: other, connected: true } });
    const none = !reply.ok || (Array.isArray(reply.data) && reply.data.length === 0);
    expect.that(none, `${version} finds the facilities of "${led}" by "${other}".`);
  }
}

async function foundById({ session, expect }: RuleContext): Promise<void> {
  const { facilities: listed } = await place(session);
  for (const [index, { id: facilityId }] of spread(session, listed.slice(0, FEW)).entries()) {
    for (const version of index === 0 ? versions : spread(session, versions, 2)) {
      const reply = await session.read(`${version}.findFacility`, { facilityId });
      expect.succeeds(reply, `A listed facility is not found by its id in ${version}.`);
      const first = Array.isArray(reply.data) ? (reply.data[0] as unknown) : reply.data;
      if (isObject(first)) expect.equal(first['id'], facilityId, `${version} gives another facility than asked for.`);
    }
  }
}

/** A facility that the channel is not connected to. */
async function unconnected(session: Session): Promise<FacilityItem> {
  const own = (await place(session)).country;
  const others = (await countries(session, 'v3')).filter((country) => country !== own);
  const connected = new Set(await countries(session, 'v3', true));
  // A country without connected facilities has none but such; another one may have some.
  others.sort((a, b) => Number(connected.has(a)) - Number(connected.has(b)));
  for (const country of [own, ...others].slice(0, COUNTRIES_TRIED)) {
    const known = connected.has(country) ? new Set(ids(await facilities(session, 'v3', country, true))) : new Set();
    const found = (await facilities(session, 'v3', country)).find(({ id }) => !known.has(id));
    if (found) return found;
  }
  throw new Inconclusive('no-data', 'a facility that the channel is not connected to');
}

async function scope({ session, observe }: RuleContext): Promise<void> {
  const { id } = await unconnected(session);
  const { from, to } = await priceDays(session);
  // At which record a page begins by itself is an open question.
  const dates = { fromDate: from.query, toDate: to.query, offset: 0 };
  const reply = await session.read('v5.listPrices', { facilityIds: id, ...dates });
  if (!reply.ok) {
    const own = await session.read('v5.listPrices', { facilityIds: (await facility(session)).id, ...dates });
    if (!own.ok) throw new Inconclusive('control-failed', `a successful answer to ${own.what} (it was ${own.status})`);
    if (reply.status >= 400 && reply.status < 500) observe('facility.unconnected', 'refused');
    return;
  }
  const records = isObject(reply.data) ? reply.data['records'] : undefined;
  if (Array.isArray(records)) observe('facility.unconnected', records.length > 0 ? 'open' : 'empty');
}

/** Text fields that lists and details have in common ground: which of them are empty, and how that is shown. */
async function emptyFields({ session, observe }: RuleContext): Promise<void> {
  const shapes: [object: unknown, names: readonly string[]][] = [];
  const text = ['address1', 'number', 'addition', 'zipcode', 'place', 'state', 'country'];
  for (const { facilities: listed } of await places(session)) {
    for (const item of listed) shapes.push([item, ['website', 'email']], [item.address, text]);
  }
  const details = await session.data('v3.facilityDetails', { facilityId: (await facility(session)).id });
  shapes.push([details, ['phoneNumber']]);
  const found = new Set<'present' | 'absent' | 'null'>();
  for (const [object, names] of shapes) {
    if (!isObject(object)) continue;
    for (const name of names) {
      if (object[name] === undefined) found.add('absent');
      else if (object[name] === null) found.add('null');
      else if (object[name] === '') found.add('present');
    }
  }
  if (found.size === 0) throw new Inconclusive('no-data', 'a facility with an empty field');
  const [how, another] = found;
  if (how && !another) observe('facility.empty-fields', how);
}

/** Rules of what facility lists leave out, and of what follows from it. */
export const facilityListRules: readonly RuleSpec[] = [
  defineRule({ id: 'facilities.list.connected-only', run: onlyConnected }),
  defineRule({ id: 'facilities.list.country-only', run: onlyOfCountry }),
  defineRule({ id: 'facilities.list.country-as-sent', run: countryAsSent }),
  defineRule({ id: 'facilities.list-finds', run: foundById }),
  defineRule({ id: 'facilities.connected-scope', run: scope }),
  defineRule({ id: 'facilities.optional-fields', run: emptyFields }),
  defineRule({
    id: 'facilities.query.connected',
    async run(context) {
      const { country } = await place(context.session);
      for (const version of spread(context.session, versions)) {
        const operation = `${version}.listFacilities` as const;
        const twin = { operation, params: { country, connected: true } };
        const probe = { operation, params: { country, connected: 'perhaps' } };
        await context.refuses(probe, twin, `The facility list of ${version} takes \`connected=perhaps\`.`);
      }
    },
  }),
];
