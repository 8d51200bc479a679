import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookingFor, findTeeTime } from '../../../support/scenes.js';
import { soon, stage, START } from '../../../support/scenarios/clock-stage.js';

type Events = { readonly at: string; readonly event: string; readonly planId?: string }[];

/** A sandbox in which something of every kind is to come. */
async function busy() {
  const { admin, ask, fairway, move, sandbox } = await stage({ a: 9 }, { expiresIn: 3600 });
  const { refreshToken } = sandbox.channels[0]!;
  await fairway.post('/api/v5/token/refreshToken', { refresh_token: refreshToken });
  await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway, { days: 10 })));
  await admin('POST', 'plans', { scenario: 'rate-limited', ttl: 60, operation: 'listPrices' });
  await admin('POST', 'plans', { scenario: 'rate-limited', ttl: 90, channel: 'links' });
  await ask('a');
  await soon();
  await ask('b', 'callback-late; delay=5000ms');
  const next = async (limit = 1000) => (await admin('GET', `clock/next?limit=${limit}`)).body;
  return { admin, fairway, move, next, sandbox };
}

const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

test('what comes next is told in order, with the first of each kind', async () => {
  const { next } = await busy();
  const { now, count, kinds, next: events } = await next();
  expect(now).toBe(at(0));
  expect(count).toBe(events.length);
  expect(events.slice(0, 5)).toEqual([
    { at: at(1), event: 'callback-retried', channel: 'fairway', callbackId: 'callback-1' },
    { at: at(5), event: 'callback-posted', channel: 'fairway', callbackId: 'callback-2' },
    { at: at(60), event: 'plan-expired', planId: 'plan-1' },
    { at: at(90), event: 'plan-expired', channel: 'links', planId: 'plan-2' },
    { at: at(3600), event: 'access-token-expired', channel: 'fairway' },
  ]);
  const times = events.map((one: { at: string }) => one.at);
  expect(times).toEqual([...times].sort());
  expect(kinds.map(({ event }: { event: string }) => event).sort()).toEqual([
    'access-token-expired',
    'callback-posted',
    'callback-retried',
    'cancellation-closed',
    'plan-expired',
    'tee-time-passed',
  ]);
  for (const { event, count: many, first } of kinds) {
    const all = events.filter((one: { event: string }) => one.event === event);
    expect([event, many, first]).toEqual([event, all.length, all[0]]);
  }
  expect(await next(2)).toEqual({ now, count, kinds, next: events.slice(0, 2) });
});

test('a move of the clock sets off what was told, and nothing else but further retries', async () => {
  const isRetry = ({ event }: { event: string }) => event === 'callback-retried';
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 * 86_400 }), async (seconds) => {
      const { next, move } = await busy();
      const told: Events = (await next()).next.filter((one: { at: string }) => one.at <= at(seconds));
      const { fired } = await move({ advance: `PT${seconds}S` });
      expect(fired.filter((one: Events[number]) => !isRetry(one))).toEqual(told.filter((one) => !isRetry(one)));
      expect(fired.filter(isRetry).slice(0, 1)).toEqual(told.filter(isRetry));
      const left: Events = (await next()).next;
      expect(left.filter((one) => one.at <= at(seconds))).toEqual([]);
    }),
    { seed: 15, numRuns: 12, examples: [[1], [3600], [30 * 86_400]] },
  );
});

test('a cancelled booking, a spent plan and what comes after 2199 are not to come', async () => {
  const { admin, fairway, next } = await busy();
  const told = async () => (await next()).next as Events;
  await admin('POST', 'plans', { scenario: 'rate-limited', ttl: 1e11, channel: 'links' });
  await admin('POST', 'plans', { scenario: 'rate-limited', ttl: 120, operation: 'listCountries' });
  const plans = async () => (await told()).flatMap(({ planId = [] }) => planId);
  expect(await plans()).toEqual(['plan-1', 'plan-2', 'plan-4']);
  expect((await admin('GET', 'plans/plan-4')).body.expiresAt).toBe(at(120));
  expect((await fairway.get('/api/v3/countries')).status).toBe(429);
  expect((await admin('GET', 'plans/plan-4')).body).not.toHaveProperty('expiresAt');
  expect(await plans()).toEqual(['plan-1', 'plan-2']);

  const [{ bookingId }] = (await admin('GET', 'bookings?order=newest&limit=1')).body.bookings;
  const ofBooking = async () => (await told()).filter((one) => 'bookingId' in one && one.bookingId === bookingId);
  expect((await ofBooking()).map(({ event }) => event)).toEqual(['cancellation-closed', 'tee-time-passed']);
  await admin('POST', `bookings/${bookingId}/cancel`);
  expect(await ofBooking()).toEqual([]);
});
