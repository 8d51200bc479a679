import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
// #region server
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { createSandbox } from 'teebox';
import { createHandlers } from 'teebox/msw';
import { openShop } from './shop.js';

const baseUrl = 'https://api.partner.example';
const sandbox = await createSandbox();
const server = setupServer(...createHandlers(sandbox, { baseUrl }));
const shop = openShop(baseUrl, sandbox.channels[0]!);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(async () => {
  server.resetHandlers();
  await sandbox.reset();
});
afterAll(() => server.close());

test('a booking is listed', async () => {
  const [teeTime] = await shop.teeTimes('11-06-2026');
  const { bookingId } = await shop.book(teeTime!);
  expect(await shop.bookings()).toContain(bookingId);
});
// #endregion

// #region override
test('the service is down', async () => {
  server.use(http.get(`${baseUrl}/api/v4/teetimes/*`, () => new HttpResponse('Back at noon', { status: 503 })));
  await expect(shop.teeTimes('11-06-2026')).rejects.toThrow('503: Back at noon');
});
// #endregion

// #region callback
test('the result of a search arrives', async () => {
  const results: unknown[] = [];
  const receiver = http.post('https://partner.example/results', async ({ request }) => {
    results.push(await request.json());
    return new HttpResponse(null, { status: 204 });
  });
  server.use(receiver);
  await shop.search('11-06-2026', 'https://partner.example/results');
  await sandbox.callbacks.settled();
  expect(results).toMatchObject([{ success: true, data: [{ facilityId: 1001 }] }]);
});
// #endregion

test('nothing is left of the tests before', async () => {
  expect(sandbox.callbacks.deliveries).toEqual([]);
  expect(sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' }))).toEqual([]);
  expect((await shop.teeTimes('11-06-2026')).length).toBeGreaterThan(0);
});

test('a handler per operation is listed by its name', () => {
  const named = setupServer(...createHandlers(sandbox, { baseUrl, perOperation: true })).listHandlers();
  expect(named.map((one) => 'info' in one && 'header' in one.info && one.info.header)).toContain(
    'GET https://api.partner.example/api/v3/countries',
  );
});
