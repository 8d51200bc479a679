import { expect, test } from 'vitest';
import type { Report, RuleResult } from '../../../src/conformance/client/types.js';
import { loudIn } from '../deployment.js';
import { given, runWith } from '../limited-run.js';

const cut = ({ rules }: Report): RuleResult[] => rules.filter(({ reason }) => reason === 'budget');

test('a run has no limit of requests by default, and none with 0', async () => {
  for (const limit of [{}, { maxRequests: 0 }]) {
    const { report } = await runWith(given, { ...limit, only: ['countries.*'] });
    expect(cut(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
  }
});

test('a run stops at its limit and says of each rule that is left why it was not run', async () => {
  const { report, sent } = await runWith(given, { maxRequests: 59 });
  expect(sent.length).toBe(59);
  expect(report.requests).toBe(59);
  expect(cut(report).length).toBeGreaterThan(0);
  for (const { id, verdict, missing } of cut(report)) {
    expect({ id, verdict, missing }).toEqual({
      id,
      verdict: 'not-run',
      missing: 'more than 59 requests (--max-requests)',
    });
  }
});

test('bookings count as requests and are reported', async () => {
  const { report, sent } = await runWith(given, { allow: ['bookings'], only: ['bookings.create*'], maxRequests: 30 });
  expect(sent.length).toBe(30);
  expect(loudIn(report)).toEqual([]);
  const booked = sent.filter((line) => line.startsWith('POST'));
  expect(booked.length).toBeGreaterThan(0);
  expect(report.litter.length).toBeGreaterThan(0);
});
