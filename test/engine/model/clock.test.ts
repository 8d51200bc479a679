import { describe, expect, test } from 'vitest';
import { runningClock, standingClock } from '../../../src/engine/model/clock.js';

test.each([-1, NaN, Infinity])('a clock does not advance by %d', (milliseconds) => {
  for (const clock of [standingClock('2026-06-01T08:00:00Z'), runningClock(() => 1_780_300_800_000)]) {
    const before = clock.now();
    expect(() => clock.advance(milliseconds)).toThrow(RangeError);
    expect(clock.now()).toBe(before);
  }
});

const MORNING = '2026-06-01T08:00:00Z';
const LAST = Date.UTC(2200, 0, 1) - 1;

describe('a clock shows the years that have tee times', () => {
  const outside = ['1999-12-31T23:59:59.999Z', '2200-01-01T00:00:00Z', -1, 8.64e15, NaN];

  test.each(outside)('and no %s', (instant) => {
    for (const clock of [standingClock(MORNING), runningClock(() => Date.parse(MORNING))]) {
      expect(() => clock.set(instant)).toThrow(RangeError);
      expect(clock.now()).toBe(Date.parse(MORNING));
    }
    expect(() => standingClock(instant)).toThrow(RangeError);
  });

  test('and does not advance past them', () => {
    const clock = standingClock(MORNING);
    clock.set('2000-01-01T00:00:00Z');
    clock.set(LAST);
    expect(() => clock.advance(1)).toThrow(RangeError);
    expect(clock.now()).toBe(LAST);
  });
});
