import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { asDescribed, expectedProblem } from '../../support/admin.js';
import { NOW, readReply } from '../../support/client.js';
import { parseAnswer, raw, rawAnswer } from '../../support/network/raw.js';

const sandbox = await createSandbox({ now: NOW });
let server: RunningServer;
beforeAll(async () => {
  server = await serve(sandbox, { port: 0 });
});
afterAll(() => server.close());

const ask = async (path: string, init: RequestInit = {}) =>
  asDescribed(init.method ?? 'GET', path, await readReply(await fetch(`${server.url}/__admin/${path}`, init)));
const post = (path: string, body?: object) =>
  ask(path, { method: 'POST', ...(body ? { body: JSON.stringify(body) } : {}) });

describe('over a socket', () => {
  test.each([
    ['version', { name: 'teebox', facilities: 81 }],
    ['clock', { now: '2026-06-01T08:00:00.000Z', mode: 'standing' }],
    ['bookings?channel=links', { bookings: expect.arrayContaining([expect.objectContaining({ channel: 'links' })]) }],
    ['tee-sheets/1001?date=2026-06-11', { facilityId: 1001, date: '2026-06-11' }],
    ['callbacks', { count: 0, callbacks: [] }],
    ['dialect', { answers: {} }],
  ])('GET %s', async (path, want) => {
    const { status, headers, body } = await ask(path);
    expect({ status, body }).toMatchObject({ status: 200, body: want });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('a body without a content type moves the clock, and HEAD sees no body', async () => {
    expect((await post('clock', { advance: 'PT49H' })).body.now).toBe('2026-06-03T09:00:00.000Z');
    expect(await ask('clock', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    await post('reset');
    expect((await ask('clock')).body.now).toBe('2026-06-01T08:00:00.000Z');
  });

  test('a booking is cancelled once', async () => {
    const { bookings } = (await ask('bookings?status=BOOKED')).body;
    const path = `bookings/${encodeURIComponent(bookings.at(-1).bookingId)}/cancel?force=true`;
    expect((await post(path)).body.booking.status).toBe('CANCELED');
    expect((await post(path)).body).toEqual(expectedProblem(409, expect.stringContaining('already')));
  });

  const chunks = (count: number) => `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(count);
  test.each([
    ['declared and never sent', 'Content-Length: 1048577\r\n\r\nx'],
    ['sent in chunks without an end', `Transfer-Encoding: chunked\r\n\r\n${chunks(17)}`],
  ])('a body over the limit, %s, is refused', async (_title, rest) => {
    const bytes = `PUT /__admin/dialect HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`;
    expect(parseAnswer(await rawAnswer(server.url, bytes))).toEqual({
      status: 413,
      body: expectedProblem(413, expect.stringContaining('1048576 bytes')),
    });
  });

  test.each(['clock', 'bookings', 'callbacks', 'dialect', 'version'])(
    '%s is closed to a foreign host name, health is not',
    async (path) => {
      const get = (what: string) =>
        `GET /__admin/${what} HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n`;
      expect(parseAnswer(await raw(server.url, get(path))).status).toBe(403);
      expect(await raw(server.url, get('health'))).toMatch(/^HTTP\/1.1 200 /);
    },
  );
});
