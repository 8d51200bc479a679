import { describe, expect, test } from 'vitest';
import { createSandbox, type RivalsOptions, type Sandbox, type SandboxOptions } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { listedIds, LISTING } from '../../support/booking-list.js';
import { type Client, open } from '../../support/client.js';
import { bookingFor, teeTimesOf } from '../../support/scenes.js';
import { viewsOf } from '../../support/views.js';

const HOUR = 3_600_000;

/** What the rivals have booked, in order. */
function bookedBy(sandbox: Sandbox) {
  const all = sandbox.snapshot().store.bookings.filter(({ channel }) => channel === 'rivals');
  return all.map(({ teeId, players, createdAt, facilityId }) => ({ teeId, players, createdAt, facilityId }));
}

const freeOf = async (client: Client) => {
  const teeTimes = await teeTimesOf(client);
  return teeTimes.reduce((sum, { products }) => sum + products[0].available, 0);
};

async function openWith(rivals: SandboxOptions['rivals'], options: SandboxOptions = {}) {
  const clients = await open({ ...options, ...(rivals === undefined ? {} : { rivals }) });
  return { ...clients, admin: adminOf(clients.sandbox) };
}

/** Looks at a tee sheet, and lets six hours pass in moves of the clock. */
async function sixHours(
  rivals: SandboxOptions['rivals'],
  moves: readonly number[],
): Promise<ReturnType<typeof bookedBy>> {
  const { fairway, sandbox } = await openWith(rivals);
  await teeTimesOf(fairway);
  for (const hours of moves) sandbox.clock.advance(hours * HOUR);
  await fairway.get('/api/v3/countries');
  return bookedBy(sandbox);
}

describe('competing buyers', () => {
  test('book at instants of the clock, the same for the same seed, however it is moved', async () => {
    const booked = await sixHours({ rate: 10, seed: 7 }, [6]);
    expect(booked.length).toBeGreaterThan(50);
    expect(await sixHours('rate=10; seed=7', [6])).toEqual(booked);
    expect(await sixHours({ rate: 10, seed: 7 }, [1, 2, 0.5, 0.25, 2.25])).toEqual(booked);
    expect(await sixHours({ rate: 10, seed: 8 }, [6])).not.toEqual(booked);
    const instants = booked.map((one) => one.createdAt);
    expect(instants).toEqual([...instants].sort());
    expect(instants.every((one) => one >= '2026-06-01T08:00:00.000' && one <= '2026-06-01T14:00:00.000')).toBe(true);
  });

  test('book nothing while the clock stands, and nothing unless they are asked for', async () => {
    const { fairway, sandbox } = await openWith({ rate: 10_000 });
    const free = await freeOf(fairway);
    expect([await freeOf(fairway), bookedBy(sandbox)]).toEqual([free, []]);
    const calm = await openWith(undefined);
    calm.sandbox.clock.advance(24 * HOUR);
    expect([await freeOf(calm.fairway), bookedBy(calm.sandbox)]).toEqual([free, []]);
  });

  test('have booked what the operator sees, while a clock runs', async () => {
    let now = Date.parse('2026-06-01T08:00:00Z');
    const { fairway, admin } = await openWith({ rate: 20, seed: 1 }, { clock: () => now });
    await teeTimesOf(fairway);
    now += 2 * HOUR;
    const { body } = await admin('GET', 'bookings?channel=rivals');
    expect(body.bookings.length).toBeGreaterThan(10);
  });

  test('take the tee times that a client looks at, in every version, and never more than there are', async () => {
    const { fairway, sandbox, admin } = await openWith({ rate: 20, seed: 1 });
    const before = new Map((await teeTimesOf(fairway)).map((one) => [one.teeid, one.products[0].available]));
    sandbox.clock.advance(2 * HOUR);
    // Tee times of 9 holes are on the same sheet, and not in this list.
    for (const { teeId, players } of bookedBy(sandbox)) before.set(teeId, (before.get(teeId) ?? NaN) - players);
    for (const one of await teeTimesOf(fairway)) expect(one.products[0].available).toBe(before.get(one.teeid));
    const { v2, v3, v4, v5 } = await viewsOf(fairway);
    expect(new Set([v2.length, v3.length, v4.length, v5.length]).size).toBe(1);
    sandbox.clock.advance(40 * HOUR);
    expect(await freeOf(fairway)).toBe(0);
    const { body } = await admin('GET', 'tee-sheets/1001?date=2026-06-11');
    for (const { slots, free, bookings } of body.courses.flatMap((one: { teeTimes: unknown[] }) => one.teeTimes)) {
      expect(free).toBeGreaterThanOrEqual(0);
      expect(bookings.reduce((sum: number, one: { players: number }) => sum + one.players, 0)).toBeLessThanOrEqual(
        slots ?? 4,
      );
    }
  });

  test('come before a client that hesitates, whose booking is a cart problem like any other', async () => {
    const { fairway, sandbox } = await openWith({ rate: 30, seed: 3 });
    const teeTimes = await teeTimesOf(fairway);
    sandbox.clock.advance(30 * HOUR);
    const late = await fairway.post('/api/v5/bookings', bookingFor(teeTimes[0]!));
    const real = await (
      await open()
    ).fairway.post('/api/v5/bookings', bookingFor(teeTimes[0]!, { course: 'Elsewhere' }));
    expect([late.status, late.text, late.rule]).toEqual([400, real.text, 'bookings.effect.availability']);
  });

  test('are in no list of a channel, and in those of the operator', async () => {
    const { sandbox, admin, ...clients } = await openWith({ rate: 5 });
    await freeOf(clients.fairway);
    sandbox.clock.advance(10 * HOUR);
    const seeded = await open();
    for (const name of ['fairway', 'links', 'caddie'] as const) {
      for (const version of LISTING) {
        expect(await listedIds(clients[name], version)).toEqual(await listedIds(seeded[name], version));
      }
    }
    const { body } = await admin('GET', 'bookings?channel=rivals');
    expect(body.count).toBe(bookedBy(sandbox).length);
    expect(body.bookings[0]).toMatchObject({ channel: 'rivals', status: 'BOOKED' });
    const { bookingId } = body.bookings[0];
    expect((await admin('POST', `bookings/${bookingId}/cancel`)).status).toBe(200);
    expect((await admin('GET', `bookings/${bookingId}`)).body.status).toBe('CANCELED');
  });

  test('spread over the world where nobody looks', async () => {
    const { sandbox } = await openWith({ rate: 100, seed: 2 });
    sandbox.clock.advance(HOUR);
    const facilities = bookedBy(sandbox).map((one) => one.facilityId);
    expect(facilities.length).toBeGreaterThan(50);
    expect(new Set(facilities).size).toBeGreaterThan(25);
  });

  test('stop after their last attempt, however far the clock goes', async () => {
    const { sandbox, admin } = await openWith({ rate: 10_000 });
    sandbox.clock.set('2030-06-01T08:00:00Z');
    const { rivals } = (await admin('GET', 'rivals')).body;
    expect(rivals).toMatchObject({ attempts: 10_000, state: 'done' });
    expect(rivals.booked).toBe(bookedBy(sandbox).length);
  });
});

describe('they can be kept, ended and told of', () => {
  test('go on where a snapshot was taken, and start anew with a reset', async () => {
    const { fairway, sandbox } = await openWith({ rate: 12, seed: 4 });
    await freeOf(fairway);
    sandbox.clock.advance(HOUR);
    const state = sandbox.snapshot();
    sandbox.clock.advance(3 * HOUR);
    const due = bookedBy(sandbox);
    await sandbox.restore(state);
    sandbox.clock.advance(3 * HOUR);
    expect(bookedBy(sandbox)).toEqual(due);
    const other = await createSandbox({ state });
    other.clock.advance(3 * HOUR);
    expect(bookedBy(other)).toEqual(due);
    await sandbox.reset();
    expect(bookedBy(sandbox)).toEqual([]);
    await freeOf(fairway);
    sandbox.clock.advance(4 * HOUR);
    expect(bookedBy(sandbox)).toEqual(due);
  });

  test('over HTTP, and in the answer of a move of the clock', async () => {
    const { fairway, sandbox, admin } = await openWith(undefined);
    expect((await admin('GET', 'rivals')).body).toEqual({ rivals: null });
    const started = await admin('POST', 'rivals', { rate: 6, seed: 7 });
    const since = '2026-06-01T08:00:00.000Z';
    const none = { rate: 6, seed: 7, since, booked: 0, attempts: 0, state: 'booking' };
    expect(started.body).toEqual({ rivals: none });
    await freeOf(fairway);
    const { fired } = (await admin('POST', 'clock', { advance: 'PT2H' })).body;
    const told = fired.filter(({ event }: { event: string }) => event === 'rival-booked');
    expect(told.map(({ at }: { at: string }) => at)).toEqual(bookedBy(sandbox).map((one) => `${one.createdAt}Z`));
    expect(told.length).toBeGreaterThan(8);
    expect((await admin('DELETE', 'rivals')).body).toEqual({ status: 'ended' });
    await admin('POST', 'clock', { advance: 'PT2H' });
    expect(bookedBy(sandbox)).toHaveLength(told.length);
  });

  const wrong: readonly [options: unknown, message: RegExp][] = [
    [{}, /`rate` must be a number of bookings per hour, more than 0 and at most 10000; got nothing/],
    [{ rate: 0 }, /`rate` must be .*; got 0/],
    [{ rate: '5%' }, /`rate` must be .*; got "5%"/],
    [{ rate: 10_001 }, /`rate` must be .*; got 10001/],
    [{ rate: Infinity }, /`rate` must be .*; got Infinity/],
    [{ rate: 1, seed: 1.5 }, /`seed` must be .*; got 1\.5/],
    [{ rate: 1, only: ['slow'] }, /`only` is not known here; the known names are rate, seed/],
    ['rate=5%', /`rate` must be .*; got "5%"/],
    ['rate=1; sed=7', /`sed=7` is not a setting/],
  ];
  test.each(wrong)('%j is refused', async (rivals, message) => {
    await expect(openWith(rivals as RivalsOptions)).rejects.toThrow(message);
  });
});
