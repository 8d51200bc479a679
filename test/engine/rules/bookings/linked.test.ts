import { describe, expect, test } from 'vitest';
import { listOf } from '../../../support/booking-list.js';
import { type Client, open } from '../../../support/client.js';
import {
  linkedProducts,
  OTHER_REF,
  postRounds,
  REF,
  roundFor,
  roundsOf,
  TWICE_ROUND,
} from '../../../support/linked.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

const SHAPES = ['list', 'details'] as const;
const booked = { status: 200, body: { success: true } };

/** Free places of the tee times in the list, which must all still be there. */
async function freeAt(client: Client, rounds: readonly TeeTime[]): Promise<number[]> {
  const days = (Date.parse(rounds[0]!.time.slice(0, 10)) - Date.UTC(2026, 5, 1)) / 86_400_000;
  const shown = await teeTimesOf(client, { facilityId: TWICE_ROUND.facilityId, days, holes: 9 });
  return rounds.map(({ teeid }) => shown.find((one) => one.teeid === teeid)?.products[0].available ?? 0);
}

describe('a product of more holes than its tee time', () => {
  for (const channel of ['fairway', 'links', 'caddie'] as const) {
    rule('bookings.linked.when', `is booked over linked tee times, wherever ${channel} can buy one`, async () => {
      const { [channel]: client } = await open();
      const products = linkedProducts(client);
      expect(new Set(products.map(({ holes, round }) => `${holes} over ${round}`))).toEqual(
        new Set(['18 over 9', '36 over 18']),
      );
      for (const product of products) {
        const rounds = (await roundsOf(client, product)).slice(0, product.holes / product.round);
        const reply = await postRounds(
          client,
          rounds.map((teeTime) => roundFor(product, teeTime)),
          'list',
        );
        expect(reply, `product ${product.mid}`).toMatchObject(booked);
        const ids = reply.body.data.bookingIds.map(({ bookingId }: Json) => bookingId);
        const listed = (await listOf(client, 'v4')).filter(({ bookingId }) => ids.includes(bookingId));
        expect(listed.map(({ teeId }) => teeId).sort()).toEqual(rounds.map(({ teeid }) => teeid).sort());
      }
    });
  }

  test('shares its tee time with the product of one round, which needs no reference', async () => {
    const { fairway } = await open();
    const [teeTime] = await roundsOf(fairway, TWICE_ROUND);
    const [nine, twice] = teeTime!.products;
    expect([nine.mid === TWICE_ROUND.mid, twice.mid]).toEqual([false, TWICE_ROUND.mid]);
    const { facilityId } = TWICE_ROUND;
    const reply = await fairway.post('/api/v5/bookings', bookingFor(teeTime!, { facilityId, productId: nine.mid }));
    expect(reply).toMatchObject(booked);
  });
});

describe('linked groups that hold every rule', () => {
  const round = (teeTime: TeeTime, changes: Record<string, unknown> = {}) => roundFor(TWICE_ROUND, teeTime, changes);
  const nineOf = (teeTime: TeeTime, changes: Record<string, unknown> = {}) =>
    round(teeTime, { productId: teeTime.products[0].mid, linkedTeeTimeRef: undefined, ...changes });

  const kept: readonly { name: string; list: (rounds: readonly TeeTime[]) => unknown[] }[] = [
    { name: 'exactly the holes', list: ([a, b]) => [round(a!), round(b!)] },
    { name: 'the later round first', list: ([a, b]) => [round(b!), round(a!)] },
    { name: 'more holes than are due', list: ([a, b, c]) => [round(a!), round(b!), round(c!)] },
    { name: 'one player', list: ([a, b]) => [round(a!, { players: 1 }), round(b!, { players: 1 })] },
    {
      name: 'one reference in letters of both sizes',
      list: ([a, b]) => [round(a!), round(b!, { linkedTeeTimeRef: REF.toUpperCase() })],
    },
    {
      name: 'two groups with references of their own',
      list: ([a, b, c, d]) => [
        round(a!),
        round(b!, { linkedTeeTimeRef: OTHER_REF, players: 1 }),
        round(c!),
        round(d!, { linkedTeeTimeRef: OTHER_REF, players: 1 }),
      ],
    },
    {
      name: 'two groups on the same tee times',
      list: ([a, b]) =>
        [REF, OTHER_REF].flatMap((linkedTeeTimeRef) =>
          [a!, b!].map((teeTime) => round(teeTime, { linkedTeeTimeRef, players: 1 })),
        ),
    },
    {
      name: 'beside a booking of another product without a reference',
      list: ([a, b, c]) => [round(a!), nineOf(c!, { players: 1 }), round(b!)],
    },
  ];

  for (const { name, list } of kept) {
    for (const shape of SHAPES) {
      test(`${name}, as ${shape}`, async () => {
        const { fairway } = await open();
        const rounds = await roundsOf(fairway, TWICE_ROUND);
        const before = await freeAt(fairway, rounds);
        const items = list(rounds) as { teeId: number; players: number }[];
        const reply = await postRounds(fairway, items, shape);
        expect(reply).toMatchObject(booked);
        expect(reply.body.data.bookingIds).toHaveLength(items.length);
        const due = rounds.map(({ teeid }, index) => {
          const mine = items.filter(({ teeId }) => teeId === teeid);
          return before[index]! - mine.reduce((sum, { players }) => sum + players, 0);
        });
        expect(await freeAt(fairway, rounds)).toEqual(due);
      });
    }
  }

  rule('bookings.linked.ref-uuid', 'a UUID of any kind is a reference', async () => {
    const uuids = {
      'of time': 'c232ab00-9414-11ec-b3c8-9f6bdeced846',
      'of a name': '5df41881-3aed-3515-88a7-2f4a814cf09e',
      'of chance': '919108f7-52d1-4320-9bac-f847db4148a8',
      'in order of time': '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
      'in capitals': '919108F7-52D1-4320-9BAC-F847DB4148A8',
    };
    for (const [kind, linkedTeeTimeRef] of Object.entries(uuids)) {
      const { fairway } = await open();
      const [a, b] = await roundsOf(fairway, TWICE_ROUND);
      const items = [round(a!, { linkedTeeTimeRef }), round(b!, { linkedTeeTimeRef })];
      expect(await postRounds(fairway, items, 'list'), kind).toMatchObject(booked);
    }
  });
});
