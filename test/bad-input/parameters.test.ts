import { beforeAll, describe, test } from 'vitest';
import { check, ground, type Ground } from '../support/bad-input/check.js';
import { badParameters, badTogether, repeatedParameters } from '../support/bad-input/parameters.js';

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
