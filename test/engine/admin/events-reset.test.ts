import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open, ORIGIN } from '../../support/client.js';
import { EventReader, type ServerEvent } from '../../support/network/sse.js';

async function follow(sandbox: Sandbox, last?: string, query = ''): Promise<EventReader> {
  const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
  return new EventReader(await sandbox.fetch(`${ORIGIN}/__admin/events${query}`, { headers }));
}

const told = ({ event, id, data }: ServerEvent) => [event, id, data.id ?? data.reason];

async function visit(client: Client, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await client.get('/api/v3/countries');
}

const ways = [
  ['reset', 'POST', 'reset'],
  ['restore', 'POST', 'snapshots/before/restore'],
] as const;

describe.each(ways)('after a %s', (reason, method, path) => {
  test('a reader is told, and of what comes then', async () => {
    const { fairway, sandbox } = await open();
    const admin = adminOf(sandbox);
    await admin('PUT', 'snapshots/before');
    await visit(fairway, 2);
    const reader = await follow(sandbox);
    await admin(method, path);
    await visit(fairway, 1);
    expect((await reader.take(3)).map(told)).toEqual([
      ['reset', 'req-0@1', reason],
      ['arrived', undefined, 'req-1'],
      ['answered', 'req-1@1', 'req-1'],
    ]);
  });

  test.each([
    [
      'req-2',
      [
        ['reset', 'req-0@1'],
        ['answered', 'req-1@1'],
        ['answered', 'req-2@1'],
      ],
    ],
    [
      'req-40',
      [
        ['reset', 'req-0@1'],
        ['answered', 'req-1@1'],
        ['answered', 'req-2@1'],
      ],
    ],
    [
      'req-1@7',
      [
        ['reset', 'req-0@1'],
        ['answered', 'req-1@1'],
        ['answered', 'req-2@1'],
      ],
    ],
    [
      'req-0@1',
      [
        ['answered', 'req-1@1'],
        ['answered', 'req-2@1'],
      ],
    ],
    ['req-1@1', [['answered', 'req-2@1']]],
  ])('Last-Event-ID: %s', async (last, want) => {
    const { fairway, sandbox } = await open();
    const admin = adminOf(sandbox);
    await admin('PUT', 'snapshots/before');
    await visit(fairway, 5);
    await admin(method, path);
    await visit(fairway, 2);
    const events = await (await follow(sandbox, last)).take(want.length);
    expect(events.map(({ event, id }) => [event, id])).toEqual(want);
  });
});

test('an event of a server that was started again is one of before', async () => {
  const { fairway, sandbox } = await open();
  await visit(fairway, 1);
  const events = await (await follow(sandbox, 'req-30')).take(2);
  expect(events.map(told)).toEqual([
    ['reset', 'req-0', 'start'],
    ['answered', 'req-1', 'req-1'],
  ]);
});

test('`since` names a request of now', async () => {
  const { fairway, sandbox } = await open();
  await sandbox.reset();
  await visit(fairway, 2);
  const [event] = await (await follow(sandbox, undefined, '?since=req-1')).take(1);
  expect(event!.id).toBe('req-2@1');
});

test.each(['req-1@', 'req@1', 'req-1@x', '@1'])('Last-Event-ID: %s is none', async (last) => {
  const { sandbox } = await open();
  const { status } = await adminOf(sandbox)('GET', 'events', undefined, { 'last-event-id': last });
  expect(status).toBe(400);
});

test('a request of before the reset that is answered after it is no event', async () => {
  const held: (() => void)[] = [];
  const { fairway, sandbox } = await open({ schedule: (work) => (held.push(work), () => {}) });
  const reader = await follow(sandbox);
  const slow = fairway.get('/api/v3/countries', { headers: { 'teebox-scenario': 'slow' } });
  while (held.length < 2) await Promise.resolve();
  await sandbox.reset();
  await visit(fairway, 1);
  for (const work of held.splice(0)) work();
  expect((await slow).status).toBe(200);
  await visit(fairway, 1);
  expect((await reader.take(6)).map(told)).toEqual([
    ['arrived', undefined, 'req-1'],
    ['reset', 'req-0@1', 'reset'],
    ['arrived', undefined, 'req-1'],
    ['answered', 'req-1@1', 'req-1'],
    ['arrived', undefined, 'req-2'],
    ['answered', 'req-2@1', 'req-2'],
  ]);
});

test('a waiting verification counts from the reset on', async () => {
  const { fairway, sandbox } = await open();
  await visit(fairway, 1);
  const verified = sandbox.journal.verify({ operation: 'listCountries', atLeast: 2, timeoutMs: 60_000 });
  await sandbox.reset();
  await visit(fairway, 2);
  expect(await verified).toEqual({ verified: true, count: 2, requests: ['req-1', 'req-2'] });
});
