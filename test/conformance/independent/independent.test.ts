import { expect, test } from 'vitest';
import { complaintsOf } from '../full-run.js';
import { all, deployIndependent } from './run.js';

test.each([
  ['reading', {}],
  ['everything', all],
])('an independent deployment conforms: %s', async (_, options) => {
  const report = await deployIndependent().check(options);
  expect(complaintsOf(report)).toEqual([]);
  expect(report.verdict).toBe('conformant');
  // What is left to judge needs permission, or a fault that this deployment does not have.
  expect(report.counts.inconclusive).toBeLessThan(40);
});
