import { describe, expect, test } from 'vitest';
import { refusalStatus, refusalTable, transferFailedWords } from '../../src/app/refusals.js';
import { answersOf } from '../../src/app/dialect.js';
import { scenarios } from '../../src/generated/scenarios.js';
import { forms } from '../dialect/forms.js';
import { listedIds, LISTING, LONG_AGO } from '../support/booking-list.js';
import { type Client, open, type Reply } from '../support/client.js';
import { traceOf } from '../support/requests.js';
import { bookingFor, findTeeTime, type TeeTime } from '../support/scenes.js';
import { everyStrike, waysToArm } from '../support/ways-to-arm.js';
import { bookedIds, ways } from '../support/ways.js';

/** What a struck booking is answered with. */
function refusalOf(code: keyof typeof refusalTable, { headers }: Reply): unknown {
  const words = refusalTable[code].words ?? transferFailedWords(headers.get('teebox-request-id')!);
  return { status: refusalStatus(code, answersOf({})), body: { success: false, data: null, message: words } };
}

const freeOf = async (client: Client, { teeid }: TeeTime) => {
  const { body } = await client.get('/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18');
  return body.data.teeTimeV3.find((one: TeeTime) => one.teeid === teeid)?.products[0].available ?? 0;
};

describe.each(Object.entries(waysToArm))('switched on by %s', (_, way) => {
  test.each(everyStrike(scenarios))('%s strikes one booking and no other', async (spec, { id, refusal }, phase) => {
    // What was armed for everything would strike a look at the state too, so that is taken from a twin.
    const twins = await open();
    const teeTime = await findTeeTime(twins.fairway);
    const free = await freeOf(twins.fairway, teeTime);
    const before = await traceOf(twins);
    const clients = await open(way.options?.(spec) ?? {});
    const { fairway } = clients;
    way.before?.(fairway, id, phase);
    const body = forms.v5(teeTime, way.fields?.(spec) ?? {});
    const reply = await fairway.post('/api/v5/bookings', body, { headers: way.headers?.(spec) ?? {} });
    expect({ status: reply.status, body: reply.body }).toEqual(refusalOf(refusal.code, reply));
    expect(reply.rule).toBe(refusal.rule);
    expect(reply.headers.get('teebox-scenario')).toBe(`${id}; source=${way.source}`);
    for (const [name, value] of Object.entries(refusal.headers ?? {})) expect(reply.headers.get(name)).toBe(value);
    fairway.sandbox.scenarios.disarm();
    if (phase === 'before-commit') {
      expect(await traceOf(clients)).toEqual(before);
    } else {
      expect(await freeOf(fairway, teeTime)).toBe(free - 1);
      for (const version of LISTING) {
        const made = (await listedIds(fairway, version)).filter((one) => one.includes(String(teeTime.teeid)));
        expect(made, version).toHaveLength(1);
      }
    }
    const next = await fairway.post('/api/v5/bookings', bookingFor(teeTime));
    expect({ status: next.status, told: next.headers.get('teebox-scenario') }).toEqual({ status: 200, told: null });
  });
});

const bookable = scenarios.filter(({ checkpoint }) => checkpoint !== 'arrival');

describe('every way to book', () => {
  test.each(Object.entries(ways))('%s is struck by a name in the form', async (_, book) => {
    for (const { id, refusal } of bookable) {
      const clients = await open();
      const teeTime = await findTeeTime(clients.fairway);
      const before = await traceOf(clients);
      const reply = await book(clients.fairway, teeTime, { contactLastName: id.toUpperCase() });
      expect({ status: reply.status, body: reply.body }).toEqual(refusalOf(refusal.code, reply));
      expect(reply.headers.get('teebox-scenario')).toBe(`${id}; source=body`);
      expect(await traceOf(clients)).toEqual(before);
    }
  });

  test('an injected cart problem and a real one are equal byte for byte', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway);
    const real = await fairway.post('/api/v5/bookings', bookingFor(teeTime, { course: 'Elsewhere' }));
    const asked = await fairway.post('/api/v5/bookings', bookingFor(teeTime), {
      headers: { 'teebox-scenario': 'cart-problem' },
    });
    expect([asked.status, asked.text]).toEqual([real.status, real.text]);
  });
});

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
