import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/engine/library.js';
import { createSandbox, createWorlds } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { NOW, open, ORIGIN } from '../../support/client.js';
import { startCli } from '../../support/network/process.js';
import { connectTo } from '../../support/network/raw.js';
import { EventReader, type ServerEvent } from '../../support/network/sse.js';

async function follow(sandbox: Sandbox, query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  return new EventReader(await sandbox.fetch(new Request(`${ORIGIN}/__admin/events${query}`, { headers })));
}

const told = ({ event, id, data }: ServerEvent) => [event, id, data.id];

describe('the journal as it is written', () => {
  test('a request arrives and is answered', async () => {
    const { fairway, sandbox } = await open();
    const reader = await follow(sandbox);
    expect(await reader.next()).toEqual({ comment: 'the journal of the sandbox' });
    await fairway.get('/api/v3/countries?access_token=s3cret');
    const [arrived, answered] = await reader.take(2);
    const request = { id: 'req-1', operation: 'v3.listCountries', path: '/api/v3/countries?access_token=***' };
    expect(arrived).toEqual({
      event: 'arrived',
      data: expect.objectContaining({ ...request, state: 'open', status: 0 }),
    });
    expect(answered).toMatchObject({
      event: 'answered',
      id: 'req-1',
      data: { ...request, status: 200, channel: 'fairway' },
    });
    expect(answered!.data).toEqual((await adminOf(sandbox)('GET', 'requests')).body.requests[0]);
  });

  test.each([
    ['freeze', { freeze: true }, 'standing'],
    ['set', { set: '2031-01-01T00:00:00Z' }, 'running'],
    ['advance', { advance: 'PT1H' }, 'running'],
  ] as const)('a move of the clock is told: %s', async (_what, move, mode) => {
    const sandbox = await createSandbox({ clock: () => Date.parse(NOW) });
    const reader = await follow(sandbox);
    await reader.next();
    const { body } = await adminOf(sandbox)('POST', 'clock', move);
    const told = await reader.next();
    expect(told).toEqual({ event: 'clock', data: { now: body.now, mode } });
  });

  test.each<[method: string, path: string, body: unknown, what: string]>([
    ['POST', 'plans', { scenario: 'server-error' }, 'plans'],
    ['DELETE', 'plans/plan-1', undefined, 'plans'],
    ['POST', 'chaos', { rate: '5%' }, 'chaos'],
    ['PUT', 'dialect', { name: 'other' }, 'dialect'],
    ['PUT', 'snapshots/one', undefined, 'snapshots'],
    ['DELETE', 'snapshots', undefined, 'snapshots'],
    ['POST', 'tee-sheets/1001/changes', { change: 'facility-disconnected', channel: 'links' }, 'tee-sheets'],
    ['POST', 'inbox/tests', {}, 'inbox'],
    ['DELETE', 'requests', undefined, 'requests'],
  ])('what an operator changes is told once: %s %s', async (method, path, body, what) => {
    const sandbox = await createSandbox();
    sandbox.scenarios.arm('timeout');
    const reader = await follow(sandbox);
    await reader.next();
    const admin = adminOf(sandbox);
    expect((await admin(method, path, body)).status).toBeLessThan(300);
    sandbox.scenarios.arm('empty-response');
    expect(await reader.take(2)).toEqual([what, 'plans'].map((one) => ({ event: 'changed', data: { what: one } })));
  });

  test('another world is told after the reset that it is', async () => {
    const sandbox = await createSandbox();
    const reader = await follow(sandbox);
    await reader.next();
    const course = { id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: 85 }] };
    const facilities = [{ id: 1042, name: 'Golf de Vallon', country: 'France', courses: [course] }];
    expect((await adminOf(sandbox)('PUT', 'world', { facilities })).status).toBe(200);
    expect(await reader.take(2)).toMatchObject([
      { event: 'reset', data: { reason: 'reset' } },
      { event: 'changed', data: { what: 'world' } },
    ]);
  });

  test('what an operator reads, or fails to change, is not told', async () => {
    const sandbox = await createSandbox();
    const reader = await follow(sandbox);
    await reader.next();
    const admin = adminOf(sandbox);
    for (const [method, path, body] of [
      ['GET', 'plans'],
      ['POST', 'plans', { scenario: 'no-such' }],
      ['PUT', 'dialect', { answers: { 'no.such': 1 } }],
      ['DELETE', 'snapshots/none'],
      ['POST', 'requests/verify', { count: 0 }],
    ] as const)
      await admin(method, path, body);
    sandbox.scenarios.chaos({ rate: '5%' });
    expect(await reader.take(1)).toEqual([{ event: 'changed', data: { what: 'chaos' } }]);
  });

  test('the main world tells of worlds that come and go', async () => {
    const worlds = await createWorlds();
    const reader = new EventReader(await worlds.fetch(`${ORIGIN}/__admin/events`));
    await reader.next();
    await worlds.fetch(`${ORIGIN}/w/run-7/__admin/plans`, { method: 'DELETE' });
    await worlds.fetch(`${ORIGIN}/__admin/worlds/run-7`, { method: 'DELETE' });
    const told = { event: 'changed', data: { what: 'worlds' } };
    expect(await reader.take(2)).toEqual([told, told]);
  });

  test('a request that is left without an answer is cut', async () => {
    const { fairway, sandbox } = await open();
    const reader = await follow(sandbox);
    const lost = fairway.get('/api/v3/countries', { headers: { 'teebox-scenario': 'connection-reset' } });
    await expect(lost).rejects.toThrow(TypeError);
    const [, cut] = await reader.take(2);
    expect(cut).toMatchObject({ event: 'cut', id: 'req-1', data: { state: 'cut', status: 0 } });
    expect(cut!.data.scenario).toMatchObject({ id: 'connection-reset', source: 'header', struck: true });
  });

  test.each<[what: string, query: string, headers: Record<string, string>]>([
    ['a query', '?since=req-1', {}],
    ['a reader that comes back', '', { 'last-event-id': 'req-1' }],
  ])('what is remembered is told again for %s', async (_what, query, headers) => {
    const { fairway, sandbox } = await open();
    for (let sent = 0; sent < 3; sent += 1) await fairway.get('/api/v3/countries');
    const reader = await follow(sandbox, query, headers);
    await fairway.get('/api/v3/countries');
    expect((await reader.take(4)).map(told)).toEqual([
      ['answered', 'req-2', 'req-2'],
      ['answered', 'req-3', 'req-3'],
      ['arrived', undefined, 'req-4'],
      ['answered', 'req-4', 'req-4'],
    ]);
  });

  test('a heartbeat comes every fifteen seconds, and no more once the reader is gone', async () => {
    const due: { readonly work: () => void; readonly delay: number; off: boolean }[] = [];
    const schedule = (work: () => void, delay: number) => {
      const timer = { work, delay, off: false };
      due.push(timer);
      return () => void (timer.off = true);
    };
    const { sandbox } = await open({ schedule });
    const reader = await follow(sandbox);
    await reader.next();
    for (const beat of [0, 1]) {
      due[beat]!.work();
      expect(await reader.next()).toEqual({ comment: '' });
    }
    expect(due.map(({ delay, off }) => [delay, off])).toEqual([15, 15, 15].map((seconds) => [seconds * 1000, false]));
    await reader.close();
    expect(due.map(({ off }) => off)).toEqual([false, false, true]);
  });
});

describe('readers are bounded', () => {
  test('a hundred, until one goes away; a HEAD is none', async () => {
    const { sandbox } = await open();
    const readers: EventReader[] = [];
    for (let at = 0; at < 100; at += 1) readers.push(await follow(sandbox));
    const admin = adminOf(sandbox);
    expect((await admin('GET', 'events')).body).toEqual(
      expectedProblem(409, '100 event streams are open already. Close one and try again.'),
    );
    await readers[0]!.close();
    for (let asked = 0; asked < 3; asked += 1) {
      const head = await admin('HEAD', 'events');
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    await follow(sandbox);
    expect((await admin('GET', 'events')).status).toBe(409);
  });

  test('a listener that does not read loses events and gets their number', async () => {
    const { fairway, sandbox } = await open();
    const reader = await follow(sandbox);
    const path = `/api/v9/${'x'.repeat(1000)}`;
    const sent = 400;
    for (let at = 0; at < sent; at += 1) await fairway.get(path);
    const events: ServerEvent[] = [];
    while (events.at(-1)?.event !== 'dropped') events.push(...(await reader.take(1)));
    const { count } = events.pop()!.data;
    // What was kept is at most a quarter of a megabyte, and no event is both told and counted.
    expect(JSON.stringify(events).length).toBeLessThan(300_000);
    expect(events.length + count).toBe(2 * sent);
    // The stream goes on behind what was kept.
    await fairway.get('/api/v3/countries');
    let last: ServerEvent | undefined;
    while (last?.data?.id !== `req-${sent + 1}`) [last] = await reader.take(1);
    expect(last?.event).toBe('arrived');
  });
});

test.each([
  ['?since=17', {}, '`since` must be the id of a request'],
  ['', { 'last-event-id': 'x' }, '`Last-Event-ID` must be the id of a request'],
  ['?who=me', {}, '`who` is not a parameter'],
])('events%s with %j are refused', async (query, headers, detail) => {
  const { sandbox } = await open();
  const { body } = await adminOf(sandbox)('GET', `events${query}`, undefined, headers);
  const { fits = ['something'], ...problem } = body;
  expect(fits).not.toEqual([]);
  expect(problem).toEqual(expectedProblem(400, expect.stringContaining(detail)));
});

describe('over a socket', () => {
  test('a reader that hangs up is forgotten', async () => {
    const sandbox = await createSandbox({ now: NOW });
    const server = await serve(sandbox, { port: 0 });
    for (let round = 0; round < 101; round += 1) {
      const controller = new AbortController();
      let answer = await fetch(`${server.url}/__admin/events`, { signal: controller.signal });
      // The last one's going away may not have been noticed yet.
      while (answer.status === 409) {
        await answer.text();
        answer = await fetch(`${server.url}/__admin/events`, { signal: controller.signal });
      }
      expect(answer.headers.get('content-type')).toBe('text/event-stream');
      controller.abort();
    }
    await server.close();
  });

  test('an open stream does not hold up the end', async () => {
    const server = await startCli();
    const socket = connectTo(server.baseUrl);
    socket.write('GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    expect(await server.stop()).toBe(0);
    await closed;
  });
});
