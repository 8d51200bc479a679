import { expect, test } from 'vitest';
import { duration, type Flag, readValue } from '../../src/cli/args.js';
import { commands } from '../../src/cli/commands/table.js';
import { durationText, readDuration } from '../../src/common/index.js';

test.each<[text: string, milliseconds: number]>([
  ['250ms', 250],
  ['2s', 2000],
  ['0.5s', 500],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  ['2d', 172_800_000],
  ['PT1H', 3_600_000],
  ['PT0.25S', 250],
  ['P2DT30M', 174_600_000],
  ['P1W', 604_800_000],
])('%s is %d ms', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds);
  expect(readDuration(durationText(milliseconds))).toBe(milliseconds);
});

test.each([
  '',
  '5',
  'soon',
  '1w',
  '1 d',
  '1 h',
  '-1s',
  '1e3s',
  '.5s',
  'h',
  'P',
  'PT',
  'P1Y',
  'P1M',
  'PT1H ',
  '1H',
  '1h30m',
])('`%s` is none', (text) => {
  expect(readDuration(text)).toBeUndefined();
});

test.each<[text: string, milliseconds: number | undefined]>([
  ['2s', 2000],
  ['2.5s', 2500],
  ['2500ms', 2500],
  [' 1m ', 60_000],
  ['PT1M', 60_000],
  ['61s', undefined],
  ['0s', undefined],
  ['2', undefined],
  ['0', undefined],
  ['2.5', undefined],
  ['1e3', undefined],
  ['', undefined],
  ['soon', undefined],
])('a flag of up to a minute reads `%s`', (text, milliseconds) => {
  expect(duration('1ms', '1m').read(text)).toBe(milliseconds);
});

test('a flag of whole seconds', () => {
  const whole = duration('1s', '1m', 1000);
  expect(['1500ms', '1.5s', '2000ms', '3s'].map(whole.read)).toEqual([undefined, undefined, 2000, 3000]);
  expect(whole.due).toBe(
    'a duration of whole seconds from 1s to 1m with its unit, such as 250ms, 2s, 5m, 1h, 2d or PT1H',
  );
});

test.each(['check', 'explore', 'certify', 'serve', 'proxy'] as const)(
  'every duration of %s needs its unit, and a bare number is asked for it',
  async (name) => {
    const { flags } = await commands[name].load();
    const durations = Object.entries<Flag>(flags).filter(([, { value }]) => value === 'DURATION');
    expect(durations.length).toBeGreaterThan(0);
    for (const [flag, reader] of durations) {
      expect(() => readValue(reader, '30', `--${flag}`)).toThrow(
        /ms, 2s, 5m, 1h, 2d or PT1H; got `30`. Did you mean 30s or 30ms\?$/,
      );
      expect(readValue(reader, '30s', `--${flag}`)).toBe(30_000);
    }
    expect(Object.values<Flag>(flags).filter(({ due }) => /number of (milli)?seconds/.test(due))).toEqual([]);
  },
);

test('a duration is written in its largest unit', () => {
  expect([0, 800, 2000, 90_000, 600_000, 7_200_000].map(durationText)).toEqual([
    '0ms',
    '800ms',
    '2s',
    '90s',
    '10m',
    '2h',
  ]);
});
