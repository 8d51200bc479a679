import { describe, expect, test } from 'vitest';
import { open, type Reply } from './support/client.js';
import { OPEN_COURSE } from './support/operations.js';
import { traceOf } from './support/requests.js';
import { bookingFor, dayIn, OPEN_FACILITY, queryText } from './support/scenes.js';
import { NOWHERE } from './support/views.js';

type Query = Readonly<Record<string, string | undefined>>;

/** A 4xx in the envelope that names what is wrong and the rule. */
function expectRefusal({ status, body, headers, rule }: Reply, named: string, wanted = 400): void {
  expect({ status, body }).toEqual({
    status: wanted,
    body: { success: false, data: null, message: expect.stringContaining(named) },
  });
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('teebox-rule')).toMatch(/^[a-z][\w.-]+; basis=(stated|implied|open)$/);
  if (wanted === 400) expect(body.message).toContain(`(rule ${rule})`);
}

const day = dayIn(10).query;
const teeTimeQuery: Query = { bookingDate: day, players: '1', holes: '18' };
const range: Query = { fromDate: day, toDate: day };
const targets: readonly [path: string, query: Query][] = [
  [`v2/teetimes/${OPEN_FACILITY}`, teeTimeQuery],
  [`v3/teetimes/${OPEN_FACILITY}`, teeTimeQuery],
  [`v4/teetimes/${OPEN_FACILITY}`, teeTimeQuery],
  [`v5/teetimes/${OPEN_FACILITY}/${OPEN_COURSE}`, teeTimeQuery],
  ['v5/teetimes', { facilityIds: '1001', ...range, players: '1', holes: '18', callbackUrl: NOWHERE }],
  ['v5/price/insideDateRange', { facilityIds: '1001', ...range, offset: '0', limit: '5' }],
  ['v1/bookings', range],
  ['v2/bookings', range],
  ['v4/bookings', range],
  ['v1/facilities', { country: 'Spain' }],
  ['v2/facilities', { country: 'Spain' }],
  ['v3/facilities', { country: 'Spain' }],
];

const NO_DATES = [
  '31-02-2027',
  '29-02-2027',
  '00-01-2027',
  '11-13-2026',
  '11.06.2026',
  '11-06-26',
  '1-6-2026',
  'soon',
  '',
];
const wrong: Readonly<Record<string, readonly string[]>> = {
  bookingDate: [...NO_DATES, '2026-06-11'],
  fromDate: NO_DATES,
  toDate: NO_DATES,
  players: ['0', '5', '-1', '1.5', 'two', '', '1e0', ' '],
  holes: ['12', '0', '27', 'all', '', '9.0x'],
  facilityIds: ['', ',', '1001,,1002', 'x', '1001;1002', '1.5'],
  offset: ['-1', 'x', '1.5'],
  limit: ['-1', 'x', '1.5'],
  callbackUrl: ['', 'nowhere', 'ftp://127.0.0.1/x', '//127.0.0.1/x'],
  country: [''],
};
const optional = new Set(['offset', 'limit', 'v1/bookings', 'v2/bookings', 'v4/bookings']);

describe.each(targets)('%s', (path, query) => {
  for (const name of Object.keys(query)) {
    const bad: (string | undefined)[] = [...wrong[name]!];
    if (!optional.has(name) && !optional.has(path)) bad.push(undefined);
    // The search takes both ways to write a date (question `search.date-format`).
    if (name.endsWith('Date') && path !== 'v5/teetimes') bad.push('2026-06-11');
    test.each(bad)(`${name} = %j`, async (value) => {
      const { fairway } = await open();
      expect((await fairway.get(`/api/${path}?${queryText(query)}`)).status).toBe(200);
      expectRefusal(await fairway.get(`/api/${path}?${queryText({ ...query, [name]: value })}`), `\`${name}\``);
    });
  }
});

describe('together they are wrong', () => {
  test.each<[path: string, query: Query, named: string]>([
    ['v5/price/insideDateRange', { facilityIds: '1001', fromDate: dayIn(11).query, toDate: day }, '`toDate`'],
    ['v5/teetimes', { ...targets[4]![1], fromDate: dayIn(11).query, toDate: day }, '`toDate`'],
    ['v4/bookings', { fromDate: dayIn(11).query, toDate: day }, '`toDate`'],
    ['v5/price/insideDateRange', { facilityIds: '1001,1002,1003,1004,1005,1006', ...range }, '`facilityIds`'],
  ])('%s %j', async (path, query, named) => {
    const { fairway } = await open();
    expectRefusal(await fairway.get(`/api/${path}?${queryText(query)}`), named);
  });
});

describe('paths', () => {
  test.each([
    ['GET', '/api/v3/nothing', 404],
    ['GET', '/nothing', 404],
    ['GET', '/api/v9/countries', 404],
    ['DELETE', '/api/v3/countries', 405],
    ['POST', '/api/v3/countries', 405],
    ['PUT', '/api/v5/bookings', 405],
    ['GET', '/api/v5/bookings', 405],
  ])('%s %s gets %i', async (method, path, status) => {
    const { fairway } = await open();
    const reply = await fairway.send(method, path);
    expectRefusal(reply, '', status);
    expect(reply.headers.has('allow')).toBe(status === 405);
  });
});

describe('bodies leave no trace', () => {
  const text = JSON.stringify(
    bookingFor({ teeid: 1, time: 'T', course: '', holes: 18, extraProducts: [], products: [{}] }),
  );
  const json = { 'content-type': 'application/json' };
  const rows: readonly [what: string, body: unknown, headers: Record<string, string>, status: number, named: string][] =
    [
      ['malformed JSON', '{"facilityId": 1001', json, 400, 'JSON'],
      ['two values', '{} {}', json, 400, 'JSON'],
      ['nothing', '', json, 400, 'JSON'],
      ['a number', '7', json, 400, 'body'],
      ['null', 'null', json, 400, 'body'],
      ['an empty array', '[]', json, 400, 'booking'],
      ['empty details', '{"details":[]}', json, 400, '`details`'],
      ['details that are no array', '{"details":{}}', json, 400, '`details`'],
      ['an array of no objects', '[1]', json, 400, '[0]'],
      ['a form', 'facilityId=1001', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'application/json'],
      ['text', text, { 'content-type': 'text/plain' }, 415, 'application/json'],
      ['2 MB', `{"comments":"${'x'.repeat(2_000_000)}"}`, json, 413, '1048576'],
    ];
  test.each(rows)('%s', async (_, body, headers, status, named) => {
    const clients = await open();
    const before = await traceOf(clients);
    for (const path of ['/api/v5/bookings', '/api/v3/bulkbookings', '/api/v2/bookings']) {
      const reply = await clients.fairway.post(path, body, { headers });
      expect(reply.status, `${path}: ${reply.text}`).toBe(path.includes('v5') || status > 400 ? status : 400);
      expect(reply.body).toEqual({ success: false, data: null, message: expect.any(String) });
      if (path.includes('v5')) expect(reply.body.message).toContain(named);
    }
    expect(await traceOf(clients)).toEqual(before);
  });
});
