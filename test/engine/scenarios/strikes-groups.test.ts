import { describe, expect, test } from 'vitest';
import { refusalTable } from '../../../src/engine/api/refusals.js';
import { listedIds, LONG_AGO } from '../../support/booking-list.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime, type TeeTime, teeTimesOf } from '../../support/scenes.js';
import { bookedIds } from '../../support/ways-to-book.js';

describe('one booking of a group', () => {
  const rows: readonly [dialect: 'nothing' | 'earlier-stay', spec: string, stays: number][] = [
    ['nothing', 'booking-failed; item=2', 0],
    ['nothing', 'booking-failed; item=2; phase=after-commit', 3],
    ['earlier-stay', 'booking-failed; item=1', 0],
    ['earlier-stay', 'booking-failed; item=3', 2],
    ['earlier-stay', 'booking-failed; item=2; phase=after-commit', 2],
    ['earlier-stay', 'booking-failed; phase=after-commit', 3],
    ['earlier-stay', 'booking-failed', 0],
  ];
  test.each(rows)('where %s, %s leaves %i of three', async (rest, spec, stays) => {
    const { fairway } = await open({ dialect: { answers: { 'booking.group-failure': rest } } });
    const list = Array.from({ length: 3 }, async () => bookingFor(await findTeeTime(fairway, { players: 3 })));
    const before = await listedIds(fairway, 'v4', { fromDate: LONG_AGO });
    const reply = await fairway.post('/api/v5/bookings', await Promise.all(list), {
      headers: { 'teebox-scenario': spec },
    });
    expect(reply.status).toBe(400);
    expect((await listedIds(fairway, 'v4', { fromDate: LONG_AGO })).length - before.length).toBe(stays);
  });

  test('a rival takes nothing of a tee time without free slots, so that the state can be loaded again', async () => {
    const { sandbox, fairway } = await open({ dialect: { answers: { 'booking.group-failure': 'earlier-stay' } } });
    const [first, full] = (await teeTimesOf(fairway, { players: 2 })) as [TeeTime, TeeTime];
    await fairway.post('/api/v5/bookings', bookingFor(full, { players: full.products[0].available }));
    const made = sandbox.db.bookings.findMany().length;
    const list = [bookingFor(first), bookingFor(full)];
    for (const headers of ['rival; item=2', 'sold-out; item=2, rival; item=2'].map((asked) => ({
      'teebox-scenario': asked,
    })))
      expect(await fairway.post('/api/v5/bookings', list, { headers })).toMatchObject({ status: 400 });
    expect(
      sandbox.db.bookings
        .findMany()
        .slice(made)
        .map(({ teeId }) => teeId),
    ).toEqual([first.teeid]);
    await sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot())));
  });

  test('the one whose name asks for it is the one that is struck', async () => {
    const { fairway } = await open({ dialect: { answers: { 'booking.group-failure': 'earlier-stay' } } });
    const teeTime = await findTeeTime(fairway, { players: 3 });
    const list = ['Lovelace', 'BOOKING-FAILED', 'Hopper'].map((contactLastName) =>
      bookingFor(teeTime, { contactLastName }),
    );
    expect((await fairway.post('/api/v5/bookings', { details: list })).status).toBe(400);
    const names = (await fairway.get('/api/v4/bookings')).body.data.map(
      ({ contactLastName }: { contactLastName: string }) => contactLastName,
    );
    expect(names.filter((name: string) => name === 'Lovelace')).toHaveLength(1);
    expect(names).not.toContain('Hopper');
  });
});

describe('what comes before a scenario', () => {
  const asked = { headers: { 'teebox-scenario': 'payment-pi-failed' } };
  test('a malformed booking is refused as such, and the answer says that nothing struck', async () => {
    const { fairway } = await open();
    const reply = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway), { players: 5 }), asked);
    expect(reply.rule).toBe('bookings.request.players');
    expect(reply.headers.get('teebox-scenario')).toBe('payment-pi-failed; source=header; struck=no');
  });

  test('a tee time without places is a cart problem, since the hold comes first', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway);
    const free = teeTime.products[0].available;
    await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: free }));
    const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime), asked);
    expect(reply.body.message).toBe(refusalTable['cart-problem'].words);
    expect(reply.headers.get('teebox-scenario')).toBe('payment-pi-failed; source=header; struck=no');
  });

  test('and then a plan is not spent on it', async () => {
    const { fairway, sandbox } = await open();
    const teeTime = await findTeeTime(fairway);
    await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: teeTime.products[0].available }));
    sandbox.scenarios.arm('payment-pi-failed');
    for (const changes of [{}, { players: 5 }, { course: 'Elsewhere' }]) {
      const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime, changes));
      expect([reply.status, reply.headers.get('teebox-scenario')]).toEqual([400, null]);
    }
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, struck: 0, state: 'armed' }]);
  });

  test('off is as if it were not there', async () => {
    const [plain, magicless] = await Promise.all([open(), open({ magic: false })]);
    const replies = [];
    for (const { fairway } of [plain, magicless]) {
      const teeTime = await findTeeTime(fairway);
      fairway.sandbox.scenarios.arm('booking-failed');
      fairway.sandbox.scenarios.disarm();
      const changes = fairway === plain.fairway ? {} : { contactLastName: 'PAYMENT-PI-FAILED' };
      const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime, changes));
      replies.push([reply.status, [...reply.headers], reply.text]);
      expect(bookedIds(reply)).toHaveLength(1);
    }
    expect(replies[1]).toEqual(replies[0]);
  });
});
