import { setupServer } from 'msw/node';
import { createSandbox } from 'teebox';
import { createHandlers } from 'teebox/msw';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.js';

const baseUrl = 'https://api.partner.example';

// #region boundary
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const alone = (work: (shop: Shop) => Promise<void>) =>
  server.boundary(async () => {
    const sandbox = await createSandbox();
    server.use(...createHandlers(sandbox, { baseUrl }));
    await work(openShop(baseUrl, sandbox.channels[0]!));
  });

const bookTheFirst = alone(async (shop) => {
  const before = await shop.bookings();
  const [teeTime] = await shop.teeTimes('11-06-2026');
  await shop.book(teeTime!);
  expect(await shop.bookings()).toHaveLength(before.length + 1);
});
test.concurrent('one books', bookTheFirst);
test.concurrent('another does so at the same time', bookTheFirst);
// #endregion
