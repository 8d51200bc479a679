import { describe, expect, test } from 'vitest';
import { adminOf } from '../../../support/admin.js';
import { type Client, NOW, open } from '../../../support/client.js';
import { bookingFor, findTeeTime } from '../../../support/scenes.js';

describe('the clock is moved', () => {
  const moves: readonly [body: object, now: string][] = [
    [{ advance: 'PT49H' }, '2026-06-03T09:00:00.000Z'],
    [{ advance: 'P2DT30M' }, '2026-06-03T08:30:00.000Z'],
    [{ advance: 'P1WT0.5S' }, '2026-06-08T08:00:00.500Z'],
    [{ advance: 'PT0S' }, '2026-06-01T08:00:00.000Z'],
    [{ set: '2026-12-24T18:00:00+01:00' }, '2026-12-24T17:00:00.000Z'],
    [{ set: '2025-01-01T00:00:00Z' }, '2025-01-01T00:00:00.000Z'],
    [{ freeze: true }, '2026-06-01T08:00:00.000Z'],
  ];
  test.each(moves)('%j', async (body, now) => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    expect((await admin('POST', 'clock', body)).body).toMatchObject({ now, mode: 'standing' });
    expect((await admin('GET', 'clock')).body).toEqual({ now, mode: 'standing' });
    expect(new Date(sandbox.clock.now()).toISOString()).toBe(now);
    await admin('POST', 'reset');
    expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-06-01T08:00:00.000Z');
  });

  test('a running clock can be frozen and resumed', async () => {
    let source = Date.parse(NOW);
    const { sandbox } = await open({ clock: () => source });
    const admin = adminOf(sandbox);
    const shown = async (body?: object) => {
      const { now, mode } = (await admin(body ? 'POST' : 'GET', 'clock', body)).body;
      return `${now.slice(11, 19)} ${mode}`;
    };
    expect(await shown()).toBe('08:00:00 running');
    expect(await shown({ freeze: true })).toBe('08:00:00 standing');
    source += 5000;
    expect(await shown({ advance: 'PT1M' })).toBe('08:01:00 standing');
    expect(await shown({ resume: true })).toBe('08:01:00 running');
    source += 5000;
    expect(await shown()).toBe('08:01:05 running');
    expect(await shown({ set: '2026-06-01T12:00:00Z' })).toBe('12:00:00 running');
    await shown({ freeze: true });
    await admin('POST', 'reset');
    expect(await shown()).toBe('08:00:10 running');
  });

  test('a clock frozen at an instant can be resumed with its source', async () => {
    let source = 0;
    const { sandbox } = await open({ now: NOW, clock: () => source });
    const admin = adminOf(sandbox);
    source += 60_000;
    expect((await admin('GET', 'clock')).body).toEqual({ now: '2026-06-01T08:00:00.000Z', mode: 'standing' });
    expect((await admin('POST', 'clock', { resume: true })).body.mode).toBe('running');
    source += 60_000;
    expect((await admin('GET', 'clock')).body).toEqual({ now: '2026-06-01T08:01:00.000Z', mode: 'running' });
  });
});

describe('what hangs on time follows', () => {
  const tokenOf = async (client: Client) => {
    const { refreshToken } = client.sandbox.channels.find(({ name }) => name === client.channel)!;
    return (await client.post('/api/v5/token/refreshToken', { refresh_token: refreshToken })).body.data.access_token;
  };

  test('access tokens expire, and each is reported', async () => {
    const { sandbox, fairway, links } = await open({ expiresIn: 3600 });
    const admin = adminOf(sandbox);
    const authorization = `Bearer ${await tokenOf(fairway)}`;
    const list = async () => (await fairway.get('/api/v3/countries', { headers: { authorization } })).status;
    sandbox.clock.advance(60_000);
    await tokenOf(links);
    const expired = async (advance: string) => {
      const { fired } = (await admin('POST', 'clock', { advance })).body;
      return fired.filter(({ event }: { event: string }) => event === 'access-token-expired');
    };
    expect(await expired('PT58M59S')).toEqual([]);
    expect(await list()).toBe(200);
    expect(await expired('PT2M')).toEqual([
      { at: '2026-06-01T09:00:00.000Z', event: 'access-token-expired', channel: 'fairway' },
      { at: '2026-06-01T09:01:00.000Z', event: 'access-token-expired', channel: 'links' },
    ]);
    expect(await list()).toBe(401);
  });

  test('a tee time passes: the deadline closes first, then the booking is no longer to come', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const teeTime = await findTeeTime(fairway, { days: 10 });
    const { bookingId } = (await fairway.post('/api/v5/bookings', bookingFor(teeTime))).body.data;
    const view = (await admin('GET', `bookings/${bookingId}`)).body;
    const coming = async () =>
      (await fairway.get('/api/v4/bookings')).body.data.some((one: any) => one.bookingId === bookingId);
    const firedFor = async (set: string) =>
      (await admin('POST', 'clock', { set })).body.fired
        .filter((one: any) => one.bookingId === bookingId)
        .map(({ event }: any) => event);

    expect(Date.parse(view.cancellableUntil)).toBeLessThan(Date.parse(view.startsAt));
    expect(await firedFor(view.cancellableUntil)).toEqual([]);
    expect(await coming()).toBe(true);
    const last = new Date(Date.parse(view.startsAt) - 1).toISOString();
    expect(await firedFor(last)).toEqual(['cancellation-closed']);
    expect(await coming()).toBe(true);
    expect(await firedFor(view.startsAt)).toEqual(['tee-time-passed']);
    expect(await coming()).toBe(false);
    expect(await firedFor(NOW)).toEqual([]);
    expect(await coming()).toBe(true);
    expect(await firedFor('2027-01-01T00:00:00Z')).toEqual(['cancellation-closed', 'tee-time-passed']);
  });

  test('what fired is in order', async () => {
    const { sandbox } = await open();
    const { fired, firedCount } = (await adminOf(sandbox)('POST', 'clock', { advance: 'P90D' })).body;
    const times = fired.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...times].sort());
    expect(firedCount).toBe(fired.length);
    expect(firedCount).toBeGreaterThan(0);
  });
});
