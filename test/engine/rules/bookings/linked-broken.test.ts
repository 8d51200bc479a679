import { describe, expect, test } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { listedIds, LONG_AGO } from '../../../support/booking-list.js';
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
import { type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

type Rounds = readonly TeeTime[];

const round = (teeTime: TeeTime, changes: Record<string, unknown> = {}) => roundFor(TWICE_ROUND, teeTime, changes);
/** The product of one round on the same tee time. */
const nine = (teeTime: TeeTime) => ({ productId: teeTime.products[0].mid });

interface Broken {
  readonly id: RuleId;
  readonly name: string;
  /** Breaks this one rule. */
  readonly broken: (rounds: Rounds) => Json[];
  /** The same request with that rule held. */
  readonly kept: (rounds: Rounds) => Json[];
}

const pair = ([a, b]: Rounds): Json[] => [round(a!), round(b!)];
const none = { linkedTeeTimeRef: undefined };
const other = { linkedTeeTimeRef: OTHER_REF };

/** Rules 1 to 5 of linked tee times, each broken alone. */
const table: readonly Broken[] = [
  {
    id: 'bookings.linked.ref-required',
    name: 'no reference at all',
    broken: ([a, b]) => [round(a!, none), round(b!, none)],
    kept: pair,
  },
  {
    id: 'bookings.linked.ref-required',
    name: 'no reference on one of the rounds',
    broken: ([a, b]) => [round(a!), round(b!, none)],
    kept: pair,
  },
  {
    id: 'bookings.linked.same-ref',
    name: 'each round with a reference of its own',
    broken: ([a, b]) => [round(a!), round(b!, other)],
    kept: pair,
  },
  {
    id: 'bookings.linked.same-ref',
    name: 'a third round with a reference of its own',
    broken: ([a, b, c]) => [round(a!), round(b!), round(c!, other)],
    kept: ([a, b, c]) => [round(a!), round(b!), round(c!)],
  },
  {
    id: 'bookings.linked.one-product',
    name: 'the product of one round beside that of two',
    broken: ([a, b]) => [round(a!), round(b!, nine(b!))],
    kept: pair,
  },
  {
    id: 'bookings.linked.one-product',
    name: 'a second product in a group that has its holes',
    broken: ([a, b, c]) => [round(a!), round(b!), round(c!, nine(c!))],
    kept: ([a, b, c]) => [round(a!), round(b!), round(c!, { ...nine(c!), ...none })],
  },
  {
    id: 'bookings.linked.same-players',
    name: 'two players, then one',
    broken: ([a, b]) => [round(a!), round(b!, { players: 1 })],
    kept: pair,
  },
  {
    id: 'bookings.linked.same-players',
    name: 'the third round with fewer players',
    broken: ([a, b, c]) => [round(a!), round(b!), round(c!, { players: 1 })],
    kept: ([a, b, c]) => [round(a!), round(b!), round(c!)],
  },
  {
    id: 'bookings.linked.holes-sum',
    name: 'one round of the two that are due',
    broken: ([a]) => [round(a!)],
    kept: pair,
  },
  {
    id: 'bookings.linked.holes-sum',
    name: 'one tee time named twice, which is one round',
    broken: ([a]) => [round(a!, { players: 1 }), round(a!, { players: 1 })],
    kept: ([a, b]) => [round(a!, { players: 1 }), round(b!, { players: 1 })],
  },
];

/** What a refusal must leave as it was. */
async function stateOf(client: Client, [first]: Rounds): Promise<unknown> {
  const days = (Date.parse(first!.time.slice(0, 10)) - Date.UTC(2026, 5, 1)) / 86_400_000;
  const { facilityId } = TWICE_ROUND;
  return [
    await listedIds(client, 'v4', { fromDate: LONG_AGO }),
    await teeTimesOf(client, { facilityId, days, holes: 9 }),
  ];
}

const refused = (id: RuleId) => ({
  status: 400,
  rule: id,
  body: { success: false, data: null, message: expect.stringMatching(/\w/) },
});

for (const { id, name, broken, kept } of table) {
  rule(id, `${name} is refused in any order and shape, and leaves no trace`, async () => {
    const { fairway } = await open();
    const rounds = await roundsOf(fairway, TWICE_ROUND);
    const before = await stateOf(fairway, rounds);
    for (const shape of ['list', 'details'] as const) {
      for (const items of [broken(rounds), broken(rounds).reverse()]) {
        expect(await postRounds(fairway, items, shape)).toMatchObject(refused(id));
      }
    }
    expect(await stateOf(fairway, rounds)).toEqual(before);
    expect(await postRounds(fairway, kept(rounds), 'list')).toMatchObject({ status: 200 });
  });
}

describe('36 holes over rounds of 18', () => {
  for (const channel of ['fairway', 'caddie'] as const) {
    rule(['bookings.linked.holes-sum', 'bookings.linked.ref-required'], `${channel}: one is too few`, async () => {
      const { [channel]: client } = await open();
      const products = linkedProducts(client).filter(({ holes }) => holes === 36);
      expect(products.length).toBeGreaterThan(0);
      for (const product of products) {
        const [a, b] = await roundsOf(client, product);
        const [first, second] = [roundFor(product, a!), roundFor(product, b!)];
        expect(await postRounds(client, [first], 'list')).toMatchObject(refused('bookings.linked.holes-sum'));
        const bare = [first, second].map((one) => ({ ...one, ...none }));
        expect(await postRounds(client, bare, 'list')).toMatchObject(refused('bookings.linked.ref-required'));
        expect(await postRounds(client, [first, second], 'list')).toMatchObject({ status: 200 });
      }
    });
  }
});

describe('a single booking', () => {
  rule(['bookings.linked.ref-required', 'bookings.linked.holes-sum'], 'cannot hold a linked product', async () => {
    const { fairway } = await open();
    const rounds = await roundsOf(fairway, TWICE_ROUND);
    const before = await stateOf(fairway, rounds);
    const post = (changes: Record<string, unknown>) => fairway.post('/api/v5/bookings', round(rounds[0]!, changes));
    expect(await post(none)).toMatchObject(refused('bookings.linked.ref-required'));
    expect(await post({})).toMatchObject(refused('bookings.linked.holes-sum'));
    expect(await stateOf(fairway, rounds)).toEqual(before);
  });
});

describe('references that are no UUID', () => {
  const wrong: readonly [string, unknown][] = [
    ['empty', ''],
    ['a word', 'linked'],
    ['a digit short', REF.slice(1)],
    ['a digit long', `${REF}0`],
    ['a letter that is no digit', REF.replace('3', 'g')],
    ['without hyphens', REF.replaceAll('-', '')],
    ['in braces', `{${REF}}`],
    ['as a URN', `urn:uuid:${REF}`],
    ['with a space', ` ${REF}`],
    ['with a line behind it', `${REF}\n`],
    ['a number', 1],
    ['a list', [REF]],
  ];

  for (const [name, linkedTeeTimeRef] of wrong) {
    rule('bookings.linked.ref-uuid', `${name}: is refused in every shape`, async () => {
      const { fairway } = await open();
      const rounds = await roundsOf(fairway, TWICE_ROUND);
      const before = await stateOf(fairway, rounds);
      const items = rounds.slice(0, 2).map((teeTime) => round(teeTime, { linkedTeeTimeRef }));
      const single = round(rounds[0]!, { ...nine(rounds[0]!), linkedTeeTimeRef });
      for (const body of [items, { details: items }, items[0], single]) {
        const reply = await fairway.post('/api/v5/bookings', body);
        expect(reply).toMatchObject(refused('bookings.request.linkedTeeTimeRef'));
        expect(reply.body.message).toMatch(/`(\[0\]\.|details\[0\]\.)?linkedTeeTimeRef`/);
      }
      expect(await stateOf(fairway, rounds)).toEqual(before);
    });
  }
});

test('linked rounds are taken together or not at all when one of them has filled up', async () => {
  const { fairway, links } = await open();
  const rounds = await roundsOf(fairway, TWICE_ROUND);
  const [a, b] = rounds;
  const left = b!.products[0].available;
  const full = round(b!, { ...nine(b!), ...none, players: left });
  expect(await links.post('/api/v5/bookings', full)).toMatchObject({ status: 200 });
  const before = await stateOf(fairway, rounds);
  expect(await postRounds(fairway, pair([a!, b!]), 'list')).toMatchObject({ status: 400, body: { success: false } });
  expect(await stateOf(fairway, rounds)).toEqual(before);
});

describe('where earlier bookings of a list stay when a later one fails', () => {
  const stay = { dialect: { answers: { 'booking.group-failure': 'earlier-stay' } } } as const;
  const nowhere = { teeId: 1 };

  rule(['bookings.linked.ref-required', 'bookings.linked.holes-sum'], 'no half of a linked group does', async () => {
    const { fairway } = await open(stay);
    const rounds = await roundsOf(fairway, TWICE_ROUND);
    const [a, b, c] = rounds as [TeeTime, TeeTime, TeeTime];
    const left = c.products[0].available;
    await fairway.post('/api/v5/bookings', round(c, { ...nine(c), ...none, players: left }));
    const before = await stateOf(fairway, rounds);
    for (const items of [
      [round(a), round(b, nowhere)],
      [round(a), round(c)],
      [round(a, none), round(b, { ...none, ...nowhere })],
    ]) {
      expect(await postRounds(fairway, items, 'list')).toMatchObject({ status: 400, body: { success: false } });
      expect(await stateOf(fairway, rounds)).toEqual(before);
    }
    expect(await postRounds(fairway, pair([a, b]), 'list')).toMatchObject({ status: 200 });
  });
});
