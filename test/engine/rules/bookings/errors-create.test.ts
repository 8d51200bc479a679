import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../../src/engine/state/dialect.js';
import { refusalStatus, refusalWords, transferFailedWords } from '../../../../src/engine/api/refusals.js';
import { forms } from '../../dialect/forms.js';
import { type Client, open, type Reply } from '../../../support/client.js';
import { roundFor, roundsOf, TWICE_ROUND } from '../../../support/linked.js';
import { keptIn } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type TeeTime, teeTimesOf } from '../../../support/scenes.js';
import { openAtOnce, viewsOf } from '../../../support/views.js';

const RETRY = /try again.*contact support\.$/;
const CART = /search and book the tee times again\.$/;

describe('a refused creation', () => {
  type Body = (teeTime: TeeTime) => unknown;
  const extra = { extraProduct: [{ mid: 100501, quantity: 1 }] };
  const v5 = '/api/v5/bookings';
  const v3 = '/api/v3/bulkbookings';
  const v2 = '/api/v2/bookings';
  const table: readonly { name: string; path: string; body: Body; message: RegExp }[] = [
    { name: 'a malformed field', path: v5, body: (one) => bookingFor(one, { players: 5 }), message: /`players`/ },
    { name: 'a missing field', path: v2, body: (one) => forms.v2(one, { round: undefined }), message: /`round`/ },
    { name: 'a bad item', path: v3, body: (one) => [forms.v3(one, {}), 1], message: /`\[1\]`/ },
    { name: 'no booking at all', path: v5, body: () => [], message: /list of bookings/ },
    { name: 'details that are none', path: v5, body: () => ({ details: {} }), message: /`details`/ },
    { name: 'an extra of elsewhere', path: v5, body: (one) => bookingFor(one, extra), message: /`extraProduct`/ },
    { name: 'no such tee time', path: v5, body: (one) => bookingFor(one, { teeId: -1 }), message: CART },
    { name: 'no such tee time', path: v2, body: (one) => forms.v2(one, { teeId: -1 }), message: CART },
    { name: 'no such tee time', path: v3, body: (one) => [forms.v3(one, { teeId: -1 })], message: CART },
    { name: 'no such product', path: v5, body: (one) => [bookingFor(one, { productId: 1 })], message: CART },
  ];

  for (const { name, path, body, message } of table) {
    rule(['errors.create.status', 'errors.create.message'], `${path}: ${name}`, async () => {
      const { fairway } = await open();
      const reply = await fairway.post(path, body(await findTeeTime(fairway)));
      expect(reply).toMatchObject({ status: 400, body: { success: false, data: null } });
      expect(reply.body).toEqual({ success: false, data: null, message: expect.stringMatching(message) });
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    });
  }

  rule(['errors.create.status', 'errors.create.message'], 'linked rounds that are not linked', async () => {
    const { fairway } = await open();
    const [one, two] = await roundsOf(fairway, TWICE_ROUND);
    const rounds = [one!, two!].map((teeTime, index) => roundFor(TWICE_ROUND, teeTime, { players: 1 + index }));
    const reply = await fairway.post(v5, rounds);
    expect(reply.status).toBe(400);
    const message = expect.stringContaining('same number of players');
    expect(reply.body).toEqual({ success: false, data: null, message });
  });

  const says = 'an invalid body is told in the words of the last row, with its field';
  rule(['errors.create.unprocessable', 'errors.create.retry-hint', 'errors.create.message'], says, async () => {
    const { fairway } = await open();
    const [one, two] = await roundsOf(fairway, TWICE_ROUND);
    const rounds = [one!, two!].map((teeTime, index) => roundFor(TWICE_ROUND, teeTime, { players: 1 + index }));
    for (const [path, body, names] of [
      [v5, bookingFor(one!, { contactEmail: undefined }), '`contactEmail`'],
      [v3, [forms.v3(one!, { netRate: undefined })], '`[0].netRate`'],
      [v5, [], '`body`'],
      [v5, rounds, 'same number of players'],
    ] as const) {
      const { message } = (await fairway.post(path, body)).body;
      expect(message).toMatch(/^The booking could not be processed at the moment: /);
      expect(message).toMatch(RETRY);
      expect(message).toContain(names);
    }
  });

  rule('errors.create.message', 'each cause reads its own way', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway);
    const messages: string[] = [];
    for (const changes of [{ players: 5 }, { players: 0 }, { holes: 5 }, { course: '' }, { teeId: -1 }]) {
      messages.push((await fairway.post(v5, bookingFor(teeTime, changes))).body.message);
    }
    expect(new Set(messages).size).toBe(5);
  });
});

describe('one bad item in a list', () => {
  const bad: readonly { name: string; changes: Record<string, unknown>; message: RegExp }[] = [
    { name: 'malformed', changes: { holes: 10 }, message: /`(details)?\[\d\]\.holes`/ },
    { name: 'not bookable', changes: { teeId: -1 }, message: CART },
    { name: 'too many', changes: { players: 4 }, message: CART },
  ];
  type Items = readonly Record<string, unknown>[];
  const posts: Readonly<Record<string, (client: Client, items: Items) => Promise<Reply>>> = {
    array: (client, items) => client.post('/api/v5/bookings', items),
    details: (client, items) => client.post('/api/v5/bookings', { details: items, paymentIntent: 'pi_1' }),
    bulk: (client, items) => client.post('/api/v3/bulkbookings', items),
  };
  for (const { name, changes, message } of bad) {
    for (const [shape, post] of Object.entries(posts)) {
      const ids = ['bookings.effect.refused-no-trace', 'errors.create.status'] as const;
      rule(ids, `${name}: nothing of the ${shape} is booked`, async () => {
        const clients = await openAtOnce();
        const { fairway } = clients;
        const form = shape === 'bulk' ? forms.v3 : forms.v5;
        const free = await teeTimesOf(fairway, { players: 4 });
        const good = free.slice(0, 2).map((teeTime) => form(teeTime, {}));
        const items = [...good, form(free[0]!, changes)];
        const see = async () => [keptIn(clients.sandbox), await viewsOf(fairway)];
        const before = await see();
        for (const list of [items, [items[2]!, ...good], [good[0]!, items[2]!, good[1]!]]) {
          const reply = await post(fairway, list);
          expect(reply).toMatchObject({ status: 400, body: { success: false, data: null } });
          expect(reply.body.message).toMatch(message);
        }
        expect(await see()).toEqual(before);
        expect((await post(fairway, good)).status).toBe(200);
        expect(await see()).not.toEqual(before);
      });
    }
  }
});

describe('the words of the documented conditions', () => {
  const table = [
    { code: 'tee-sheet-unresponsive', words: [/tee sheet/, /currently unresponsive/], retry: true },
    { code: 'transfer-failed', words: [/transfer of funds/, /request id req-17\b/], retry: false },
    { code: 'booking-failed', words: [/^Booking creation has failed/], retry: true },
    { code: 'payment-pi-failed', words: [/^Payment \(PI\) has failed/], retry: true },
    { code: 'payment-pv-failed', words: [/^Payment \(PV\) has failed/], retry: true },
    { code: 'cart-problem', words: [/tee times in your cart/, CART], retry: false },
    { code: 'unprocessable', words: [/could not be processed at the moment/], retry: true },
  ] as const;
  for (const { code, words, retry } of table) {
    rule([`errors.create.${code}`, 'errors.create.retry-hint', 'errors.create.status'], code, () => {
      const message = refusalWords(code, transferFailedWords('req-17'));
      for (const part of words) expect(message).toMatch(part);
      expect(RETRY.test(message)).toBe(retry);
      expect(message.includes('support')).toBe(retry);
      expect(refusalStatus(code, answersOf({}))).toBe(400);
    });
  }

  test('no dialect gives them another status', () => {
    const answers = answersOf({ answers: { 'error.validation': 422, 'booking.unknown': 404, 'auth.failure': 403 } });
    for (const { code } of table) expect(refusalStatus(code, answers)).toBe(400);
  });
});
