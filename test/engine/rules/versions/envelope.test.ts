import { describe, expect } from 'vitest';
import { type Client, open, ORIGIN } from '../../../support/client.js';
import { accessTokenOf, bare, basic, initialTokenOf, refreshWith } from '../../../support/credentials.js';
import { bodyOf, everyOperation, pathOf } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type Json } from '../../../support/scenes.js';
import { search, searchQuery } from '../../../support/views.js';

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

describe('the bytes of a response', () => {
  /** The body as it is sent; a byte order mark is not taken off. */
  const bytesOf = async (client: Client, method: string, path: string, body?: unknown) => {
    const credentials = basic(client.channel, `not-a-secret-${client.channel}`);
    const headers = { ...credentials, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await client.sandbox.fetch(new Request(ORIGIN + path, init));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { type: response.headers.get('content-type'), text };
  };

  for (const operation of everyOperation) {
    rule(['envelope.content-type', 'envelope.encoding'], `${operation.id}: JSON in UTF-8, called JSON`, async () => {
      const { fairway } = await open();
      // An answer as it is due, or a refusal; then one to a method that is not there, which is JSON as well.
      for (const method of [operation.method, 'PATCH']) {
        const { type, text } = await bytesOf(fairway, method, pathOf(operation), bodyOf(operation).body);
        expect(type).toMatch(/^application\/json(; ?charset=utf-8)?$/i);
        expect(text.charCodeAt(0)).toBe('{'.charCodeAt(0));
        expect(JSON.parse(text)).toHaveProperty('success');
      }
    });
  }

  rule('envelope.encoding', 'letters of every alphabet come back as they were sent', async () => {
    const { fairway } = await open();
    const names = { contactFirstName: 'Zoë', contactLastName: 'さくら Łukasz 🏌' };
    const body = bookingFor(await findTeeTime(fairway), names);
    const { bookingId } = JSON.parse((await bytesOf(fairway, 'POST', '/api/v5/bookings', body)).text).data;
    const { text } = await bytesOf(fairway, 'GET', '/api/v4/bookings');
    expect(JSON.parse(text).data.find((one: Json) => one.bookingId === bookingId)).toMatchObject(names);
  });
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
