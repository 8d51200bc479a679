import { beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../support/client.js';
import { check, ground, type Ground } from '../../support/bad-input/check.js';
import { badParameters, badTogether, repeatedParameters } from '../../support/bad-input/parameters.js';

let on: Ground;
beforeAll(async () => {
  on = await ground();
});

describe('a parameter that is missing or malformed', () => {
  test.each(badParameters().map((row) => [row.given, row] as const))('%s', (_, row) => check(on, row));
});

describe('a parameter that is sent twice', () => {
  test.each(repeatedParameters().map((row) => [row.given, row] as const))('%s', (_, row) => check(on, row));
});

describe('parameters that do not go together', () => {
  test.each(badTogether.map((row) => [row.given, row] as const))('%s', (_, row) => check(on, row));
});

test.each([
  [
    'bookingDate=15\u201312\u20132026&players=2&holes=18',
    'got "15\u201312\u20132026" (character 3 is U+2013, not `-`)',
  ],
  ['bookingDate=15-12-2026\u200b&players=2&holes=18', '(character 11 is U+200B, which cannot be seen)'],
  ['bookingDate=15-12-2026&players=\uff12&holes=18', '(character 1 is U+FF12, not `2`)'],
  ['bookingDate=15-12-2026&players=two&holes=18', 'got "two" (rule'],
])('%s names the sign that looks like another', async (query, words) => {
  const { fairway } = await open();
  expect((await fairway.get(`/api/v4/teetimes/1001?${encodeURI(query)}`)).body.message).toContain(words);
});

test('an empty value is told as empty, a missing one as missing', async () => {
  const { fairway } = await open();
  const message = async (query: string) => (await fairway.get(`/api/v3/facilities${query}`)).body.message as string;
  expect(await message('')).toMatch(/^`country` is missing; it must not be empty/);
  expect(await message('?country=')).toMatch(/^`country` must not be empty; got ""/);
  expect(await message('?country=Spain&connected=')).toMatch(/^`connected` must be true or false; got ""/);
});
