import { describe, expect, test } from 'vitest';
import { exchangeLog } from '../../../src/cli/log.js';
import { adminOf } from '../../support/admin.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { NOWHERE } from '../../support/views.js';

const TEE_TIMES = '/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18';
const PRICES = '/api/v5/price/insideDateRange?facilityIds=1001';
const SEARCH = `/api/v5/teetimes?facilityIds=1001&players=1&holes=18&callbackUrl=${NOWHERE}`;
const unknown = (name: string, hint: string) =>
  `The query parameter \`${name}\` is unknown to this operation and is ignored. ${hint}`;
const past = (field: string, day: string, now = '2026-06-01T08:00:00Z') =>
  `\`${field}\` ${day} is in the past: the clock of the sandbox is at ${now}.`;

interface Row {
  readonly path: string;
  readonly status?: number;
  readonly warnings?: readonly string[];
  readonly now?: string;
}

const rows: readonly Row[] = [
  { path: '/api/v4/bookings?fromdate=01-06-2026', warnings: [unknown('fromdate', 'Did you mean `fromDate`?')] },
  {
    path: '/api/v4/bookings?fromDate=01-06-2026&sort=asc',
    warnings: [unknown('sort', 'It has fromDate, toDate.')],
  },
  { path: '/api/v3/facilities/1001?verbose', warnings: [unknown('verbose', 'It has none.')] },
  {
    path: '/api/v3/facilities?Country=Spain',
    status: 400,
    warnings: [unknown('Country', 'Did you mean `country`?')],
  },
  // A list of bookings may well look back.
  { path: '/api/v4/bookings?fromDate=01-06-2020&toDate=02-06-2026' },
  { path: TEE_TIMES },
  { path: TEE_TIMES.replace('11-06', '01-06') },
  // It is still Sunday in Hawaii.
  {
    path: TEE_TIMES.replace('11-06', '31-05'),
    warnings: ['Facility 1001 has no tee times for 18 holes left on 31-05-2026: the last was at 17:20 there.'],
  },
  { path: TEE_TIMES.replace('11-06', '30-05'), warnings: [past('bookingDate', '30-05-2026')] },
  {
    path: TEE_TIMES,
    now: '2027-01-15T10:00:00Z',
    warnings: [past('bookingDate', '11-06-2026', '2027-01-15T10:00:00Z')],
  },
  { path: `${PRICES}&fromDate=01-01-2026&toDate=11-06-2026` },
  { path: `${PRICES}&fromDate=01-01-2026&toDate=02-01-2026`, warnings: [past('toDate', '02-01-2026')] },
  {
    path: `${SEARCH}&fromDate=2026-01-01&toDate=2026-01-02&x=1`,
    warnings: [
      unknown('x', 'It has facilityIds, fromDate, toDate, players, holes, callbackUrl.'),
      past('toDate', '02-01-2026'),
    ],
  },
];

const country = (name: string, more = '') => `/api/v3/facilities?country=${encodeURIComponent(name)}${more}`;
const sheet = (version: string, path: string, day: string, players: number, holes: number) =>
  `/api/${version}/teetimes/${path}?bookingDate=${day}&players=${players}&holes=${holes}`;
const shut = 'Facility 1003 is not connected to fairway, so nothing of it is listed.';
const names = 'Names must match exactly';
const noCountry = (name: string, rest: string) => `There is no country \`${name}\`${rest}`;
const noTeeTimes = (rest: string) => [`Facility 1001 has no tee times for ${rest}`];

/** Lists that are empty for a reason: nothing else says why. */
const empties: readonly Row[] = [
  {
    path: country('Netherlands'),
    warnings: [noCountry('Netherlands', `; did you mean \`the Netherlands\`? ${names}.`)],
  },
  {
    path: country('The Netherlands'),
    warnings: [
      noCountry(
        'The Netherlands',
        `; did you mean \`the Netherlands\`? ${names}. They differ in upper and lower case, from character 1 on (U+0074 and U+0054).`,
      ),
    ],
  },
  {
    path: country('Turkiye'),
    warnings: [
      noCountry(
        'Turkiye',
        `; did you mean \`T\u00fcrkiye\`? ${names}. They differ in accents, from character 2 on (U+00FC and U+0075).`,
      ),
    ],
  },
  {
    path: country('Spain\u00a0'),
    warnings: [
      noCountry(
        'Spain\u00a0',
        `; did you mean \`Spain\`? ${names}. They differ in the kind of blank (such as a no-break space) and blanks at an end or in a row, from character 6 on (the end and U+00A0).`,
      ),
    ],
  },
  { path: country('Spian').replace('v3', 'v1'), warnings: [noCountry('Spian', `; did you mean \`Spain\`? ${names}.`)] },
  {
    path: country('NL'),
    warnings: [noCountry('NL', '. A country is sent by its name, not by a code; GET /api/v3/countries lists all 16.')],
  },
  {
    path: country('Atlantis'),
    warnings: [noCountry('Atlantis', `. ${names}, including case; GET /api/v3/countries lists all 16.`)],
  },
  ...['v2', 'v3', 'v4'].flatMap((version): Row[] => [
    { path: sheet(version, '1003', '11-06-2026', 1, 18), warnings: [shut] },
    { path: sheet(version, '1001', '11-01-2027', 1, 9), warnings: noTeeTimes('9 holes on 11-01-2027, only for 18.') },
  ]),
  { path: sheet('v5', '1001/10011', '11-01-2027', 1, 9), warnings: noTeeTimes('9 holes on 11-01-2027, only for 18.') },
  {
    path: sheet('v4', '1022', '11-06-2026', 1, 18),
    warnings: ['Facility 1022 has no tee times on 11-06-2026: Campo Norte is closed on Thursdays.'],
  },
  {
    path: sheet('v4', '1004', '11-01-2027', 1, 18),
    warnings: ['Facility 1004 has no tee times on 11-01-2027: Neunlochplatz is closed for the season in this month.'],
  },
  {
    path: sheet('v4', '1001', '11-01-2199', 1, 18).replace('2199', '2250'),
    warnings: ['Facility 1001 has no tee times on 11-01-2250: the calendar of the sandbox goes from 2000 to 2199.'],
  },
  {
    path: sheet('v4', '1001', '01-06-2026', 1, 18),
    now: '2026-06-01T18:30:00Z',
    warnings: noTeeTimes('18 holes left on 01-06-2026: the last was at 17:20 there.'),
  },
  {
    path: '/api/v4/bookings?fromDate=01-01-2020&toDate=02-01-2020',
    warnings: [
      'No booking is within these dates: the 14 bookings of fairway have tee times from 25-07-2025 to 27-11-2026.',
    ],
  },
  {
    path: '/api/v1/bookings?toDate=01-01-2020',
    warnings: [
      'Without `fromDate`, only tee times in the future and up to `toDate` are listed: the 14 bookings of fairway have tee times from 25-07-2025 to 27-11-2026.',
    ],
  },
  { path: `${PRICES.replace('1001', '1003')}&fromDate=11-06-2026&toDate=12-06-2026`, warnings: [shut] },
  {
    path: `${PRICES}&fromDate=11-06-2026&toDate=12-06-2026&offset=500`,
    warnings: ['`offset` 500 skips all records of this request, at most 4.'],
  },
  {
    path: `${PRICES}&fromDate=11-06-2026&toDate=12-06-2026&limit=0`,
    warnings: ['`limit` is 0, so no record is listed.'],
  },
  { path: `${SEARCH.replace('1001', '1001,1003')}&fromDate=11-06-2026&toDate=11-06-2026`, warnings: [shut] },
  {
    path: `${SEARCH.replace('holes=18', 'holes=9')}&fromDate=11-01-2027&toDate=12-01-2027`,
    warnings: noTeeTimes('9 holes on 11-01-2027, only for 18.'),
  },
];

describe('what is answered all the same, and may have been meant otherwise', () => {
  test.each([...rows, ...empties])('$path $now', async ({ path, status = 200, warnings, now }) => {
    const lines: string[] = [];
    const log = exchangeLog({ level: 'warn', format: 'json', colour: false, write: (line) => lines.push(line) })!;
    const { fairway, sandbox } = await open({ onExchange: log, ...(now === undefined ? {} : { now }) });
    // The second time, the parameters are cached.
    for (const time of [1, 2]) {
      const reply = await fairway.get(path);
      expect(reply.status).toBe(status);
      const id = reply.headers.get('teebox-request-id');
      const { body } = await adminOf(sandbox)('GET', `requests/${id}/explain`);
      expect(body.request.warnings).toEqual(warnings);
      expect(lines.map((line) => JSON.parse(line).warnings)).toEqual(Array(warnings ? time : 0).fill(warnings));
    }
  });

  test('tee times without a free slot', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const warningsTo = async (path: string) => {
      const { headers, text } = await fairway.get(path);
      expect(text).toMatch(/":\[\]|"data":\[\]/);
      const { body } = await admin('GET', `requests/${headers.get('teebox-request-id')}/explain`);
      return body.request.warnings;
    };
    const day = { courseId: 10011, date: '2026-06-11' };
    const { status } = await admin('POST', 'tee-sheets/1001/changes', { ...day, change: 'sold-out' });
    expect(status).toBeLessThan(300);
    expect(await warningsTo(TEE_TIMES)).toEqual(
      noTeeTimes('18 holes with 1 free slot on 11-06-2026: all are sold out.'),
    );
  });

  test.each([
    ['decomposed accents', (name: string) => name.normalize('NFD'), 'how accents are encoded'],
    ['a no-break space', (name: string) => name.replace(' ', '\u00a0'), 'the kind of blank'],
    ['a trailing blank', (name: string) => `${name} `, 'blanks at an end'],
    ['a character without width', (name: string) => `\u200b${name}`, 'characters that cannot be seen'],
    ['another course', () => 'Old Course', undefined],
  ])('the name of a course with %s', async (_, written, want) => {
    const { fairway, sandbox } = await open();
    const teeTime = await findTeeTime(fairway, { facilityId: 1005 });
    const { course } = teeTime;
    const { headers } = await fairway.post(
      '/api/v5/bookings',
      bookingFor(teeTime, { facilityId: 1005, course: written(course) }),
    );
    const { body } = await adminOf(sandbox)('GET', `requests/${headers.get('teebox-request-id')}/explain`);
    expect(body.request.detail).toContain(`has course "${course}", the request says "`);
    expect(body.request.detail).toMatch(want === undefined ? /"$/ : `They look alike, but differ in ${want}`);
  });

  const field = (name: string, hint: string) =>
    `The field \`${name}\` is unknown to this operation and is ignored. ${hint}`;
  const v5 =
    'It has facilityId, teetime, course, players, teeId, holes, productId, contactFirstName, contactLastName, contactName, contactPhone, contactEmail, netRate, extraProduct, comments, additionalPlayers, linkedTeeTimeRef, providerPlayerTypeId.';
  const bytes = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
  const again = (name: string, line: number, column: number) =>
    `The field \`${name}\` is in the same object again in line ${line}, column ${column}. Only the last value is read.`;
  const notUtf8 = (column: number, declared = '') =>
    `Line 1, column ${column} of the body is not UTF-8, so it was read as U+FFFD. JSON is sent in UTF-8${declared}.`;

  test.each<[string, (booking: any) => unknown, readonly string[] | undefined, string?]>([
    ['nothing odd', (booking) => booking, undefined],
    [
      'a name in another case',
      (booking) => ({ ...booking, netrate: 1 }),
      [field('netrate', 'Did you mean `netRate`?')],
    ],
    [
      'a plural',
      (booking) => ({ ...booking, extraProducts: [] }),
      [field('extraProducts', 'Did you mean `extraProduct`?')],
    ],
    ['a name of another field that is there', (booking) => ({ ...booking, player: 1 }), [field('player', v5)]],
    ['a name that every object has', (booking) => ({ ...booking, toString: 1 }), [field('toString', v5)]],
    [
      'the same in each booking of a list',
      (booking) => [1, 2].map(() => ({ ...booking, comment: 'x' })),
      [field('comment', 'Did you mean `comments`?')],
    ],
    [
      'a list with a payment',
      (booking) => ({ details: [{ ...booking, comment: 'x' }], paymentIntend: 'pi' }),
      [field('comment', 'Did you mean `comments`?'), field('paymentIntend', 'Did you mean `paymentIntent`?')],
    ],
    [
      'a byte of Latin-1',
      () => bytes('{"contactFirstName":"Ren\u00e9"}'),
      [notUtf8(25, ', and `Content-Type` says iso-8859-1')],
      'application/json; charset=iso-8859-1',
    ],
    ['the same without a charset', () => bytes('{"comments":"\u00e9"}'), [notUtf8(14)]],
    ['a field twice', () => '{"players":2,"players":4}', [again('players', 1, 14)]],
    [
      'fields again in other lines, with an escape, and in an object within it',
      () => '{\n  "holes": 9,\n  "hole\\u0073": 18,\n  "extraProduct": [{"productId": 1, "productId": 2}]\n}',
      [again('holes', 3, 3), again('productId', 4, 37)],
    ],
    ['a field once in each object', () => '[{"players": 1}, {"players": 2, "extraProduct": [{}, {}]}]', undefined],
    ['letters in UTF-8', () => '{"comments":"\u00e9"}', undefined],
    ['what is no booking', () => '[null,3,"x",[]]', undefined],
  ])('a body with %s', async (_, written, want, type = 'application/json') => {
    const { fairway, sandbox } = await open();
    const made = written(bookingFor(await findTeeTime(fairway), {}));
    const body = typeof made === 'string' || made instanceof Uint8Array ? made : JSON.stringify(made);
    const headers = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}`, 'content-type': type };
    const { headers: told } = await sandbox.fetch('http://sandbox.test/api/v5/bookings', {
      method: 'POST',
      headers,
      body: body as BodyInit,
    });
    const { body: shown } = await adminOf(sandbox)('GET', `requests/${told.get('teebox-request-id')}/explain`);
    expect(shown.request.warnings).toEqual(want);
  });

  test('many stray names are told in part', async () => {
    const { fairway, sandbox } = await open();
    const names = Array.from({ length: 9 }, (_, index) => `${'x'.repeat(99)}${index}=1`);
    await fairway.get(`/api/v3/countries?${names.join('&')}`);
    const { warnings } = sandbox.journal.entries[0]!;
    expect(warnings).toHaveLength(5);
    for (const one of warnings!) expect(one.length).toBeLessThan(160);
  });
});
