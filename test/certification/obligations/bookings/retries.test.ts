import { describe, expect, test } from 'vitest';
import { ClientChecker } from '../../../../src/certification/obligations/client-checker.js';
import type { SessionFacts } from '../../../../src/certification/obligations/traffic.js';
import { callsOf, judgedBy, type GivenCall } from '../../../support/obligations/traffic.js';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';
import { bookingFor } from '../../../support/scenes.js';

const one = 'bookings.one-for-one-wish';
const looks = 'bookings.looks-before-retry';

/** Books under a scenario, then does something, then books the same again. */
const retries =
  (scenario: string, between?: (session: Session) => Promise<unknown>, again: Record<string, unknown> = {}) =>
  async (session: Session) => {
    const teeTime = await session.read();
    await session.book(teeTime, {}, scenario);
    await between?.(session);
    await session.book(teeTime, again);
  };

const uncertain = [
  'connection-reset; phase=after-commit',
  'empty-response; phase=after-commit',
  'truncated-body; phase=after-commit',
  'malformed-json; phase=after-commit',
  'timeout; phase=after-commit',
  'server-error; phase=after-commit',
];

const blind: readonly Story[] = [
  ...uncertain.map((scenario) => ({
    what: `books again after ${scenario}`,
    tell: retries(scenario),
    want: { [looks]: 'fail', [one]: 'fail' } as const,
  })),
  {
    what: 'books again although nothing was made, which it cannot know',
    tell: retries('connection-reset; phase=before-commit'),
    want: { [looks]: 'fail', [one]: 'pass' },
    message: 'got no answer that it could read',
  },
  {
    what: 'books again after a list of another day',
    tell: retries('server-error; phase=after-commit', (session) =>
      session.look('v4', '?fromDate=01-06-2026&toDate=02-06-2026'),
    ),
    want: { [looks]: 'fail', [one]: 'fail' },
  },
  {
    what: 'books again after a list that failed',
    tell: retries('server-error; phase=after-commit', ({ client }) =>
      client.get('/api/v4/bookings', { headers: { 'teebox-scenario': 'server-error' } }),
    ),
    want: { [looks]: 'fail', [one]: 'fail' },
  },
  {
    what: 'books again although the list has the booking',
    tell: retries('server-error; phase=after-commit', (session) => session.look('v1')),
    want: { [looks]: 'pass', [one]: 'fail' },
    message: 'twice for the same contact',
  },
];

const lawful: readonly Story[] = [
  {
    what: 'sends another request for the same tee time, which may be a wish of its own',
    tell: retries('server-error; phase=after-commit', undefined, { comments: 'second' }),
    want: { [looks]: 'not-seen', [one]: 'pass' },
  },
  {
    what: 'books the same tee time in another form',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'connection-reset; phase=after-commit');
      await session.send('/api/v5/bookings', [bookingFor(teeTime)]);
    },
    want: { [looks]: 'not-seen', [one]: 'pass' },
  },
  {
    what: 'finds the lost booking in the list',
    tell: async (session) => {
      await session.book(await session.read(), {}, 'connection-reset; phase=after-commit');
      await session.look();
    },
    want: { [looks]: 'pass', [one]: 'pass' },
  },
  ...['v1', 'v2', 'v4'].map((version) => ({
    what: `books again after the list of ${version} did not have it`,
    tell: retries('connection-reset; phase=before-commit', (session) => session.look(version)),
    want: { [looks]: 'pass', [one]: 'pass' } as const,
  })),
  {
    what: 'gives up after a lost answer',
    tell: async (session) => session.book(await session.read(), {}, 'connection-reset; phase=after-commit'),
    want: { [looks]: 'not-seen', [one]: 'pass' },
  },
  {
    what: 'books the same for another customer after a lost answer',
    tell: retries('server-error; phase=after-commit', undefined, { contactEmail: 'grace@partner.example' }),
    want: { [looks]: 'not-seen', [one]: 'pass' },
  },
  {
    what: 'books the same two times on purpose',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime);
      await session.book(teeTime);
    },
    want: { [looks]: 'not-seen', [one]: 'not-seen' },
  },
  {
    what: 'books the same two times on purpose, one of them with a lost answer that it finds',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime);
      await session.book(teeTime, {}, 'connection-reset; phase=before-commit');
      await session.look();
      await session.book(teeTime);
    },
    want: { [looks]: 'pass', [one]: 'pass' },
  },
  {
    what: 'finds the lost booking in the list, and books the same on purpose after a new search',
    tell: retries('connection-reset; phase=after-commit', async (session) => {
      await session.look();
      await session.read();
    }),
    want: { [looks]: 'pass', [one]: 'pass' },
  },
  {
    what: 'books two of the same in one request',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.send('/api/v5/bookings', [bookingFor(teeTime), bookingFor(teeTime)]);
    },
    want: { [looks]: 'not-seen', [one]: 'not-seen' },
  },
  {
    what: 'comes back after maintenance, which takes no request',
    tell: retries('maintenance'),
    want: { [looks]: 'not-seen', [one]: 'not-seen' },
  },
  {
    what: 'sends a booking again with a new token',
    tell: retries('token-expired'),
    want: { [looks]: 'not-seen', [one]: 'not-seen' },
  },
  {
    what: 'does what the message of a failure asks for, although the booking was made',
    tell: retries('booking-failed; phase=after-commit'),
    want: { [one]: 'pass', 'failures.creation': 'pass' },
  },
  {
    what: 'books another tee time after a lost answer',
    tell: async (session) => {
      await session.book(await session.read(), {}, 'connection-reset; phase=after-commit');
      await session.book(await session.read({ days: 11 }));
    },
    want: { [looks]: 'not-seen', [one]: 'pass' },
  },
];

describe.each([
  ['blind', blind],
  ['lawful', lawful],
])('%s retries: a client that', (_, stories) => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});

const body = { facilityId: 1, teeId: 2, players: 1, contactEmail: 'a@b.example', teetime: '2026-06-20 10:00:00' };
const post = (rest: Partial<GivenCall>): GivenCall => ({ request: 'POST /api/v5/bookings', body, ...rest });
const sheet: GivenCall = {
  request: 'GET /api/v4/teetimes/1?bookingDate=20-06-2026&players=1&holes=18',
  answer: { success: true, data: { teeTimeV3: [] } },
};
const as = (name: string, call: GivenCall): GivenCall => ({ ...call, test: name });

describe('calls side by side are no retries', () => {
  const lost = post({ status: 0, at: 1, takes: 5, struck: { scenario: 'timeout', committed: true } });
  const made = { success: true, data: { bookingId: 'b1' } };
  const list = (at: number): GivenCall => ({
    request: 'GET /api/v4/bookings',
    at,
    answer: { success: true, data: [] },
  });
  const rows: readonly [what: string, calls: readonly GivenCall[], wantLooks: string, wantOne: string][] = [
    ['two at a time', [lost, post({ at: 2, answer: made })], 'not-seen', 'pass'],
    ['one after the other', [lost, post({ at: 7, answer: made })], 'fail', 'fail'],
    [
      'after an answer of the status 200 that reports a failure',
      [lost, post({ at: 7, answer: { success: false, data: null, message: 'The token has expired.' } })],
      'fail',
      'pass',
    ],
    ['an hour later', [lost, post({ at: 3600, answer: made })], 'not-seen', 'pass'],
    [
      'a retry after a look, with the list read for somebody else in the middle of it',
      [lost, list(7), post({ at: 8, takes: 5, answer: made }), list(9)],
      'pass',
      'pass',
    ],
    [
      'a look that began before the answer was lost',
      [
        lost,
        { request: 'GET /api/v4/bookings', at: 2, takes: 5, answer: { success: true, data: [] } },
        post({ at: 8, answer: made }),
      ],
      'fail',
      'fail',
    ],
  ];
  const tests: typeof rows = [
    [
      'after somebody has read tee times',
      [lost, { ...sheet, at: 7 }, post({ at: 8, answer: made })],
      'not-seen',
      'pass',
    ],
    [
      'after its own test has read tee times',
      [as('a', lost), as('a', { ...sheet, at: 7 }), as('a', post({ at: 8, answer: made }))],
      'fail',
      'fail',
    ],
    ['in another test', [as('a', lost), as('b', post({ at: 8, answer: made }))], 'not-seen', 'pass'],
  ];
  test.each([...rows, ...tests])('%s', (_, calls, wantLooks, wantOne) => {
    expect([judgedBy(looks, calls).verdict, judgedBy(one, calls).verdict]).toEqual([wantLooks, wantOne]);
  });
});

describe('a booking that the client found in the list, and makes again after a new search', () => {
  const of = (name: string, calls: readonly GivenCall[]): readonly GivenCall[] => calls.map((call) => as(name, call));
  const made = post({ answer: { success: true, data: { bookingId: 'b2' } } });
  const lost = post({ status: 0, takes: 0.5, struck: { scenario: 'timeout', committed: true } });
  const found: GivenCall = {
    request: 'GET /api/v4/bookings',
    answer: { success: true, data: [{ ...body, bookingId: 'b1', status: 'BOOKED' }] },
  };
  const cancels: GivenCall = { request: 'DELETE /api/v4/bookings/b1' };
  const story = [lost, found, sheet, made];
  const once = [made];
  type Row = readonly [
    what: string,
    calls: readonly GivenCall[],
    happy: readonly GivenCall[] | undefined,
    want: string,
  ];
  const rows: readonly Row[] = [
    ['although its test makes one on the happy path', of('a', story), of('a', once), 'fail'],
    ['as its test makes two on the happy path', of('a', story), of('a', [made, made]), 'pass'],
    ['where no happy path is known', of('a', story), undefined, 'pass'],
    ['where tests are not told apart', story, once, 'pass'],
    ['in another test', [...of('a', [lost, found]), ...of('b', [sheet, made])], of('a', once), 'pass'],
    [
      'for another customer',
      of('a', [lost, found, sheet, { ...made, body: { ...body, contactEmail: 'c@d.example' } }]),
      of('a', once),
      'pass',
    ],
    ['and is refused', of('a', [lost, found, sheet, post({ status: 400, answer: {} })]), of('a', once), 'pass'],
    ['having cancelled it', of('a', [lost, found, cancels, sheet, made]), of('a', once), 'pass'],
    ['and cancels it before', of('a', [lost, found, sheet, cancels, made]), of('a', once), 'pass'],
    ['minutes later', of('a', [lost, found, sheet, { ...made, at: 300 }]), of('a', once), 'pass'],
  ];
  test.each(rows)('%s', (_, calls, happy, want) => {
    const evaluate = (given: readonly GivenCall[], facts: SessionFacts) => {
      const checker = new ClientChecker({ only: [one], isMeasured: true });
      for (const call of callsOf(given)) checker.call(call);
      const [result] = checker.end(facts);
      return { verdict: result!.verdict, usual: checker.usual };
    };
    const { usual } = evaluate(happy ?? [], { isHappy: true });
    expect(evaluate(calls, { exam: 'lost-answer', ...(happy && { usual }) }).verdict).toBe(want);
  });
});
