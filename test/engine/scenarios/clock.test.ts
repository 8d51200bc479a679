import { expect, test } from 'vitest';
import { open } from '../../support/client.js';
import { search, searchQuery } from '../../support/views.js';

/** Nothing that is to happen later does by itself; what happens at once does. */
const schedule = (work: () => void, delay: number) => {
  if (delay < 1000) queueMicrotask(work);
  return () => {};
};

test.each([
  ['advance', 60_000],
  ['set', '2026-06-01T08:01:00Z'],
] as const)('a late callback is posted when the library moves the clock: %s', async (move, to) => {
  const bodies: unknown[] = [];
  const fetch = async (_: string, { body }: RequestInit) => {
    bodies.push(body);
    return new Response(null, { status: 204 });
  };
  const { fairway, sandbox } = await open({ schedule, fetch });
  sandbox.scenarios.arm('callback-late', { delay: 30_000 });
  await search(fairway, searchQuery());
  expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'pending', fault: 'late', attempts: [] }]);
  sandbox.clock[move](to as never);
  await sandbox.callbacks.settled();
  expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
  expect(bodies).toHaveLength(1);
});
