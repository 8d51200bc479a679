import { describe, expect, test } from 'vitest';
import { ClientChecker } from '../../../src/certification/obligations/client-checker.js';
import { callsOf, type GivenCall, judges } from '../../support/obligations/traffic.js';

/** Traffic of a deployment that has words, headers and ids of its own. */
const wish = (teeId: number, changes: object = {}) => ({
  facilityId: 1,
  teetime: '2026-06-20 08:10:00',
  course: 'Links',
  players: 2,
  teeId,
  holes: 18,
  productId: 3,
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '0',
  contactEmail: 'ada@partner.example',
  ...changes,
});
const book = (body: unknown, rest: Partial<GivenCall> = {}): GivenCall => ({
  request: 'POST /api/v5/bookings',
  headers: { 'content-type': 'application/json' },
  body,
  ...rest,
});
const refused = (text: string, more: object = {}) => ({
  status: 400,
  answer: { success: false, data: null, message: text, request_id: '7f3a', ...more },
  responseHeaders: { 'x-request-id': '7f3a', 'x-rule': 'bookings.linked.same-ref' },
});
const pay = (id: string | number, rest: Partial<GivenCall> = {}, version = 'v4'): GivenCall => ({
  request: `POST /api/${version}/bookings/payment/${id}`,
  ...rest,
});

/** What can be known of such a deployment only by words or headers. */
const byWords = /^(failures\.|bookings\.(linked\.|looks|one-for-one)|callbacks\.)/;

test('what is known by words of the API specification alone is not seen there', () => {
  const texts = ['Diese Buchung ist nicht möglich.', 'E_4711', '', 'Réessayez plus tard (request id 7f3a).'];
  const calls = texts.flatMap((text, at) => [
    ...Array.from({ length: 8 }, () => book(wish(at + 1), refused(text))),
    book([wish(at + 1), wish(at + 11)], refused(text)),
  ]);
  const checker = new ClientChecker();
  for (const call of callsOf(calls)) checker.call(call);
  const results = checker.end({ exam: 'test', clientOk: true });
  expect(results.filter(({ id, verdict }) => byWords.test(id) && verdict !== 'not-seen')).toEqual([]);
});

describe('a request id in every refusal is no failed transfer', () => {
  const repeated = (text: string) => [book(wish(1), refused(text)), book(wish(1), refused(text))];
  judges('failures.transfer', {
    'another failure of the API specification': [
      'not-seen',
      ...repeated('Booking creation has failed. Please try again.'),
    ],
    'other words': ['not-seen', ...repeated('Please try again.')],
    'one in the message': ['not-seen', ...repeated('Please try again, and quote the request id 7f3a.')],
    'the words of the API specification': ['fail', ...repeated('The transfer of funds has failed.')],
    'the booking that it names': ['fail', ...repeated('Please contact us about the booking with request id 7f3a.')],
  });
  judges('failures.creation', {
    'many repeats of another failure': [
      'fail',
      ...Array.from({ length: 8 }, () => book(wish(1), refused('Booking creation has failed.'))),
    ],
  });
});

describe('ids that are numbers', () => {
  const made = (bookingId: unknown) => ({ answer: { success: true, data: { bookingId } } });
  judges('payments.identifier', {
    'of a booking': ['pass', book(wish(7), made(41)), pay(41)],
    'of a booking made before, that is also the tee time of another': ['not-seen', book(wish(7), made('b1')), pay(7)],
    'a tee time, which is refused': [
      'fail',
      book(wish(7), made('b1')),
      pay(7, { status: 404, answer: { success: false } }),
    ],
  });
});

describe('a token that works longer than it says', () => {
  const bearer = { headers: { authorization: 'Bearer access-1' } };
  const refresh: GivenCall = {
    request: 'POST /api/v5/token/refreshToken',
    body: { refresh_token: 'refresh-0' },
    answer: { success: true, data: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 60 } },
    at: 0,
  };
  const read = (at: number, rest: Partial<GivenCall> = {}): GivenCall => ({
    request: 'GET /api/v4/bookings',
    ...bearer,
    at,
    ...rest,
  });
  const no = { status: 400, answer: { success: false } };
  judges('tokens.on-expiry', {
    'refused for other reasons in between': [
      'not-seen',
      refresh,
      ...[100, 200, 300, 400].flatMap((at) => [read(at, no), read(at + 50)]),
    ],
    'refused each time': ['fail', refresh, read(30), ...[100, 200, 300].map((at) => read(at, no))],
  });
});
