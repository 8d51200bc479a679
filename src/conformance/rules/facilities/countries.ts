import { isObject } from '../../../common/index.js';
import { countries, namesOfCountries } from '../../journeys/connected-facilities.js';
import { plainCountry } from './country-names.js';
import { lastOf } from '../../client/session.js';
import type { Reply } from '../../client/exchange.js';
import { Inconclusive } from '../../client/outcome.js';
import { grouped } from '../../facts/facts.js';
import type { Relation } from '../../facts/relation.js';
import { setDifference, shown } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { newestOf, olderOf, operationIn, versionsOf } from '../../client/operations.js';

const versions = versionsOf('listCountries');
const newest = newestOf('listCountries');
const FEW = 3;
const SOME = 10;
const MANY = 20;
const SERVER_ERROR = 500;

const sent = (connected: boolean | undefined): string =>
  connected === undefined ? 'a request without `connected`' : `connected=${connected}`;
const finds = ({ ok, data }: Reply): boolean => ok && Array.isArray(data) && data.length > 0;

/** The names that a version lists for connected countries, at least one. */
async function someConnected({ session, expect }: RuleContext, version = newest): Promise<readonly string[]> {
  return expect.some(await namesOfCountries(session, version, true), 'a country with connected facilities');
}

async function connectedSubset(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  for (const version of versions) {
    const all = await countries(session, version);
    const connected = await someConnected(context, version);
    expect.subset(connected, all, `A connected country of ${version} is missing from the list of all countries.`);
    // Whether `connected=false` is no filter or the opposite one, it hides none of the other countries.
    const unfiltered = await countries(session, version, false);
    const others = all.filter((name) => !connected.includes(name));
    expect.subset(others, unfiltered, `A country of ${version} is missing from the list with \`connected=false\`.`);
  }
}

async function connectedOnly(context: RuleContext): Promise<void> {
  const names = new Set<string>();
  // Names of one version alone come first.
  for (const version of versions) {
    for (const name of await someConnected(context, version)) if (!names.delete(name)) names.add(name);
  }
  for (const version of versions) for (const name of await someConnected(context, version)) names.add(name);
  await eachFinds(context, [...names].slice(0, MANY), { connected: true }, (country) => {
    return `${country} is listed as connected and has no connected facility.`;
  });
  if (context.session.hasSecond) await connectedOfSecond(context);
}

/** The second channel has countries of its own. Whether its credentials are accepted is for other rules to say. */
async function connectedOfSecond({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listCountries', versions)) {
    const { id, ok, data } = await session.read(operationIn('listCountries', version), { connected: true }, 'second');
    expect.about(id);
    for (const country of ok && Array.isArray(data) ? (data as unknown[]).slice(0, MANY) : []) {
      if (typeof country !== 'string' || country.trim() === '') continue;
      const params = { country, connected: true };
      const reply = await session.read(operationIn('listFacilities'), params, 'second');
      if (!reply.ok || !Array.isArray(reply.data)) continue;
      const what = `${country} is listed as connected to the second channel, which has no connected facility there.`;
      expect.that(reply.data.length > 0, what);
    }
  }
}

/**
 * Asks for the facilities of each country. An answer that is no list, or a failure of the server, says nothing of them;
 * other rules report it.
 *
 * @throws {Inconclusive} if one was no list, and all others have facilities.
 */
async function eachFinds(
  { session, expect }: RuleContext,
  names: readonly string[],
  params: { readonly connected?: boolean },
  message: (country: string) => string,
): Promise<void> {
  let unread: Reply | undefined;
  for (const country of names) {
    const reply = await session.read(operationIn('listFacilities'), { country, ...params });
    if (reply.ok ? !Array.isArray(reply.data) : reply.status >= SERVER_ERROR) unread ??= reply;
    else {
      const lists = params.connected === true ? { connected: true } : {};
      const listing = await session.read(operationIn('listCountries'), lists);
      expect.about(listing.id, reply.id);
      expect.that(finds(reply), message(country));
    }
  }
  if (unread) throw new Inconclusive('precondition', `a list in the answer to ${unread.what}`);
}

async function connectedComplete(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const connected = new Set((await someConnected(context)).map(plainCountry));
  const others = new Set(
    (await namesOfCountries(session, newest)).filter((name) => !connected.has(plainCountry(name))).slice(0, SOME),
  );
  for (const country of await namesOfCountries(session, newest)) {
    const reply = others.has(country)
      ? await session.read(operationIn('listFacilities'), { country, connected: true })
      : undefined;
    const what = `${country} has connected facilities and is not listed as connected.`;
    expect.about(lastOf(session, operationIn('listCountries', newest), { connected: true }), reply?.id);
    expect.that(reply === undefined || !finds(reply) || !isOf(reply, country), what);
  }
}

/** Whether the addresses of listed facilities name the country, or none. Another rule checks those that name another. */
function isOf({ data }: Reply, country: string): boolean {
  return (data as readonly unknown[]).every((one) => {
    const named = isObject(one) && isObject(one['address']) ? one['address']['country'] : undefined;
    return typeof named !== 'string' || named === '' || plainCountry(named) === plainCountry(country);
  });
}

/** With the same `connected`, every list of a channel has the same countries. */
const sameCountries: Relation = {
  reads: ['facilities'],
  changes: true,
  ofChannel: true,
  *compare({ countryLists }) {
    for (const all of grouped(countryLists, ({ channel, connected }) => `${channel} ${connected}`).values()) {
      for (const [index, list] of all.entries()) {
        const other = all[index - 1];
        if (!other || list.names.length + other.names.length === 0) continue;
        const what = (): string => `The countries of ${list.version} and ${other.version} differ.`;
        const differing = setDifference(list.names, other.names);
        yield { holds: differing === undefined, what, claims: [list, other], ...differing };
      }
    }
  },
};

/** Rules of the country list. */
export const countryRules: readonly RuleSpec[] = [
  defineRule({
    id: 'countries.list',
    async run({ session, expect }) {
      for (const version of versions) {
        expect.succeeds(
          await session.read(operationIn('listCountries', version)),
          `${version} does not return the countries.`,
        );
      }
    },
  }),
  defineRule({
    id: 'countries.item',
    async run({ session, expect }) {
      for (const version of versions) {
        const what = `A country of ${version} is not a plain string.`;
        await countries(session, version);
        const { json } = await session.read(operationIn('listCountries', version));
        const listed = isObject(json) && Array.isArray(json['data']) ? (json['data'] as readonly unknown[]) : [];
        expect.every(listed, (name) => typeof name === 'string', what, 'a name');
      }
    },
  }),
  defineRule({
    id: 'countries.connected-optional',
    async run({ session, expect }) {
      for (const version of versions) {
        for (const connected of [true, false, undefined]) {
          const reply = await session.read(operationIn('listCountries', version), { connected });
          expect.succeeds(reply, `The country list of ${version} does not accept ${sent(connected)}.`);
        }
      }
    },
  }),
  defineRule({
    id: 'countries.query.connected',
    async run(context) {
      for (const version of versions) {
        const operation = operationIn('listCountries', version);
        const [control, probe] = ['true', 'perhaps'].map((connected) => ({ operation, params: { connected } }));
        await context.refuses(probe!, control!, `The country list of ${version} accepts \`connected=perhaps\`.`);
      }
    },
  }),
  defineRule({ id: 'countries.connected-subset', run: connectedSubset }),
  defineRule({ id: 'countries.connected-only', run: connectedOnly }),
  defineRule({ id: 'countries.connected-complete', run: connectedComplete }),
  defineRule({
    id: 'countries.no-duplicates',
    async run({ session, expect }) {
      for (const version of versions) {
        for (const connected of [true, undefined]) {
          const names = await countries(session, version, connected);
          const again = names.find((name, index) => names.indexOf(name) !== index);
          if (names.length > 0) expect.that(again === undefined, `${version} lists ${again} twice.`, { actual: names });
        }
      }
    },
  }),
  defineRule({
    id: 'countries.same-across-versions',
    relation: sameCountries,
    async run({ session, expect }) {
      for (const version of olderOf('listCountries')) {
        const [older, newer] = [await countries(session, version), await countries(session, newest)];
        expect.about((await session.read(operationIn('listCountries', version))).id);
        expect.sameItems(older, newer, `The countries of ${version} and ${newest} differ.`);
      }
    },
  }),
  defineRule({
    id: 'countries.match-facilities',
    async run(context) {
      const { session, expect } = context;
      // Whether a country without connected facilities has any is not stated.
      const listed = await countries(session, newest, true);
      expect.every(listed, (name) => String(name).trim() !== '', 'A connected country has no name.');
      const names = await namesOfCountries(session, newest, true);
      // Names with a space, a capital letter inside or non-ASCII letters are the ones most often misread.
      const delicate = names.filter((name) => /[^A-Za-z]|^[a-z]/.test(name));
      const some = [...new Set([...delicate, ...names])].slice(0, FEW);
      await eachFinds(context, some, {}, (country) => `No facility is found by the listed country ${shown(country)}.`);
    },
  }),
  defineRule({
    id: 'countries.unknown',
    async run({ probe, observe, expect }) {
      const { status, data, ok } = await probe({
        operation: operationIn('listFacilities'),
        params: { country: 'Nowhere' },
      });
      if (ok && Array.isArray(data) && data.length === 0) observe('country.unknown', 'empty');
      else if (status === 404 || status === 400) observe('country.unknown', status);
      else if (status === 200 && !ok) observe('country.unknown', 200);
      else expect.that(false, 'The answer to an unknown country is none that a card can give.', { actual: status });
    },
  }),
];
