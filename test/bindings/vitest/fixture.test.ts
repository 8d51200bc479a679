import { describe, expect } from 'vitest';
import type { Sandbox } from '../../../src/engine/library.js';
import { test } from '../../../src/bindings/vitest.js';
import { Client } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { searchQuery } from '../../support/views.js';

const mine = ({ db }: Sandbox) => db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' }));

test('a header names the test; Größe', ({ testHeaders }) => {
  expect(testHeaders).toEqual({ 'teebox-test': 'a header names the test, Gr??e' });
});

describe('in a group', () => {
  let attempts = 0;
  test('and each attempt', { retry: 1 }, ({ testHeaders }) => {
    attempts += 1;
    expect([attempts, testHeaders['teebox-test']]).toEqual([2, 'in a group > and each attempt (retry 1)']);
  });
});

describe('each test has a sandbox of its own', () => {
  const met: Sandbox[] = [];

  // The second of these would find the tee time taken and two bookings, if it met the first one's sandbox.
  test.for(['once', 'and again'])('%s', async (_, { sandbox }) => {
    expect(met).not.toContain(sandbox);
    met.push(sandbox);
    const partner = new Client(sandbox, 'fairway');
    const teeTime = await findTeeTime(partner);
    const players = { players: teeTime.products[0].available };
    expect((await partner.post('/api/v5/bookings', bookingFor(teeTime, players))).status).toBe(200);
    expect(mine(sandbox)).toHaveLength(1);
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 5, 1, 8));
  });

  test('in which something may be under way', async ({ sandbox }) => {
    expect(met.map(mine)).toEqual([[], []]);
    await new Client(sandbox, 'fairway').get(`/api/v5/teetimes?${new URLSearchParams(searchQuery())}`);
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'pending' }]);
    met.push(sandbox);
  });

  test('which ends with its test', () => {
    expect(met[2]!.callbacks.deliveries).toEqual([]);
  });
});

describe('with options', () => {
  const inWinter = test.extend({ sandboxOptions: { now: '2026-12-01T08:00:00Z', expiresIn: 60 } });

  inWinter('the sandbox is made with them', async ({ sandbox }) => {
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 11, 1, 8));
  });

  test('and others stay as they are', async ({ sandbox }) => {
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 5, 1, 8));
  });
});

describe('a test that asks for none', () => {
  let made = 0;
  const counted = test.extend({
    sandboxOptions: async ({ task }, use) => {
      expect(task.name).toBe('but one that does does');
      made += 1;
      await use({});
    },
  });

  counted('makes none', () => expect(made).toBe(0));

  counted('but one that does does', ({ sandbox }) => {
    expect([made, sandbox.channels.length > 0]).toEqual([1, true]);
  });
});
