import { beforeAll, describe, expect, test } from 'vitest';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import type { PlanOptions } from '../../../src/engine/library.js';
import { appliesTo } from '../../../src/engine/scenarios/spec.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open } from '../../support/client.js';
import { accessTokenOf, bare, bearer, initialTokenOf } from '../../support/credentials.js';
import { quick } from '../../support/model-based/operated-walk.js';
import { postPatiently } from '../../support/scenarios/patience.js';
import { bookingFor, findTeeTime, type TeeTime } from '../../support/scenes.js';
import { openAtOnce } from '../../support/views.js';

const { schedule } = quick;

/** Looked up in another sandbox: the plans would see the search too. */
let teeTime: TeeTime;
beforeAll(async () => {
  teeTime = await findTeeTime((await open()).fairway);
});

describe('a plan for one body is met by no other, wherever its scenario strikes', () => {
  const striking = scenarios.filter((one) => appliesTo(one, 'createBooking') && one.id !== 'token-expired');
  const conditions: readonly [what: string, meant: PlanOptions, other: PlanOptions][] = [
    ['its facility', { facilityId: 1001 }, { facilityId: 1002 }],
    ['its name', { match: { contactLastName: 'Lovelace' } }, { match: { contactLastName: 'Byron' } }],
    ['several fields', { match: { players: 1, holes: 18 } }, { match: { players: 1, holes: 9 } }],
    ['its channel', { channel: 'fairway' }, { channel: 'links' }],
    ['its version', { operation: 'v5.createBooking' }, { operation: 'v2.createBooking' }],
  ];
  const rows = striking.flatMap(({ id }) => conditions.map((one) => [id, ...one] as const));
  test.each(rows)('%s, by %s', async (id, _, meant, other) => {
    const { fairway, sandbox } = await openAtOnce({ schedule });
    const body = bookingFor(teeTime);
    sandbox.scenarios.arm(id, { ...other, times: 'always' });
    expect(await postPatiently(fairway, '/api/v5/bookings', body)).toMatchObject({ status: 200 });
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, struck: 0, near: { count: 1 } }]);
    sandbox.scenarios.disarm();
    sandbox.scenarios.arm(id, meant);
    await postPatiently(fairway, '/api/v5/bookings', { details: [bookingFor(teeTime)] });
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 1, struck: 1, near: { count: 0, reasons: [] } }]);
  });
});

describe('parameters are compared as they were sent', () => {
  const path = '/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18';
  const rows: readonly [path: string, options: PlanOptions, status: number][] = [
    [path, { match: { bookingDate: '11-06-2030' } }, 500],
    [path, { match: { bookingDate: '2030-06-11' } }, 200],
    [path, { match: { players: 2, holes: '18' } }, 500],
    [path, { match: { players: 3 } }, 200],
    [path, { match: { facilityId: 1001 } }, 500],
    [path, { facilityId: 1001 }, 500],
    [path, { facilityId: 1002 }, 200],
    ['/api/v3/facilities?country=the%20Netherlands', { match: { country: 'the Netherlands' } }, 500],
    ['/api/v3/facilities?country=the+Netherlands&connected=true', { match: { connected: true } }, 500],
    ['/api/v3/facilities/none', { match: { facilityId: 'none' } }, 500],
    ['/api/v3/facilities?country=Spain&stray=1', { match: { stray: 1 } }, 500],
    ['/api/v3/facilities?country=Spain', { match: { country: ['Spain'] } }, 200],
    ['/api/v3/facilities?country=Spain', { match: { toString: 'x' } }, 200],
  ];
  test.each(rows)('%s against %j', async (asked, options, status) => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('server-error', options);
    expect((await fairway.get(asked)).status).toBe(status);
  });

  const query = 'fromDate=11-06-2026&toDate=11-06-2026';
  test.each([
    ['1001,1007', 1007, 500],
    ['1001', 1007, 200],
  ])('prices of %s and a plan for facility %i', async (facilityIds, facilityId, status) => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('server-error', { facilityId });
    expect((await fairway.get(`/api/v5/price/insideDateRange?facilityIds=${facilityIds}&${query}`)).status).toBe(
      status,
    );
  });
});

describe('a plan tells which requests came near, and why they did not match', () => {
  const book = (client: Client, changes: Record<string, unknown> = {}) =>
    client.post('/api/v5/bookings', bookingFor(teeTime, changes));
  const rows: readonly [why: string, id: string, options: PlanOptions, send: (client: Client) => Promise<unknown>][] = [
    ['`channel` is fairway, not links', 'slow', { channel: 'links' }, book],
    [
      '`channel` is unknown, as the credentials are not valid, not links',
      'slow',
      { channel: 'links', operation: 'createBooking' },
      (client) => bare(client, 'POST', '/api/v5/bookings', { body: {} }),
    ],
    ['`facilityId` is 1001, not 1002', 'booking-failed', { facilityId: 1002 }, book],
    [
      '`facilityId` is missing, not 1001',
      'maintenance',
      { facilityId: 1001 },
      (client) => client.get('/api/v3/countries'),
    ],
    ['`contactLastName` is "Lovelace", not "Byron"', 'cart-problem', { match: { contactLastName: 'Byron' } }, book],
    ['`nothing` is missing, not 1', 'server-error', { match: { players: 1, nothing: 1 } }, book],
    [
      '`players` is "2", not 3',
      'maintenance',
      { match: { players: 3 }, operation: 'listTeeTimes' },
      (client) => client.get('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18'),
    ],
    [
      '`refresh_token` is another, not that',
      'connection-reset',
      { match: { refresh_token: 'mine' } },
      (client) =>
        bare(client, 'POST', '/api/v5/token/refreshToken', { body: { refresh_token: initialTokenOf(client) } }),
    ],
    ['`operation` is v5.createBooking, not v2.createBooking', 'slow', { operation: 'v2.createBooking' }, book],
    ['the request has no booking 2', 'booking-failed', { item: 2 }, book],
    [
      'the request carries no access token that could expire (Basic credentials have none)',
      'token-expired',
      { operation: 'createBooking' },
      book,
    ],
    [
      'the request was refused before, by rule bookings.request.players',
      'payment-pi-failed',
      {},
      (client) => book(client, { players: 5 }),
    ],
    [
      'the request was refused before, by rule auth.required',
      'payment-pi-failed',
      {},
      (client) => bare(client, 'POST', '/api/v5/bookings', { body: {} }),
    ],
    [
      'the connection was lost before',
      'payment-pi-failed',
      {},
      (client) =>
        client.post('/api/v5/bookings', {}, { headers: { 'teebox-scenario': 'connection-reset' } }).catch(() => {}),
    ],
  ];
  test.each(rows)('%s', async (why, id, options, send) => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm(id, { ...options, delay: 0 });
    await send(fairway);
    const { requestId: last } = sandbox.journal.entries.at(-1)!;
    const { body } = await adminOf(sandbox)('GET', 'plans');
    const [{ matched, struck, near }] = body.plans;
    expect([matched, struck]).toEqual([0, 0]);
    expect(near.reasons.at(-1)).toEqual({ why, count: 1, last });
    expect(near).toEqual(sandbox.scenarios.plans[0]!.near);
  });

  test('equal reasons are counted, and only the latest five are kept', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('server-error', { operation: 'listFacilities', match: { country: 'Atlantis' } });
    for (const country of ['Spain', 'Spain', 'Italy', 'France', 'Spain', 'Ireland', 'Sweden', 'Denmark']) {
      await fairway.get(`/api/v3/facilities?country=${country}`);
    }
    await fairway.get('/api/v3/countries');
    const { near } = sandbox.scenarios.plans[0]!;
    const told = near.reasons.map(({ why, count, last }) => [why, count, last]);
    expect(near.count).toBe(9);
    expect(told).toEqual([
      ['`country` is "Spain", not "Atlantis"', 3, 'req-5'],
      ['`country` is "Ireland", not "Atlantis"', 1, 'req-6'],
      ['`country` is "Sweden", not "Atlantis"', 1, 'req-7'],
      ['`country` is "Denmark", not "Atlantis"', 1, 'req-8'],
      ['`operation` is v3.listCountries, not listFacilities', 1, 'req-9'],
    ]);
  });

  test('what matched, or could not be struck at all, did not come near', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('booking-failed');
    await fairway.get('/api/v3/countries');
    await fairway.get('/api/v4/bookings', { headers: bearer(await accessTokenOf(fairway)) });
    await book(fairway);
    await book(fairway);
    expect(sandbox.scenarios.plans).toMatchObject([{ struck: 1, state: 'spent', near: { count: 0, reasons: [] } }]);
  });
});

describe('a request that is struck before it is carried out', () => {
  const ids = ['server-error', 'maintenance', 'rate-limited', 'connection-reset', 'empty-response', 'slow', 'timeout'];
  test.each(ids)('keeps its body in the journal: %s', async (id) => {
    const { fairway, sandbox } = await openAtOnce({ schedule });
    const body = bookingFor(teeTime);
    await postPatiently(fairway, '/api/v5/bookings', body, { 'teebox-scenario': `${id}; phase=before-commit` });
    const entry = sandbox.journal.entries.at(-1)!;
    expect(entry).toMatchObject({ scenario: { id, struck: true }, channel: 'fairway' });
    const expectation = { operation: 'createBooking', scenario: id, match: { contactLastName: 'Lovelace' } };
    await expect(sandbox.journal.verify(expectation)).resolves.toMatchObject({ verified: true, count: 1 });
    const har = (await adminOf(sandbox)('GET', 'requests?format=har')).body.log.entries.at(-1);
    expect(JSON.parse(har.request.postData.text)).toEqual(JSON.parse(JSON.stringify(body)));
  });

  test('and so does one without valid credentials', async () => {
    const { fairway, sandbox } = await open();
    const reply = await bare(fairway, 'POST', '/api/v5/bookings', { body: { players: 1 } });
    expect(reply.status).toBe(401);
    await expect(sandbox.journal.verify({ match: { players: 1 } })).resolves.toMatchObject({ count: 1 });
  });
});
