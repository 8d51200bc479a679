import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.js';
import { ClientChecker } from '../../../src/certification/obligations/client-checker.js';
import { atEveryPlace } from '../../support/bad-input/inconvertible.js';
import { callsOf, type GivenCall } from '../../support/obligations/traffic.js';

const word = fc.constantFrom(
  '1',
  '2026-06-20',
  '20-06-2026',
  '',
  '%',
  '%2F',
  'b-1',
  'https://me.example/',
  '1,2',
  'ü',
  '/',
  '//x',
  '?',
);
const paths = operations.map(({ method, path }) => ({ method, path: path.replace('{version}', 'v5') }));
const request = fc
  .record({ place: fc.constantFrom(...paths), words: fc.array(word, { minLength: 2, maxLength: 2 }) })
  .map(({ place, words }) => {
    const path = place.path.replace(/\{\w+\}/g, () => words[0]!);
    return `${place.method} ${path}?players=${words[1]}&fromDate=${words[0]}&offset=${words[1]}&_=${words[0]}`;
  });
const strange = fc.constantFrom(
  'GET //',
  'GET /?',
  'GET /api',
  'TRACE /api/v5/bookings?%',
  'PUT /api/%E0%A4%A',
  'GET /api/v5/teetimes?x=%E0',
);
const booking = {
  facilityId: 1001,
  teeId: 7,
  teetime: '2026-06-20 10:00:00',
  players: 1,
  contactName: 'Ada Lovelace',
  contactEmail: 'ada@partner.example',
  linkedTeeTimeRef: '3f1d2c4b-5a69-4788-9706-000000000001',
};
const spoilt = [booking, [booking], { details: [booking] }, { refresh_token: 'x' }, { facilityId: 1001, price: [] }]
  .flatMap((one) => atEveryPlace(one))
  .map(([, changed]) => changed);
const body = fc.oneof(
  fc.constantFrom(...spoilt),
  fc.jsonValue(),
  fc.string(),
  fc.constant(undefined),
  fc.constantFrom('{', '[{}]', '{"details":null}', '{"details":[null]}', '{"refresh_token":1}'),
);
const tokens = fc.record({ access_token: word, refresh_token: word, expires_in: fc.constantFrom(0, 1, 3600, 'x') });
const listed = [
  { records: [{ ...booking, bookingId: 'b-1', status: 'BOOKED', groupId: 5 }], total: 1 },
  { teeTimeV3: [{ teeid: 7, datetime: '2026-06-20 10:00:00', availableSlots: 4, steps: [{ quantity: 1, price: 9 }] }] },
  { bookingId: 'b-1', bookingIds: [{ bookingId: 'b-1' }], groupId: 5 },
  [{ facilityId: 1001, courses: [{ course: 'A', teeTimes: [] }] }],
];
const spoiltData = listed.flatMap((one) => atEveryPlace(one)).map(([, changed]) => changed);
const data = fc.oneof(
  fc.constantFrom(...spoiltData),
  fc.jsonValue(),
  tokens,
  fc.record({ records: fc.constantFrom([], [null], 'x'), total: fc.constantFrom(0, 5, null) }),
);
const header = fc.constantFrom(
  'Bearer x',
  'Basic %%%',
  'Basic',
  '',
  '0',
  'soon',
  '-1',
  '999999999999',
  'Mon, 15 Jun 2026 08:00:20 GMT',
);

const call: fc.Arbitrary<GivenCall> = fc.record({
  request: fc.oneof({ weight: 9, arbitrary: request }, strange),
  headers: fc.record({ authorization: header, 'content-type': fc.constantFrom('application/json', 'x', '') }),
  body,
  status: fc.constantFrom(0, 200, 204, 400, 401, 404, 429, 500, 503),
  answer: fc.oneof(
    body,
    data.map((some) => ({ success: true, data: some })),
  ),
  responseHeaders: fc.record({ 'retry-after': header }),
  at: fc.nat(20),
  takes: fc.constantFrom(0, 0.01, 3),
  channel: fc.constantFrom('demo', 'other'),
});

test('whatever a client sends and a service answers, each obligation has one verdict, with its evidence', () => {
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 25 }),
      fc.constantFrom({}, { exam: 'e', clientOk: true }),
      (given, facts) => {
        const calls = callsOf(given);
        const ids = new Set(calls.map(({ id }) => id));
        const checker = new ClientChecker();
        for (const one of calls) checker.call(one);
        for (const { verdict, evidence, message, expected, toSee } of checker.end(facts)) {
          expect(evidence.filter((id) => !ids.has(id))).toEqual([]);
          expect(evidence.length > 0 || verdict === 'not-seen').toBe(true);
          const said = [message, expected, toSee].filter((text) => text !== undefined).length;
          expect(said).toBe({ pass: 0, fail: 2, 'not-seen': 1 }[verdict]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test.each(paths)('values that do not convert are read in $method $path', ({ method, path }) => {
  const request = `${method} ${path.replace(/\{\w+\}/g, '1')}?facilityIds=1001&fromDate=20-06-2026&toDate=20-06-2026`;
  const answers = spoiltData.map((one) => ({ success: true, data: one }));
  const bodies = method === 'POST' ? spoilt : [undefined];
  const checker = new ClientChecker();
  for (const [at, answer] of [...answers, ...spoilt].entries()) {
    for (const one of callsOf([{ request, channel: 'demo', body: bodies[at % bodies.length], answer }]))
      checker.call(one);
  }
  expect(checker.end({}).length).toBeGreaterThan(0);
});
