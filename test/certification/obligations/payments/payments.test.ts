import { describe, expect, test } from 'vitest';
import { forms } from '../../../engine/dialect/forms.js';
import { bookGroup, bookOne, pay, payBulk } from '../../../support/payments.js';
import { type Session, type Story, verdictsOf } from '../../../support/obligations/session.js';

const own = 'payments.own';
const identifier = 'payments.identifier';
const paused = 'payments.v5-paused';

/** Books one tee time and does something with its identifier. */
const booked = (then: (session: Session, id: string) => Promise<unknown>) => async (session: Session) =>
  then(session, await bookOne(session.client));
const struck = (scenario: string) => ({ headers: { 'teebox-scenario': scenario } });
const path = (id: string, version = 'v4') => `/api/${version}/bookings/payment/${encodeURIComponent(id)}`;

const stories: readonly Story[] = [
  ...(['v1', 'v3', 'v4'] as const).map((version) => ({
    what: `pays in ${version}`,
    tell: booked(({ client }, id) => pay(client, version, id)),
    want: { [own]: 'pass', [identifier]: 'pass', [paused]: 'pass' } as const,
  })),
  {
    what: 'pays in v5 alone',
    tell: booked(({ client }, id) => pay(client, 'v5', id)),
    want: { [own]: 'pass', [identifier]: 'pass', [paused]: 'not-seen' },
  },
  {
    what: 'pays `undefined` besides its booking',
    tell: booked(async ({ client }, id) => {
      await pay(client, 'v4', id);
      await pay(client, 'v4', 'undefined');
    }),
    want: { [own]: 'fail' },
  },
  {
    what: 'asks v5 again and again, then pays in v4',
    tell: booked(async ({ client }, id) => {
      await pay(client, 'v5', id);
      await pay(client, 'v5', id, 'GET');
      await pay(client, 'v4', id);
    }),
    want: { [paused]: 'pass' },
  },
  {
    what: 'pays two times',
    tell: booked(async ({ client }, id) => {
      await pay(client, 'v4', id);
      await pay(client, 'v4', id);
    }),
    want: {},
  },
  {
    what: 'pays in two versions with two methods',
    tell: booked(async ({ client }, id) => {
      await pay(client, 'v3', id);
      await pay(client, 'v4', id, 'GET');
    }),
    want: {},
  },
  ...[
    'connection-reset; phase=after-commit',
    'server-error; phase=after-commit',
    'malformed-json',
    'truncated-body',
  ].map((scenario) => ({
    what: `pays again after ${scenario}`,
    tell: booked(async ({ client }, id) => {
      await client.post(path(id), undefined, struck(scenario)).catch(() => undefined);
      await client.post(path(id), undefined);
    }),
    want: { [own]: 'pass' } as const,
  })),
  {
    what: 'pays what it found in the list after a lost answer',
    tell: async (session) => {
      await session.book(await session.read(), {}, 'connection-reset; phase=after-commit');
      const { body } = await session.look();
      await pay(session.client, 'v4', body.data.at(-1).bookingId);
    },
    want: { [own]: 'pass', [identifier]: 'pass' },
  },
  {
    what: 'pays what nobody booked',
    tell: booked(({ client }) => pay(client, 'v4', 'TBX-1001-1-unknown')),
    want: { [own]: 'fail', [identifier]: 'not-seen' },
    message: 'no answer of the service has named',
  },
  {
    what: 'pays what it may have booked before the session',
    tell: async (session) => {
      session.facts = {};
      await pay(session.client, 'v4', 'TBX-1001-1-unknown');
    },
    want: { [own]: 'not-seen' },
  },
  {
    what: 'pays a group by its id, in v5 and v3',
    tell: async (session) => {
      const { client } = session;
      await payBulk(client, 'v5', (await bookGroup(client)).id);
      const teeTime = await session.read();
      const { amount } = teeTime.products[0].pricing[0].netRate;
      const bulk = await session.send('/api/v3/bulkbookings', [forms.v3(teeTime, { netRate: amount })]);
      await payBulk(client, 'v3', bulk!.body.data.bulkBookingId);
    },
    want: { [own]: 'pass', [identifier]: 'pass' },
  },
  {
    what: 'pays the bookings of a group one by one',
    tell: async ({ client }) => {
      for (const id of (await bookGroup(client)).bookingIds) await pay(client, 'v4', id);
    },
    want: { [own]: 'pass', [identifier]: 'pass' },
  },
  {
    what: 'pays a group, then its bookings',
    tell: async ({ client }) => {
      const group = await bookGroup(client);
      await payBulk(client, 'v4', group.id);
      await pay(client, 'v4', group.bookingIds[0]!);
    },
    want: {},
  },
  {
    what: 'pays a booking of a group, then the group',
    tell: async ({ client }) => {
      const group = await bookGroup(client);
      await pay(client, 'v4', group.bookingIds[0]!);
      await payBulk(client, 'v4', group.id);
    },
    want: {},
  },
  {
    what: 'pays a booking by the id of its group',
    tell: async ({ client }) => pay(client, 'v4', String((await bookGroup(client)).id)),
    want: { [identifier]: 'fail', [own]: 'not-seen' },
    message: 'which is the identifier of a group',
  },
  {
    what: 'pays a group by the id of a booking',
    tell: async ({ client }) => payBulk(client, 'v4', (await bookGroup(client)).bookingIds[0]!),
    want: { [identifier]: 'fail', [own]: 'not-seen', 'requests.documented-parameters': 'fail' },
    message: 'which is the identifier of one booking',
  },
  {
    what: 'pays by the tee time',
    tell: async (session) => {
      const teeTime = await session.read();
      await session.book(teeTime);
      await pay(session.client, 'v4', String(teeTime.teeid));
    },
    want: { [identifier]: 'fail', [own]: 'not-seen' },
  },
  ...(['message', 'data', 'header'] as const).map((place) => ({
    what: `pays a paused group of v5 again, with the message in the ${place}`,
    options: {
      dialect: { answers: { 'payment.v5.paused-message': place, 'bulk-payment.v5.state': 'paused' } },
    } as const,
    tell: async ({ client }: Session) => {
      const { id } = await bookGroup(client);
      await payBulk(client, 'v5', id);
      await payBulk(client, 'v5', id);
      await payBulk(client, 'v4', id);
    },
    want: {},
  })),
];

describe('payments: a client that', () => {
  test.each(stories)('$what', async (story) => {
    const { got, messages } = await verdictsOf(story);
    expect(got).toEqual(story.want);
    expect(messages).toContain(story.message ?? '');
  });
});
