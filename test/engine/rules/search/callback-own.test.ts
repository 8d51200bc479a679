import { describe, expect } from 'vitest';
import { NOW, open } from '../../../support/client.js';
import { hurriedTimers, startReceiver } from '../../../support/network/receiver.js';
import { rule } from '../../../support/rule.js';
import { openAtOnce, resultOf, search, searchQuery } from '../../../support/views.js';

const RETRIES = { 'callback.retries': 3, 'callback.timeout-seconds': 60 } as const;

describe('the address of a delivery', () => {
  for (const suffix of [
    '',
    '?ticket=4711',
    '?ticket=4%2F5&lang=nl',
    '?tag=a&tag=b&empty=',
    '?q=one+two%20three&name=T%C3%BCrkiye',
    '/deep/er?callbackUrl=http%3A%2F%2Fother.example%2F%3Fx%3D1',
  ]) {
    rule('callback.address', `"${suffix}" arrives as it was given`, async () => {
      const receiver = await startReceiver();
      const { sandbox, fairway } = await open();
      await search(fairway, searchQuery({ callbackUrl: receiver.url + suffix }));
      await sandbox.callbacks.settled();
      expect(receiver.posted.map(({ path }) => path)).toEqual([`/results${suffix}`]);
    });
  }
});

describe('an accepted delivery', () => {
  for (const status of [200, 201, 202, 204]) {
    rule('callback.once', `${status} ends it, also where failures are tried again`, async () => {
      const receiver = await startReceiver((response) => response.writeHead(status).end());
      const { schedule } = hurriedTimers();
      const { sandbox, fairway } = await open({ schedule, dialect: { answers: RETRIES } });
      await search(fairway, searchQuery({ callbackUrl: receiver.url }));
      await sandbox.callbacks.settled();
      expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status }] }]);
      expect(receiver.posted).toHaveLength(1);
    });
  }

  rule('callback.once', 'after failures, the first that is accepted is the last', async () => {
    const receiver = await startReceiver((response, count) => response.writeHead(count < 3 ? 503 : 200).end());
    const { schedule } = hurriedTimers();
    const { sandbox, fairway } = await open({ schedule, clock: () => Date.parse(NOW), dialect: { answers: RETRIES } });
    await search(fairway, searchQuery({ callbackUrl: receiver.url }));
    await sandbox.callbacks.settled();
    expect(receiver.posted).toHaveLength(3);
    expect(sandbox.callbacks.deliveries[0]!.state).toBe('delivered');
  });
});

rule('callback.own-search', 'searches under way at once each have their own result', async () => {
  const receiver = await startReceiver();
  const { sandbox, fairway, links } = await open();
  // Facility 1006 is connected to `links` alone, so that a result of the other channel would show.
  const wishes = [
    { client: fairway, wish: { facilityIds: [1001], from: 5 } },
    { client: fairway, wish: { facilityIds: [1001], from: 6 } },
    { client: fairway, wish: { facilityIds: [1001], from: 5, players: 4 } },
    { client: fairway, wish: { facilityIds: [1006, 1001], from: 5 } },
    { client: links, wish: { facilityIds: [1006, 1001], from: 5 } },
    { client: links, wish: { facilityIds: [1007], from: 5, holes: 9 } },
  ];
  const sent = wishes.map(({ client, wish }, index) =>
    search(client, searchQuery({ ...wish, callbackUrl: `${receiver.url}/${index}` })),
  );
  await Promise.all(sent);
  await sandbox.callbacks.settled();
  expect(receiver.posted).toHaveLength(wishes.length);
  const bodies = new Set<string>();
  for (const [index, { client, wish }] of wishes.entries()) {
    const alone = await openAtOnce();
    const want = await resultOf(client === links ? alone.links : alone.fairway, wish);
    const { body } = receiver.posted.find(({ path }) => path === `/results/${index}`)!;
    expect(JSON.parse(body)).toEqual(want);
    bodies.add(body);
  }
  expect(bodies.size).toBe(wishes.length);
});
