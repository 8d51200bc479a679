import { describe, expect, test } from 'vitest';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';
import type { TeeTime } from '../../../support/scenes.js';

const answers = 'callbacks.answers';
const partial = 'callbacks.partial';
const missing = 'callbacks.missing';

const failing =
  (scenario?: string) =>
  async (session: Session): Promise<void> => {
    session.receive = () => 500;
    await session.search([1001, 1002], scenario === undefined ? {} : { scenario });
  };
const ended = (session: Session, clientOk: boolean, habits: readonly string[] = []) => {
  const usual = {
    sent: new Map(),
    refused: new Set<string>(),
    mistakes: new Map(),
    habits: new Set(habits),
    tests: new Map(),
  };
  session.facts = { exam: 'test', clientOk, usual };
};
const firstOf = ({ results }: Session): TeeTime => JSON.parse(results.at(-1)!).data[0].teeTimeV3[0];

const bookFromPartial = async (session: Session): Promise<void> => {
  await session.search([1001, 1002], { scenario: 'callback-partial' });
  await session.book(firstOf(session));
};

const stories: readonly Story[] = [
  {
    what: 'asks again for a missing facility by its tee sheet',
    tell: async (session) => {
      await session.search([1001, 1002], { scenario: 'callback-partial' });
      await session.client.get('/api/v4/teetimes/1002?bookingDate=11-06-2026&players=1&holes=18');
      ended(session, true);
    },
    want: { [partial]: 'pass' },
  },
  {
    what: 'asks again for a missing facility by a search',
    tell: async (session) => {
      await session.search([1001, 1002], { scenario: 'callback-partial' });
      await session.search([1002]);
    },
    want: { [partial]: 'pass' },
  },
  {
    what: 'asks again when it could not read the result',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-malformed' });
      await session.client.get('/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18');
    },
    want: { [partial]: 'pass' },
  },
  {
    what: 'goes on without a missing facility at which it books otherwise',
    tell: async (session) => {
      await bookFromPartial(session);
      ended(session, true, ['books from results at 1002']);
    },
    want: { [partial]: 'fail' },
    message: 'lacked facility 1002',
  },
  {
    what: 'goes on without a missing facility, and never books there',
    tell: async (session) => {
      await bookFromPartial(session);
      ended(session, true, ['books from results at 1001']);
    },
    want: { [partial]: 'not-seen' },
  },
  {
    what: 'goes on without a missing facility outside of an exam',
    tell: async (session) => {
      await bookFromPartial(session);
      session.facts = { clientOk: true };
    },
    want: { [partial]: 'not-seen' },
  },
  {
    what: 'gives up at an incomplete result',
    tell: async (session) => {
      await session.search([1001, 1002], { scenario: 'callback-partial' });
      ended(session, false);
    },
    want: { [partial]: 'not-seen' },
  },
  {
    what: 'fails at an incomplete result',
    tell: failing('callback-partial'),
    want: { [partial]: 'fail', [answers]: 'fail' },
  },
  {
    what: 'goes on after an empty result',
    options: { disguise: { result: () => '{"success":true,"data":[]}' } },
    tell: async (session) => {
      await session.search([1001]);
      await session.look();
    },
    want: { 'callbacks.empty': 'pass', [answers]: 'pass' },
  },
  {
    what: 'fails at facilities without tee times',
    options: { disguise: { result: () => '{"success":true,"data":[{"facilityId":1001,"teeTimeV3":[]}]}' } },
    tell: failing(),
    want: { 'callbacks.empty': 'fail', [answers]: 'fail' },
  },
  {
    what: 'searches again when no result comes',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-never' });
      await session.read();
    },
    want: { [missing]: 'pass' },
  },
  {
    what: 'searches another day at the same time',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-never' });
      await session.search([1001], { date: '12-06-2026' });
    },
    want: { [missing]: 'not-seen' },
  },
  {
    what: 'gives up when no result comes',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-never' });
      ended(session, false);
    },
    want: { [missing]: 'pass' },
  },
  {
    what: 'waits for ever for a result',
    tell: async (session) => {
      await session.search([1001], { scenario: 'callback-never' });
      session.facts = { exam: 'test', clientOk: false, hung: true };
    },
    want: { [missing]: 'fail' },
  },
];

describe('results that lack something: a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toMatchObject(story.want);
    expect(messages).toContain(story.message ?? '');
    const wanted = Object.values(story.want).filter((verdict) => verdict === 'fail');
    expect(Object.values(got).filter((verdict) => verdict === 'fail')).toEqual(wanted);
  });
});
