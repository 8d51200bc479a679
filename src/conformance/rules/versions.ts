import { wholeBookingLists } from '../journeys/booking-lists.js';
import { type ReadCall, readCall, readCalls, type ReadName } from '../journeys/read-calls.js';
import { facility } from '../journeys/connected-facilities.js';
import { type OperationId, operationOf } from '../../contract/index.js';
import { Inconclusive } from '../client/outcome.js';
import { prepare } from '../client/request.js';
import type { Relation } from '../facts/relation.js';
import { listedTwice, sameBookings } from './bookings/agreement.js';
import { sameConnected } from './facilities/lists.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import { newestOf, operationIn, shows, versions, versionsOf, without } from '../client/operations.js';

const resources: Readonly<Record<string, readonly ReadName[]>> = {
  facilities: ['listFacilities', 'findFacility', 'facilityDetails'],
  countries: ['listCountries'],
  'tee times': ['listTeeTimes'],
  prices: ['listPrices'],
  bookings: ['listBookings'],
};

/** Statuses of an operation that does not exist: not found, method not allowed, not implemented, or moved. */
const gone = (status: number): boolean => [404, 405, 410, 501].includes(status) || (status >= 300 && status < 400);

async function checkScope({ session, expect }: RuleContext): Promise<void> {
  const { scope } = session.run.transport;
  const calls = await readCalls(session);
  const unasked: (() => Promise<ReadCall>)[] = [];
  for (const [resource, names] of Object.entries(resources)) {
    const own = calls.filter(({ operation }) => names.includes(operationOf(operation).name as ReadName));
    const statuses: number[] = [];
    let last: string | undefined;
    let served = false;
    for (const { operation, params } of own) {
      const { id, ok, status } = await session.read(operation, params);
      last = id;
      statuses.push(status);
      served ||= ok || !gone(status);
    }
    const unread = names.find((name) => scope.versionsOf(name).length > 0);
    expect.about(last);
    if (own.length > 0) expect.that(served, `The service has no ${resource}.`, { actual: statuses });
    else if (unread) unasked.push(() => readCall(session, unread, scope.versionsOf(unread)[0]!));
  }
  // Nothing shows that these resources exist. Making the call again says what it lacks.
  for (const ask of unasked) await ask();
}

async function checkBasePath({ session, expect }: RuleContext): Promise<void> {
  for (const { operation, params } of await readCalls(session)) {
    const { id, status, what } = await session.read(operation, params);
    expect.about(id);
    expect.that(!gone(status), `${what.split('?')[0]} is not found under the base URL.`, { actual: status });
  }
}

/** The form that identifies a version of an operation. */
async function checkSegment({ session, expect }: RuleContext): Promise<void> {
  const params = { facilityId: (await facility(session)).id };
  const pairs = versionsOf('findFacility', shows('paymentRule'));
  const last = pairs.at(-1)!;
  for (const version of pairs) {
    const newest = await session.data(operationIn('findFacility', version), params);
    expect.that(Array.isArray(newest), `${version} by id does not have the form of ${version}.`, { actual: newest });
  }
  for (const version of versionsOf('findFacility', without(shows('paymentRule')))) {
    const older = await session.data(operationIn('findFacility', version), params);
    expect.that(!Array.isArray(older), `${version} by id has the form of ${last}.`, { actual: older });
  }
}

/** Paths similar to documented ones. */
const strangers = [
  '/api/v9/countries',
  `/api/${versions.find((version) => !versionsOf('listCountries').some((own) => own === version))}/countries`,
  `/api/${newestOf('listCountries')}/no-such-path`,
];

async function checkPaths(context: RuleContext): Promise<void> {
  const control = { operation: operationIn('listCountries') };
  for (const path of strangers) {
    await context.refuses(
      { method: 'GET', path },
      control,
      `GET ${path} is answered, although the path is not listed.`,
    );
  }
}

const lists = (version: string): boolean => versionsOf('listBookings').some((one) => one === version);

async function checkMethods(context: RuleContext): Promise<void> {
  const { transport } = context.session.run;
  const control = { operation: operationIn('listCountries') };
  const probes = [
    { method: 'GET', path: `/api/${versionsOf('createBooking').findLast((one) => !lists(one))}/bookings` },
    { method: 'POST', path: `/api/${newestOf('listCountries')}/countries` },
    { method: 'PUT', path: `/api/${versionsOf('listCountries')[0]}/countries` },
    { method: 'GET', path: `/api/${versions.at(-1)}/token/refreshToken` },
  ].filter((_, index) => index === 0 || transport.allows(index === 3 ? 'tokens' : 'bookings'));
  for (const probe of probes) {
    await context.refuses(
      probe,
      control,
      `${probe.method} ${probe.path} is answered, although the path is not listed.`,
    );
  }
}

/** A flag with both values, and the facility of a price list twice. */
async function checkRepeats(context: RuleContext): Promise<void> {
  const connected = { operation: operationIn('listCountries'), params: { connected: true } } as const;
  const prices = (await readCalls(context.session)).find(({ operation }) => operation === operationIn('listPrices'));
  const probes: readonly (readonly [control: ReadCall, more: string])[] = [
    [connected, 'connected=false'],
    ...(prices ? [[prices, `facilityIds=${prices.params['facilityIds']}`] as const] : []),
  ];
  for (const [control, more] of probes) {
    const { method, path } = prepare(control);
    const name = more.split('=')[0];
    await context.refuses(
      { method, path: `${path}&${more}` },
      control,
      `${method} with a second \`${name}\` is answered.`,
    );
  }
}

/** Versions list the same connected facilities and, from the earliest day that several were asked for, the same bookings. */
const sameData: Relation = {
  reads: ['facilities', 'bookings'],
  changes: true,
  ofChannel: true,
  *compare(facts, all) {
    yield* sameConnected.compare(facts, all);
    const whole = [...listedTwice(facts)].filter(({ list: { from, to } }) => from !== undefined && to === undefined);
    const [first] = whole.map(({ list }) => list.from).sort();
    for (const twice of whole) if (twice.list.from === first) yield* sameBookings(twice);
  },
};

/** Reads the whole booking lists. */
async function readTogether({ session }: RuleContext): Promise<void> {
  session.needsTwoOf('listFacilities', 'listBookings');
  await wholeBookingLists(session);
}

/** Rules of paths and versions. */
export const versionRules: readonly RuleSpec[] = [
  defineRule({ id: 'versions.scope', run: checkScope }),
  defineRule({ id: 'versions.base-path', run: checkBasePath }),
  defineRule({ id: 'versions.path-segment', run: checkSegment }),
  defineRule({ id: 'versions.path', run: checkPaths }),
  defineRule({ id: 'versions.method', run: checkMethods }),
  defineRule({ id: 'versions.query-once', run: checkRepeats }),
  defineRule({ id: 'versions.side-by-side', run: readTogether, relation: sameData }),
  defineRule({
    id: 'versions.trailing-slash',
    async run({ session, probe, observe, expect }) {
      const { id, method, path } = operationOf(operationIn('listCountries', versionsOf('listCountries')[0]));
      const { ok: found } = await session.read(id as OperationId);
      if (!found) throw new Inconclusive('precondition', `a successful answer to ${method} ${path}`);
      const { ok, status } = await probe({ method, path: `${path}/` });
      if (ok) observe('path.trailing-slash', 'accepted');
      else if (status === 404) observe('path.trailing-slash', 404);
      else expect.that(false, 'A path with a trailing slash is refused otherwise than by 404.', { actual: status });
    },
  }),
  defineRule({
    id: 'versions.deprecation',
    async run({ session, observe }) {
      const { id: facilityId } = await facility(session);
      const { ok, headers } = await session.read(operationIn('findFacility', versionsOf('findFacility')[0]), {
        facilityId,
      });
      if (ok) observe('versions.deprecation', headers.has('deprecation') ? 'header' : 'none');
    },
  }),
];
