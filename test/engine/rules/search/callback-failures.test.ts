import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { NOW, open } from '../../../support/client.js';
import { hurriedTimers, startReceiver } from '../../../support/network/receiver.js';
import { rule } from '../../../support/rule.js';
import { teeTimesOf } from '../../../support/scenes.js';
import { search, searchQuery } from '../../../support/views.js';

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a receiver that fails', () => {
  for (const status of [500, 503, 404, 400]) {
    rule('callback.after-failure', `answers ${status}: recorded, and the sandbox goes on`, async () => {
      const receiver = await startReceiver((response, count) => {
        response.writeHead(count === 1 ? status : 200).end('{"no":1}');
      });
      const { sandbox, fairway } = await open();
      const query = searchQuery({ callbackUrl: receiver.url });
      expect((await search(fairway, query)).status).toBe(200);
      await sandbox.callbacks.settled();
      expect(sandbox.callbacks.deliveries[0]).toMatchObject({ state: 'failed', attempts: [{ status }] });
      expect(receiver.posted).toHaveLength(1);

      expect((await teeTimesOf(fairway)).length).toBeGreaterThan(0);
      await search(fairway, query);
      await sandbox.callbacks.settled();
      expect(sandbox.callbacks.deliveries.map(({ state }) => state)).toEqual(['failed', 'delivered']);
    });
  }

  test('does not listen: the reason is recorded', async () => {
    const { sandbox, fairway } = await open();
    const callbackUrl = `http://127.0.0.1:${await closedPort()}/results`;
    expect((await search(fairway, searchQuery({ callbackUrl }))).status).toBe(200);
    await sandbox.callbacks.settled();
    const [delivery] = sandbox.callbacks.deliveries;
    const error = expect.stringContaining('ECONNREFUSED');
    expect(delivery).toMatchObject({ state: 'failed', attempts: [{ status: null, error }] });
    expect(JSON.parse(delivery!.body!).data).toHaveLength(1);
    expect((await teeTimesOf(fairway)).length).toBeGreaterThan(0);
  });

  test('hangs up in the middle: recorded', async () => {
    const receiver = await startReceiver((response) => response.destroy());
    const { sandbox, fairway } = await open();
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    const [delivery] = sandbox.callbacks.deliveries;
    expect(delivery).toMatchObject({ state: 'failed', attempts: [{ status: null, error: expect.any(String) }] });
    expect((await teeTimesOf(fairway)).length).toBeGreaterThan(0);
  });

  test.each([301, 302, 303, 307, 308])('redirects with %i: recorded, not followed', async (status) => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver((response) => response.writeHead(status, { location: elsewhere.url }).end());
    const { sandbox, fairway } = await open();
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries[0]).toMatchObject({ state: 'failed', attempts: [{ status }] });
    expect(receiver.posted).toHaveLength(1);
    expect(elsewhere.posted).toEqual([]);
  });

  test('answers with more than anybody wants to read: delivered all the same', async () => {
    const receiver = await startReceiver((response) => response.writeHead(200).end('x'.repeat(5_000_000)));
    const { sandbox, fairway } = await open();
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });
});

describe('callback.timeout-seconds', () => {
  for (const seconds of [1, 3, undefined]) {
    rule('callback.timeout', `silence is left after ${seconds ?? 'ten (default)'} s`, async () => {
      const receiver = await startReceiver(() => {});
      const timers = hurriedTimers();
      const answers = seconds === undefined ? {} : { 'callback.timeout-seconds': seconds };
      const { sandbox, fairway } = await open({ dialect: { answers }, schedule: timers.schedule });
      await search(fairway, searchQuery({ callbackUrl: receiver.url }));
      await sandbox.callbacks.settled();
      const limit = seconds ?? 10;
      expect(timers.delays).toContain(limit * 1000);
      const error = `no answer within ${limit} s`;
      expect(sandbox.callbacks.deliveries[0]).toMatchObject({ state: 'failed', attempts: [{ status: null, error }] });
      expect((await teeTimesOf(fairway)).length).toBeGreaterThan(0);
    });
  }

  rule('callback.timeout', 'a receiver that takes its time within the limit is heard', async () => {
    const receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(200).end(), 100));
    const { sandbox, fairway } = await open({ dialect: { answers: { 'callback.timeout-seconds': 60 } } });
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });
});

describe('callback.retries', () => {
  const slow = { 'callback.timeout-seconds': 60 } as const;
  /** Retries need a running clock. */
  const clock = () => Date.parse(NOW);

  for (const retries of [undefined, 0, 1, 3, 5]) {
    rule('callback.retries', `${retries ?? 'by default no'} retries of a receiver that always fails`, async () => {
      const receiver = await startReceiver((response) => response.writeHead(500).end());
      const timers = hurriedTimers();
      const answers = { ...slow, ...(retries === undefined ? {} : { 'callback.retries': retries }) };
      const { sandbox, fairway } = await open({ dialect: { answers }, schedule: timers.schedule, clock });
      await search(fairway, searchQuery({ callbackUrl: receiver.url }));
      await sandbox.callbacks.settled();
      const attempts = 1 + (retries ?? 0);
      expect(receiver.posted).toHaveLength(attempts);
      expect(new Set(receiver.posted.map(({ body }) => body)).size).toBe(1);
      const [delivery] = sandbox.callbacks.deliveries;
      expect(delivery!.state).toBe('failed');
      expect(delivery!.attempts.map(({ status }) => status)).toEqual(Array.from({ length: attempts }, () => 500));
      // The pauses grow, from one second on.
      const pauses = timers.delays.filter((delay) => delay >= 1000 && delay < 60_000);
      expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000].slice(0, retries ?? 0));
    });
  }

  rule('callback.retries', 'the first success ends them', async () => {
    const receiver = await startReceiver((response, count) => response.writeHead(count < 3 ? 502 : 200).end());
    const { schedule } = hurriedTimers();
    const { sandbox, fairway } = await open({
      dialect: { answers: { ...slow, 'callback.retries': 5 } },
      schedule,
      clock,
    });
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    const [delivery] = sandbox.callbacks.deliveries;
    expect(delivery!.state).toBe('delivered');
    expect(delivery!.attempts.map(({ status }) => status)).toEqual([502, 502, 200]);
  });
});
