import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.js';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { bare } from '../../support/credentials.js';
import { type CallOptions, open } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

async function admin() {
  const clients = await open();
  const call = (method: string, path: string, options: CallOptions = {}) =>
    bare(clients.fairway, method, `/__admin/${path}`, options);
  return { ...clients, call };
}

describe('scenarios and plans', () => {
  test('what there is to arm', async () => {
    const { call } = await admin();
    const { count, scenarios: listed } = (await call('GET', 'scenarios')).body;
    expect(count).toBe(scenarios.length);
    expect(listed).toMatchObject(JSON.parse(JSON.stringify(scenarios)));
  });

  test.each<[id: string, facts: object]>([
    ['payment-pi-failed', { perBooking: true, status: 400 }],
    ['server-error', { perBooking: false, status: 500 }],
    ['connection-reset', { status: null }],
    ['rival', { perBooking: true, contactName: 'RIVAL', status: null }],
    ['token-expired', { perBooking: false }],
    ['callback-late', { contactName: null, appliesTo: ['v5.searchTeeTimes'] }],
    ['refresh-token-used', { contactName: null, appliesTo: ['refreshToken'] }],
  ])('%s: what it strikes, and how it is switched on', async (id, facts) => {
    const { call } = await admin();
    const { scenarios: listed } = (await call('GET', 'scenarios')).body;
    expect(listed.find((one: any) => one.id === id)).toMatchObject(facts);
  });

  test('what the list says of a scenario holds for its plans', async () => {
    const { call, sandbox } = await admin();
    const fits = (id: string, options: object) => {
      try {
        return sandbox.scenarios.disarm(sandbox.scenarios.arm(id, options).id);
      } catch {
        return false;
      }
    };
    for (const { id, perBooking, appliesTo } of (await call('GET', 'scenarios')).body.scenarios) {
      expect([id, fits(id, { item: 1 })]).toEqual([id, perBooking]);
      expect([id, operations.map((one) => one.id).filter((operation) => fits(id, { operation }))]).toEqual([
        id,
        appliesTo,
      ]);
    }
  });

  test('the names that the list gives trigger their scenarios, unless names are ignored', async () => {
    const { call, fairway } = await admin();
    const { scenarios: listed } = (await call('GET', 'scenarios')).body;
    for (const id of ['payment-pi-failed', 'maintenance', 'unprocessable']) {
      const { contactName, status } = listed.find((one: any) => one.id === id);
      const body = bookingFor(await findTeeTime(fairway), { contactLastName: contactName });
      const { status: got, headers } = await fairway.post('/api/v5/bookings', body);
      expect([got, headers.get('teebox-scenario')]).toEqual([status, `${id}; source=body`]);
    }
    const { fairway: plain } = await open({ magic: false });
    const { body } = await bare(plain, 'GET', '/__admin/scenarios');
    expect(body.scenarios.filter((one: any) => one.contactName !== null)).toEqual([]);
  });

  test('the status codes are those of the dialect in force', async () => {
    const scenario = { ...scenarios.find(({ id }) => id === 'server-error')!, id: 'no-facility' };
    const effect = { kind: 'refusal', code: 'unknown-facility', rule: 'errors.service-status' } as const;
    for (const answer of [404, 400] as const) {
      const { fairway } = await open({
        ownScenarios: [{ ...scenario, effect }],
        dialect: { answers: { 'facility.unknown': answer } },
      });
      const { scenarios: listed } = (await bare(fairway, 'GET', '/__admin/scenarios')).body;
      expect(listed.at(-1)).toMatchObject({ id: 'no-facility', status: answer });
    }
  });

  test('armed, seen, struck, seen again, taken away', async () => {
    const { call, fairway } = await admin();
    const plan = { scenario: 'payment-pv-failed', phase: 'after-commit', channel: 'fairway', times: 2 };
    const armed = await call('POST', 'plans', { body: plan });
    expect(armed).toMatchObject({
      status: 200,
      body: { id: 'plan-1', ...plan, matched: 0, struck: 0, state: 'armed' },
    });
    const booked = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    expect(booked.headers.get('teebox-scenario')).toBe('payment-pv-failed; source=plan');
    const after = { ...armed.body, matched: 1, struck: 1 };
    expect((await call('GET', 'plans')).body).toEqual({ count: 1, plans: [after] });
    expect((await call('GET', 'plans/plan-1')).body).toEqual(after);
    expect((await call('DELETE', 'plans/plan-1')).body).toEqual({ status: 'disarmed' });
    expect((await call('GET', 'plans')).body).toEqual({ count: 0, plans: [] });
    expect(await call('DELETE', 'plans/plan-1')).toMatchObject({ status: 404 });
    expect((await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)))).status).toBe(200);
  });

  test('all are taken away at once, and by a reset', async () => {
    const { call } = await admin();
    for (const [method, path] of [
      ['DELETE', 'plans'],
      ['POST', 'reset'],
    ] as const) {
      await call('POST', 'plans', { body: { scenario: 'rate-limited' } });
      await call('POST', 'plans', { body: { scenario: 'booking-failed' } });
      expect((await call('GET', 'plans')).body.count).toBe(2);
      expect((await call(method, path)).status).toBe(200);
      expect((await call('GET', 'plans')).body.count).toBe(0);
    }
  });

  test.each<[body: unknown, detail: RegExp]>([
    ['[]', /^The body must be an object such as {"scenario": "payment-pi-failed", "times": 2}; got \[\]\./],
    ['{', /not well-formed/],
    ['', /empty/],
    [{}, /`scenario` must be the id of a scenario; got nothing\. What fits: `payment-pi-failed`/],
    [{ scenario: 7 }, /`scenario` must be the id of a scenario; got 7\./],
    [{ scenario: 'nothing' }, /no scenario `nothing`.*`payment-pi-failed`/],
    [{ scenario: 'booking-failed', time: 2 }, /`time` is not known here; the known names are scenario, /],
    [{ scenario: 'booking-failed', times: 1.5 }, /`times`/],
    [{ scenario: 'booking-failed', operation: 'listBookings' }, /does not apply to/],
    [{ scenario: 'cart-problem', phase: 'after-commit' }, /phase=before-commit/],
    [{ scenario: 'slow', channel: 'nobody' }, /no channel `nobody`.*`links`/],
  ])('%j is refused, and nothing is armed', async (body, detail) => {
    const { call } = await admin();
    const reply = await call('POST', 'plans', { body });
    expect(reply).toMatchObject({ status: 400, body: { status: 400, detail: expect.stringMatching(detail) } });
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect((await call('GET', 'plans')).body.count).toBe(0);
  });

  test('other sites may arm nothing', async () => {
    const { call } = await admin();
    const headers = { origin: 'https://elsewhere.example' };
    const body = { scenario: 'rate-limited' };
    expect((await call('POST', 'plans', { headers, body })).status).toBe(403);
    expect((await call('DELETE', 'plans', { headers })).status).toBe(403);
    expect((await call('GET', 'plans')).body.count).toBe(0);
  });
});
