import { describe, expect, test } from 'vitest';
import { forms } from '../../../engine/dialect/forms.js';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';
import { judgedBy } from '../../../support/obligations/traffic.js';
import { bookingFor, teeTimesPath, type TeeTime } from '../../../support/scenes.js';

const sheet = 'bookings.current-tee-sheet';
const players = 'bookings.players-available';
const price = 'bookings.price';

const netRateOf = ({ products }: TeeTime, quantity = 1): number =>
  products[0].pricing.find((step: { quantity: number }) => step.quantity === quantity).netRate.amount;

const books = (changes: (teeTime: TeeTime) => Record<string, unknown>) => async (session: Session) => {
  const teeTime = await session.read();
  await session.book(teeTime, changes(teeTime));
};

const fromSheets: readonly Story[] = [
  {
    what: 'books what it read',
    tell: books(() => ({})),
    want: { [sheet]: 'pass', [players]: 'pass', [price]: 'not-seen' },
  },
  {
    what: 'sends numbers as strings',
    tell: books(({ teeid }) => ({ teeId: String(teeid) })),
    want: { [sheet]: 'pass', 'requests.documented-body': 'fail' },
  },
  {
    what: 'books another time',
    tell: books(({ time }) => ({ teetime: time.replace('T', ' ').replace(/\d\d:\d\d$/, '59:59') })),
    want: { [sheet]: 'fail' },
    message: 'it names the time',
  },
  { what: 'books another course', tell: books(() => ({ course: 'The Other Course' })), want: { [sheet]: 'fail' } },
  { what: 'books other holes', tell: books(({ holes }) => ({ holes: 27 - holes })), want: { [sheet]: 'fail' } },
  {
    what: 'books another product',
    tell: books(() => ({ productId: 7 })),
    want: { [sheet]: 'fail', [players]: 'not-seen' },
  },
  {
    what: 'books a tee time that it has not seen',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, { teeId: teeTime.teeid + 7_000_000 });
    },
    want: { [sheet]: 'fail' },
    message: 'which no answer of the service has shown',
  },
  {
    what: 'books what it may have seen before the session',
    tell: async (session) => {
      session.facts = {};
      const teeTime = await session.read();
      await session.book(teeTime, { teeId: teeTime.teeid + 7_000_000 });
    },
    want: { [sheet]: 'not-seen' },
  },
  {
    what: 'books in v2 what it read in v4',
    tell: async (session) => session.send('/api/v2/bookings', forms.v2(await session.read(), {})),
    want: { [sheet]: 'pass', [players]: 'not-seen' },
  },
  {
    what: 'books in v3 what it read in v3',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.client.get(teeTimesPath('v3'));
      await session.send('/api/v3/bulkbookings', [forms.v3(teeTime, { netRate: netRateOf(teeTime) })]);
    },
    want: { [sheet]: 'pass', [price]: 'pass' },
  },
  {
    what: 'books what a search found',
    tell: async (session) => {
      await session.search([1001]);
      const [first] = JSON.parse(session.results[0]!).data[0].teeTimeV3;
      await session.book(first);
    },
    want: { [sheet]: 'pass', 'callbacks.answers': 'pass' },
  },
  {
    what: 'books an older answer for another customer',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, { contactEmail: 'other@partner.example' });
      await withdraw(session, teeTime);
      await session.read();
      await session.book(teeTime);
    },
    want: { [sheet]: 'pass' },
  },
  {
    what: 'books what the tee sheet that it just read has no more',
    tell: async (session) => {
      const teeTime = await session.read();
      await withdraw(session, teeTime);
      await session.read();
      await session.book(teeTime);
    },
    want: { [sheet]: 'fail' },
    message: 'does not have any more',
  },
  {
    what: 'books what one of several sheets that it just read has no more',
    tell: async (session) => {
      const teeTime = await session.read();
      await withdraw(session, teeTime);
      await session.look();
      await session.read();
      await session.read({ days: 11 });
      await session.book(teeTime);
    },
    want: { [sheet]: 'fail' },
  },
  {
    what: 'books from a sheet for fewer players than the next one was for',
    tell: async (session) => {
      const teeTime = await session.read();
      await withdraw(session, teeTime);
      await session.read({ players: 3 });
      await session.book(teeTime);
    },
    want: { [sheet]: 'pass' },
  },
];

/** Takes a tee time from sale, as others may do. */
async function withdraw(session: Session, teeTime: TeeTime): Promise<void> {
  const sandbox = session.client.sandbox;
  const rival = bookingFor(teeTime, { contactEmail: 'rival@partner.example' });
  const links = sandbox.channels.find(({ name }) => name === 'links')!;
  const authorization = `Basic ${btoa(`${links.username}:${links.password}`)}`;
  const headers = { authorization, 'content-type': 'application/json', 'teebox-scenario': 'tee-time-withdrawn' };
  // Not a call of the client: straight to the sandbox.
  await sandbox.handle(
    new Request('http://sandbox.test/api/v5/bookings', { method: 'POST', headers, body: JSON.stringify(rival) }),
  );
}

const prices: readonly Story[] = [
  {
    what: 'sends the net rate',
    tell: books((teeTime) => ({ netRate: netRateOf(teeTime) })),
    want: { [price]: 'pass' },
  },
  {
    what: 'sends the net rate of all players as a string',
    tell: books((teeTime) => ({ players: 2, netRate: netRateOf(teeTime, 2).toFixed(2) })),
    want: { [price]: 'pass' },
  },
  {
    what: 'sends the net rate of each player times the players',
    tell: books((teeTime) => ({ players: 2, netRate: netRateOf(teeTime, 2) * 2 })),
    want: { [price]: 'pass' },
  },
  {
    what: 'sends the net rate of another number of players',
    tell: books((teeTime) => ({ players: 2, netRate: netRateOf(teeTime) })),
    want: { [price]: 'fail' },
    message: 'with the net rate',
  },
  {
    what: 'adds its extra products',
    tell: books((teeTime) => {
      const [{ mid, netRate }] = teeTime.extraProducts;
      return { extraProduct: [{ mid, quantity: 2 }], netRate: netRateOf(teeTime) + 2 * netRate.amount };
    }),
    want: { [price]: 'pass' },
  },
  {
    what: 'sends the public rate',
    tell: books(({ products }) => ({ netRate: products[0].pricing[0].publicRate.amount })),
    want: { [price]: 'fail' },
  },
  {
    what: 'sends a net rate that v3 does not have',
    tell: async (session) => {
      const { client } = session;
      const [{ id, time, course, holes }] = (await client.get(teeTimesPath('v3'))).body.data.teeTimeV2;
      const teeTime = { teeid: id, time, course, holes, products: [{}], extraProducts: [] };
      await session.send('/api/v3/bulkbookings', [forms.v3(teeTime, { netRate: 12.34 })]);
    },
    want: { [price]: 'not-seen' },
  },
  {
    what: 'sends the rate that it read before the price changed',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'price-changed');
      await session.book(teeTime, { players: 2, netRate: netRateOf(teeTime, 2) });
    },
    want: { [price]: 'pass' },
  },
  {
    what: 'sends the old rate although it has just read the new one',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'price-changed');
      await session.read();
      await session.book(teeTime, { players: 2, netRate: netRateOf(teeTime, 2) });
    },
    want: { [price]: 'fail' },
  },
];

const slots: readonly Story[] = [
  {
    what: 'books more players than are free in one request',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.send('/api/v5/bookings', [
        bookingFor(teeTime, { players: 3 }),
        bookingFor(teeTime, { players: 3 }),
      ]);
    },
    want: { [players]: 'fail' },
    message: 'for 6 players, but the product has only',
  },
  {
    what: 'books two times what is free, one after the other',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, { players: 2 });
      await session.book(teeTime, { players: 2, contactEmail: 'other@partner.example' });
    },
    want: { [players]: 'pass' },
  },
];

describe.each([
  ['tee sheets', fromSheets],
  ['prices', prices],
  ['free slots', slots],
])('%s: a client that', (_, stories) => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});

test('a total that was added up is shown without the rest of the addition', () => {
  const product = { mid: 3, pricing: [{ quantity: 1, netRate: { amount: 0.1 } }] };
  const extra = { mid: 4, netRate: { amount: 0.2 } };
  const teeTimeV3 = [{ teeid: 2, time: '2026-06-20T10:00:00', products: [product], extraProducts: [extra] }];
  const booking = { facilityId: 1, teeId: 2, teetime: '2026-06-20 10:00:00', players: 1, productId: 3, netRate: 0.1 };
  const { message } = judgedBy(price, [
    {
      request: 'GET /api/v4/teetimes/1?bookingDate=20-06-2026&players=1&holes=18',
      answer: { success: true, data: { teeTimeV3 } },
    },
    { request: 'POST /api/v5/bookings', body: { ...booking, extraProduct: [{ mid: 4, quantity: 1 }] } },
  ]);
  expect(message).toMatch(/with the net rate 0\.1, and the total of its tee sheet is 0\.3\.$/);
});
