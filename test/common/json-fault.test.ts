import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonFault, jsonFaultWords } from '../../src/common/index.js';

describe('what makes a text no JSON, and where', () => {
  test.each([
    ['', 'line 1, column 1: there is no value'],
    [' \n ', 'line 2, column 2: there is no value'],
    ['{\n  "a": 1,\n}', 'line 2, column 9: a comma stands before `}`'],
    ['{\r\n  "a": [1, 2,]\r\n}', 'line 2, column 13: a comma stands before `]`'],
    ['{"a": 1', 'line 1, column 8: the text ends before the `{` in line 1, column 1 is closed'],
    ['{"a":\n[1, 2', 'line 2, column 6: the text ends before the `[` in line 2, column 1 is closed'],
    ['{"a"', 'line 1, column 5: the text ends before the `{` in line 1, column 1 is closed'],
    ['{"a', 'line 1, column 2: the text ends within the string that starts here'],
    ["{'a': 1}", 'line 1, column 2: text needs double quotes'],
    ['{a: 1}', 'line 1, column 2: the name of a member is not in double quotes'],
    ['{"a" 1}', 'line 1, column 6: a colon is missing after the name of a member'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: a comma or `}` is missing before this'],
    ['[1 2]', 'line 1, column 4: a comma or `]` is missing before this'],
    ['[1}', 'line 1, column 3: `}` stands where `]` is expected, for the `[` in line 1, column 1'],
    ['{"a":1}}', 'line 1, column 8: more text follows after the end of the JSON'],
    ['{} // done', 'line 1, column 4: JSON has no comments'],
    ['undefined', 'line 1, column 1: `undefined` is no value of JSON'],
    ['{"a": NaN}', 'line 1, column 7: `NaN` is no value of JSON'],
    ['{"a": None}', 'line 1, column 7: `None` is no value of JSON'],
    // A word of its own may be a secret.
    ['{"a": s3cret}', 'line 1, column 7: a value is neither in double quotes nor a number, true, false or null'],
    ['[01]', 'line 1, column 2: a number is not written as JSON has it'],
    ['[.5]', 'line 1, column 2: a number is not written as JSON has it'],
    ['[1.]', 'line 1, column 2: a number is not written as JSON has it'],
    ['["a\nb"]', 'line 1, column 4: a line break stands in a string, where it is written `\\n`'],
    ['["a\tb"]', 'line 1, column 4: a tab stands in a string, where it is written `\\t`'],
    ['["\\x"]', 'line 1, column 3: an escape after `\\` is unknown'],
    ['[\u201cx\u201d]', 'line 1, column 2: a typographic quotation mark (U+201C) stands where `"` is expected'],
    ['[\u{1f3cc}]', 'line 1, column 2: U+1F3CC stands where a value is expected'],
    ['[1,\u00a02]', 'line 1, column 4: U+00A0 stands where a value is expected'],
    ['\ufeff{}', 'line 1, column 1: a byte order mark stands before the JSON'],
    [
      `${'['.repeat(100_000)}`,
      'line 1, column 100001: the text ends before the `[` in line 1, column 100000 is closed',
    ],
  ])('%j', (text, want) => {
    expect(jsonFaultWords(jsonFault(text)!)).toBe(want);
  });

  // The judge is the parser of the engine: what it takes is no fault, and what it refuses is one.
  test('in JSON with a character changed', () => {
    const signs = fc.constantFrom(...'{}[],:"\\\'/-+.0159eEtfnulx \n\t\u0000\u00a0é', '', '\\u12', 'null', '//');
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(2), signs, (json, seed, gone, sign) => {
        const at = seed % (json.length + 1);
        const text = json.slice(0, at) + sign + json.slice(at + gone);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const fault = jsonFault(text);
        expect(fault === undefined, text).toBe(isJson);
        if (fault) expect(fault.column).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
