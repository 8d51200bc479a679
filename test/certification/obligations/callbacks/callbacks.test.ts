import { describe, expect, test } from 'vitest';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';
import { judgedBy } from '../../../support/obligations/traffic.js';
import type { TeeTime } from '../../../support/scenes.js';

const answers = 'callbacks.answers';

const answering =
  (status: number, scenario?: string) =>
  async (session: Session): Promise<void> => {
    session.receive = () => status;
    await session.search([1001, 1002], scenario === undefined ? {} : { scenario });
  };
const firstOf = ({ results }: Session): TeeTime => JSON.parse(results.at(-1)!).data[0].teeTimeV3[0];

const stories: readonly Story[] = [
  { what: 'takes the result', tell: answering(200), want: { [answers]: 'pass' } },
  { what: 'takes the result with 204', tell: answering(204), want: { [answers]: 'pass' } },
  { what: 'does not find its own search', tell: answering(404), want: { [answers]: 'fail' }, message: 'status 404' },
  { what: 'fails at the result', tell: answering(500), want: { [answers]: 'fail' } },
  { what: 'sends the result elsewhere', tell: answering(302), want: { [answers]: 'fail' } },
  {
    what: 'does not listen any more',
    tell: async (session) => {
      session.receive = () => Promise.reject(new TypeError('fetch failed'));
      await session.search([1001]);
    },
    want: { [answers]: 'not-seen' },
  },
  {
    what: 'hangs up at each result',
    tell: async (session) => {
      session.receive = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }));
      await session.search([1001]);
    },
    want: { [answers]: 'fail' },
    message: 'hung up without an answer',
  },
  {
    what: 'hangs up at one of two results',
    tell: async (session) => {
      await session.search([1001]);
      session.receive = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }));
      await session.search([1001]);
    },
    want: { [answers]: 'pass' },
  },
  { what: 'refuses a result that is cut', tell: answering(400, 'callback-malformed'), want: { [answers]: 'not-seen' } },
  {
    what: 'refuses a result that it has given up',
    tell: answering(410, 'callback-late'),
    want: { [answers]: 'not-seen', 'callbacks.late': 'pass' },
  },
  { what: 'takes a late result', tell: answering(200, 'callback-late'), want: { 'callbacks.late': 'pass' } },
  { what: 'fails at a late result', tell: answering(503, 'callback-late'), want: { 'callbacks.late': 'fail' } },
  {
    what: 'takes a result two times',
    tell: answering(200, 'callback-duplicate'),
    want: { 'callbacks.repeated': 'pass' },
  },
  {
    what: 'fails at a repeated result',
    tell: async (session) => {
      session.receive = () => (session.results.length > 1 ? 500 : 200);
      await session.search([1001], { scenario: 'callback-duplicate' });
    },
    want: { 'callbacks.repeated': 'fail' },
  },
  {
    what: 'refuses a repeated result',
    tell: async (session) => {
      session.receive = () => (session.results.length > 1 ? 409 : 200);
      await session.search([1001], { scenario: 'callback-duplicate' });
    },
    want: { 'callbacks.repeated': 'pass', [answers]: 'pass' },
  },
  {
    what: 'books for each of two deliveries',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-duplicate' });
      await session.book(firstOf(session));
      await session.book(firstOf(session));
    },
    want: { 'callbacks.repeated': 'fail' },
    message: 'a repeated result was booked again',
  },
  {
    what: 'books in its receiver, before it answers each of two deliveries',
    tell: async (session) => {
      session.receive = async () => {
        await session.book(firstOf(session));
        return 200;
      };
      await session.search([1001], { scenario: 'callback-duplicate' });
    },
    want: { 'callbacks.repeated': 'fail' },
  },
  {
    what: 'books in its receiver, which is no booking of an unknown tee time',
    tell: async (session) => {
      session.receive = async () => {
        await session.book(firstOf(session));
        return 200;
      };
      await session.search([1001]);
    },
    want: { [answers]: 'pass', 'bookings.current-tee-sheet': 'not-seen' },
  },
  {
    what: 'books one time for two deliveries, and the same again after a new search',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-duplicate' });
      await session.book(firstOf(session));
      await session.search([1001]);
      await session.book(firstOf(session));
    },
    want: { 'callbacks.repeated': 'pass' },
  },
  {
    what: 'books for two customers from a repeated result',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-duplicate' });
      await session.book(firstOf(session));
      await session.book(firstOf(session), { contactEmail: 'other@partner.example' });
    },
    want: { 'callbacks.repeated': 'pass' },
  },
  {
    what: 'takes a result before the answer',
    tell: answering(200, 'callback-before-response'),
    want: { 'callbacks.out-of-order': 'pass' },
  },
  {
    what: 'fails at a result before the answer',
    tell: answering(500, 'callback-before-response'),
    want: { 'callbacks.out-of-order': 'fail' },
  },
  {
    what: 'takes results out of order',
    tell: async (session) => {
      const later = session.search([1001], { scenario: 'callback-out-of-order' });
      await session.search([1002]);
      await later;
    },
    want: { 'callbacks.out-of-order': 'pass', [answers]: 'pass' },
  },
];

describe('results of searches: a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toMatchObject(story.want);
    expect(messages).toContain(story.message ?? '');
    const wanted = Object.values(story.want).filter((verdict) => verdict === 'fail');
    expect(Object.values(got).filter((verdict) => verdict === 'fail')).toEqual(wanted);
  });
});

test('a result without an answer in time breaks the duty to answer, one that nobody could take does not', () => {
  const delivery = {
    id: 'd1',
    search: undefined,
    url: 'https://partner.example',
    at: 0,
    body: '{"data":[]}',
    status: 0,
  };
  const verdict = (why?: 'refused' | 'timeout') =>
    judgedBy(answers, [], { deliveries: [{ ...delivery, ...(why && { why }) }] }).verdict;
  expect([verdict('timeout'), verdict('refused'), verdict()]).toEqual(['fail', 'not-seen', 'not-seen']);
});

test('the inbox of the sandbox answers in the place of nobody', () => {
  const url = 'http://127.0.0.1:4010/__admin/inbox/mine';
  const delivery = { id: 'd1', search: undefined, url, at: 0, body: '{"data":[]}', status: 200 };
  expect(judgedBy(answers, [], { deliveries: [delivery] }).verdict).toBe('not-seen');
});
