import { describe, expect, test } from 'vitest';
import type { Disguise } from '../../../../src/certification/recording.js';
import type { SessionFacts } from '../../../../src/certification/obligations/traffic.js';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';
import { type GivenCall, judgedBy } from '../../../support/obligations/traffic.js';

const unknown = 'robust.unknown-fields';
const nulls = 'robust.null-optionals';
const lists = 'robust.empty-lists';
const letters = 'robust.non-ascii';
const outage = 'robust.outage';

const inText = (change: (text: string) => string): Disguise => ({
  answer: (answer) => ({ ...answer, text: change(answer.text) }),
});
const newField = inText((text) => text.replaceAll('"holes":', '"difficulty":"easy","holes":'));
const letterA = inText((text) => text.replace(/"course":"[^"]*"/g, '"course":"Küstenplatz Süd"'));

const reads =
  (facts: SessionFacts = {}) =>
  async (session: Session): Promise<void> => {
    await session.read();
    session.facts = facts;
  };
const books =
  (changes: Record<string, unknown> = {}) =>
  async (session: Session): Promise<void> => {
    await session.book(await session.read(), changes);
  };

const stories: readonly Story[] = [
  {
    what: 'books from an answer with a new field',
    options: { disguise: newField },
    tell: books(),
    want: { [unknown]: 'pass' },
  },
  { what: 'sees no new field', tell: books(), want: { [unknown]: 'not-seen', [nulls]: 'pass' } },
  {
    what: 'ends well after an answer with a new field',
    options: { disguise: newField },
    tell: reads({ exam: 'x', clientOk: true }),
    want: { [unknown]: 'pass' },
  },
  {
    what: 'ends badly after an answer with a new field, and nothing else differed',
    options: { disguise: newField },
    tell: reads({ exam: 'x', clientOk: false, clientSaid: 'exit 1: TypeError', blames: unknown }),
    want: { [unknown]: 'fail', [nulls]: 'not-seen' },
    message: 'It said: exit 1: TypeError.',
  },
  {
    what: 'ends badly, for whatever reason',
    options: { disguise: newField },
    tell: reads({ exam: 'x', clientOk: false }),
    want: { [unknown]: 'not-seen' },
  },
  {
    what: 'ends badly at a null, and nothing else differed',
    tell: reads({ exam: 'x', clientOk: false, blames: nulls }),
    want: { [nulls]: 'fail' },
  },
  {
    what: 'goes on after an empty list',
    tell: async (session) => {
      await session.look('v4', '?fromDate=01-01-2031&toDate=02-01-2031');
      await session.look();
      session.facts = {};
    },
    want: { [lists]: 'pass' },
  },
  {
    what: 'ends badly after an empty list',
    tell: async (session) => {
      await session.look('v4', '?fromDate=01-01-2031&toDate=02-01-2031');
      session.facts = { exam: 'x', clientOk: false };
    },
    want: { [lists]: 'not-seen' },
  },
  {
    what: 'books a contact with such a name',
    tell: books({ contactFirstName: 'Zoë', contactLastName: 'Şahin' }),
    want: { [letters]: 'pass' },
  },
  { what: 'books names of ASCII', tell: books(), want: { [letters]: 'not-seen' } },
  {
    what: 'damages a name',
    tell: books({ contactFirstName: 'ZoÃ«' }),
    want: { [letters]: 'fail' },
    message: 'letters that were damaged',
  },
  { what: 'loses a letter', tell: books({ contactFirstName: 'Zo\ufffd' }), want: { [letters]: 'fail' } },
  {
    what: 'books a course without its letters',
    options: { disguise: letterA },
    tell: books({ course: 'Kustenplatz Sud' }),
    want: { [letters]: 'fail', 'bookings.current-tee-sheet': 'pass' },
    message: 'which the service calls `Küstenplatz Süd`',
  },
  {
    what: 'books again after a server error, having looked',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'server-error');
      await session.look();
      await session.book(teeTime);
    },
    want: { [outage]: 'pass' },
  },
  {
    what: 'reads a tee sheet again that it could not read',
    tell: async (session) => {
      const path = '/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18';
      await session.client.get(path, { headers: { 'teebox-scenario': 'malformed-json' } });
      await session.client.get(path);
    },
    want: { [outage]: 'pass' },
  },
  {
    what: 'repeats a request without a pause',
    tell: async ({ client }) => {
      for (let nth = 0; nth < 51; nth += 1) {
        await client.get('/api/v3/countries', { headers: { 'teebox-scenario': 'server-error' } });
      }
    },
    want: { [outage]: 'fail' },
    message: 'more than 50 times within 10 s',
  },
];

describe('a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});

test('a course in another form of the same letters is the same', () => {
  const teeTime = { teeid: 2, time: '2026-06-20T10:00:00', course: 'Küste', holes: 18 };
  const booking = { facilityId: 1, teeId: 2, teetime: '2026-06-20 10:00:00', players: 1, holes: 18 };
  const sheet: GivenCall = {
    request: 'GET /api/v4/teetimes/1?bookingDate=20-06-2026&players=1&holes=18',
    answer: { success: true, data: { teeTimeV3: [teeTime] } },
  };
  const books = (course: string): string =>
    judgedBy(letters, [sheet, { request: 'POST /api/v5/bookings', body: { ...booking, course } }]).verdict;
  expect([books('Küste'), books('Küste'.normalize('NFD')), books('Kuste')]).toEqual(['pass', 'pass', 'fail']);
});

test('requests that fail with pauses are patience', () => {
  const failing = (pause: number): GivenCall[] =>
    Array.from({ length: 80 }, (_, nth) => ({ request: 'GET /api/v3/countries', status: 500, at: nth * pause }));
  expect([0, 0.1, 0.5, 5].map((pause) => judgedBy(outage, failing(pause)).verdict)).toEqual([
    'fail',
    'fail',
    'not-seen',
    'not-seen',
  ]);
});
