import { describe, expect, test } from 'vitest';
import { createWorlds, type Worlds, type WorldsOptions } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { asDescribed } from '../../support/admin.js';
import { NOW, ORIGIN, type Reply, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { bookingFor, type TeeTime, teeTimesPath } from '../../support/scenes.js';

const fairway = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };

type Send = (path: string, body?: unknown, method?: string) => Promise<Reply>;

const ADMIN = '/__admin/';

/** Calls below one base URL, as `fairway`. */
function at(worlds: Worlds, base: string): Send {
  return async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const init = { method, headers: fairway, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reply = await readReply(await worlds.fetch(new Request(`${ORIGIN}${base}${path}`, init)));
    return path.startsWith(ADMIN) ? asDescribed(method, path.slice(ADMIN.length), reply) : reply;
  };
}

const start = (options: WorldsOptions = {}) => createWorlds({ now: NOW, ...options });

/** A day of one run: all first places of a day are booked, one after the other; tells what it saw. */
async function dayOf(send: Send): Promise<string> {
  const seen: string[] = [];
  const list = await send(teeTimesPath('v4'));
  for (const teeTime of list.body.data.teeTimeV3.slice(0, 5) as TeeTime[]) {
    seen.push((await send('/api/v5/bookings', bookingFor(teeTime))).text);
  }
  await send('/__admin/clock', { advance: 'PT1H' });
  seen.push((await send('/api/v4/bookings')).text, (await send('/__admin/clock')).text);
  return seen.join('\n');
}

describe('worlds', () => {
  test('fifty at once see what one alone sees, and nothing of each other', async () => {
    const alone = await dayOf(at(await start(), ''));
    const worlds = await start();
    const names = Array.from({ length: 50 }, (_, index) => `run-${index}`);
    const seen = await Promise.all(names.map((name) => dayOf(at(worlds, `/w/${name}`))));
    expect(new Set(seen)).toEqual(new Set([alone]));
    expect(await dayOf(at(worlds, ''))).toBe(alone);
    expect((await at(worlds, '')('/__admin/worlds')).body.count).toBe(50);
  });

  test('over a socket too', async () => {
    const worlds = await start();
    const server = await serve(worlds, { port: 0 });
    const over =
      (base: string): Send =>
      async (path, body) =>
        readReply(
          await fetch(`${server.url}${base}${path}`, {
            method: body === undefined ? 'GET' : 'POST',
            headers: fairway,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        );
    const seen = await Promise.all(['', '/w/a', '/w/b'].map((base) => dayOf(over(base))));
    expect(new Set(seen).size).toBe(1);
    await server.close();
  });

  test('scenarios, tokens and resets of one are no matter of the others', async () => {
    const worlds = await start();
    const [one, other] = [at(worlds, '/w/one'), at(worlds, '/w/other')];
    await one('/__admin/plans', { scenario: 'rate-limited', times: 'always' });
    const token = { refresh_token: worlds.main.channels[0]!.refreshToken };
    expect((await other('/api/v5/token/refreshToken', token)).status).toBe(200);
    expect((await other('/api/v5/token/refreshToken', token)).status).toBe(401);
    expect((await at(worlds, '')('/api/v5/token/refreshToken', token)).status).toBe(200);
    expect((await one('/api/v4/bookings')).status).toBe(429);
    expect((await other('/api/v4/bookings')).status).toBe(200);
    await other('/__admin/reset', {});
    expect((await one('/api/v4/bookings')).status).toBe(429);
    expect((await other('/api/v5/token/refreshToken', token)).status).toBe(200);
  });

  test('addresses that a world gives are its own', async () => {
    const send = at(await start(), '/w/pictures');
    const { logo } = (await send('/api/v3/facilities/details/1001')).body.data;
    expect(logo).toBe(`${ORIGIN}/w/pictures/images/1001/logo.svg`);
    const picture = await send(logo.slice(`${ORIGIN}/w/pictures`.length));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  });

  test.each(['/w', '/w/', '/w/a', '/w//api/v3/countries', '/w/.a/api/v3/countries', '/w/a%2Fb/api/v3/countries'])(
    '%s is no world',
    async (path) => {
      const worlds = await start();
      expect(await at(worlds, '')(path)).toMatchObject({ status: 404, rule: 'versions.path' });
      expect((await at(worlds, '')('/__admin/worlds')).body.count).toBe(0);
    },
  );

  test('an unknown path in a world is not found', async () => {
    const worlds = await start();
    expect(await at(worlds, '/w/a')('/nothing')).toMatchObject({ status: 404, rule: 'versions.path' });
    expect(await at(worlds, '/w/a')('/api/v3/countries', {})).toMatchObject({ status: 405, rule: 'versions.method' });
    expect((await at(worlds, '/w/a')('/__admin/worlds')).status).toBe(404);
    expect((await at(worlds, '/w/a')('/w/b/api/v3/countries')).status).toBe(404);
    expect((await at(worlds, '/w/a')('/api/v3/countries/')).status).toBe(200);
  });
});

describe('bounds', () => {
  const namesIn = async (worlds: Worlds) =>
    (await at(worlds, '')('/__admin/worlds')).body.worlds.map(({ name }: { name: string }) => name);

  test('the one that was idle longest goes first', async () => {
    const worlds = await start({ maxWorlds: 2 });
    for (const name of ['a', 'b', 'a', 'c']) await at(worlds, `/w/${name}`)('/api/v3/countries');
    expect(await namesIn(worlds)).toEqual(['a', 'c']);
  });

  test('idle worlds are deleted', async () => {
    let now = 1_780_000_000_000;
    const worlds = await createWorlds({ clock: () => now, idle: 60_000 });
    await at(worlds, '/w/old')('/api/v3/countries');
    now += 60_001;
    await at(worlds, '/w/new')('/api/v3/countries');
    expect(await namesIn(worlds)).toEqual(['new']);
    await at(worlds, '/w/new')('/__admin/plans', { scenario: 'rate-limited' });
    now += 60_001;
    expect((await at(worlds, '/w/new')('/__admin/plans')).body.count).toBe(0);
    now += 60_001;
    expect(await namesIn(worlds)).toEqual([]);
  });

  test('none are made where they are turned off', async () => {
    const worlds = await start({ maxWorlds: 0 });
    expect((await at(worlds, '/w/a')('/api/v3/countries')).status).toBe(404);
  });

  test('a deleted one begins anew', async () => {
    const worlds = await start();
    const [main, send] = [at(worlds, ''), at(worlds, '/w/a')];
    const before = (await send('/api/v4/bookings')).text;
    const [teeTime] = (await send(teeTimesPath('v4'))).body.data.teeTimeV3;
    await send('/api/v5/bookings', bookingFor(teeTime));
    expect((await send('/api/v4/bookings')).text).not.toBe(before);
    expect((await main('/__admin/worlds/a', undefined, 'DELETE')).body).toEqual({ status: 'deleted' });
    expect((await main('/__admin/worlds/a', undefined, 'DELETE')).status).toBe(404);
    expect((await send('/api/v4/bookings')).text).toBe(before);
  });
});
