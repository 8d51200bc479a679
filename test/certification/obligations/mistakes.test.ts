import { describe, expect, test } from 'vitest';
import { bookOne, pay } from '../../support/payments.js';
import { type Story, verdictsOf } from '../../support/obligations/session.js';

const sheet = 'bookings.current-tee-sheet';
const players = 'bookings.players-available';
const body = 'requests.documented-body';
const parameters = 'requests.documented-parameters';
const own = 'payments.own';

const absent = { teeId: 7_000_000 };
const tooMany = { players: 5 };
const nowhere = '/api/v4/teetimes/undefined?bookingDate=11-06-2026&players=1&holes=18';

/** Wrong requests: on purpose, by mistake, and because an earlier test has failed. */
const stories: readonly Story[] = [
  {
    what: 'tests that wrong bookings are refused',
    async tell(session) {
      const teeTime = await session.read();
      await session.book(teeTime);
      await session.book(teeTime, absent);
      await session.book(teeTime, tooMany);
    },
    want: { [sheet]: 'pass', [players]: 'pass', [body]: 'pass' },
  },
  {
    what: 'tests after a problem of the cart that five players are refused',
    async tell(session) {
      const teeTime = await session.read();
      await session.book(teeTime, { contactEmail: 'other@partner.example' });
      await session.book(teeTime, {}, 'cart-problem');
      await session.book(teeTime, tooMany);
    },
    want: { 'failures.cart': 'pass' },
  },
  {
    what: 'always books for more players than a booking may have',
    tell: async (session) => void (await session.book(await session.read(), tooMany)),
    want: { [players]: 'not-seen', [body]: 'fail' },
  },
  {
    what: 'pays for others each time',
    async tell({ client }) {
      for (const other of ['one', 'another']) {
        await pay(client, 'v4', await bookOne(client));
        await client.post(`/api/v4/bookings/payment/${other}`, undefined);
      }
    },
    want: { [own]: 'fail' },
    message: 'the payment of booking `another`',
  },
  {
    what: 'books without the numbers that a booking needs',
    tell: (session) => session.send('/api/v5/bookings', absent),
    want: { [sheet]: 'fail', [body]: 'fail' },
    message: 'A booking names tee time 7000000, which no answer',
  },
  {
    what: 'does that after an outage',
    async tell(session) {
      await session.book(await session.read(), {}, 'server-error; phase=before-commit');
      await session.send('/api/v5/bookings', absent);
    },
    want: { [sheet]: 'pass', [body]: 'pass' },
  },
  {
    what: 'tests that the payment of an unknown booking is refused',
    async tell({ client }) {
      await pay(client, 'v4', await bookOne(client));
      await client.post('/api/v4/bookings/payment/unknown', undefined);
    },
    want: { [own]: 'pass' },
  },
  {
    what: 'pays what is not there after a booking that failed',
    async tell(session) {
      await session.book(await session.read(), {}, 'booking-failed');
      await session.client.post('/api/v4/bookings/payment/undefined', undefined);
    },
    want: { [own]: 'not-seen' },
  },
  {
    what: 'pays what is not there although nothing failed',
    async tell(session) {
      await session.book(await session.read());
      await session.client.post('/api/v4/bookings/payment/undefined', undefined);
    },
    want: { [own]: 'fail' },
    message: 'the payment of booking `undefined`',
  },
  {
    what: 'asks for no facility after an outage',
    async tell({ client }) {
      await client.get('/api/v3/facilities?country=Spain', { headers: { 'teebox-scenario': 'server-error' } });
      await client.get(nowhere);
    },
    want: { [parameters]: 'pass' },
  },
  {
    what: 'asks for no facility although nothing failed',
    tell: ({ client }) => client.get(nowhere),
    want: { [parameters]: 'fail' },
  },
];

describe('mistakes: a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});
