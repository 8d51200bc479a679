import type { OperationName } from '../../generated/operations.js';
import { bookings } from '../journeys/bookings.js';
import { readCalls } from '../journeys/calls.js';
import { facilities, facility, place } from '../journeys/places.js';
import { spread } from '../journeys/steady.js';
import { Inconclusive } from '../outcome.js';
import { operationOf } from '../request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

const resources: Readonly<Record<string, readonly OperationName[]>> = {
  facilities: ['listFacilities', 'findFacility', 'facilityDetails'],
  countries: ['listCountries'],
  'tee times': ['listTeeTimes'],
  prices: ['listPrices'],
  bookings: ['listBookings'],
};

/** Neither there nor elsewhere: not found, no such method, not implemented, or moved. */
const gone = (status: number): boolean => [404, 405, 410, 501].includes(status) || (status >= 300 && status < 400);

async function judgeScope({ session, expect }: RuleContext): Promise<void> {
  const calls = await readCalls(session);
  for (const [resource, names] of Object.entries(resources)) {
    const own = calls.filter(({ operation }) => names.includes(operationOf(operation).name as OperationName));
    const statuses: number[] = [];
    let served = false;
    for (const { operation, params } of own) {
      const { ok, status } = await session.read(operation, params);
      statuses.push(status);
      served ||= ok || !gone(status);
    }
    if (own.length > 0) expect.that(served, `The service has no ${resource}.`, { actual: statuses });
  }
}

async function judgeBasePath({ session, expect }: RuleContext): Promise<void> {
  for (const { operation, params } of await readCalls(session)) {
    const { status, what } = await session.read(operation, params);
    expect.that(!gone(status), `${what.split('?')[0]} is not found under the base URL.`, { actual: status });
  }
}

/** The form that tells the versions of one operation apart. */
async function judgeSegment({ session, expect }: RuleContext): Promise<void> {
  const params = { facilityId: (await facility(session)).id };
  const newest = await session.data('v3.findFacility', params);
  expect.that(Array.isArray(newest), 'v3 by id has not the form of v3.', { actual: newest });
  for (const version of ['v1', 'v2'] as const) {
    const older = await session.data(`${version}.findFacility`, params);
    expect.that(!Array.isArray(older), `${version} by id has the form of v3.`, { actual: older });
  }
}

/** Paths that are near to listed ones. */
const strangers = ['/api/v9/countries', '/api/v1/countries', '/api/v3/no-such-path'];

async function judgePaths(context: RuleContext): Promise<void> {
  const twin = { operation: 'v3.listCountries' } as const;
  for (const path of spread(context.session, strangers, 1)) {
    await context.refuses({ method: 'GET', path }, twin, `GET ${path} is answered, which is not listed.`);
  }
}

async function judgeMethods(context: RuleContext): Promise<void> {
  const { transport } = context.session.run;
  const twin = { operation: 'v3.listCountries' } as const;
  const probes = [
    { method: 'GET', path: '/api/v5/bookings' },
    { method: 'POST', path: '/api/v3/countries' },
    { method: 'PUT', path: '/api/v2/countries' },
    { method: 'GET', path: '/api/v5/token/refreshToken' },
  ].filter((_, index) => index === 0 || transport.allows(index === 3 ? 'tokens' : 'bookings'));
  for (const probe of probes) {
    await context.refuses(probe, twin, `${probe.method} ${probe.path} is answered, which is not listed.`);
  }
}

/** What each version shows of the same data, as ids. */
async function judgeTogether({ session, expect }: RuleContext): Promise<void> {
  const { country } = await place(session);
  const ids = async (version: 'v1' | 'v2' | 'v3'): Promise<readonly number[]> =>
    (await facilities(session, version, country, true)).map(({ id }) => id);
  for (const version of ['v1', 'v2'] as const) {
    expect.sameItems(await ids(version), await ids('v3'), `${version} and v3 have other facilities.`);
  }
  for (const version of ['v1', 'v2'] as const) {
    const differs = (await missing(session, version)) && (await missing(session, version, true));
    expect.that(!differs, `${version} and v4 have other bookings.`, { actual: differs });
  }
}

/** A booking that stands in the list of only one of the versions; a second look tells it from one made meanwhile. */
async function missing(session: Session, version: 'v1' | 'v2', again = false): Promise<string | undefined> {
  const list = async (of: 'v1' | 'v2' | 'v4'): Promise<readonly string[]> => {
    const from = session.longAgo;
    const call = { operation: `${of}.listBookings`, params: { fromDate: from.query } } as const;
    const read = again
      ? ((await session.send(call)).data as { bookingId: string }[])
      : await bookings(session, of, { from });
    return read.map(({ bookingId }) => bookingId);
  };
  const [older, newest] = [await list(version), await list('v4')];
  return [...older.filter((id) => !newest.includes(id)), ...newest.filter((id) => !older.includes(id))][0];
}

/** Rules of paths and versions. */
export const versionRules: readonly RuleSpec[] = [
  defineRule({ id: 'versions.scope', run: judgeScope }),
  defineRule({ id: 'versions.base-path', run: judgeBasePath }),
  defineRule({ id: 'versions.path-segment', run: judgeSegment }),
  defineRule({ id: 'versions.path', run: judgePaths }),
  defineRule({ id: 'versions.method', run: judgeMethods }),
  defineRule({ id: 'versions.side-by-side', run: judgeTogether }),
  defineRule({
    id: 'versions.trailing-slash',
    async run({ session, probe, observe }) {
      const { ok: found } = await session.read('v2.listCountries');
      if (!found) throw new Inconclusive('precondition', 'a successful answer to GET /api/v2/countries');
      const { ok, status } = await probe({ method: 'GET', path: '/api/v2/countries/' });
      if (ok) observe('path.trailing-slash', 'accepted');
      else if (status === 404) observe('path.trailing-slash', 404);
    },
  }),
  defineRule({
    id: 'versions.deprecation',
    async run({ session, observe }) {
      const { id: facilityId } = await facility(session);
      const { ok, headers } = await session.read('v1.findFacility', { facilityId });
      if (ok) observe('versions.deprecation', headers.has('deprecation') ? 'header' : 'none');
    },
  }),
];
