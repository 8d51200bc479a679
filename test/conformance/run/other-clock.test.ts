import { expect, test } from 'vitest';
import { deploy, idsWith } from '../deployment.js';

test('a deployment whose clock is years ahead is checked at its own days', { tags: ['slow'] }, async () => {
  const only = ['teetimes.item-v3.*', 'teetimes.query.*'];
  const [usual, late] = [await deploy(), await deploy({ now: '2030-05-01T10:00:00Z' })];
  const [before, report] = [await usual.check({ depth: 'quick', only }), await late.check({ depth: 'quick', only })];
  expect(idsWith(report, 'pass')).toEqual(idsWith(before, 'pass'));
  expect(report.exitCode).toBe(0);
  expect(idsWith(report, 'pass').length).toBeGreaterThan(8);
});
