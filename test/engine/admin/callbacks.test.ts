import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { open } from '../../support/client.js';
import type { Json } from '../../support/scenes.js';
import { NOWHERE, search, searchQuery } from '../../support/views.js';

/** A receiver that answers one status after the other, and timers that start what is to be posted alone. */
function receiving(...statuses: number[]): { readonly options: SandboxOptions; readonly posted: string[] } {
  const posted: string[] = [];
  const options: SandboxOptions = {
    fetch: async (_url, { body }) => {
      posted.push(body as string);
      return new Response(null, { status: statuses.shift() ?? 204 });
    },
    schedule: (work, delay) => {
      if (delay < 1000) queueMicrotask(work);
      return () => {};
    },
  };
  return { options, posted };
}

const statuses = ({ attempts }: Json): number[] => attempts.map(({ status }: Json) => status);

describe('callbacks', () => {
  test('are listed without their bodies, and shown with them', async () => {
    const receiver = receiving();
    const { sandbox, fairway } = await open(receiver.options);
    const admin = adminOf(sandbox);
    await search(fairway, searchQuery());
    await sandbox.callbacks.settled();
    const want = { id: 'callback-1', channel: 'fairway', url: NOWHERE, state: 'delivered' };
    const { count, callbacks } = (await admin('GET', 'callbacks')).body;
    expect({ count, callbacks }).toMatchObject({ count: 1, callbacks: [want] });
    expect(callbacks[0]).toHaveProperty('bodyLength', receiver.posted[0]!.length);
    expect(callbacks[0]).not.toHaveProperty('body');
    expect((await admin('GET', 'callbacks/callback-1')).body).toMatchObject({ ...want, body: receiver.posted[0] });
  });

  test('are posted again, the same bytes, with an attempt more', async () => {
    const receiver = receiving(500, 204, 503);
    const { sandbox, fairway } = await open(receiver.options);
    const admin = adminOf(sandbox);
    await search(fairway, searchQuery());
    await sandbox.callbacks.settled();
    const states = [sandbox.callbacks.deliveries[0]!.state];
    for (const want of [
      [500, 204],
      [500, 204, 503],
    ]) {
      const { status, body } = await admin('POST', 'callbacks/callback-1/redeliver');
      expect({ status, statuses: statuses(body) }).toEqual({ status: 200, statuses: want });
      states.push(body.state);
    }
    expect(states).toEqual(['failed', 'delivered', 'failed']);
    expect(new Set(receiver.posted).size).toBe(1);
    await sandbox.callbacks.settled();
  });

  test('are not posted twice at once', async () => {
    const { sandbox, fairway } = await open({ ...receiving().options, schedule: () => () => {} });
    const admin = adminOf(sandbox);
    await search(fairway, searchQuery());
    const { body } = await admin('POST', 'callbacks/callback-1/redeliver');
    expect(body).toEqual(expectedProblem(409, expect.stringContaining('still on its way')));
    expect((await admin('GET', 'callbacks')).body.callbacks[0]).toMatchObject({ state: 'pending', bodyLength: null });
  });

  test('are tried again when the clock comes to it', async () => {
    const receiver = receiving(500, 500, 204);
    const { sandbox, fairway } = await open({ ...receiver.options, dialect: { answers: { 'callback.retries': 3 } } });
    const admin = adminOf(sandbox);
    const moved = async (advance: string) => {
      const { fired } = (await admin('POST', 'clock', { advance })).body;
      await new Promise((resolve) => setTimeout(resolve, 10));
      return fired.filter(({ callbackId }: Json) => callbackId).map(({ at, event }: Json) => `${at} ${event}`);
    };
    await search(fairway, searchQuery());
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await moved('PT0.9S')).toEqual([]);
    expect(await moved('PT0.1S')).toEqual(['2026-06-01T08:00:01.000Z callback-retried']);
    expect(await moved('PT1.9S')).toEqual([]);
    expect(await moved('PT1M')).toEqual(['2026-06-01T08:00:03.000Z callback-retried']);
    await sandbox.callbacks.settled();
    expect(statuses(sandbox.callbacks.deliveries[0])).toEqual([500, 500, 204]);
    expect(receiver.posted).toHaveLength(3);
  });
});
