import { expect, test } from 'vitest';
import { after, hostileServer, hostilities } from './hostile-server.js';

type Name = keyof typeof hostilities;

const names = Object.keys(hostilities) as Name[];
/** Requests before which the deployment is as it should be: none, those that learn, and some of the walks. */
const BEGINNINGS = [0, 25, 150];
/** What a run may do, how many times faster its time passes, and the time in which it ends, in milliseconds. */
const [MOST_BOOKINGS, HURRY, DEADLINE] = [20, 10, 300_000];

test.each(names.flatMap((name) => BEGINNINGS.map((turns) => [name, turns] as const)))(
  'walks end within their budget, with a verdict: %s after %i requests',
  async (name, turns) => {
    const server = await hostileServer(after(turns, hostilities[name]), HURRY);
    try {
      const { exitCode, message, bookings, findings, notes, durationMs } = await server.explore({
        allow: ['bookings', 'payments'],
        seed: turns,
        maxBookings: MOST_BOOKINGS,
        maxBody: 1024 * 1024,
        timeout: 200 * HURRY,
        deadline: DEADLINE,
      });
      expect(durationMs).toBeLessThan(DEADLINE);
      expect(exitCode, [message, ...notes].join(' ')).toBeGreaterThanOrEqual(turns === 0 ? 3 : 0);
      expect(bookings).toBeLessThanOrEqual(MOST_BOOKINGS);
      expect(findings.length).toBeLessThan(25);
      for (const text of [message, ...notes]) expect(text).not.toMatch(/\n|\bat \S+:\d+|undefined|TypeError/);
    } finally {
      await server.close();
    }
  },
);
