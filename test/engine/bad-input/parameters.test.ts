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

test('an empty value is told as empty, a missing one as missing', async () => {
  const { fairway } = await open();
  const message = async (query: string) => (await fairway.get(`/api/v3/facilities${query}`)).body.message as string;
  expect(await message('')).toMatch(/^`country` is missing; it must not be empty/);
  expect(await message('?country=')).toMatch(/^`country` must not be empty; got ""/);
  expect(await message('?country=Spain&connected=')).toMatch(/^`connected` must be true or false; got ""/);
});
