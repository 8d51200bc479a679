import { expect, test } from 'vitest';
import { deploy, type Layer, resultOf } from '../deployment.js';
import { asking, listing } from '../mutants/layers/booking-lists.js';
import { layered } from '../mutants/layers/facilities.js';
import { NOW } from '../../support/client.js';

const TODAY = NOW.slice(0, 10);
const LAST_MONTH = '02-05-2026';

/** Every earlier booking of the channel was made long ago. */
const madeLongAgo = (version: string): Layer =>
  listing(version, (items) =>
    items.map((item) => (item['createdAt'] < TODAY ? { ...item, createdAt: '2025-01-01T08:00:00.000' } : item)),
  );

/** The v4 list without parameters begins a month ago. */
const sinceLastMonth = asking('v4', (query) => {
  if (!query.has('fromDate') && !query.has('toDate')) query.set('fromDate', LAST_MONTH);
});

// Such a list may have the clock of that day, unless a booking of the run shows when it was made.
test.each([
  { only: ['bookings.list.future-only'], want: 'inconclusive' },
  { only: ['bookings.list.future-only', 'bookings.effect.lists'], want: 'fail' },
])('a list without parameters that begins a month ago: $want with $only', async ({ only, want }) => {
  const layers = [...['v1', 'v2', 'v4'].map(madeLongAgo), sinceLastMonth];
  const { check } = await deploy({}, layered(layers));
  const report = await check({ allow: ['bookings'], only, depth: 'quick' });
  expect(resultOf(report, 'bookings.list.future-only')).toMatchObject({ verdict: want });
});
