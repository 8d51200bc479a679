import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Chance, seedOf } from '../../../src/conformance/client/chance.js';
import { type Call, explained } from '../../../src/conformance/explore/linear.js';
import { Habits, hasRoom, Model, type SlotOp, slotModel, slotsOf } from '../../../src/conformance/explore/model.js';
import { shrunk } from '../../../src/conformance/explore/shrink.js';
import { closed, flat, type Step, type Walk } from '../../../src/conformance/explore/steps.js';
import { readWalk } from '../../../src/conformance/explore/read-walk.js';

const take = (players: number, ok = true, spot = 0): SlotOp => ({ do: 'take', parts: [{ spot, players }], ok });
const both = (one: number, other: number): SlotOp => ({
  do: 'take',
  parts: [
    { spot: 0, players: one },
    { spot: 1, players: other },
  ],
  ok: true,
});
const give = (players: number): SlotOp => ({ do: 'give', part: { spot: 0, players }, ok: true });
const see = (free: number): SlotOp => ({ do: 'see', spot: 0, free });
const call = (op: SlotOp, start: number, end: number): Call<SlotOp> => ({ op, start, end });

describe('a history has an order that explains it, or none', () => {
  test.each<[what: string, free: number[], calls: Call<SlotOp>[], isExplained: boolean]>([
    ['nothing', [4], [], true],
    ['two bookings that fit', [4], [call(take(2), 1, 3), call(take(2), 2, 4)], true],
    ['two bookings that do not', [3], [call(take(2), 1, 3), call(take(2), 2, 4)], false],
    ['one of them refused', [3], [call(take(2), 1, 3), call(take(2, false), 2, 4)], true],
    ['a cancellation before a booking', [0], [call(take(2), 1, 4), call(give(2), 2, 3)], true],
    ['a cancellation that began after the booking was over', [0], [call(take(2), 1, 2), call(give(2), 3, 4)], false],
    ['a read between two bookings', [4], [call(take(1), 1, 6), call(see(3), 2, 5), call(take(2), 3, 4)], true],
    ['a read of what never was', [4], [call(take(1), 1, 6), call(see(0), 2, 5), call(take(2), 3, 4)], false],
    ['an old read, which may follow later', [4], [call(take(1), 1, 2), call(see(4), 3, 4)], true],
    ['a read of the future', [4], [call(see(3), 1, 2), call(take(1), 3, 4)], false],
    ['a group over two tee times', [2, 1], [call(both(1, 1), 1, 4), call(take(1), 2, 3)], true],
    ['a group that lacks one of them', [2, 0], [call(both(1, 1), 1, 4)], false],
  ])('%s', (_, free, calls, isExplained) => {
    expect(explained(calls, slotsOf(free), slotModel('players'))!.length > 0).toBe(isExplained);
  });

  test('any history that a service made, one after the other, has an order', () => {
    const ops = fc.array(
      fc.record({ players: fc.integer({ min: 1, max: 4 }), width: fc.integer({ min: 0, max: 6 }) }),
      { maxLength: 7 },
    );
    fc.assert(
      fc.property(ops, fc.integer({ min: 0, max: 8 }), (all, free) => {
        let left = free;
        const calls = all.map(({ players, width }, at): Call<SlotOp> => {
          const ok = players <= left;
          if (ok) left -= players;
          // Each took effect at the moment 10 * at, somewhere between its start and its end.
          return call(take(players, ok), 10 * at - width * 3, 10 * at + width * 3);
        });
        const ends = explained(calls, slotsOf([free]), slotModel('players'))!;
        expect(ends.map((state) => state.free[0])).toContain(left);
      }),
      { numRuns: 200 },
    );
  });

  test('more slots than there are have no order, whatever the times', () => {
    const times = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(times, (all) => {
        const calls = all.map(([start, length]) => call(take(2), start, start + length));
        expect(explained(calls, slotsOf([calls.length * 2 - 1]), slotModel('players'))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('a search that would take too long says nothing', () => {
    const calls = Array.from({ length: 40 }, () => call(take(1), 1, 2));
    expect(explained(calls, slotsOf([4]), slotModel('players'))).toBeUndefined();
  });
});

describe('the model', () => {
  test('a booking takes slots, a cancellation gives them back', () => {
    const model = new Model([4, 2], 'players');
    model.move({ spot: 0, players: 3 }, 'take');
    expect([model.free, hasRoom(model.free, [{ spot: 0, players: 2 }])]).toEqual([[1, 2], false]);
    model.move({ spot: 0, players: 3 }, 'give');
    expect(model.free).toEqual([4, 2]);
  });

  test('what was answered first must be answered again', () => {
    const habits = new Habits();
    expect([habits.learn('a', 'yes'), habits.learn('a', 'yes'), habits.learn('a', 'no')]).toEqual([
      undefined,
      undefined,
      'yes',
    ]);
  });

  test('the same seed gives the same numbers, and parts of a run differ', () => {
    const numbers = (seed: number) =>
      Array.from(
        { length: 5 },
        (
          (chance) => () =>
            chance.below(1000)
        )(new Chance(seed)),
      );
    expect(numbers(7)).toEqual(numbers(7));
    expect(new Set([0, 1, 2, 3].map((part) => seedOf(7, part))).size).toBe(4);
  });
});

const book = (id: number, players = 1): Step => ({
  do: 'book',
  id,
  as: 'first',
  by: 'list',
  items: [{ spot: 0, players }],
});
const walkOf = (...steps: Step[]): Walk => ({ form: 1, seed: 1, spots: [{ free: 4 }, { free: 2 }], steps });

describe('shrinking', () => {
  test.each<[what: string, needs: (walk: Walk) => boolean, left: number]>([
    ['one step', ({ steps }) => flat(steps).some(({ id }) => id === 7), 1],
    ['two steps', ({ steps }) => [3, 9].every((id) => flat(steps).some((step) => step.id === id)), 2],
    [
      'two steps at the same time',
      ({ steps }) => steps.some((step) => step.do === 'together' && step.steps.length > 1),
      2,
    ],
  ])('leaves %s that matter', async (_, needs, left) => {
    const many = Array.from({ length: 12 }, (_step, at) => book(at, 3));
    const both: Step = { do: 'together', id: 90, steps: [book(91), book(92), book(93)] as never, jitter: 8 };
    const smallest = await shrunk(walkOf(...many, both), async (walk) => (needs(walk) ? walk : undefined));
    expect(flat(smallest.steps)).toHaveLength(left);
    for (const step of flat(smallest.steps)) expect(step).toMatchObject({ by: 'single', items: [{ players: 1 }] });
    expect(smallest.spots).toHaveLength(1);
  });

  test('a step goes with the booking that it names', () => {
    const pay: Step = { do: 'pay', id: 2, of: 1, item: 0, version: 'v4' };
    expect(closed(walkOf(book(1), pay)).steps).toHaveLength(2);
    expect(closed(walkOf(book(3), pay)).steps).toHaveLength(1);
  });
});

test.each([
  [null],
  [{}],
  [{ form: 2 }],
  [{ form: 1, spots: [], steps: [{ do: 'rob', id: 1 }] }],
  [{ form: 1, spots: 1, steps: [] }],
])('no walk: %j', (value) => {
  expect(() => readWalk(value)).toThrow('it is no walk');
});
