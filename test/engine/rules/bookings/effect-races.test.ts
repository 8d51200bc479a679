import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LISTING, listedIds, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open, type Reply } from '../../../support/client.js';
import { adminOf } from '../../../support/admin.js';
import { REF, roundFor, roundsOf, TWICE_ROUND } from '../../../support/linked.js';
import { payBulk } from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';
import { sampledRule } from '../../../support/sampled.js';
import { bookingFor, findTeeTime, type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';
import { freeIn, openAtOnce, viewsOf } from '../../../support/views.js';
import { forms } from '../../dialect/forms.js';
import { bookedIds, wayNames, ways } from '../../../support/ways-to-book.js';

const PATH = '/api/v5/bookings';

const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };
const won = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200);

/** Places that the tee time still shows; one without any is not shown. */
async function freeOf(client: Client, { teeid }: TeeTime): Promise<number> {
  const shown = (await teeTimesOf(client)).find((one) => one.teeid === teeid);
  return shown?.products[0].available ?? 0;
}

/** Tee times of the day by how many places they have. */
async function withFree(client: Client, places: number): Promise<TeeTime> {
  const fitting = (await teeTimesOf(client)).find(({ products }) => products[0].available === places);
  if (!fitting) throw new Error(`No tee time of the day has ${places} places. Please look at another day.`);
  return fitting;
}

describe('many requests at once for the last places', () => {
  for (const places of [1, 2, 3, 4]) {
    rule('bookings.effect.no-overbooking', `of 30 over all versions and two channels ${places} win`, async () => {
      const { fairway, links } = await open();
      const teeTime = await withFree(fairway, places);
      const clients = [fairway, links];
      const before = await Promise.all(clients.map((client) => listedIds(client, 'v4')));
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, turn) => {
          const way = ways[wayNames[turn % wayNames.length]!]!;
          return way(clients[turn % 2]!, teeTime, { players: 1 });
        }),
      );
      const winners = won(replies);
      expect(winners).toHaveLength(places);
      for (const { status, body } of replies.filter((reply) => !winners.includes(reply))) {
        expect({ status, body }).toEqual({ status: 400, body: failure });
      }
      expect(await freeOf(fairway, teeTime)).toBe(0);
      const after = await Promise.all(clients.map((client) => listedIds(client, 'v4')));
      expect(after.flat().sort()).toEqual([...before.flat(), ...winners.flatMap(bookedIds)].sort());
    });
  }

  for (const name of wayNames) {
    rule('bookings.effect.no-overbooking', `${name}: of ten for two players two win`, async () => {
      const { fairway, links } = await open();
      const teeTime = await withFree(fairway, 4);
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, turn) => ways[name]!(turn % 2 ? links : fairway, teeTime, { players: 2 })),
      );
      expect(won(replies)).toHaveLength(2);
      expect(await freeOf(links, teeTime)).toBe(0);
    });
  }

  const requests = fc.array(
    fc.record({
      way: fc.constantFrom(...wayNames),
      channel: fc.constantFrom('fairway' as const, 'links' as const),
      players: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  const fair = 'none wins beyond what is free, none is refused that fits';
  sampledRule('bookings.effect.no-overbooking', fair, [15, 60], async (numRuns) => {
    const { sandbox, ...clients } = await open();
    const teeTime = await findTeeTime(clients.fairway, { players: 4 });
    const property = fc.asyncProperty(requests, async (wishes) => {
      await sandbox.reset();
      const replies = await Promise.all(
        wishes.map(({ way, channel, players }) => ways[way]!(clients[channel], teeTime, { players })),
      );
      const sum = (of: typeof wishes) => of.reduce((total, { players }) => total + players, 0);
      const taken = sum(wishes.filter((_, index) => replies[index]!.status === 200));
      expect(taken).toBeLessThanOrEqual(4);
      expect(await freeOf(clients.links, teeTime)).toBe(4 - taken);
      const refused = wishes.filter((_, index) => replies[index]!.status !== 200);
      for (const { players } of refused) expect(players).toBeGreaterThan(4 - taken);
    });
    await fc.assert(property, { numRuns });
  });
});

describe('groups at once', () => {
  test('two that cross each other are never taken by halves', async () => {
    const { fairway, links } = await open();
    const [a, b] = (await teeTimesOf(fairway, { players: 4 })) as [TeeTime, TeeTime];
    const list = (teeTimes: readonly TeeTime[]) => teeTimes.map((teeTime) => bookingFor(teeTime, { players: 3 }));
    const replies = await Promise.all([
      fairway.post(PATH, list([a, b])),
      links.post(PATH, list([b, a])),
      fairway.post(PATH, { details: list([b, a]) }),
    ]);
    expect(won(replies)).toHaveLength(1);
    expect([await freeOf(links, a), await freeOf(links, b)]).toEqual([1, 1]);
  });

  test('of linked groups for the same rounds one wins', async () => {
    const { fairway, links } = await open();
    const rounds = (await roundsOf(fairway, TWICE_ROUND, 3)).slice(0, 2);
    const before = [...(await listedIds(fairway, 'v4')), ...(await listedIds(links, 'v4'))];
    const items = rounds.map((teeTime) => roundFor(TWICE_ROUND, teeTime, { players: 3 }));
    const replies = await Promise.all([fairway, links, fairway, links].map((client) => client.post(PATH, items)));
    expect(won(replies)).toHaveLength(1);
    const listed = [...(await listedIds(fairway, 'v4')), ...(await listedIds(links, 'v4'))];
    expect(listed.sort()).toEqual([...before, ...bookedIds(won(replies)[0]!)].sort());
  });
});

describe('linked groups, groups and bookings of their parts at once, over every version that books', () => {
  const { facilityId } = TWICE_ROUND;
  const round = (teeTime: TeeTime, changes: Json) => roundFor(TWICE_ROUND, teeTime, changes);
  const bodies: Readonly<Record<string, (rounds: readonly TeeTime[], changes: Json) => readonly [string, Json]>> = {
    'v5 single': ([first], changes) => [PATH, forms.v5(first!, changes)],
    'v2 single': ([first], changes) => ['/api/v2/bookings', forms.v2(first!, changes)],
    'v5 list': (rounds, changes) => [PATH, rounds.map((one) => forms.v5(one, changes))],
    'v3 bulk': (rounds, changes) => ['/api/v3/bulkbookings', rounds.map((one) => forms.v3(one, changes))],
    'v3 linked': (rounds, changes) => [
      '/api/v3/bulkbookings',
      rounds.map((one) => forms.v3(one, { ...changes, linkedTeeTimeRef: REF })),
    ],
    'v5 linked': (rounds, changes) => [PATH, rounds.map((one) => round(one, changes))],
    'v5 linked with payment': (rounds, changes) => [PATH, { details: rounds.map((one) => round(one, changes)) }],
  };
  const booking = fc.record({
    body: fc.constantFrom(...Object.keys(bodies)),
    at: fc.shuffledSubarray([0, 1, 2], { minLength: 2 }),
    channel: fc.constantFrom('fairway' as const, 'links' as const),
    players: fc.integer({ min: 1, max: 3 }),
    asked: fc.constantFrom(
      ...Array<''>(5).fill(''),
      'slow; delay=1ms; phase=before-commit',
      'rival',
      'rival; item=2',
      'booking-failed; item=2',
      'payment-pi-failed; phase=after-commit',
      'connection-reset; phase=after-commit',
    ),
  });
  const race = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: booking },
      { weight: 1, arbitrary: fc.record({ cancels: fc.nat({ max: 9 }) }) },
      { weight: 1, arbitrary: fc.record({ minutes: fc.nat({ max: 9 }) }) },
    ),
    { minLength: 3, maxLength: 12 },
  );

  const stays = ['nothing', 'earlier-stay'] as const;
  const whole = 'a linked group is whole or not made, and the rest adds up, whatever comes between the parts of a body';
  sampledRule('bookings.effect.no-overbooking', whole, [20, 400], async (numRuns) => {
    const rounds = (await roundsOf((await open()).fairway, TWICE_ROUND, 3)).slice(0, 3);
    const property = fc.asyncProperty(fc.scheduler(), race, fc.constantFrom(...stays), async (order, steps, rest) => {
      const turn = () => order.schedule(Promise.resolve());
      const { sandbox, ...clients } = await openAtOnce({
        schedule: (work, delay) => {
          let isOver = delay >= 1000;
          void turn().then(() => isOver || work());
          return () => void (isOver = true);
        },
        dialect: { answers: { 'booking.group-failure': rest } },
      });
      const first = sandbox.db.bookings.findMany().length;
      const made = () => sandbox.db.bookings.findMany().slice(first);
      const bookSlowly = async (step: typeof booking extends fc.Arbitrary<infer T> ? T : never, name: string) => {
        const parts = step.at.map((at) => rounds[at]!);
        const changes = { facilityId, players: step.players, contactFirstName: name };
        const [path, body] = bodies[step.body]!(parts, changes);
        const text = new TextEncoder().encode(JSON.stringify(body));
        const halves = [text.subarray(0, 40), text.subarray(40)];
        const slowly = new ReadableStream<Uint8Array>({
          async pull(stream) {
            await turn();
            const half = halves.shift();
            if (half) stream.enqueue(half);
            else stream.close();
          },
        });
        const headers: Record<string, string> = step.asked ? { 'teebox-scenario': step.asked } : {};
        const reply = await clients[step.channel].post(path, slowly, { headers }).catch(() => undefined);
        return { ...step, name, reply, count: step.body.endsWith('single') ? 1 : parts.length };
      };
      const taken = steps.map(async (step, index) => {
        await turn();
        if ('body' in step) return bookSlowly(step, `step ${index}`);
        if ('minutes' in step) sandbox.clock.advance(step.minutes * 60_000);
        else {
          const id = made()[step.cancels]?.bookingId;
          if (id) await adminOf(sandbox)('POST', `bookings/${id}/cancel?force=true`);
        }
        return undefined;
      });
      const booked = (await order.waitFor(Promise.all(taken))).filter((one) => one !== undefined);
      const groups = new Set<number>();
      for (const { body, name, reply, count, asked } of booked) {
        const own = made().filter(({ contactFirstName }) => contactFirstName === name);
        const mayStay = rest === 'earlier-stay' && !body.includes('linked');
        if (!mayStay) expect([0, count]).toContain(own.length);
        if (reply?.status === 200) expect(bookedIds(reply)).toEqual(own.map(({ bookingId }) => bookingId));
        if (reply?.status === 200) expect(own).toHaveLength(count);
        else if (!mayStay && !asked.includes('after-commit')) expect(own).toEqual([]);
        const ids = [...new Set(own.map(({ groupId }) => groupId))];
        expect(ids).toEqual(own.length === 0 ? [] : [body.endsWith('single') ? null : expect.any(Number)]);
        if (ids[0] == null) continue;
        expect(groups.has(ids[0])).toBe(false);
        groups.add(ids[0]);
        const { channel } = own[0]! as { channel: 'fairway' | 'links' };
        const isGone = own.every(({ status }) => status === 'CANCELED');
        expect((await payBulk(clients[channel], 'v4', ids[0])).status).toBe(isGone ? 400 : 200);
      }
      for (const { groupId, status, paymentConfirmedAt, startsAt, createdAt } of made()) {
        expect(paymentConfirmedAt !== null).toBe(groupId !== null && status === 'BOOKED');
        expect(Date.parse(`${createdAt}Z`)).toBeLessThan(startsAt);
      }
      for (const channel of ['fairway', 'links'] as const) {
        const ids = made().flatMap((one) => (one.channel === channel ? one.bookingId : []));
        for (const version of LISTING)
          expect(await listedIds(clients[channel], version)).toEqual(expect.arrayContaining(ids));
      }
      const views = await order.waitFor(viewsOf(clients.links, { facilityId, days: 9, holes: 9 }));
      for (const { teeid, products } of rounds) {
        const used = made().filter(({ teeId, status }) => teeId === teeid && status === 'BOOKED');
        const free = products[0].available - used.reduce((sum, { players }) => sum + players, 0);
        expect(free).toBeGreaterThanOrEqual(0);
        const shown = free || undefined;
        expect(freeIn(views, teeid)).toEqual({ v2: shown, v3: shown, v4: shown, v5: shown, callback: shown });
      }
      await sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot())));
    });
    await fc.assert(property, { numRuns });
  });
});

describe('one after another', () => {
  rule('bookings.effect.no-overbooking', 'more players than are free are refused, in every way', async () => {
    for (const name of wayNames) {
      const { fairway } = await open();
      for (const places of [1, 2, 3]) {
        const teeTime = await withFree(fairway, places);
        const { status, body } = await ways[name]!(fairway, teeTime, { players: places + 1 });
        expect({ status, body }, name).toEqual({ status: 400, body: failure });
        expect(await freeOf(fairway, teeTime)).toBe(places);
        expect((await ways[name]!(fairway, teeTime, { players: places })).status).toBe(200);
        expect((await ways[name]!(fairway, teeTime, { players: 1 })).status).toBe(400);
      }
    }
  });

  rule('bookings.effect.no-overbooking', 'the bookings of one request are counted together', async () => {
    const { fairway } = await open();
    const teeTime = await withFree(fairway, 4);
    const list = (...players: number[]): Json[] => players.map((count) => bookingFor(teeTime, { players: count }));
    const before = await listedIds(fairway, 'v4', { fromDate: LONG_AGO });
    for (const items of [list(3, 2), list(4, 1), list(1, 1, 1, 1, 1), list(2, 2, 1)]) {
      expect(await fairway.post(PATH, items)).toMatchObject({ status: 400, body: failure });
      expect(await fairway.post(PATH, { details: items })).toMatchObject({ status: 400, body: failure });
    }
    for (const version of LISTING) expect(await listedIds(fairway, version, { fromDate: LONG_AGO })).toEqual(before);
    expect((await fairway.post(PATH, list(1, 2, 1))).status).toBe(200);
    expect(await freeOf(fairway, teeTime)).toBe(0);
  });
});
