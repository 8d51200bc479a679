import { expect, test } from 'vitest';
import { resultOf } from '../../deployment.js';
import { complaintsOf } from '../../full-run.js';
import { busyRun, type Rewrite, slowRun, unpaidRun } from './slow-and-busy.js';

test.each([1, 2])('a slow deployment is no reason to complain (%i)', async (seed) => {
  const report = await slowRun(seed);
  expect(complaintsOf(report)).toEqual([]);
  expect(resultOf(report, 'callback.after-ack').verdict).toBe('pass');
});

test.each([
  [5, 1],
  [5, 2],
  [3, 3],
  [3, 19],
])('others who book once in %i requests are no reason to complain (%i)', async (every, seed) => {
  const { report, booked } = await busyRun({ every, seed });
  expect(booked).toBeGreaterThan(50);
  expect(complaintsOf(report)).toEqual([]);
});

test.each([
  [3, 1],
  [3, 3],
])('others who book or cancel once in %i requests are no reason to complain (%i)', async (every, seed) => {
  const { report, canceled } = await busyRun({ every, seed, cancels: 0.5 });
  expect(canceled).toBeGreaterThan(50);
  expect(complaintsOf(report)).toEqual([]);
});

test.each<[what: string, rewrite: Rewrite]>([
  ['that ask for no payment', [/("\w+PaymentConditionPercentage":)\d+/g, '$10']],
  ['that are paid when they are played', [/"Time of Booking"/g, '"Time of Play"']],
])('facilities %s are no reason to complain', async (_, rewrite) => {
  const report = await unpaidRun(rewrite);
  expect(complaintsOf(report)).toEqual([]);
  for (const id of ['payments.confirm.v4', 'payments.confirm-bulk.v3'] as const) {
    expect(resultOf(report, id).missing).toBe('a facility that is paid when it is booked');
  }
});
