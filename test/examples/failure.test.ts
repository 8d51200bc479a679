import { test } from 'teebox/vitest';
import { expect } from 'vitest';
import { openShop } from './shop.js';

const baseUrl = 'https://api.partner.example';

// #region failure
test('the answer is lost, and the booking remains', async ({ sandbox }) => {
  const shop = openShop(baseUrl, sandbox.channels[0]!, sandbox.fetch);
  const [teeTime] = await shop.teeTimes('11-06-2026');
  const before = await shop.bookings();

  sandbox.scenarios.arm('connection-reset', { operation: 'createBooking', phase: 'after-commit' });
  await expect(shop.book(teeTime!)).rejects.toThrow();
  expect(await shop.bookings()).toHaveLength(before.length + 1);
});

test('the third payment goes through', async ({ sandbox }) => {
  const shop = openShop(baseUrl, sandbox.channels[0]!, sandbox.fetch);
  const [teeTime] = await shop.teeTimes('11-06-2026');

  sandbox.scenarios.arm('payment-pi-failed', { steps: ['fail', 'fail', 'ok'] });
  await expect(shop.book(teeTime!)).rejects.toThrow('400');
  await expect(shop.book(teeTime!)).rejects.toThrow('400');
  const { bookingId } = await shop.book(teeTime!);
  expect(await shop.bookings()).toContain(bookingId);
});
// #endregion
