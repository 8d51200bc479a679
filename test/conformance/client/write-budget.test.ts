import fc from 'fast-check';
import { expect, test } from 'vitest';
import { permissions } from '../../../src/conformance/client/types.js';
import { transportTo } from './transport-to.js';

const MAX = 6;
const SETTLE = 3000;

/** What a deployment does with a request to book, and what it answers. */
const answers = {
  ok: (ids: readonly string[], isList: boolean) =>
    Response.json({
      success: true,
      data: isList ? { groupId: 7, bookingIds: ids.map((bookingId) => ({ bookingId })) } : { bookingId: ids[0] },
    }),
  'ok without identifiers': () => Response.json({ success: true, data: {} }),
  'ok with one identifier': (ids: readonly string[]) => Response.json({ success: true, data: { bookingId: ids[0] } }),
  'ok and no success': () => Response.json({ success: false, data: null }),
  500: () => Response.json({ success: false, data: null }, { status: 500 }),
  503: () => new Response('away', { status: 503 }),
  400: () => Response.json({ success: false, data: null }, { status: 400 }),
  404: () => Response.json({ success: false, data: null }, { status: 404 }),
  302: () => new Response(null, { status: 302, headers: { location: '/elsewhere' } }),
  429: () => Response.json({ success: false }, { status: 429 }),
  'no JSON': () => new Response('<p>Thanks'),
  'a closed connection': (): Response => {
    throw new TypeError('fetch failed');
  },
} as const;
type Answer = keyof typeof answers;

const step = fc.record({
  answer: fc.constantFrom(...(Object.keys(answers) as Answer[])),
  commits: fc.boolean(),
  form: fc.constantFrom('one' as const, 'list' as const, 'details' as const),
  count: fc.integer({ min: 1, max: 3 }),
  as: fc.constantFrom('first' as const, 'second' as const),
  /** Whether somebody else books with the same channel at that moment. */
  others: fc.boolean(),
});

const item = (at: number) => ({
  facilityId: 1,
  teetime: `2026-03-20 ${String(7 + (at % 12)).padStart(2, '0')}:00:00`,
  course: 'North',
  players: 1,
  teeId: at,
  holes: 18,
  productId: 3,
  contactFirstName: 'Ann',
  contactLastName: 'Lee',
  contactPhone: '1',
  contactEmail: 'check@example.com',
});

test('whatever a deployment answers, it is booked at most as often as allowed, and each booking is reported', async () => {
  const given = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 24 }),
    /** Milliseconds after which a list shows a booking. */
    lag: fc.constantFrom(0, 0, 500, SETTLE - 1),
    lists: fc.constantFrom('v4' as const, 'v1' as const, 'none' as const),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ steps, lists, lag }) => {
      const made: { bookingId: string; by: string; as: string; shownFrom: number; teetime: string }[] = [];
      let next: (typeof steps)[number] | undefined;
      const deployment = transportTo(
        async (request) => {
          const { pathname } = new URL(request.url);
          const as = request.headers.get('authorization') === `Basic ${btoa('bob:b-password')}` ? 'second' : 'first';
          if (request.method === 'GET') {
            const known = made.filter(
              (one) => one.as === as && one.shownFrom <= deployment.transport.options.host.now(),
            );
            const data = known.map(({ bookingId, teetime, by }) => ({
              bookingId,
              teetime: teetime.replace(' ', 'T'),
              players: 1,
              contactEmail: by === 'run' ? 'check@example.com' : 'somebody@example.com',
            }));
            if (lists === 'none' || !pathname.includes(`/${lists}/`)) return new Response('', { status: 500 });
            return Response.json({ success: true, data });
          }
          const { answer, commits, others } = next!;
          const body = (await request.json()) as any;
          const items = Array.isArray(body) ? body : (body.details ?? [body]);
          const shownFrom = deployment.transport.options.host.now() + lag;
          const add = (by: string, teetime: string) =>
            made.push({ bookingId: `b${made.length}`, by, as, shownFrom, teetime });
          const before = made.length;
          if (commits || answer === 'ok') for (const one of items) add('run', one.teetime);
          const ids = made.slice(before).map(({ bookingId }) => bookingId);
          if (others) add('others', '2026-03-20 20:00:00');
          return answers[answer](ids, items !== body && (Array.isArray(body) || 'details' in body));
        },
        {
          allow: new Set(permissions),
          second: { basic: { username: 'bob', password: 'b-password' } },
          maxBookings: MAX,
          maxErrors: 100,
          settle: SETTLE,
          maxBody: 1e6,
        },
      );
      made.push({ bookingId: 'old', by: 'others', as: 'first', shownFrom: 0, teetime: item(0).teetime });
      const { transport } = deployment;
      for (const [at, one] of steps.entries()) {
        next = one;
        const items = Array.from({ length: one.form === 'one' ? 1 : one.count }, (_, index) => item(at * 3 + index));
        const body = one.form === 'one' ? items[0] : one.form === 'list' ? items : { details: items };
        await transport.send({ operation: 'v5.createBooking', body, as: one.as, refusable: true }).catch(() => {});
      }
      await transport.lookAtBookings();
      const own = made.filter(({ by }) => by === 'run');
      expect(own.length).toBeLessThanOrEqual(MAX);
      const left = transport.budget.leftovers;
      const ids = new Set(left.map(({ bookingId }) => bookingId));
      const unnamed = own.filter(({ bookingId }) => !ids.has(bookingId));
      expect(left.filter(({ bookingId }) => bookingId === undefined).length).toBeGreaterThanOrEqual(unnamed.length);
      expect(left.filter(({ kind }) => kind === 'booking').length).toBeLessThanOrEqual(own.length);
    }),
    { numRuns: 80 },
  );
});

test.each(['500', '404', '302'] as const)(
  'a payment that is answered with %s may have been confirmed',
  async (answer) => {
    const { transport } = transportTo(
      (request) => (request.url.includes('payment') ? answers[answer]() : answers.ok(['b1'], false)),
      { allow: new Set(permissions), maxBody: 1e6 },
    );
    await transport.send({ operation: 'v5.createBooking', body: item(1) });
    await transport.send({ operation: 'v4.confirmPayment.post', params: { serviceBookingId: 'b1' } });
    expect(transport.own.payments).toMatchObject([{ kind: 'perhaps', bookingId: 'b1' }]);
  },
);

test.each<[what: string, answer: Answer, commits: boolean, kinds: readonly string[]]>([
  ['a refusal of a deployment whose list works leaves nothing', 400, false, ['booking', 'booking']],
  ['an error after the booking leaves it', 500, true, ['booking', 'booking', 'booking']],
  ['a lost answer that the list settles leaves nothing', 'a closed connection', false, ['booking', 'booking']],
])('%s', async (_, answer, commits, kinds) => {
  const made: object[] = [];
  let now: Answer = 'ok';
  const { transport } = transportTo(
    async (request) => {
      if (request.method === 'GET') return Response.json({ success: true, data: made });
      const body = (await request.json()) as any;
      if (now === 'ok' || commits) made.push({ ...body, bookingId: `b${made.length}` });
      return answers[now]([`b${made.length - 1}`], false);
    },
    { allow: new Set(permissions), maxBookings: 9, settle: SETTLE, maxBody: 1e6 },
  );
  for (const [at, one] of (['ok', answer, 'ok'] as const).entries()) {
    now = one;
    await transport.send({ operation: 'v5.createBooking', body: item(at), refusable: true }).catch(() => {});
  }
  await transport.lookAtBookings();
  expect(transport.budget.leftovers.map(({ kind }) => kind)).toEqual(kinds);
  expect(transport.budget.left).toBe(9 - kinds.length);
});
