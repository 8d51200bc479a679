import { describe, expect, test } from 'vitest';
import { readClockMove, readDay } from '../../src/console/data/local-time.js';

/** Saturday, 6 June 2026, 21:30 in Amsterdam. */
const NOW = Date.parse('2026-06-06T19:30:00Z');
const ZONE = 'Europe/Amsterdam';

describe('a move of the clock as people write it', () => {
  test.each<[text: string, advance: string]>([
    ['2h', '2h'],
    ['2d', '2d'],
    [' 2 days ', '2d'],
    ['1 hour', '1h'],
    ['+90 min', '90m'],
    ['1.5h', '1.5h'],
    ['2H', '2h'],
    ['PT1H', 'PT1H'],
    ['p2dt30m', 'P2DT30M'],
  ])('`%s` is a duration', (text, advance) => {
    expect(readClockMove(text, NOW, ZONE)?.body).toEqual({ advance });
  });

  test.each<[text: string, set: string, zone?: string]>([
    ['sat 9:00', '2026-06-13T07:00:00Z'],
    ['Saturday, 22:00', '2026-06-06T20:00:00Z'],
    ['sun', '2026-06-06T22:00:00Z'],
    ['wed at 9am', '2026-06-10T07:00:00Z'],
    ['wed 12 pm', '2026-06-10T10:00:00Z'],
    ['tomorrow', '2026-06-06T22:00:00Z'],
    ['tomorrow 18:30', '2026-06-07T16:30:00Z'],
    ['today 8:00', '2026-06-06T06:00:00Z'],
    ['9:00', '2026-06-07T07:00:00Z'],
    ['22:15', '2026-06-06T20:15:00Z'],
    ['2026-12-24', '2026-12-23T23:00:00Z'],
    ['2026-12-24 18:00', '2026-12-24T17:00:00Z'],
    ['24-12-2026 18:00', '2026-12-24T17:00:00Z'],
    ['2026-12-24T18:00:30', '2026-12-24T17:00:30Z'],
    ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00Z'],
    ['2026-12-24 18:00+02:00', '2026-12-24T16:00:00Z'],
    ['sun 9:00', '2026-06-07T13:00:00Z', 'America/New_York'],
    ['sat 16:00', '2026-06-06T20:00:00Z', 'America/New_York'],
  ])('`%s` is %s', (text, set, zone = ZONE) => {
    expect(readClockMove(text, NOW, zone)).toEqual({ body: { set }, to: Date.parse(set) });
  });

  test.each([
    '',
    'soon',
    '9',
    '25:00',
    '9:60',
    '13am',
    'sat 25:00',
    '2026-02-31',
    '2026-02-31 09:00',
    'P1M',
    '2 moons',
    '-2h',
  ])('`%s` is none', (text) => {
    expect(readClockMove(text, NOW, ZONE)).toBeUndefined();
  });
});

test.each([
  ['2026-06-13', '2026-06-13'],
  ['13-06-2026', '2026-06-13'],
  ['sat', '2026-06-06'],
  ['Sunday', '2026-06-07'],
  ['tomorrow', '2026-06-07'],
  ['2026-02-31', undefined],
  ['2026-6-1', undefined],
  ['s', undefined],
  ['', undefined],
])('`%s` is the day %s', (text, day) => {
  expect(readDay(text, '2026-06-06')).toBe(day);
});
