import { test } from 'teebox/vitest';
import { expect } from 'vitest';
import { openShop } from './shop.js';

const baseUrl = 'https://api.partner.example';

// #region assertions
test('the shop books once, for two', async ({ sandbox }) => {
  const shop = openShop(baseUrl, sandbox.channels[0]!, sandbox.fetch);
  const [teeTime] = await shop.teeTimes('11-06-2026');
  await shop.book(teeTime!);

  const booked = sandbox.db.bookings.findMany((q) => q.where({ channel: 'fairway', contactLastName: 'Lovelace' }));
  expect(booked).toMatchObject([{ facilityId: 1001, players: 2, status: 'BOOKED' }]);

  await sandbox.journal.verify({ operation: 'createBooking', match: { players: 2 }, atMost: 1 });
});
// #endregion
