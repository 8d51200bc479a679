import { expect, test } from 'vitest';
import { duration } from '../../src/cli/args.js';
import { readDuration } from '../../src/common/index.js';

test.each<[text: string, milliseconds: number]>([
  ['250ms', 250],
  ['2s', 2000],
  ['0.5s', 500],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  ['PT1H', 3_600_000],
  ['PT0.25S', 250],
  ['P2DT30M', 174_600_000],
  ['P1W', 604_800_000],
])('%s is %d ms', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
});

test.each(['', '5', 'soon', '1d', '1 h', '-1s', '1e3s', '.5s', 'h', 'P', 'PT', 'P1Y', 'P1M', 'PT1H ', '1H', '1h30m'])(
  '`%s` is none',
  (text) => {
    expect(readDuration(text)).toBeUndefined();
  },
);

test.each<[text: string, seconds: number | undefined]>([
  ['2', 2],
  ['2.5', 2.5],
  ['2500ms', 2.5],
  ['1m', 60],
  ['PT1M', 60],
  ['61s', undefined],
  ['61', undefined],
  ['0', undefined],
  ['', undefined],
  ['soon', undefined],
])('a flag of up to 60 seconds reads `%s`', (text, seconds) => {
  expect(duration('seconds', 0.001, 60).read(text)).toBe(seconds);
});

test('a flag of whole seconds, and one of milliseconds', () => {
  const whole = duration('seconds', 1, 60, true);
  expect(['1500ms', '1.5', '2000ms', '3'].map(whole.read)).toEqual([undefined, undefined, 2, 3]);
  expect(['1', '250ms', '0.25s'].map(duration('milliseconds', 1, 1000).read)).toEqual([1, 250, 250]);
  expect(whole.due).toBe('a whole number of seconds from 1 to 60, or a duration such as 250ms, 2s, 5m, 1h or PT1H');
});
