import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LISTING, listedIds, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open, type Reply } from '../../../support/client.js';
import { roundFor, roundsOf, TWICE_ROUND } from '../../../support/linked.js';
import { rule } from '../../../support/rule.js';
import { sampledRule } from '../../../support/sampled.js';
import { bookingFor, findTeeTime, type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';
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
