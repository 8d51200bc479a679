import { setupServer } from 'msw/node';
import { createHandlers } from 'teebox/msw';
import { afterAll, beforeAll } from 'vitest';
import type { Shop } from './shop.js';
// #region fixture
import { test } from 'teebox/vitest';
import { expect } from 'vitest';
import { openShop } from './shop.js';

const baseUrl = 'https://api.partner.example';

test('a booking takes its slots', async ({ sandbox }) => {
  const shop = openShop(baseUrl, sandbox.channels[0]!, sandbox.fetch);
  const [before] = await shop.teeTimes('11-06-2026');
  await shop.book(before!);
  const after = (await shop.teeTimes('11-06-2026')).find(({ teeid }) => teeid === before!.teeid);
  expect(after?.products[0]!.available ?? 0).toBe(before!.products[0]!.available - 2);
});

const inWinter = test.extend({ sandboxOptions: { now: '2026-12-01T08:00:00Z' } });
inWinter('it is December', ({ sandbox }) => {
  expect(new Date(sandbox.clock.now()).getUTCMonth()).toBe(11);
});
// #endregion

// #region fixture-msw
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const shopTest = test.extend<{ shop: Shop }>({
  shop: async ({ sandbox }, use) => {
    server.use(...createHandlers(sandbox, { baseUrl }));
    await use(openShop(baseUrl, sandbox.channels[0]!));
    server.resetHandlers();
  },
});

shopTest('a booking is listed', async ({ shop }) => {
  const [teeTime] = await shop.teeTimes('11-06-2026');
  const { bookingId } = await shop.book(teeTime!);
  expect(await shop.bookings()).toContain(bookingId);
});
// #endregion
