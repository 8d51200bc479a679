import fc from 'fast-check';
import { expect } from 'vitest';
import { open } from '../../support/client.js';
import { sampled } from '../../support/sampled.js';
import { bookingFor, teeTimesOf } from '../../support/scenes.js';
import { search, searchQuery } from '../../support/views.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-06-01T08:00:00Z');

/** What the clock of a machine does: a correction, summer time set by hand, a battery that was empty, a typing error. */
const jumps = [1, -1, 1000, -1000, HOUR, -HOUR, 25 * HOUR, -25 * HOUR, 8760 * HOUR, -8760 * HOUR];
const acts = ['book', 'list', 'sheet', 'prices', 'refresh', 'search'] as const;

const title = 'whatever the clock of the machine does, nothing fails and nothing that was answered is lost';
sampled(title, [12, 40], async (numRuns) => {
  let made = 0;
  const step = fc.record({ jump: fc.constantFrom(0, ...jumps), act: fc.constantFrom(...acts) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      let now = START;
      const fetch = async (): Promise<Response> => new Response(null, { status: 204 });
      const { fairway, sandbox } = await open({ clock: () => now, fetch });
      const booked: string[] = [];
      const statuses = new Set<number>();
      const actions: Readonly<Record<(typeof acts)[number], () => Promise<{ readonly status: number }>>> = {
        async book() {
          const days = Math.max(0, Math.round((now - START) / (24 * HOUR))) + 10;
          const [teeTime] = await teeTimesOf(fairway, { days });
          if (!teeTime) return { status: 0 };
          const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime));
          if (reply.status === 200) booked.push(reply.body.data.bookingId);
          return reply;
        },
        list: () => fairway.get('/api/v4/bookings'),
        sheet: () => fairway.get('/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18'),
        prices: () =>
          fairway.get('/api/v5/price/insideDateRange?facilityIds=1001&fromDate=11-06-2026&toDate=12-06-2026'),
        refresh() {
          const token = sandbox.credentials()[0]!.refreshToken;
          return fairway.post('/api/v5/token/refreshToken', { refresh_token: token });
        },
        search: () => search(fairway, searchQuery()),
      };
      for (const { jump, act } of steps) {
        now += jump;
        statuses.add((await actions[act]()).status);
      }
      await sandbox.callbacks.settled();
      made += booked.length;
      const kept = sandbox.snapshot().store.bookings.map(({ bookingId }) => bookingId);
      expect([...statuses].filter((status) => status >= 500)).toEqual([]);
      expect(booked.filter((id) => !kept.includes(id))).toEqual([]);
      expect(sandbox.callbacks.deliveries.filter(({ state }) => state === 'pending')).toEqual([]);
    }),
    { numRuns },
  );
  // How many there are is left to chance.
  expect(made).toBeGreaterThan(0);
});
