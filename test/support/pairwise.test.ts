import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairwise } from './pairwise.js';

test('rows hold every pair of values, and fewer rows than all combinations do so', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 7 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const parameters = Object.fromEntries(
        lengths.map((length, at) => [`p${at}`, Array.from({ length }, (_, index) => index)]),
      );
      const rows = pairwise(parameters);
      for (const [a, left] of Object.entries(parameters)) {
        for (const [b, right] of Object.entries(parameters)) {
          if (a >= b) continue;
          const seen = new Set(rows.map((row) => `${row[a]} ${row[b]}`));
          expect(seen.size).toBe(left.length * right.length);
        }
      }
      expect(rows.length).toBeLessThanOrEqual(lengths.reduce((all, length) => all * length, 1));
    }),
  );
});
