import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/engine/library.js';
import { serve } from '../../src/cli/server.js';
import { listedIds, LONG_AGO } from '../support/booking-list.js';
import { Client, NOW } from '../support/client.js';
import { basic } from '../support/credentials.js';
import { bookingFor, type TeeTime, teeTimesOf } from '../support/scenes.js';

const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };

test('fail twice and then succeed strikes twice under a hundred requests at once over sockets', async () => {
  const sandbox = await createSandbox({ now: NOW });
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const fairway = new Client(sandbox, 'fairway');
  const teeTimes: TeeTime[] = [];
  for (let days = 10; teeTimes.length < 100; days += 1) teeTimes.push(...(await teeTimesOf(fairway, { days })));
  const before = await listedIds(fairway, 'v4', { fromDate: LONG_AGO });
  const plan = JSON.stringify({ scenario: 'booking-failed', steps: ['fail', 'fail', 'ok'] });
  expect((await fetch(`${server.url}/__admin/plans`, { method: 'POST', body: plan })).status).toBe(200);
  const replies = await Promise.all(
    teeTimes.slice(0, 100).map(async (teeTime) => {
      const body = JSON.stringify(bookingFor(teeTime));
      const reply = await fetch(`${server.url}/api/v5/bookings`, { method: 'POST', headers, body });
      return `${reply.status} ${reply.headers.get('teebox-scenario')} ${(await reply.json()).success}`;
    }),
  );
  const count = (what: string) => replies.filter((one) => one === what).length;
  expect([count('400 booking-failed; source=plan false'), count('200 null true')]).toEqual([2, 98]);
  expect(sandbox.scenarios.plans).toMatchObject([{ matched: 3, struck: 2, state: 'spent' }]);
  expect((await listedIds(fairway, 'v4', { fromDate: LONG_AGO })).length - before.length).toBe(98);
});
