import { http, HttpResponse } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { basic } from '../../support/credentials.js';
import { openIntercepted } from '../../support/msw/intercept.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { searchQuery } from '../../support/views.js';

const RESULTS = 'https://partner.example/results';

const fairway = basic('fairway', 'not-a-secret-fairway');
const search = `/api/v5/teetimes?${new URLSearchParams(searchQuery({ callbackUrl: RESULTS }))}`;

describe('a callback', () => {
  test("arrives at the partner's own handler", async () => {
    const posted: unknown[] = [];
    const receiver = http.post(RESULTS, async ({ request }) => {
      posted.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    });
    const { partner, sandbox } = await openIntercepted({}, {}, receiver);
    expect((await partner.get(search)).body).toMatchObject({ success: true });
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toMatchObject([
      { url: RESULTS, state: 'delivered', attempts: [{ status: 204 }] },
    ]);
    expect(posted).toEqual([JSON.parse(sandbox.callbacks.deliveries[0]!.body!)]);
  });

  test('stays within the boundary of the request that asked for it', async () => {
    const { partner, sandbox, server } = await openIntercepted();
    const ask = (status: number) =>
      server.boundary(async () => {
        server.use(http.post(RESULTS, () => new HttpResponse(null, { status })));
        await partner.get(search);
        await sandbox.callbacks.settled();
      });
    await Promise.all([ask(200)(), ask(500)()]);
    const statuses = sandbox.callbacks.deliveries.map(({ attempts }) => attempts[0]!.status);
    expect(statuses.sort()).toEqual([200, 500]);
  });
});

describe('a scenario', () => {
  test('by header, and by the library', async () => {
    const { partner, sandbox } = await openIntercepted();
    const booking = bookingFor(await findTeeTime(partner));
    const headers = { 'teebox-scenario': 'payment-pi-failed; phase=after-commit' };
    const struck = await partner.post('/api/v5/bookings', booking, { headers });
    expect([struck.status, struck.headers.get('teebox-scenario')]).toEqual([
      400,
      expect.stringContaining('payment-pi-failed'),
    ]);
    expect(sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' }))).toHaveLength(1);
    sandbox.scenarios.arm('server-error', { times: 1 });
    expect((await partner.get('/api/v3/countries')).status).toBe(500);
    expect((await partner.get('/api/v3/countries')).status).toBe(200);
  });

  test.each(['connection-reset', 'empty-response'])('%s is a network error', async (scenario) => {
    const { partner } = await openIntercepted();
    await expect(partner.get('/api/v3/countries', { headers: { 'teebox-scenario': scenario } })).rejects.toThrow(
      /fetch/i,
    );
  });

  test('truncated-body breaks off in the body', async () => {
    const { partner } = await openIntercepted();
    const headers = { 'teebox-scenario': 'truncated-body' };
    await expect(partner.get('/api/v3/countries', { headers })).rejects.toThrow();
  });

  test('timeout lasts until the client gives up, and nothing is printed', async () => {
    const { partner, sandbox } = await openIntercepted();
    const printed = vi.spyOn(console, 'error');
    sandbox.scenarios.arm('timeout', { times: 1 });
    const given = new AbortController();
    const waiting = fetch('http://sandbox.test/api/v3/countries', { headers: fairway, signal: given.signal });
    await expect.poll(() => sandbox.scenarios.plans[0]).toMatchObject({ struck: 1 });
    given.abort();
    await expect(waiting).rejects.toThrow('abort');
    expect((await partner.get('/api/v3/countries')).status).toBe(200);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});
