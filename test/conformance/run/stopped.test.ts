import { expect, test } from 'vitest';
import { runUntil, stumbling } from '../stopping.js';

// test/conformance/matrix/collapses/stopped.test.ts stops it after each of the first 200 requests.
test.each([
  [22, '503'],
  [23, 'closed connections'],
  [24, '503'],
  [25, 'closed connections'],
  [26, '503'],
  [27, 'closed connections'],
  [28, '503'],
  [29, 'closed connections'],
  [30, '503'],
  [31, 'closed connections'],
] as const)('no rule stumbles over a deployment that goes down after %i requests: %s', async (requests, ending) => {
  const report = await runUntil(requests, ending);
  expect(stumbling(report)).toEqual([]);
  expect(report.verdict).not.toBe('conformant');
});
