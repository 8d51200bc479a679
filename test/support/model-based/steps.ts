import fc from 'fast-check';

/** What one channel does at one step. The numbers choose among what is there. */
export interface Step {
  readonly channel: 'fairway' | 'links' | 'caddie';
  readonly does: (typeof deeds)[number];
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly players: number;
}

const deeds = [
  ...Array<'book'>(6).fill('book'),
  ...Array<'group'>(3).fill('group'),
  ...Array<'stumble'>(3).fill('stumble'),
  ...Array<'teeTimes'>(5).fill('teeTimes'),
  ...Array<'list'>(4).fill('list'),
  ...Array<'pay'>(3).fill('pay'),
  ...Array<'payGroup'>(2).fill('payGroup'),
  'search',
  'prices',
  'countries',
  'facilities',
  'facility',
  'details',
  'refresh',
  'wait',
] as const;

const number = fc.nat({ max: 9999 });

/** Steps in the order of time; those of one batch happen at once. */
export const steps = (count: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      channel: fc.constantFrom('fairway' as const, 'links' as const, 'caddie' as const),
      does: fc.constantFrom(...deeds),
      a: number,
      b: number,
      c: number,
      players: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: count, maxLength: count },
  );
