import crypto from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { adminTokenCheck } from '../../../src/cli/admin-token-check.js';
import { serve } from '../../../src/cli/server.js';
import { parseAnswer, raw } from '../../support/network/raw.js';

const TOKEN = 'correct-horse-battery';

interface Comparison {
  readonly lengths: readonly number[];
  readonly equal: boolean;
}

/** What the comparison of Node was given and said, since the beginning of the test. */
const comparisons: Comparison[] = [];
const { timingSafeEqual } = crypto;
beforeAll(() => {
  crypto.timingSafeEqual = (one, other) => {
    const equal = timingSafeEqual(one, other);
    comparisons.push({ lengths: [one.byteLength, other.byteLength], equal });
    return equal;
  };
  syncBuiltinESMExports();
});
afterAll(() => {
  crypto.timingSafeEqual = timingSafeEqual;
  syncBuiltinESMExports();
});
beforeEach(() => void comparisons.splice(0));

/** A digest of SHA-256. */
const lengths = [32, 32];

describe('a token is compared in constant time', () => {
  const rows: [what: string, given: string, want: boolean][] = [
    ['the token', TOKEN, true],
    ['its first character', 'c', false],
    ['all but its last character', TOKEN.slice(0, -1), false],
    ['with another last character', `${TOKEN.slice(0, -1)}x`, false],
    ['with another first character', `x${TOKEN.slice(1)}`, false],
    ['and more', `${TOKEN}${TOKEN}`, false],
    ['in capitals', TOKEN.toUpperCase(), false],
    ['the longest', 'x'.repeat(512), false],
    ['longer than any', 'x'.repeat(100_000), false],
    ['beyond ASCII', 'correct-hörse-battery', false],
    ['look-alikes', 'соrrect-horse-battery', false],
    ['an emoji', '🐎', false],
    ['half an emoji', '\uD83D', false],
    ['with a NUL', `${TOKEN}\0`, false],
  ];
  test.each(rows)('%s', (_, given, want) => {
    expect(adminTokenCheck(TOKEN)(`Bearer ${given}`)).toBe(want);
    expect(comparisons).toEqual([{ lengths, equal: want }]);
  });

  test('any token beside any other: one comparison of digests, which decides', () => {
    const token = fc.stringMatching(/^[\w.~+/-]{1,60}$/);
    fc.assert(
      fc.property(token, token, (due, given) => {
        comparisons.splice(0);
        const result = adminTokenCheck(due)(`Bearer ${given}`);
        expect(comparisons).toEqual([{ lengths, equal: given === due }]);
        expect(result).toBe(given === due);
      }),
    );
  });

  test.each([
    null,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${TOKEN} x`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
  ])('%j carries none, so there is nothing to compare', (header) => {
    expect(adminTokenCheck(TOKEN)(header)).toBe(false);
    expect(comparisons).toEqual([]);
  });

  test('and nowhere else', () => {
    const files = ['src/cli/', 'src/engine/admin/'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => folder + name),
    );
    const compares =
      /(?:admin-?token(?:'\])?|authorization)\)?\s*[!=]==?(?!=|\s*(?:undefined|null))|[!=]==?\s*(?:values\[')?(?:admin-?token|authorization)/i;
    const found = files.filter((file) => file.endsWith('.ts') && compares.test(readFileSync(file, 'utf8')));
    expect(found).toEqual([]);
    expect(
      ['if (given === adminToken)', "values['admin-token'] === given", 'authorization == due'].every((text) =>
        compares.test(text),
      ),
    ).toBe(true);
  });
});

describe('a server', async () => {
  const server = await serve(await createSandbox(), { port: 0, adminToken: TOKEN });
  afterAll(() => server.close());
  const right = `Authorization: Bearer ${TOKEN}`;
  const wrong = 'Authorization: Bearer correct-horse-batterx';
  test.each([
    ['the token', [right], 200],
    ['no token', [], 401],
    ['an empty header', ['Authorization:'], 401],
    ['another one', [wrong], 401],
    ['beyond ASCII', ['Authorization: Bearer correct-h\u00f6rse-battery'], 401],
    ['the token, then another one', [right, wrong], 401],
    ['another one, then the token', [wrong, right], 401],
    ['the token two times', [right, right], 401],
    ['the token in another header', [`X-Authorization: Bearer ${TOKEN}`], 401],
  ])('with %s', async (_, headers, status) => {
    const lines = [`Host: 127.0.0.1:${server.port}`, 'Connection: close', ...headers].join('\r\n');
    const answer = await raw(server.url, `GET /__admin/clock HTTP/1.1\r\n${lines}\r\n\r\n`);
    expect(parseAnswer(answer)).toMatchObject({ status });
  });
});
