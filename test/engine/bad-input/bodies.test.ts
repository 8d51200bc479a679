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

function utf16(text: string): Uint8Array {
  return Uint8Array.from([...text].flatMap((sign) => [sign.charCodeAt(0), 0]));
}

const rows = (all: readonly BadRequest[]) => all.map((row) => [row.given, row] as const);

describe('a body that is no JSON, or is not said to be', () => {
  test.each(rows(malformed))('%s', (_, row) => check(on, row));
  test.each(rows(mistyped))('%s', (_, row) => check(on, row));
});

/** A body that cannot be read says why and where. It is no failed booking, so nobody is sent to support. */
test.each<readonly [given: string, body: string | Uint8Array, headers: Record<string, string>, want: string]>([
  [
    'a comma too many',
    '{\n  "players": 1,\n}',
    {},
    'line 2, column 15: a comma stands before `}` (rule envelope.json-body).',
  ],
  ['Python', "{'players': 1}", {}, 'line 1, column 2: text needs double quotes'],
  ['a form', 'players=1&holes=18', {}, 'It looks like a form (name=value)'],
  ['XML', '<booking/>', {}, 'line 1, column 1: `<` stands where a value is expected. It looks like XML or HTML'],
  ['UTF-16', utf16('{"players":1}'), {}, 'JSON is sent in UTF-8, and these bytes look like UTF-16'],
  [
    'UTF-16 that says so',
    utf16('{"players":1}'),
    { 'content-type': 'application/json; charset="utf-16"' },
    'look like UTF-16, and `Content-Type` says utf-16',
  ],
  [
    'Latin-1',
    Uint8Array.from([...'{"course":"Ch\u00eanes",}'].map((sign) => sign.charCodeAt(0))),
    { 'content-type': 'application/json; charset=ISO-8859-1' },
    'column 19: a comma stands before `}`. Some of its bytes are not UTF-8, and `Content-Type` says ISO-8859-1',
  ],
  [
    'UTF-32',
    Uint8Array.from([...'{"players":1}'].flatMap((sign) => [sign.charCodeAt(0), 0, 0, 0])),
    {},
    'these bytes look like UTF-32',
  ],
  ['a form that is encoded', '%7B%22players%22%3A1%7D', {}, 'It looks percent-encoded, as in a URL'],
  ['a form without a last value', 'players=1&holes=', {}, 'It looks like a form (name=value)'],
  ['Base64', 'eyJwbGF5ZXJzIjoxfQ==', {}, 'a number, true, false or null (rule envelope.json-body).'],
  ['gzip without the header', Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0]), {}, 'its bytes look compressed'],
  ['gzip', Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0]), { 'content-encoding': 'gzip' }, '`Content-Encoding` is gzip'],
  [
    'a length in characters',
    Buffer.from('{"course":"Ch\u00eanes"}').subarray(0, 19),
    { 'content-length': '19' },
    'It has the 19 bytes that `Content-Length` announces, which counts bytes, not characters',
  ],
  ['no text', '\n', {}, 'line 2, column 1: there is no value'],
])('%s', async (_, body, headers, want) => {
  const reply = await on.client.post('/api/v5/bookings', body, { headers });
  const { message } = reply.body;
  expect(reply.status).toBe('content-encoding' in headers ? 415 : 400);
  expect(message).toContain(want);
  expect(message).not.toMatch(/contact support|could not be processed/);
  await on.expectUntouched();
});

test.each([
  ['{"players":1}', ' (JSON in a string: it was encoded twice)'],
  ['[{"players":1}]', ' (JSON in a string: it was encoded twice)'],
  ['{players}', ''],
  ['players', ''],
])('JSON that is the text %s', async (text, note) => {
  const { message } = (await on.client.post('/api/v5/bookings', JSON.stringify(text))).body;
  expect(message).toContain(`must be a booking object; got ${JSON.stringify(text)}${note} (rule`);
});

test('a stream that breaks', async () => {
  const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error('reset'));
  const headers = { 'content-length': '70000' };
  const { message } = (await on.client.post('/api/v5/bookings', new ReadableStream({ pull }), { headers })).body;
  expect(message).toBe(
    '`body` must arrive whole; the connection ended before the 70000 bytes that `Content-Length` announces (rule envelope.json-body).',
  );
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
