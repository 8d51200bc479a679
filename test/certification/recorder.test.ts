import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/engine/library.js';
import { serve } from '../../src/cli/server.js';
import { recordedSandbox } from '../../src/certification/recorder.js';
import type { Disguise } from '../../src/certification/recording.js';
import type { ClientCall, ClientDelivery } from '../../src/certification/obligations/traffic.js';
import { Client } from '../support/client.js';
import { bookingFor, dayIn, findTeeTime } from '../support/scenes.js';

const soon = (work: () => void): (() => void) => {
  const timer = setTimeout(work, 0);
  return () => clearTimeout(timer);
};

async function record(options: SandboxOptions = {}, disguise: Disguise = {}) {
  const calls: ClientCall[] = [];
  const deliveries: ClientDelivery[] = [];
  const sink = {
    call: (call: ClientCall) => calls.push(call),
    delivery: (one: ClientDelivery) => deliveries.push(one),
  };
  const recorded = await recordedSandbox({ schedule: soon, ...options }, sink, { idPrefix: 'x/', disguise });
  const { sandbox, fetch } = recorded;
  return { ...recorded, calls, deliveries, client: new Client({ ...sandbox, fetch }, 'fairway') };
}

test('a call has its whole bodies, its place and its channel', async () => {
  const { client, calls } = await record();
  const teeTime = await findTeeTime(client);
  const booking = bookingFor(teeTime, { comments: 'x'.repeat(200_000) });
  const reply = await client.post('/api/v5/bookings?trace=1', booking);
  expect(reply.status).toBe(200);
  expect(calls).toHaveLength(2);
  expect(calls[0]).toMatchObject({
    id: 'x/req-1',
    turn: 0,
    method: 'GET',
    operation: 'v4.listTeeTimes',
    params: { facilityId: '1001', players: '1' },
  });
  expect(calls[0]!.responseBody).toContain(`"teeid":${teeTime.teeid}`);
  expect(calls[1]).toMatchObject({
    id: 'x/req-2',
    turn: 1,
    path: '/api/v5/bookings?trace=1',
    operation: 'v5.createBooking',
    body: JSON.stringify(booking),
    status: 200,
    responseBody: reply.text,
    channel: 'fairway',
    answeredAt: calls[1]!.at,
  });
  expect(calls[1]).not.toHaveProperty('struck');
  expect(calls[1]!.responseHeaders.get('teebox-request-id')).toBe('req-2');
});

test.each([
  // asked for, status of the client, what the record says
  ['connection-reset; phase=before-commit', 0, 0, false, undefined],
  ['connection-reset; phase=after-commit', 0, 0, true, undefined],
  ['empty-response; phase=after-commit', 0, 0, true, undefined],
  ['timeout; phase=after-commit', 0, 0, true, undefined],
  ['timeout; phase=before-commit', 0, 0, false, undefined],
  ['truncated-body', 0, 200, true, undefined],
  ['malformed-json', 200, 200, true, '{"success":true'],
  ['slow', 200, 200, false, '{"success":true'],
  ['slow-body', 200, 200, false, '{"success":true'],
  ['payment-pi-failed', 400, 400, false, '{"success":false'],
  ['payment-pi-failed; phase=after-commit', 400, 400, true, '{"success":false'],
  ['server-error; phase=after-commit', 500, 500, true, '{"success":false'],
  ['rival', 400, 400, false, '{"success":false'],
])('%s: the client sees %d, the record %d and committed=%s', async (scenario, seen, status, committed, body) => {
  const { client, calls, sandbox } = await record();
  const teeTime = await findTeeTime(client);
  const headers = { 'teebox-scenario': scenario };
  const reply = await client.post('/api/v5/bookings', bookingFor(teeTime), { headers }).catch(() => undefined);
  expect(reply?.status ?? 0).toBe(seen);
  const [, call] = calls;
  const id = scenario.split(';')[0];
  expect(call).toMatchObject({ status, struck: { scenario: id, committed } });
  expect(call!.responseBody?.slice(0, body?.length)).toBe(body);
  expect(call!.answeredAt === undefined).toBe(status === 0);
  // A refusal by a rival is one of the world, and what was committed is in the list.
  const made = sandbox.db.bookings.findMany().filter(({ teeId }) => teeId === teeTime.teeid).length;
  expect(made > 0).toBe(committed || seen === 200 || id === 'rival');
});

test('a body without an end and without a length is refused, and is not kept', async () => {
  const { sandbox, fetch, calls } = await record();
  const { username, password } = sandbox.channels[0]!;
  const piece = new TextEncoder().encode(' '.repeat(1024 * 1024));
  const most = 200;
  let pulled = 0;
  const body = new ReadableStream({
    pull(stream) {
      pulled += 1;
      if (pulled > most) stream.close();
      else stream.enqueue(piece);
    },
  });
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const response = await fetch('http://sandbox.test/api/v5/bookings', init);
  expect(await response.json()).toMatchObject({ message: expect.stringMatching(/^The request body is larger than/) });
  expect(response.status).toBe(413);
  expect(pulled).toBeLessThan(most / 2);
  expect(calls).toMatchObject([{ operation: 'v5.createBooking', status: 413, isBodyUnknown: true }]);
});

test('a call that its client gives up has no answer', async () => {
  const { sandbox, fetch, calls, stop } = await record({ schedule: () => () => {} });
  const { username, password } = sandbox.channels[0]!;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'teebox-scenario': 'slow' };
  const controller = new AbortController();
  const asked = fetch('http://sandbox.test/api/v3/countries', { headers, signal: controller.signal });
  controller.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  stop();
  expect(calls).toMatchObject([{ operation: 'v3.listCountries', status: 0 }]);
});

test('neither the admin API nor an image is a call', async () => {
  const { client, calls } = await record();
  await client.get('/__admin/health');
  await client.get('/images/1001/logo.svg');
  await client.send('OPTIONS', '/api/v3/countries');
  await client.get('/api/v3/nothing');
  expect(calls).toMatchObject([{ turn: 0, path: '/api/v3/nothing', operation: undefined, status: 404 }]);
});

const search = (url: string): string =>
  `/api/v5/teetimes?facilityIds=1001,1002&fromDate=${dayIn(5).query}&toDate=${dayIn(5).query}&players=2&holes=18` +
  `&callbackUrl=${encodeURIComponent(url)}`;

test.each([
  ['callback-duplicate', 204, [204, 204]],
  ['callback-partial', 503, [503]],
  ['callback-before-response', 200, [200]],
])('%s: each attempt to post is a delivery', async (scenario, status, statuses) => {
  const { client, deliveries, sandbox, calls } = await record({ fetch: async () => new Response(null, { status }) });
  await client.get(search('http://localhost:9/results?key=1'), { headers: { 'teebox-scenario': scenario } });
  await sandbox.callbacks.settled();
  expect(deliveries.map((one) => one.status)).toEqual(statuses);
  expect(calls).toMatchObject([{ id: 'x/req-1', struck: { scenario, committed: false } }]);
  expect(deliveries[0]).toMatchObject({
    id: 'x/callback-1',
    search: 'x/req-1',
    url: 'http://localhost:9/results?key=1',
    struck: { scenario },
  });
  expect(JSON.parse(deliveries[0]!.body).data[0].facilityId).toBe(1001);
});

test('nobody listens: the delivery has no status', async () => {
  const { client, deliveries, sandbox } = await record({ fetch: () => Promise.reject(new TypeError('refused')) });
  await client.get(search('http://localhost:9/'));
  await sandbox.callbacks.settled();
  expect(deliveries).toMatchObject([{ status: 0, search: 'x/req-1', why: 'refused' }]);
  expect(deliveries[0]).not.toHaveProperty('answeredAt');
});

test('a receiver that hangs up has taken the result', async () => {
  const server = createServer((request) => request.resume().on('end', () => request.socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const schedule: SandboxOptions['schedule'] = (work, delay) => {
    const timer = setTimeout(work, delay);
    return () => clearTimeout(timer);
  };
  const { client, deliveries, sandbox } = await record({ schedule });
  await client.get(search(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  await sandbox.callbacks.settled();
  server.close();
  expect(deliveries).toMatchObject([{ status: 0, why: 'cut' }]);
});

test('an answer to a result that comes too late is none', async () => {
  const fetch: SandboxOptions['fetch'] = (_, { signal }) =>
    new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
  const { client, deliveries, sandbox } = await record({ fetch });
  await client.get(search('http://localhost:9/'));
  await sandbox.callbacks.settled();
  expect(deliveries).toMatchObject([{ status: 0, why: 'timeout' }]);
});

test('a disguise changes what the client gets, and the record says so', async () => {
  const disguise: Disguise = {
    request: (text) => text.replace('Disguised', 'Real'),
    answer: (answer) => ({ ...answer, text: answer.text.replace('"success":true', '"success":true,"seen":1') }),
  };
  const { client, calls, sandbox } = await record({}, disguise);
  const booking = bookingFor(await findTeeTime(client), { contactLastName: 'Disguised' });
  const reply = await client.post('/api/v5/bookings', booking);
  expect(reply.body).toMatchObject({ success: true, seen: 1 });
  expect(calls[1]!.responseBody).toBe(reply.text);
  expect(calls[1]!.body).toBe(JSON.stringify(booking));
  expect(sandbox.db.bookings.findMany().some(({ contactLastName }) => contactLastName === 'Real')).toBe(true);
});

test('behind a server, a lost answer and a slow body are recorded as well', async () => {
  const { handle, sandbox, calls } = await record();
  const server = await serve({ handle }, { port: 0 });
  const { username, password } = sandbox.channels[0]!;
  const ask = (scenario: string) =>
    fetch(`${server.url}/api/v3/countries`, {
      headers: {
        authorization: `Basic ${btoa(`${username}:${password}`)}`,
        ...(scenario ? { 'teebox-scenario': scenario } : {}),
      },
    }).then((response) => response.text());
  try {
    await expect(ask('connection-reset; phase=after-commit')).rejects.toThrow();
    await expect(ask('truncated-body')).rejects.toThrow();
    const texts = [await ask('slow-body'), await ask('')];
    expect(calls.map(({ status }) => status)).toEqual([0, 200, 200, 200]);
    expect(calls.map(({ responseBody }) => responseBody)).toEqual([undefined, undefined, ...texts]);
    expect(texts[0]).toBe(texts[1]);
  } finally {
    await server.close();
  }
});
