import { describe, expect, test } from 'vitest';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import { altering, deploy, type Layer, resultOf } from '../deployment.js';

/** The first of some items 1,200 times, with a wrong field at some positions. */
function repeated<T extends object>([first]: readonly T[], positions: readonly number[], wrong: object): T[] {
  return Array.from({ length: 1200 }, (_, index) => (positions.includes(index) ? { ...first!, ...wrong } : first!));
}

/** Alters the first successful answer whose path fits. */
function once(path: RegExp, alter: (data: any) => unknown): Layer {
  let isOver = false;
  return altering(path, (body) => {
    if (!isOver) body.data = alter(body.data);
    isOver = true;
  });
}

async function said(layer: Layer, only: readonly RuleId[]) {
  const { check } = await deploy({}, layer);
  const report = await check({ only });
  return only.map((id) => resultOf(report, id)).map(({ verdict, message }) => message ?? verdict);
}

describe('every item of a list of 1,200 is judged, at its position', () => {
  test.each<[positions: readonly number[], message: string]>([
    [[0], '/data/0/name must be string.'],
    [[499], '/data/499/name must be string.'],
    [[500, 501], '/data/500/name must be string (2 times).'],
    [[7, 700, 1199], '/data/7/name must be string (3 times).'],
  ])('facilities %j', async (positions, message) => {
    const layer = once(/v2\/facilities$/, (data) => repeated(data, positions, { name: 7 }));
    expect(await said(layer, ['facilities.item.name', 'facilities.item.id'])).toEqual([message, 'pass']);
  });

  test('tee times, and what is beside them is judged one time', async () => {
    const layer = once(/v5\/.*teetimes/i, ({ teeTimeV3 }) => ({
      teeTimeV3: repeated(teeTimeV3, [1100], { course: null }),
      facilityCancellationPolicyRange: 'none',
    }));
    expect(await said(layer, ['teetimes.item.course', 'teetimes.list.policy', 'teetimes.item.holes'])).toEqual([
      '/data/teeTimeV3/1100/course must be string.',
      '/data/facilityCancellationPolicyRange must be array.',
      'pass',
    ]);
  });
});

test('no more than 10,000 errors of an answer are looked for, and the rest of their portion', async () => {
  const layer = once(/v5\/.*teetimes/i, (data) => ({ ...data, teeTimeV3: Array.from({ length: 15_000 }, () => ({})) }));
  expect(await said(layer, ['teetimes.item.course'])).toEqual(['/data/teeTimeV3/0/course must be there (2000 times).']);
});
