import { type Item, refusing, taking } from '../layers/creations.js';
import type { Mutant } from '../mutant.js';

const refs = (items: readonly Item[]): readonly unknown[] => items.map((item) => item['linkedTeeTimeRef']);
const different = (values: readonly unknown[]): number => new Set(values).size;
const hasRef = (items: readonly Item[]): boolean => refs(items).some((ref) => ref !== undefined);
/** A reference in a list of one: half of a group of two. */
const isHalf = (items: readonly Item[]): boolean => items.length === 1 && hasRef(items);
/** Both rounds at products that cover more holes than one of them. */
const isGroup = (items: readonly Item[]): boolean => items.length > 1 && hasRef(items);

/** Whether what follows the first linked group of a request, or of its `details`, is wrong. */
const behind =
  (isWrong: (items: readonly Item[]) => boolean) =>
  ([first, ...more]: readonly Item[]): boolean => {
    const items: readonly Item[] = first?.['details'] ?? [first, ...more];
    const ref = items[0]?.['linkedTeeTimeRef'];
    const own = items.filter((item) => item['linkedTeeTimeRef'] === ref);
    const rest = items.filter((item) => !own.includes(item));
    return ref !== undefined && own.length > 1 && rest.length > 0 && isWrong(rest);
  };

/** Defects in the rules of linked tee times. */
export const linkedMutants: readonly Mutant[] = [
  {
    rule: 'bookings.linked.when',
    defect: 'v5 refuses linked tee times',
    layer: refusing('v5', isGroup),
  },
  {
    rule: 'bookings.linked.ref-required',
    defect: 'v5 books a linked product without a reference',
    layer: taking('v5', (items) => !hasRef(items) && items.some(({ holes }) => holes === 9)),
  },
  {
    rule: 'bookings.linked.ref-uuid',
    defect: 'v5 accepts any text as a reference',
    layer: taking('v5', (items) =>
      refs(items).some((ref) => ref !== undefined && !/^[0-9a-f-]{36}$/.test(String(ref))),
    ),
  },
  {
    rule: 'bookings.linked.same-ref',
    defect: 'v5 accepts several references in one linked group',
    layer: taking('v5', (items) => isGroup(items) && different(refs(items)) > 1),
  },
  {
    rule: 'bookings.linked.one-product',
    defect: 'v5 accepts several products in one linked group',
    layer: taking('v5', (items) => isGroup(items) && different(items.map(({ productId }) => productId)) > 1),
  },
  {
    rule: 'bookings.linked.same-players',
    defect: 'v5 accepts different player counts in one linked group',
    layer: taking('v5', (items) => isGroup(items) && different(items.map(({ players }) => players)) > 1),
  },
  {
    rule: 'bookings.linked.holes-sum',
    defect: 'v5 books part of a linked group',
    layer: taking('v5', isHalf),
  },
  {
    rule: 'bookings.linked.holes-sum',
    defect: 'v5 books each round as a linked group of its own',
    layer: taking('v5', (items) => isHalf(items) || (isGroup(items) && different(refs(items)) > 1)),
  },
  ...(
    [
      ['same-players', 'the player counts', (items) => different(items.map(({ players }) => players)) > 1],
      ['one-product', 'the products', (items) => different(items.map(({ productId }) => productId)) > 1],
    ] as const satisfies readonly (readonly [string, string, (items: readonly Item[]) => boolean])[]
  ).flatMap(([rule, what, isWrong]): Mutant[] => [
    {
      rule: `bookings.linked.${rule}`,
      defect: `v5 checks ${what} of the first linked group of a request alone`,
      layer: taking('v5', behind(isWrong)),
    },
    {
      rule: `bookings.linked.${rule}`,
      defect: `v5 checks ${what} of the first linked group in \`details\` alone`,
      layer: taking('v5', (items) => items[0]?.['details'] !== undefined && behind(isWrong)(items)),
    },
  ]),
  {
    rule: 'bookings.linked.same-players',
    defect: 'v5 checks the player counts of the first two items of a request alone',
    layer: taking('v5', (items) => {
      const [, , ...rest]: readonly Item[] = items[0]?.['details'] ?? items;
      return hasRef(rest) && different(rest.map(({ players }) => players)) > 1;
    }),
  },
];
