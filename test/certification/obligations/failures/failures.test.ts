import { describe, expect, test } from 'vitest';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';
import { judgedBy, type GivenCall } from '../../../support/obligations/traffic.js';
import { bookingFor } from '../../../support/scenes.js';

const asking: readonly [scenario: string, id: string][] = [
  ['tee-sheet-unresponsive', 'failures.tee-sheet-unresponsive'],
  ['booking-failed', 'failures.creation'],
  ['payment-pi-failed', 'failures.payment-pi'],
  ['payment-pv-failed', 'failures.payment-pv'],
  ['unprocessable', 'failures.unprocessable'],
];

/** Books so many times under a scenario. */
const repeats =
  (scenario: string, times: number, between?: (session: Session) => Promise<unknown>) => async (session: Session) => {
    const teeTime = await session.read();
    for (let time = 0; time < times; time += 1) {
      if (time > 0) await between?.(session);
      await session.book(teeTime, {}, scenario);
    }
  };
const look = (session: Session) => session.look();

const stories: readonly Story[] = [
  ...asking.flatMap(([scenario, id]): Story[] => [
    { what: `shows ${scenario}`, tell: repeats(scenario, 1), want: { [id]: 'pass' } },
    { what: `retries ${scenario} five times`, tell: repeats(scenario, 6), want: { [id]: 'pass' } },
    {
      what: `retries ${scenario} blindly`,
      tell: repeats(scenario, 7),
      want: { [id]: 'fail' },
      message: 'the 7th time',
    },
  ]),
  {
    what: 'looks before each of many retries',
    tell: repeats('booking-failed', 9, look),
    want: { 'failures.creation': 'pass' },
  },
  {
    what: 'books the same for many customers while bookings fail',
    tell: async (session) => {
      const teeTime = await session.read();
      for (let nth = 0; nth < 9; nth += 1) {
        await session.book(teeTime, { contactEmail: `c${nth}@partner.example` }, 'booking-failed');
      }
    },
    want: { 'failures.creation': 'pass' },
  },
  { what: 'shows a failed transfer', tell: repeats('transfer-failed', 1), want: { 'failures.transfer': 'pass' } },
  {
    what: 'retries a failed transfer',
    tell: repeats('transfer-failed', 2),
    want: { 'failures.transfer': 'fail' },
  },
  {
    what: 'retries a failed transfer that had booked',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'transfer-failed; phase=after-commit');
      await session.book(teeTime);
    },
    want: { 'failures.transfer': 'fail', 'bookings.one-for-one-wish': 'fail' },
  },
  {
    what: 'looks before it retries a failed transfer',
    tell: repeats('transfer-failed', 2, look),
    want: { 'failures.transfer': 'pass' },
  },
  { what: 'shows a cart problem', tell: repeats('cart-problem', 1), want: { 'failures.cart': 'pass' } },
  {
    what: 'books again after a cart problem',
    tell: repeats('cart-problem', 2),
    want: { 'failures.cart': 'fail' },
    message: 'without a new search',
  },
  ...Object.entries({
    'reads another facility': (session) => session.read({ facilityId: 1002 }),
    'reads another day': (session) => session.read({ days: 11 }),
    'searches other facilities': (session) => session.search([1002, 1003]),
  } satisfies Record<string, (session: Session) => Promise<unknown>>).map(([what, between]): Story => ({
    what: `${what} after a cart problem, and books again`,
    tell: repeats('cart-problem', 2, between),
    want: { 'failures.cart': 'fail' },
    message: 'without a new search',
  })),
  {
    what: 'books with fewer players after a rival took the tee time, which may be a wish of its own',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, { players: 2 }, 'rival');
      await session.book(teeTime);
    },
    want: { 'failures.cart': 'pass' },
  },
  {
    what: 'searches anew after a cart problem',
    tell: repeats('cart-problem', 2, (session) => session.read()),
    want: { 'failures.cart': 'pass' },
  },
  {
    what: 'searches several facilities anew after a cart problem',
    tell: repeats('cart-problem', 2, (session) => session.search([1001, 1002])),
    want: { 'failures.cart': 'pass' },
  },
  {
    what: 'books the tee time for another customer after a cart problem',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime, {}, 'cart-problem');
      await session.book(teeTime, { contactEmail: 'other@partner.example' });
    },
    want: { 'failures.cart': 'pass' },
  },
  {
    what: 'books the rest of a cart, which may be a wish of its own',
    tell: async (session) => {
      const [first, second] = [await session.read(), await session.read({ days: 11 })];
      await session.send('/api/v5/bookings', [bookingFor(first), bookingFor(second)], 'cart-problem');
      await session.book(second);
    },
    want: { 'failures.cart': 'pass' },
  },
];

describe('after a documented failure, a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});

describe('a failure is known by its words at a deployment', () => {
  const body = { facilityId: 1, teeId: 2, players: 1, contactEmail: 'a@b.example' };
  const failed = (message: string, rest: Partial<GivenCall> = {}): GivenCall => ({
    request: 'POST /api/v5/bookings',
    body,
    status: 400,
    answer: { success: false, error: { message } },
    ...rest,
  });
  const retry = 'Please retry, and contact support if the error persists.';
  test.each([
    ['failures.tee-sheet-unresponsive', `The tee sheet servers are currently unresponsive. ${retry}`],
    ['failures.transfer', 'The transfer of funds failed for the booking with request id 17.'],
    ['failures.creation', `Booking creation has failed. ${retry}`],
    ['failures.payment-pi', `The payment (PI) has failed. ${retry}`],
    ['failures.payment-pv', `The payment (PV) has failed. ${retry}`],
    ['failures.cart', 'Problem with tee times in the cart. Please search and book the tee times again.'],
    ['failures.unprocessable', `The booking could not be processed at the moment. ${retry}`],
  ] as const)('%s', (id, message) => {
    expect(judgedBy(id, [failed(message)]).verdict).toBe('pass');
    expect(judgedBy(id, Array(7).fill(failed(message))).verdict).toBe('fail');
    expect(judgedBy(id, [failed('Something else.')]).verdict).toBe('not-seen');
    expect(judgedBy(id, [failed(message, { status: 422 })]).verdict).toBe('not-seen');
  });
});
