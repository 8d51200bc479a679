import { describe, expect, test } from 'vitest';
import { createWorlds } from '../../../src/engine/library.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { LONG_AGO, listReply } from '../../support/booking-list.js';
import { NOW, open, ORIGIN, readReply } from '../../support/client.js';
import { initialTokenOf, refreshWith } from '../../support/credentials.js';
import { bookingFor, findTeeTime, teeTimesOf } from '../../support/scenes.js';
import { NOWHERE, search, searchQuery } from '../../support/views.js';

describe('snapshots', () => {
  test('are taken, listed, shown and forgotten', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const bookings = sandbox.snapshot().store.bookings.length;
    const want = (name: string, takenAt = '2026-06-01T08:00:00.000Z') => ({ name, takenAt, bookings });
    expect((await admin('PUT', 'snapshots/a.b_c-1')).body).toEqual(want('a.b_c-1'));
    await admin('PUT', 'snapshots/two');
    sandbox.clock.advance(1000);
    await admin('PUT', 'snapshots/a.b_c-1');
    expect((await admin('GET', 'snapshots')).body).toEqual({
      count: 2,
      snapshots: [want('two'), want('a.b_c-1', '2026-06-01T08:00:01.000Z')],
    });
    expect((await admin('GET', 'snapshots/a.b_c-1')).body).toEqual(sandbox.snapshot());
    expect((await admin('DELETE', 'snapshots/two')).body).toEqual({ status: 'deleted' });
    expect((await admin('GET', 'snapshots/two')).body).toEqual(expectedProblem(404, expect.stringContaining('`two`')));
    await admin('DELETE', 'snapshots');
    expect((await admin('GET', 'snapshots')).body).toEqual({ count: 0, snapshots: [] });
  });

  test('have the change of any booking, however many there are', async () => {
    const { sandbox, fairway } = await open();
    for (let days = 10; days < 20; days += 1) {
      for (const teeTime of await teeTimesOf(fairway, { days }))
        await fairway.post('/api/v5/bookings', bookingFor(teeTime));
    }
    const { bookings } = sandbox.snapshot().store;
    expect(bookings.length).toBeGreaterThan(501);
    for (const index of [499, 500, 501]) {
      await adminOf(sandbox)('POST', `bookings/${encodeURIComponent(bookings[index]!.bookingId)}/cancel`);
      expect(sandbox.snapshot().store.bookings[index]).toMatchObject({ status: 'CANCELED' });
    }
  });

  test('stay over a reset and a restore, which goes back to the byte', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    await admin('PUT', 'snapshots/booked');
    const list = () => listReply(fairway, 'v4', { fromDate: LONG_AGO });
    const booked = await list();
    await admin('POST', 'reset');
    expect((await list()).text).not.toBe(booked.text);
    expect((await admin('POST', 'snapshots/booked/restore')).body).toEqual({ status: 'restored' });
    const again = await list();
    expect({ text: again.text, headers: [...again.headers] }).toEqual({
      text: booked.text,
      headers: [...booked.headers],
    });
    expect((await admin('GET', 'snapshots')).body.count).toBe(1);
  });

  test('are at most 50, of which each can be taken anew', async () => {
    const admin = adminOf((await open()).sandbox);
    for (let one = 1; one <= 50; one += 1) expect((await admin('PUT', `snapshots/${one}`)).status).toBe(200);
    expect((await admin('PUT', 'snapshots/51')).body).toEqual(expectedProblem(409, expect.stringContaining('50')));
    expect((await admin('PUT', 'snapshots/50')).status).toBe(200);
    await admin('DELETE', 'snapshots/1');
    expect((await admin('PUT', 'snapshots/51')).status).toBe(200);
  });

  test.each(['%20', 'a%2Fb', 'x'.repeat(65), '%C3%A9'])('have no name such as %s', async (name) => {
    const admin = adminOf((await open()).sandbox);
    expect((await admin('PUT', `snapshots/${name}`)).body).toEqual(expectedProblem(400, expect.stringContaining('64')));
  });
});

describe('the state', () => {
  test('goes from one sandbox to another', async () => {
    const [here, there] = [await open(), await open()];
    await refreshWith(here.fairway, initialTokenOf(here.fairway));
    await here.fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(here.fairway)));
    const { text } = await adminOf(here.sandbox)('GET', 'state');
    expect((await adminOf(there.sandbox)('PUT', 'state', text)).body).toEqual({ status: 'restored' });
    expect((await adminOf(there.sandbox)('GET', 'state')).text).toBe(text);
    for (const path of ['/api/v4/bookings', '/api/v3/countries']) {
      expect((await there.fairway.get(path)).text).toBe((await here.fairway.get(path)).text);
    }
  });

  test('of another kind is refused, and nothing has changed', async () => {
    const { sandbox } = await open();
    const before = sandbox.snapshot();
    const state = structuredClone(before);
    Object.assign(state.store.bookings[3]!, { players: 0 });
    const { fits, ...body } = (await adminOf(sandbox)('PUT', 'state', state)).body;
    expect(fits).toEqual(['a whole number from 1 to 4']);
    const due = '`store.bookings[3].players` must be a whole number from 1 to 4; got 0. Nothing was changed.';
    expect(body).toEqual(expectedProblem(400, `Failed to load the state: ${due}`));
    expect(sandbox.snapshot()).toEqual(before);
  });

  test('may be larger than other bodies, up to 256 MiB', async () => {
    const { sandbox } = await open();
    const state = sandbox.snapshot();
    const text = JSON.stringify(state) + ' '.repeat(2_000_000);
    expect((await adminOf(sandbox)('PUT', 'state', text)).status).toBe(200);
    const headers = { 'content-length': String(256 * 2 ** 20 + 1) };
    expect(await adminOf(sandbox)('PUT', 'state', '{}', headers)).toMatchObject({ status: 413 });
  });

  test('is taken while a callback is on its way, which ends', async () => {
    const { sandbox, fairway } = await open({ schedule: () => () => {} });
    await search(fairway, searchQuery({ callbackUrl: NOWHERE }));
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'pending' }]);
    await sandbox.restore(sandbox.snapshot());
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toEqual([]);
    expect(sandbox.journal.entries).toEqual([]);
  });

  test('is that of one world', async () => {
    const worlds = await createWorlds({ now: NOW });
    const ask = async (method: string, path: string) =>
      readReply(await worlds.fetch(new Request(`${ORIGIN}${path}`, { method })));
    await ask('PUT', '/w/one/__admin/snapshots/mine');
    const counts = ['/w/one', '/w/two', ''].map((at) => ask('GET', `${at}/__admin/snapshots`));
    expect((await Promise.all(counts)).map(({ body }) => body.count)).toEqual([1, 0, 0]);
  });
});

test('each change is reported one time, and reads are not', async () => {
  let told = 0;
  const { sandbox, fairway } = await open({ onChange: () => (told += 1) });
  const admin = adminOf(sandbox);
  const one = bookingFor(await findTeeTime(fairway, { players: 4 }));
  const rows: [what: string, act: () => unknown, times: number][] = [
    ['a read', () => fairway.get('/api/v4/bookings'), 0],
    ['a booking', () => fairway.post('/api/v5/bookings', one), 1],
    ['a group', () => fairway.post('/api/v5/bookings', [one, one]), 1],
    ['a refused booking', () => fairway.post('/api/v5/bookings', { ...one, players: 4 }), 0],
    ['a payment', () => fairway.post(`/api/v4/bookings/payment/${newest()}`, undefined), 1],
    ['the same payment', () => fairway.post(`/api/v4/bookings/payment/${newest()}`, undefined), 0],
    ['a cancelling', () => admin('POST', `bookings/${newest()}/cancel?force=true`), 1],
    ['a refresh', () => refreshWith(fairway, initialTokenOf(fairway)), 1],
    ['a refused refresh', () => refreshWith(fairway, initialTokenOf(fairway)), 0],
    ['the clock', () => sandbox.clock.advance(1), 1],
    ['a card', () => admin('PUT', 'dialect', { name: 'x' }), 1],
    ['a plan', () => sandbox.scenarios.arm('slow', { delay: 0 }), 1],
    ['its strike', () => fairway.get('/api/v3/countries'), 1],
    ['its end', () => sandbox.scenarios.disarm(), 1],
    ['a restore', () => sandbox.restore(sandbox.snapshot()), 1],
    ['a refused restore', () => sandbox.restore({} as never).catch(() => {}), 0],
    ['a reset', () => sandbox.reset(), 1],
  ];
  const newest = () => sandbox.snapshot().store.bookings.at(-1)!.bookingId;
  for (const [what, act, times] of rows) {
    told = 0;
    await act();
    expect({ what, told }).toEqual({ what, told: times });
  }
});
