import { expect, test } from 'vitest';
import { runningClock, standingClock } from '../../src/domain/clock.js';

test.each([-1, NaN, Infinity])('a clock does not advance by %d', (milliseconds) => {
  for (const clock of [standingClock('2026-06-01T08:00:00Z'), runningClock(() => 1_780_300_800_000)]) {
    const before = clock.now();
    expect(() => clock.advance(milliseconds)).toThrow(RangeError);
    expect(clock.now()).toBe(before);
  }
});
