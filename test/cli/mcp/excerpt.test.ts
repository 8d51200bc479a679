import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutsInWords, excerptOf, partAt } from '../../../src/cli/mcp/excerpt.js';

const sizeOf = (value: unknown): number => JSON.stringify(value)!.length;

test.for([
  ['what fits stays whole', { a: [1, 2, 3] }, 100, { a: [1, 2, 3] }, []],
  [
    'items stay whole',
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    15,
    [
      [1, 2],
      [3, 4],
    ],
    [{ at: '', unit: 'items', shown: 2, of: 3, next: 2 }],
  ],
  ['a text is cut', 'abcdefghij', 5, 'abcd', [{ at: '', unit: 'characters', shown: 4, of: 10, next: 4 }]],
  [
    'small members stay whole',
    { list: [11_111, 22_222, 33_333, 44_444, 55_555, 66_666], id: 7 },
    44,
    { list: [11_111, 22_222, 33_333, 44_444], id: 7 },
    [{ at: '/list', unit: 'items', shown: 4, of: 6, next: 4 }],
  ],
] as const)('%s', ([, value, room, shown, cuts]) => {
  expect(excerptOf(value, { room })).toEqual({ value: shown, cuts });
});

test('an excerpt is never much larger than its room', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 60, max: 400 }), (value, room) => {
      expect(sizeOf(excerptOf(value, { room }).value)).toBeLessThanOrEqual(room + 30);
    }),
    { numRuns: 300 },
  );
});

test('pages from `next` to `next` are the whole list', () => {
  const items = fc.array(fc.record({ id: fc.nat(), name: fc.string({ maxLength: 20 }) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(items, (list) => {
      const seen: unknown[] = [];
      for (let from: number | undefined = 0; from !== undefined;) {
        const { value, cuts } = excerptOf(list, { from, room: 120 });
        seen.push(...(value as unknown[]));
        from = cuts[0]?.next;
        if (from === list.length) from = undefined;
      }
      expect(seen).toEqual(list);
    }),
  );
});

describe('a pointer', () => {
  const value = { 'a/b': { '~': [10, { c: null }] }, length: 1 };

  test.for([
    ['', value],
    ['/a~1b/~0/0', 10],
    ['/a~1b/~0/1/c', null],
    ['/length', 1],
  ] as const)('%j finds its part', ([at, part]) => {
    expect(partAt(value, at)).toEqual(part);
  });

  test.for([
    ['a', '`at` must be a JSON pointer, such as /response/body/data/0; got `a`.'],
    ['/x', 'There is nothing at `/x`. The whole value has a~1b, length.'],
    ['/a~1b/~0/7', 'There is nothing at `/a~1b/~0/7`. `/a~1b/~0` is a list of 2 items, counted from 0.'],
    ['/a~1b/~0/length', 'There is nothing at `/a~1b/~0/length`. `/a~1b/~0` is a list of 2 items, counted from 0.'],
    ['/length/x', 'There is nothing at `/length/x`. `/length` is 1.'],
    ['/constructor', 'There is nothing at `/constructor`. The whole value has a~1b, length.'],
  ] as const)('%j finds nothing, and says what there is', ([at, message]) => {
    expect(() => partAt(value, at)).toThrow(message);
  });
});

test('what was cut names the call that shows more', () => {
  const { cuts } = excerptOf(
    {
      data: [
        [1, 2, 3, 4, 5, 6, 7, 8],
        [11, 12, 13, 14, 15, 16],
      ],
    },
    { at: '/response/body', room: 40 },
  );
  expect(cutsInWords(cuts, 'explain_request', { request: 'req-1' })).toEqual([
    'Cut: /response/body/data shows items 0 to 0 of 2. For more: explain_request(request="req-1", at="/response/body/data", from=1).',
  ]);
});
