import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.js';
import { ruleBasis } from '../../../src/contract/generated/rule-basis.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { open } from '../../support/client.js';

const { sandbox } = await open();
const admin = adminOf(sandbox);

describe('invalid input gets a problem response', () => {
  const huge = `"${'x'.repeat(1_048_576)}"`;
  const rows: readonly [method: string, path: string, body: unknown, status: number, detail: string][] = [
    ['GET', 'nothing', undefined, 404, 'There is no GET /__admin/nothing; below /__admin there are `GET health`'],
    ['GET', '', undefined, 404, '`POST bookings/{bookingId}/cancel`'],
    ['POST', 'bookings/nothing', undefined, 405, 'takes GET'],
    ['DELETE', 'clock', undefined, 405, 'takes GET and POST'],
    ['OPTIONS', 'dialect', undefined, 405, 'takes GET and PUT'],
    ['POST', 'clock', '{', 400, 'The body is not well-formed JSON: line 1, column 2: the text ends before the `{`'],
    ['POST', 'clock', undefined, 400, 'The body is empty'],
    ['POST', 'clock', huge, 413, 'larger than 1048576 bytes'],
    ['PUT', 'dialect', huge, 413, 'larger than 1048576 bytes'],
    ['POST', 'clock', [], 400, 'The body must be exactly one of {"freeze": true}, {"set": '],
    ['POST', 'clock', {}, 400, 'must be exactly one of {"freeze": true}, '],
    ['POST', 'clock', { freeze: true, resume: true }, 400, '{"resume": true}; got {"freeze":true,"resume":true}.'],
    [
      'POST',
      'clock',
      { stop: true },
      400,
      '`stop` is not known here; the known names are freeze, set, advance, resume.',
    ],
    ['POST', 'clock', '{"__proto__": true}', 400, '`__proto__` is not known here'],
    ['POST', 'clock', { freeze: 1 }, 400, '`freeze` must be true; got 1.'],
    ['POST', 'clock', { set: '2026-06-01' }, 400, 'an instant in ISO 8601 with a time zone'],
    ['POST', 'clock', { set: 1_780_000_000_000 }, 400, 'an instant in ISO 8601 with a time zone'],
    ['POST', 'clock', { set: '2026-02-31T08:00:00Z' }, 400, 'an instant in ISO 8601 with a time zone'],
    ['POST', 'clock', { set: '1999-12-31T23:59:59Z' }, 400, 'from 2000-01-01'],
    ['POST', 'clock', { advance: 'P200Y' }, 400, 'a duration such as'],
    ['POST', 'clock', { advance: 'P999999D' }, 400, 'to the end of 2199'],
    ['POST', 'clock', { advance: 'P' }, 400, 'a duration such as'],
    ['POST', 'clock', { advance: 'P1DT' }, 400, 'a duration such as'],
    ['POST', 'clock', { advance: '-PT1H' }, 400, 'a duration such as'],
    ['POST', 'clock', { advance: 49 }, 400, 'a duration such as'],
    ['POST', 'clock', { resume: true }, 409, 'no source to run with'],
    [
      'GET',
      'bookings?who=me',
      undefined,
      400,
      '`who` is not a parameter of this path; the known names are channel, status, ',
    ],
    ['GET', 'bookings?status=BOOKED&status=CANCELED', undefined, 400, '`status` is in the query twice'],
    ['GET', 'bookings?status=booked', undefined, 400, 'must be "BOOKED" or "CANCELED"; got "booked".'],
    ['GET', 'bookings?channel=nobody', undefined, 400, 'one of `fairway`, `links`, `caddie`'],
    ['GET', 'bookings?facilityId=7', undefined, 400, 'no facility `7`; this world has 81, from 1001 on'],
    ['GET', 'bookings?limit=0', undefined, 400, 'from 1 to 10000'],
    ['GET', 'bookings?offset=-1', undefined, 400, 'whole number of at least 0'],
    ['GET', 'bookings/TBX-0', undefined, 404, 'no booking `TBX-0`'],
    ['POST', 'bookings/TBX-0/cancel', undefined, 404, 'no booking `TBX-0`'],
    ['POST', 'bookings/TBX-0/cancel?force=yes', undefined, 400, 'must be "true" or "false"; got "yes".'],
    ['GET', 'tee-sheets/9', undefined, 404, 'no facility `9`'],
    ['GET', 'tee-sheets/1001?date=01-06-2026', undefined, 400, 'written yyyy-mm-dd'],
    ['GET', 'tee-sheets/1001?date=2026-02-31', undefined, 400, 'a date that exists'],
    ['GET', 'tee-sheets/1001?courseId=7', undefined, 404, 'no course `7`; it has `10011`'],
    ['GET', 'callbacks/callback-1', undefined, 404, 'no callback `callback-1`'],
    ['POST', 'callbacks/callback-1/redeliver', undefined, 404, 'no callback `callback-1`'],
    ['PUT', 'dialect', { answers: { nothing: 1 } }, 400, '`nothing` is not a question'],
    ['PUT', 'dialect', [], 400, 'A dialect card must be a JSON object such as {"name": '],
  ];
  test.each(rows)('%s %s', async (method, path, body, status, detail) => {
    const { headers, body: answer } = await admin(method, path, body);
    const { fits = ['something'], ...problem } = answer;
    expect(problem).toEqual(expectedProblem(status, expect.stringContaining(detail)));
    expect(fits).not.toEqual([]);
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  test.each([
    ['DELETE', 'clock', 'GET, POST'],
    ['GET', 'bookings/TBX-0/cancel', 'POST'],
  ])('%s %s names the methods that fit', async (method, path, allow) => {
    expect((await admin(method, path)).headers.get('allow')).toBe(allow);
  });
});

test('the table of the guide lists each path once', async () => {
  const { detail } = (await admin('GET', 'nothing')).body;
  const section = readFileSync(new URL('../../../docs/admin-api.md', import.meta.url), 'utf8');
  const firstCells = [...section.matchAll(/^\| (`.+?`) \|/gm)].map((match) => match[1]!).join();
  const paths = (text: string) =>
    [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)].map((match) => match[1]!);
  expect(paths(firstCells).sort()).toEqual(paths(detail).sort());
});

describe('other sites neither move nor read', () => {
  const elsewhere = { origin: 'http://elsewhere.example' };
  const rows: readonly [method: string, path: string, headers: Record<string, string>, status: number][] = [
    ['POST', 'reset', elsewhere, 403],
    ['POST', 'reset', { origin: 'null' }, 403],
    ['POST', 'reset', { 'sec-fetch-site': 'cross-site' }, 403],
    ['POST', 'clock', elsewhere, 403],
    ['PUT', 'dialect', elsewhere, 403],
    ['GET', 'bookings', elsewhere, 403],
    ['GET', 'version', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', 'bookings/health', elsewhere, 403],
    ['GET', 'bookings', { origin: 'http://sandbox.test' }, 200],
    // Any site may have this name, so it takes a token to change the sandbox from there.
    ['POST', 'reset', { origin: 'http://sandbox.test' }, 403],
    ['POST', 'reset', { origin: 'http://sandbox.test', authorization: 'Bearer token' }, 200],
    ['GET', 'version', { 'sec-fetch-site': 'same-origin' }, 200],
    ['GET', 'health', elsewhere, 200],
  ];
  test.each(rows)('%s %s with %j', async (method, path, headers, want) => {
    const { status, headers: got } = await admin(method, path, undefined, headers);
    expect(status).toBe(want);
    expect(got.get('access-control-allow-origin')).toBeNull();
  });
});

test('version tells what runs', async () => {
  expect((await admin('GET', 'version')).body).toEqual({
    name: 'teebox',
    version: '0.0.0',
    operations: operations.length,
    rules: Object.keys(ruleBasis).length,
    facilities: 81,
    seed: 1,
  });
});
