import { describe, expect, test } from 'vitest';
import { scenarios } from '../../src/generated/scenarios.js';
import { bare } from '../support/credentials.js';
import { type CallOptions, open } from '../support/client.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';

async function admin() {
  const clients = await open();
  const call = (method: string, path: string, options: CallOptions = {}) =>
    bare(clients.fairway, method, `/__admin/${path}`, options);
  return { ...clients, call };
}

describe('scenarios and plans', () => {
  test('what there is to arm', async () => {
    const { call } = await admin();
    expect((await call('GET', 'scenarios')).body).toEqual({
      count: scenarios.length,
      scenarios: JSON.parse(JSON.stringify(scenarios)),
    });
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
    [{ scenario: 'booking-failed', operation: 'listBookings' }, /cannot strike/],
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
