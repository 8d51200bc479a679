import { beforeAll, afterAll, expect, test } from 'vitest';
import { createWorlds } from '../../src/engine/library.js';
import { type RunningServer, serve } from '../../src/cli/server.js';

let server: RunningServer;
beforeAll(async () => {
  server = await serve(await createWorlds({ now: '2026-06-01T08:00:00Z' }), { port: 0 });
  process.env['TEEBOX_BASE_URL'] = server.url;
});
afterAll(async () => {
  delete process.env['TEEBOX_BASE_URL'];
  await server.close();
});

// #region admin-client
import { createAdmin } from 'teebox/admin';
import { openShop } from './shop.js';

test('a payment that fails is reported', async () => {
  // The sandbox runs elsewhere: `teebox serve`, or `teebox exec -- npm test`.
  const admin = createAdmin(process.env['TEEBOX_BASE_URL']!).worlds.of('payment-fails');
  const [channel] = await admin.channels();
  const shop = openShop(admin.baseUrl, channel!);
  await admin.arm('payment-pi-failed', { times: 1 });
  const [teeTime] = await shop.teeTimes('11-06-2026');
  await expect(shop.book(teeTime!)).rejects.toThrow('Payment (PI) has failed');
  await admin.verify({ operation: 'createBooking', scenario: 'payment-pi-failed', atLeast: 1, timeoutMs: 5000 });
  await admin.clock.advance('PT1H'); // access tokens expire
  await admin.reset();
});
// #endregion
