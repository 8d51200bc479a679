import { expect, test } from 'vitest';
import { type Abilities, generate, wrongDeck } from '../../../src/conformance/explore/generate.js';
import { hasRoom } from '../../../src/conformance/explore/model.js';
import { type BookStep, flat, type Walk } from '../../../src/conformance/explore/steps.js';

const can: Abilities = {
  ways: ['single', 'list', 'details', 'bulk', 'round'],
  isLinked: false,
  lists: ['v4'],
  sheets: ['v4'],
  filters: [],
  payments: ['v4'],
  groupPayments: ['v5'],
  hasPrices: true,
  channels: ['first'],
  refreshes: false,
  reuses: false,
  searches: false,
};

/** The flaws of the bookings of a walk, each `alone` or `among others`, as far as the slots tell. */
function flawsOf({ spots, steps }: Walk): readonly string[] {
  const free = spots.map((spot) => spot.free);
  return flat(steps)
    .filter((step): step is BookStep => step.do === 'book')
    .flatMap(({ by, items }) => {
      const wrong = items.find((item) => item.wrong)?.wrong;
      const fits = hasRoom(free, items);
      if (wrong) return [`${by} ${wrong} ${fits ? 'alone' : 'among others'}`];
      if (fits) for (const { spot, players } of items) free[spot]! -= players;
      else if (items.every((item) => hasRoom(free, [item]))) return [`${by} slots alone`];
      return [];
    });
}

test('bookings are wrong by one thing alone, and by each in each form', () => {
  const deck = wrongDeck(can.ways);
  const tried = new Map<string, number>();
  for (let seed = 0; seed < 50; seed += 1) {
    const walk = generate(seed, can, { steps: 24, parallel: 1 }, deck);
    for (const flaw of flawsOf(walk)) tried.set(flaw, (tried.get(flaw) ?? 0) + 1);
  }
  expect([...tried.keys()].toSorted()).toEqual(deck.cards.map((card) => `${card.join(' ')} alone`).toSorted());
  expect(Math.min(...tried.values())).toBeGreaterThanOrEqual(4);
});
