import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { complaintsOf } from '../full-run.js';
import { all, deployIndependent } from './run.js';

async function expectConformant(options: Partial<CheckOptions>): Promise<void> {
  const report = await deployIndependent().check(options);
  expect(complaintsOf(report)).toEqual([]);
  expect(report.verdict).toBe('conformant');
  // What is left to judge needs permission, or a fault that this deployment does not have.
  expect(report.counts.inconclusive).toBeLessThan(40);
}

test('an independent deployment conforms', () => expectConformant({ ...all, depth: 'quick' }));

test.each([
  ['reading', {}],
  ['everything', all],
])('an independent deployment conforms at the usual depth: %s', { tags: ['slow'] }, (_, options) =>
  expectConformant(options),
);
