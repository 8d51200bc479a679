import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPieces } from '../../../src/engine/state/json-pieces.js';
import { JsonReader, TooDeep } from '../../../src/engine/state/json-reader.js';

describe('JSON in pieces', () => {
  const lists = fc.array(fc.record({ text: fc.string(), n: fc.double({ noNaN: true }) }), { maxLength: 1200 });
  const value = fc.record({ a: fc.jsonValue(), lists: fc.record({ one: lists, two: lists }), b: fc.jsonValue() });

  test('is the JSON of the whole', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect([...jsonPieces(one)].join('')).toBe(JSON.stringify(one));
      }),
      { numRuns: 30 },
    );
    for (const one of [null, 0, '', [], {}, [[]], [null], { a: undefined }, { a: [undefined] }, 'a "quote"']) {
      expect([...jsonPieces(one)].join('')).toBe(JSON.stringify(one));
    }
  });

  test('of a long list, many', () => {
    const pieces = [
      ...jsonPieces({ list: Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'x'.repeat(100) })) }),
    ];
    expect(pieces.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
  });

  /** A text, read in pieces of these lengths. */
  const read = (text: string, lengths: readonly number[]): unknown => {
    const reader = new JsonReader(64);
    let at = 0;
    for (const length of [...lengths, text.length]) {
      reader.feed(text.slice(at, at + length));
      at += length;
    }
    return reader.end();
  };
  const lengths = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });

  test('is read as the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), lengths, fc.constantFrom(0, 1, '\t'), (one, cuts, space) => {
        const text = JSON.stringify(one, null, space);
        expect(read(text, cuts)).toEqual(JSON.parse(text));
      }),
    );
    const rows = [
      '[]',
      '[ ]',
      '{"a":[ ],"b":[[1,2],[]]}',
      '{"__proto__":{"a":[1]}}',
      '{"a":[1],"a":[2]}',
      '["]\\"[,\\\\"]',
    ];
    for (const text of rows) expect(JSON.stringify(read(text, [1, 2, 3]))).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('is refused where the whole is', () => {
    const rows = [
      '',
      ' ',
      '[',
      ']',
      '[1,]',
      '[,1]',
      '[1 2]',
      '{"a":[1}',
      '[1}',
      '{]',
      '[1]]',
      '[1]x',
      '{"a":[}',
      '"a',
      '["a]',
      '[}]',
    ];
    for (const text of rows) {
      expect(() => JSON.parse(text), text).toThrow(SyntaxError);
      expect(() => read(text, [1]), text).toThrow(SyntaxError);
    }
    const parsed = (text: string, parse: (text: string) => unknown): unknown => {
      try {
        return parse(text);
      } catch {
        return 'refused';
      }
    };
    const texts = fc.array(fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '"a"', '1', ' '), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(texts, lengths, (parts, cuts) => {
        const text = parts.join('');
        expect(parsed(text, (one) => read(one, cuts))).toEqual(parsed(text, JSON.parse));
      }),
      { numRuns: 2000 },
    );
  });

  test('says where the fault is, wherever it is cut', () => {
    const rows: readonly [text: string, want: string][] = [
      ['{"a": [\n {"b": 1},\n {"c": 1,}\n]}', 'line 3, column 9: a comma stands before `}`'],
      ['{"a": [\r\n 1,\r\n x],\r\n"b": 2}', 'line 3, column 2: a value is neither'],
      ['{"a": [1, 2],\n"b" 2}', 'line 2, column 5: a colon is missing'],
      [
        '{"a": [1,\n2],\n"b": [{\n}, {"c": [1,\n3]]}\n]}',
        'line 5, column 3: `]` stands where `}` is expected, for the `{` in line 4, column 4',
      ],
      ['{"a":\n[1', 'line 2, column 3: the text ends before an array is closed'],
      ['\n{"a":[]}\n}', 'line 3, column 1: more text follows'],
    ];
    for (const [text, want] of rows) {
      for (const cuts of [[], Array.from(text, () => 1), [3, 4, 5, 6]])
        expect(() => read(text, cuts), text).toThrow(want);
    }
  });

  test('has a limit of levels', () => {
    expect(read('['.repeat(64) + ']'.repeat(64), [])).toBeDefined();
    expect(() => read('['.repeat(65) + ']'.repeat(65), [])).toThrow(TooDeep);
    expect(() => read('{"a":'.repeat(65), [])).toThrow(TooDeep);
  });
});
