import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepNewest, shortKey } from '../../../src/certification/obligations/bounded.js';

const MOST = 4;
const key = fc.nat(9);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ keep: key }) },
  { weight: 3, arbitrary: fc.record({ drop: key }) },
  { weight: 1, arbitrary: fc.constant({ clear: true } as const) },
);

test('a map keeps the newest entries, whatever else is dropped from it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const map = new Map<number, number>();
      let model: { readonly key: number; readonly at: number }[] = [];
      return steps.every((one, at) => {
        if ('clear' in one) {
          map.clear();
          model = [];
        } else if ('drop' in one) {
          map.delete(one.drop);
          model = model.filter((kept) => kept.key !== one.drop);
        } else {
          const all = [...model.filter((kept) => kept.key !== one.keep), { key: one.keep, at }];
          model = all.slice(-MOST);
          if (keepNewest(map, one.keep, at, MOST) !== all.length > MOST) return false;
        }
        return JSON.stringify([...map]) === JSON.stringify(model.map((kept) => [kept.key, kept.at]));
      });
    }),
    { numRuns: 300 },
  );
});

test('a long text has a short key, and another text has another one', () => {
  const text = 'x'.repeat(1_000_000);
  const others = ['', 'x', text.slice(1), `${text.slice(1)}y`, `y${text.slice(1)}`, `${text}x`];
  const keys = [text, ...others].map(shortKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(50);
  expect(shortKey(text)).toBe(keys[0]);
});
