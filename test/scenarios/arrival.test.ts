import { describe, expect, test } from 'vitest';
import { scenarios } from '../../src/generated/scenarios.js';
import { open } from '../support/client.js';
import { bodyOf, dataOperations, everyOperation, pathOf } from '../support/operations.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';
import { openAtOnce, search, searchQuery } from '../support/views.js';

const arriving = scenarios.flatMap(({ id, checkpoint, effect }) =>
  checkpoint === 'arrival' && effect.kind === 'refusal' ? [{ id, refusal: effect }] : [],
);
const statuses: Readonly<Record<string, number>> = { 'rate-limited': 429, 'server-error': 500, maintenance: 503 };

describe.each(arriving)('$id', ({ id, refusal }) => {
  test('strikes every operation of a channel, whatever is in it', async () => {
    const { fairway } = await open();
    for (const operation of dataOperations) {
      const { method } = operation;
      const headers = { 'teebox-scenario': id };
      const reply = await fairway.send(method, pathOf(operation), { ...bodyOf(operation), headers });
      expect(reply, operation.id).toMatchObject({ status: statuses[id], rule: refusal.rule });
      expect(reply.body).toEqual({ success: false, data: null, message: expect.stringMatching(/\w/) });
    }
  });

  test('cannot strike the refresh of tokens, and says so', async () => {
    const { fairway } = await open();
    const refresh = everyOperation.find(({ auth }) => !auth)!;
    const headers = { 'teebox-scenario': id };
    const reply = await fairway.send('POST', pathOf(refresh), { body: {}, headers });
    expect(reply).toMatchObject({ status: 400, body: { detail: expect.stringContaining('refreshToken') } });
  });

  test('does not come before credentials', async () => {
    const { fairway } = await open();
    const headers = { 'teebox-scenario': id, authorization: 'Basic x' };
    expect((await fairway.get('/api/v4/bookings', { headers })).status).toBe(401);
  });
});

describe('a service that fails after it did what was asked', () => {
  const headers = { 'teebox-scenario': 'server-error; phase=after-commit' };

  test('a payment is confirmed', async () => {
    const { fairway, sandbox } = await open();
    const booked = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    const { bookingId } = booked.body.data;
    const paid = await fairway.send('POST', `/api/v4/bookings/payment/${bookingId}`, { headers });
    expect([paid.status, paid.headers.get('teebox-scenario')]).toEqual([500, 'server-error; source=header']);
    const booking = sandbox.db.bookings.findFirst((q) => q.where({ bookingId }));
    expect(booking!.paymentConfirmedAt).toMatch(/^2026-06-01T/);
  });

  test('a search delivers', async () => {
    const { fairway, sandbox } = await openAtOnce();
    const query = new URLSearchParams(searchQuery()).toString();
    expect((await fairway.get(`/api/v5/teetimes?${query}`, { headers })).status).toBe(500);
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered' }]);
    expect((await search(fairway, searchQuery())).status).toBe(200);
  });

  test('a request that would be refused anyway is not struck', async () => {
    const { fairway } = await open();
    const reply = await fairway.get('/api/v3/facilities/999', { headers });
    expect([reply.status, reply.rule]).toEqual([404, 'facilities.unknown']);
  });
});
