import { describe, expect, test } from 'vitest';
import { type GivenCall, judgedBy, judges, type Sessions } from '../../support/obligations/traffic.js';

const refused = { status: 400, answer: { success: false } };
const absent = { status: 404, answer: { success: false } };
const get = (path: string, rest: Partial<GivenCall> = {}): GivenCall => ({ request: `GET ${path}`, ...rest });
const json = { 'content-type': 'application/json' };
const booking = {
  facilityId: 1,
  teetime: '2026-06-20 08:10:00',
  course: 'Links',
  players: 2,
  teeId: 7,
  holes: 18,
  productId: 3,
  contactFirstName: 'Zoë',
  contactLastName: 'Ångström',
  contactPhone: '0',
  contactEmail: 'z@example.org',
};
const book = (body: unknown, rest: Partial<GivenCall> = {}): GivenCall => ({
  request: 'POST /api/v5/bookings',
  headers: json,
  body,
  ...rest,
});
const sheet = (date: string, rest: Partial<GivenCall> = {}, more = '') =>
  get(`/api/v4/teetimes/1?bookingDate=${date}&players=2&holes=18${more}`, rest);
const search = (from: string, to: string, rest: Partial<GivenCall> = {}) =>
  get(
    `/api/v5/teetimes?facilityIds=1,2&fromDate=${from}&toDate=${to}&players=2&holes=18&callbackUrl=https%3A%2F%2Fme.example%2F`,
    rest,
  );
const prices = (ids: string, rest: Partial<GivenCall> = {}) =>
  get(`/api/v5/price/insideDateRange?facilityIds=${ids}&fromDate=20-06-2026&toDate=21-06-2026`, rest);
const { contactFirstName: _first, contactLastName: _last, ...nameless } = booking;
const { productId: _product, ...productless } = booking;

describe('requests.documented-paths', () => {
  judges('requests.documented-paths', {
    'a documented path': ['pass', get('/api/v3/countries')],
    'its trailing slash': ['pass', get('/api/v3/countries/')],
    'a version that the resource does not have': ['fail', get('/api/v5/countries', absent)],
    'one wrong path among right ones': ['fail', get('/api/v3/countries'), get('/api/v3/golfers', absent)],
    'another method': ['fail', { request: 'PUT /api/v5/bookings', status: 405, answer: '' }],
    'the sample path of a v4 payment': ['not-seen', { request: 'POST /api/v2/bookings/payment/b1', ...absent }],
    'a cancellation that the operator has': ['not-seen', { request: 'DELETE /api/v4/bookings/b1' }],
    'one that its policy denies': ['not-seen', { request: 'DELETE /api/v4/bookings/b1', status: 409, answer: '' }],
    'one of a booking that is not there, or of nothing': [
      'not-seen',
      { request: 'DELETE /api/v4/bookings/b1', ...absent },
    ],
    'one that the operator does not have': ['fail', { request: 'DELETE /api/v4/bookings/b1', status: 405, answer: '' }],
    'a path of the operator with an expired token': ['not-seen', get('/api/v4/golfers', { status: 401, answer: '' })],
    'a path of the operator with a wrong value': ['not-seen', get('/api/v4/golfers?page=x', refused)],
    'what a browser asks before': ['not-seen', { request: 'OPTIONS /api/v3/countries', status: 204, answer: '' }],
    'HEAD of a GET': ['not-seen', { request: 'HEAD /api/v3/countries', status: 405, answer: '' }],
    'pictures and a health check': [
      'not-seen',
      get('/images/1/logo.svg', absent),
      get('/', absent),
      get('/health', absent),
    ],
    'an outage': ['not-seen', get('/api/v9/countries', { status: 503, answer: '' })],
  });

  test('says with which method the API specification lists a path', () => {
    const { message } = judgedBy('requests.documented-paths', [{ request: 'GET /api/v5/bookings', status: 405 }]);
    expect(message).toContain('a GET request to a path that the API specification lists with POST.');
  });
});

describe('requests.documented-parameters', () => {
  const right = sheet('20-06-2026');
  const wrong = (query: string, rest: Partial<GivenCall> = refused) => get(`/api/v4/teetimes/1?${query}`, rest);
  judges('requests.documented-parameters', {
    'right ones': ['pass', right],
    'no parameters': ['pass', get('/api/v4/bookings?fromDate=01-06-2026')],
    'a number against caching': ['pass', sheet('20-06-2026', {}, '&_=17&ts=18&cacheBuster=19&utm_source=x')],
    'one that is missing': ['fail', wrong('bookingDate=20-06-2026&players=2')],
    'a range that is exceeded': ['fail', wrong('bookingDate=20-06-2026&players=5&holes=18')],
    'a facility without id': [
      'fail',
      get('/api/v4/teetimes/undefined?bookingDate=20-06-2026&players=2&holes=18', refused),
    ],
    'a wrong one, accepted': ['fail', right, wrong('bookingDate=20-06-2026&players=5&holes=18', {})],
    'one test of the own error handling': ['pass', wrong('bookingDate=20-06-2026&players=5&holes=18'), right],
    'tests of it with several values': [
      'pass',
      right,
      ...[0, 5, 99].map((n) => wrong(`bookingDate=20-06-2026&players=${n}&holes=18`)),
    ],
    'such a test in many runs': [
      'pass',
      ...Array.from({ length: 4 }, () => [right, right, right, wrong('bookingDate=x&players=5&holes=18')]).flat(),
    ],
    'the same mistake half of the time': [
      'fail',
      right,
      wrong('players=2&holes=18'),
      right,
      wrong('players=2&holes=18'),
    ],
    'a misspelt name': ['fail', get('/api/v3/countries?conected=true')],
    'a name of another operation': ['fail', get('/api/v4/bookings?players=2')],
    'paging that does not exist': ['fail', get('/api/v4/bookings?page=2')],
    'a list that is repeated': [
      'fail',
      get('/api/v5/price/insideDateRange?facilityIds=1&facilityIds=2&fromDate=20-06-2026&toDate=21-06-2026'),
    ],
    'dates and numbers of ids, which others judge': ['pass', prices('1,2,3,4,5,6'), sheet('2026-06-20')],
    'spaces in a list, True': ['pass', prices('1,%202'), get('/api/v3/countries?connected=True')],
    'an unknown path': ['not-seen', get('/api/v9/countries?page=2', absent)],
  });
});

describe('requests.documented-body', () => {
  const bulk = { request: 'POST /api/v3/bulkbookings', headers: json };
  const item = { ...booking, netRate: 1, extraProduct: [], additionalPlayers: [], linkedTeeTimeRef: 'x' };
  judges('requests.documented-body', {
    'one booking': ['pass', book(booking)],
    several: ['pass', book([booking, booking])],
    'several with payment': ['pass', book({ details: [booking], paymentIntent: 'pi_1' })],
    'facility id as a string, one contact name, a rate as a string': [
      'pass',
      book({ ...nameless, facilityId: '1', contactName: 'Zoë', netRate: '12.50' }),
    ],
    'unknown fields': ['pass', book({ ...booking, source: 'shop' })],
    'null for what is optional': ['pass', book({ ...booking, comments: null, extraProduct: null })],
    'a date in another form, which another judges': ['pass', book({ ...booking, teetime: '20-06-2026' })],
    'a reference that is no UUID, which another judges': ['pass', book({ ...booking, linkedTeeTimeRef: 'x' })],
    'a missing product': ['fail', book(productless, refused)],
    'a missing product in the second of a list': ['fail', book([booking, productless], refused)],
    'no name': ['fail', book(nameless, refused)],
    'null for what is required': ['fail', book({ ...booking, productId: null }, refused)],
    'players as a string': ['fail', book({ ...booking, players: '2' }, refused)],
    'too many players': ['fail', book({ ...booking, players: 5 }, refused)],
    'no JSON': ['fail', book('players=2', refused)],
    'no body': ['fail', book(undefined, refused)],
    'a refresh without a token': [
      'fail',
      { request: 'POST /api/v5/token/refreshToken', headers: json, body: {}, ...refused },
    ],
    'one test of the own error handling': ['pass', book(booking), book(productless, refused)],
    'the same mistake twice': ['fail', book(booking), book(productless, refused), book(productless, refused)],
    'v3, whose optional fields are an open question': ['pass', { ...bulk, body: [item] }],
    'v3 without the net rate': ['fail', { ...bulk, body: [{ ...item, netRate: undefined }], ...refused }],
    'a payment, which has no body': ['not-seen', { request: 'POST /api/v4/bookings/payment/b1' }],
  });
});

describe('requests.dates', () => {
  const sessions: Sessions = {
    'dd-mm-yyyy in a query': ['pass', sheet('20-06-2026')],
    'yyyy-mm-dd in a query': ['fail', sheet('2026-06-20', refused)],
    'mm-dd-yyyy, where it shows': ['fail', sheet('06-20-2026', refused)],
    slashes: ['fail', sheet('20/06/2026', refused)],
    'a day that does not exist': ['fail', sheet('31-06-2026', refused)],
    'the list of bookings': ['fail', get('/api/v4/bookings?fromDate=2026-06-20', refused)],
    'the search in both forms': ['pass', search('20-06-2026', '21-06-2026'), search('2026-06-20', '2026-06-21')],
    'a search with slashes': ['fail', search('20/06/2026', '21/06/2026', refused)],
    'a tee time in a body': ['pass', book(booking)],
    'ISO 8601 in a body': ['fail', book({ ...booking, teetime: '2026-06-20T08:10:00' }, refused)],
    'ISO 8601 in a body with payment': [
      'fail',
      book({ details: [{ ...booking, teetime: '2026-06-20T08:10:00' }] }, refused),
    ],
    'a query date in a body': ['fail', book({ ...booking, teetime: '20-06-2026 08:10:00' }, refused)],
    'two operations, one of them wrong': [
      'fail',
      sheet('20-06-2026'),
      get('/api/v4/bookings?fromDate=2026-06-20', refused),
    ],
    'a wrong form that is accepted': ['fail', sheet('20-06-2026'), sheet('2026-06-20')],
    'one test of the own error handling': ['pass', sheet('20-06-2026'), sheet('2026-06-20', refused)],
    'no dates': ['not-seen', get('/api/v3/countries')],
  };
  judges('requests.dates', sessions);
});

describe('requests.facility-ids-at-most-five', () => {
  judges('requests.facility-ids-at-most-five', {
    five: ['pass', prices('1,2,3,4,5')],
    'one of them twice': ['pass', prices('1,2,3,4,5,5')],
    six: ['fail', prices('1,2,3,4,5,6', refused)],
    'six, accepted': ['fail', prices('1,2'), prices('1,2,3,4,5,6')],
    'six, one time on purpose': ['pass', prices('1,2'), prices('1,2,3,4,5,6', refused)],
    'the search, which has no limit': ['not-seen', search('20-06-2026', '21-06-2026')],
  });
  const afterRefusal = [{ request: 'POST /api/v5/bookings', body: {}, ...refused }, prices('1,2,3,4,5,6', refused)];
  judges('requests.facility-ids-at-most-five', { 'six after a refused booking': ['not-seen', ...afterRefusal] });
  judges(
    'requests.facility-ids-at-most-five',
    { 'six after a refused booking on a happy day': ['fail', ...afterRefusal] },
    { facts: { exam: 'happy-day', isHappy: true } },
  );
});
