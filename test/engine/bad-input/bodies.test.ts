import { beforeAll, describe, expect, test } from 'vitest';
import { type CreatingVersion, forms } from '../dialect/forms.js';
import {
  badBookings,
  bookingPlaces,
  emptied,
  malformed,
  misshapen,
  mistyped,
  oversized,
  type Place,
  REFRESH,
} from '../../support/bad-input/bodies.js';
import { check, ground, type Ground } from '../../support/bad-input/check.js';
import type { BadRequest } from '../../support/bad-input/parameters.js';
import { open } from '../../support/client.js';
import { initialTokenOf } from '../../support/credentials.js';
import { findTeeTime } from '../../support/scenes.js';

let on: Ground;
/** A complete body, or booking in it, for a place. */
let good: (place: Place) => Record<string, unknown>;

beforeAll(async () => {
  on = await ground();
  const teeTime = await findTeeTime(on.client);
  good = ({ name }) =>
    name === 'refreshToken'
      ? { refresh_token: initialTokenOf(on.client) }
      : forms[name.slice(0, 2) as CreatingVersion](teeTime, {});
});

const rows = (all: readonly BadRequest[]) => all.map((row) => [row.given, row] as const);

describe('a body that is no JSON, or is not said to be', () => {
  test.each(rows(malformed))('%s', (_, row) => check(on, row));
  test.each(rows(mistyped))('%s', (_, row) => check(on, row));
});

describe('a body of another shape', () => {
  test.each(rows(misshapen))('%s', (_, row) => check(on, row));
  test.each(rows(emptied))('%s', (_, row) => check(on, row));
});

test('2 MB of body', async () => {
  for (const row of oversized(good)) await check(on, row);
});

// It can be parsed, but whoever recurses over it overflows the stack.
test('JSON of a hundred thousand levels', async () => {
  const LEVELS = 100_000;
  const deep = (left: string, right: string) => left.repeat(LEVELS) + '1' + right.repeat(LEVELS);
  const want = {
    status: 400,
    rule: 'envelope.json-body' as const,
    field: 'body',
    says: 'must have at most 64 levels of arrays and objects; got 10000',
  };
  for (const value of [deep('[', ']'), deep('{"a":', '}')]) {
    const body = `{"refresh_token":${value}}`;
    await check(on, { given: 'a deep token', method: 'POST', path: REFRESH.path, body, want });
    for (const place of bookingPlaces) {
      const text = JSON.stringify(place.wrap({ ...good(place), players: 'deep' })).replace('"deep"', value);
      await check(on, { given: place.name, method: 'POST', path: place.path, body: text, want });
    }
  }
});

describe('a booking with one bad field', () => {
  for (const { name } of bookingPlaces) {
    test(name, async () => {
      const mine = badBookings(good).filter(({ given }) => given.startsWith(name));
      expect(mine.length).toBeGreaterThan(40);
      for (const row of mine) await check(on, row);
    });
  }
});

test('unspoilt, all of it is taken', async () => {
  for (const place of [REFRESH, ...bookingPlaces]) {
    const { fairway } = await open();
    expect((await fairway.post(place.path, place.wrap(good(place)))).status, place.name).toBe(200);
  }
});
