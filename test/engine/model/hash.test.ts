import fc from 'fast-check';
import { expect, test } from 'vitest';
import { between, fraction, hash32, pick } from '../../../src/engine/model/hash.js';

const numbers = fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 4 });

test('is an unsigned 32-bit integer, the same for the same numbers', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const hash = hash32(...values);
      expect(hash).toBe(hash >>> 0);
      expect(hash32(...values)).toBe(hash);
    }),
  );
});

test('tells apart numbers that agree in their low 32 bits, and orders', () => {
  expect(hash32(7)).not.toBe(hash32(7 + 2 ** 32));
  expect(hash32(1, 2)).not.toBe(hash32(2, 1));
});

test('keeps its values: a change of the hash would change every world', () => {
  expect([hash32(0), hash32(1), hash32(1, 10_011, 20_638)]).toMatchInlineSnapshot(`
    [
      519224640,
      4176560736,
      2669584659,
    ]
  `);
});

test('spreads evenly over a range', () => {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < 4_000; n += 1) counts[between(hash32(1, n), 0, 3)]! += 1;
  for (const count of counts) expect(count).toBeGreaterThan(900);
});

test('helpers stay in their bounds at both ends of the hash', () => {
  for (const hash of [0, 2 ** 32 - 1]) {
    expect(fraction(hash)).toBeLessThan(1);
    expect([3, 4, 5]).toContain(between(hash, 3, 5));
    expect(['a', 'b']).toContain(pick(hash, ['a', 'b']));
  }
});
