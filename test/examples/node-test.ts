// #region node-test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSandbox } from 'teebox';
import { openShop } from './shop.js';

test('a booking is listed', async () => {
  const sandbox = await createSandbox();
  const shop = openShop('https://api.partner.example', sandbox.channels[0]!, sandbox.fetch);
  const [teeTime] = await shop.teeTimes('11-06-2026');
  const { bookingId } = await shop.book(teeTime!);
  assert.ok((await shop.bookings()).includes(bookingId));
});
// #endregion
