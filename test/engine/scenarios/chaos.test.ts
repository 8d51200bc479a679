import { describe, expect, test } from 'vitest';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import type { ChaosOptions, SandboxOptions } from '../../../src/engine/library.js';
import { appliesTo } from '../../../src/engine/scenarios/spec.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open } from '../../support/client.js';
import { accessTokenOf, bearer } from '../../support/credentials.js';
import { postPatiently } from '../../support/scenarios/patience.js';
import { bookingFor, type TeeTime, teeTimesOf } from '../../support/scenes.js';

/** A sandbox that waits for nothing. */
function openQuick(options: SandboxOptions = {}) {
  return open({
    schedule: (work) => {
      queueMicrotask(work);
      return () => {};
    },
    fetch: async () => new Response(null, { status: 204 }),
    ...options,
  });
}

/** Sends the same requests each time, and tells what struck each of them. */
async function struckIn(client: Client, count: number): Promise<string[]> {
  const from = client.sandbox.journal.entries.length;
  for (let turn = 0; turn < count; turn += 1) {
    await client.get(turn % 2 ? '/api/v3/countries' : '/api/v4/bookings').catch(() => {});
  }
  return client.sandbox.journal.entries.slice(from).map(({ scenario: met }) => {
    if (!met) return '';
    expect(met).toMatchObject({ source: 'chaos', struck: true });
    return `${met.id}; phase=${met.phase}`;
  });
}

async function freshly(chaos: SandboxOptions['chaos'], count = 400): Promise<string[]> {
  const { fairway } = await openQuick(chaos === undefined ? {} : { chaos });
  return struckIn(fairway, count);
}

const shareOf = (seen: readonly string[]) => seen.filter((one) => one !== '').length / seen.length;

describe('a random mix', () => {
  test('strikes the same requests in the same ways for the same seed', async () => {
    const count = 150;
    const seen = await freshly({ rate: 0.3, seed: 7 }, count);
    expect(await freshly({ rate: 0.3, seed: 7 }, count)).toEqual(seen);
    expect(await freshly('rate=30%; seed=7', count)).toEqual(seen);
    expect(await freshly({ rate: 0.3, seed: 8 }, count)).not.toEqual(seen);
    expect(new Set(seen).size).toBeGreaterThan(8);
  });

  test.each<[rate: ChaosOptions['rate'], least: number, most: number]>([
    [0, 0, 0],
    ['0%', 0, 0],
    ['5%', 0.02, 0.09],
    [0.5, 0.42, 0.58],
    ['100%', 1, 1],
    [1, 1, 1],
  ])('of %s strikes that share of requests', async (rate, least, most) => {
    const share = shareOf(await freshly({ rate, seed: 3 }));
    expect(share).toBeGreaterThanOrEqual(least);
    expect(share).toBeLessThanOrEqual(most);
  });

  test('draws by weight, in all phases, and leaves out what has no weight', async () => {
    const seen = await freshly({ rate: 1 }, 900);
    const fits = scenarios.filter((one) => appliesTo(one, 'listCountries') && one.id !== 'token-expired');
    const total = fits.reduce((sum, { weight = 1 }) => sum + weight, 0);
    for (const { id, weight = 1, after } of fits) {
      const count = seen.filter((one) => one.startsWith(`${id};`)).length;
      const due = (900 * weight) / total;
      // Five standard deviations.
      expect(Math.abs(count - due), id).toBeLessThanOrEqual(5 * Math.sqrt(due));
      if (weight < 3) continue;
      for (const phase of Object.keys(after)) expect(seen, id).toContain(`${id}; phase=${phase}`);
    }
    expect(seen.some((one) => one.startsWith('credentials-revoked'))).toBe(false);
  });

  test('draws only what is named, also what has no weight', async () => {
    const ids = new Set(
      (await freshly('rate=100%; only=maintenance, rate-limited', 60)).map((one) => one.split(';')[0]),
    );
    expect([...ids].sort()).toEqual(['maintenance', 'rate-limited']);
    const { fairway } = await openQuick({ chaos: { rate: 1, only: ['credentials-revoked'] } });
    expect(await struckIn(fairway, 1)).toEqual(['credentials-revoked; phase=before-commit']);
  });

  test('draws what needs an access token only for a request that has one', async () => {
    const { fairway, sandbox } = await openQuick();
    const token = await accessTokenOf(fairway);
    sandbox.scenarios.chaos({ rate: 1, only: ['token-expired'] });
    expect((await fairway.get('/api/v3/countries')).status).toBe(200);
    const reply = await fairway.get('/api/v3/countries', { headers: bearer(token) });
    expect([reply.status, reply.headers.get('teebox-scenario')]).toEqual([401, 'token-expired; source=chaos']);
  });

  test('comes after everything else', async () => {
    const { fairway, sandbox } = await openQuick({ chaos: 'rate=1; only=maintenance' });
    const headers = { 'teebox-scenario': 'server-error' };
    const asked = await fairway.get('/api/v3/countries', { headers });
    expect([asked.status, asked.headers.get('teebox-scenario')]).toEqual([500, 'server-error; source=header']);
    expect(sandbox.scenarios.chaos()).toMatchObject({ seen: 1, struck: 0 });
  });

  test('strikes bookings at their checkpoints, and says what it did', async () => {
    const { fairway, sandbox } = await openQuick();
    // One a day: what sells out is a day.
    const teeTimes: TeeTime[] = [];
    for (let days = 10; teeTimes.length < 40; days += 1)
      teeTimes.push(...(await teeTimesOf(fairway, { days })).slice(0, 1));
    sandbox.scenarios.chaos({ rate: 1, seed: 5 });
    for (const teeTime of teeTimes) await postPatiently(fairway, '/api/v5/bookings', bookingFor(teeTime));
    const met = sandbox.journal.entries.filter(({ method }) => method === 'POST').map(({ scenario }) => scenario);
    expect(met.filter((one) => one?.struck).length).toBe(met.length);
    expect(new Set(met.map((one) => one!.id)).size).toBeGreaterThan(10);
    expect(sandbox.scenarios.chaos()).toMatchObject({ seen: 40, struck: 40 });
  });
});

describe('a mix can be kept and ended', () => {
  test('goes on where a snapshot was taken', async () => {
    const { fairway, sandbox } = await openQuick({ chaos: { rate: 0.5, seed: 9 } });
    await struckIn(fairway, 25);
    const state = sandbox.snapshot();
    const due = await struckIn(fairway, 50);
    await sandbox.restore(state);
    expect(await struckIn(fairway, 50)).toEqual(due);
    const other = await openQuick({ state });
    expect(await struckIn(other.fairway, 50)).toEqual(due);
    const overridden = await openQuick({ state, chaos: 'rate=0' });
    expect(shareOf(await struckIn(overridden.fairway, 50))).toBe(0);
  });

  test('a reset goes back to the mix of the start', async () => {
    const { fairway, sandbox } = await openQuick({ chaos: { rate: 0.5, seed: 9 } });
    const due = await struckIn(fairway, 30);
    sandbox.scenarios.chaos(null);
    expect(shareOf(await struckIn(fairway, 10))).toBe(0);
    await sandbox.reset();
    expect(await struckIn(fairway, 30)).toEqual(due);
    const { sandbox: calm } = await openQuick();
    calm.scenarios.chaos({ rate: 1 });
    await calm.reset();
    expect(calm.scenarios.chaos()).toBeNull();
  });

  test('over HTTP', async () => {
    const { fairway, sandbox } = await openQuick();
    const admin = adminOf(sandbox);
    expect((await admin('GET', 'chaos')).body).toEqual({ chaos: null });
    const body = { rate: '100%', seed: 7, only: ['server-error'] };
    const mix = [{ scenario: 'server-error', weight: 4 }];
    const started = await admin('POST', 'chaos', body);
    expect(started.body).toEqual({ chaos: { rate: 1, seed: 7, mix, seen: 0, struck: 0 } });
    await struckIn(fairway, 3);
    expect((await admin('GET', 'chaos')).body.chaos).toMatchObject({ seen: 3, struck: 3 });
    expect((await admin('DELETE', 'chaos')).body).toEqual({ status: 'ended' });
    expect((await admin('GET', 'chaos')).body).toEqual({ chaos: null });
    expect(shareOf(await struckIn(fairway, 3))).toBe(0);
  });
});

describe('what does not fit is refused', () => {
  const rows: readonly [options: unknown, message: RegExp][] = [
    [{}, /`rate` must be a number from 0 to 1, or a percentage such as "5%"; got nothing/],
    [{ rate: 1.1 }, /`rate` must be .*; got 1\.1/],
    [{ rate: '5' }, /`rate` must be .*; got "5"/],
    [{ rate: '101%' }, /`rate` must be .*; got "101%"/],
    [{ rate: NaN }, /`rate` must be .*; got NaN/],
    [{ rate: null }, /`rate` must be .*; got null/],
    [{ rate: 1, seed: -1 }, /`seed` must be .*; got -1/],
    [{ rate: 1, seed: '7' }, /`seed` must be .*; got "7"/],
    [{ rate: 1, only: [] }, /`only` must be a list of ids of scenarios; got \[\]/],
    [{ rate: 1, only: 'slow' }, /`only` must be .*; got "slow"/],
    [{ rate: 1, only: ['slow', 'fast'] }, /no scenario `fast`/],
    [{ rate: 1, chance: 1 }, /`chance` is not known here; the known names are rate, seed, only/],
    [[], /must be an object such as/],
    ['rate=5%; rate=6%', /`rate` must not be repeated/],
    ['rate=5%; often', /`often` is not a setting/],
    ['rate=', /`rate=` is not a setting/],
    ['rate=lots', /`rate` must be .*; got "lots"/],
    ['rate=5%; only=slow,,', /no scenario ``/],
    ['5%', /`5%` is not a setting/],
    ['', /`` is not a setting/],
  ];
  test.each(rows)('%j', async (chaos, message) => {
    await expect(openQuick({ chaos: chaos as ChaosOptions })).rejects.toThrow(message);
    if (typeof chaos === 'string' || JSON.stringify(chaos) !== JSON.stringify({ ...Object(chaos) })) return;
    const { sandbox } = await openQuick({ chaos: 'rate=50%' });
    expect(() => sandbox.scenarios.chaos(chaos as ChaosOptions)).toThrow(message);
    expect(sandbox.scenarios.chaos()).toMatchObject({ rate: 0.5 });
  });

  test('over HTTP, with what would fit', async () => {
    const { sandbox } = await openQuick();
    const reply = await adminOf(sandbox)('POST', 'chaos', { rate: 2 });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(reply.body.fits).toEqual(['5%', '0.05']);
  });
});
