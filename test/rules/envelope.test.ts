import { describe, expect } from 'vitest';
import { open } from '../support/client.js';
import { accessTokenOf, bare, initialTokenOf, refreshWith } from '../support/credentials.js';
import { bodyOf, everyOperation, pathOf } from '../support/operations.js';
import { rule } from '../support/rule.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';
import { search, searchQuery } from '../support/views.js';

describe('every operation', () => {
  for (const operation of everyOperation) {
    rule(
      ['envelope.json', 'envelope.shape', 'envelope.failure-false'],
      `${operation.id}, answered and refused`,
      async () => {
        const { fairway } = await open();
        const known = await fairway.send(operation.method, pathOf(operation), bodyOf(operation));
        const stranger = await bare(fairway, operation.method, pathOf(operation), bodyOf(operation));
        for (const { status, headers, body } of [known, stranger]) {
          expect(headers.get('content-type')).toMatch(/^application\/json/);
          expect(body.success).toBe(status === 200);
          expect(Object.hasOwn(body, 'data')).toBe(true);
          if (status !== 200) expect(body.data).toBeNull();
        }
        expect(stranger.body).toMatchObject({ success: false, data: null });
      },
    );
  }
});

rule('envelope.failure-false', 'unknown paths and methods fail in the envelope', async () => {
  const { fairway } = await open();
  for (const reply of [await fairway.get('/api/v9/x'), await fairway.send('PATCH', '/api/v3/countries')]) {
    expect(reply.status).toBeGreaterThanOrEqual(404);
    expect(reply.body).toEqual({ success: false, data: null, message: expect.stringMatching(/\w/) });
  }
});

rule(['envelope.success-true', 'envelope.data-null'], 'what has no payload has `data: null`', async () => {
  const { fairway } = await open();
  const booked = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
  const paid = await fairway.post(`/api/v4/bookings/payment/${booked.body.data.bookingId}`, undefined);
  const searched = await search(fairway, searchQuery());
  expect(booked.body).toEqual({ success: true, data: { bookingId: expect.any(String) } });
  for (const { status, body } of [paid, searched])
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: null } });
});

describe('bodies', () => {
  const types: readonly [type: string | undefined, taken: boolean][] = [
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['APPLICATION/JSON', true],
    ['text/plain', false],
    ['application/x-www-form-urlencoded', false],
    ['application/jsonp', false],
    ['text/json', false],
  ];
  for (const [type, taken] of types) {
    rule('envelope.json-body', `${type} is ${taken ? '' : 'not '}taken`, async () => {
      const { fairway } = await open();
      const headers = { 'content-type': type! };
      const body = bookingFor(await findTeeTime(fairway));
      const booking = await fairway.post('/api/v5/bookings', body, { headers });
      const token = { refresh_token: initialTokenOf(fairway) };
      const refresh = await bare(fairway, 'POST', '/api/v5/token/refreshToken', { headers, body: token });
      for (const reply of [booking, refresh]) {
        expect(reply.body.success).toBe(taken);
        if (taken) continue;
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
        expect(reply.rule).toBe('envelope.json-body');
        expect(reply.body.message).toContain('application/json');
      }
      if (!taken) expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(200);
    });
  }

  rule('envelope.json-body', 'a bearer of a token sends JSON too', async () => {
    const { fairway } = await open();
    const headers = { authorization: `Bearer ${await accessTokenOf(fairway)}`, 'content-type': 'text/plain' };
    const { rule: named } = await fairway.post('/api/v2/bookings', {}, { headers });
    expect(named).toBe('envelope.json-body');
  });
});
