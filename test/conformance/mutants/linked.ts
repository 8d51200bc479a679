import { type Item, refusing, taking } from './creations.js';
import type { Mutant } from './mutant.js';

const refs = (items: readonly Item[]): readonly unknown[] => items.map((item) => item['linkedTeeTimeRef']);
const different = (values: readonly unknown[]): number => new Set(values).size;
const hasRef = (items: readonly Item[]): boolean => refs(items).some((ref) => ref !== undefined);
/** A reference in a list of one: half of a group of two. */
const isHalf = (items: readonly Item[]): boolean => items.length === 1 && hasRef(items);
/** Both rounds at products that cover more holes than one of them. */
const isGroup = (items: readonly Item[]): boolean => items.length > 1 && hasRef(items);

/** Defects in the rules of linked tee times. */
export const linkedMutants: readonly Mutant[] = [
  {
    rule: 'bookings.linked.when',
    defect: 'v5 does not know linked tee times',
    layer: refusing('v5', isGroup),
  },
  {
    rule: 'bookings.linked.ref-required',
    defect: 'v5 books 18 holes for a tee time of 9',
    layer: taking('v5', (items) => !hasRef(items) && items.some(({ holes }) => holes === 9)),
  },
  {
    rule: 'bookings.linked.ref-uuid',
    defect: 'v5 takes any text as a reference',
    layer: taking('v5', (items) => refs(items).includes('not-a-uuid')),
  },
  {
    rule: 'bookings.linked.same-ref',
    defect: 'v5 counts the holes of a request and not of a reference',
    layer: taking('v5', (items) => isGroup(items) && different(refs(items)) > 1),
  },
  {
    rule: 'bookings.linked.one-product',
    defect: 'v5 looks at the first product of a group alone',
    layer: taking('v5', (items) => isGroup(items) && different(items.map(({ productId }) => productId)) > 1),
  },
  {
    rule: 'bookings.linked.same-players',
    defect: 'v5 does not compare the players of linked rounds',
    layer: taking('v5', (items) => isGroup(items) && different(items.map(({ players }) => players)) > 1),
  },
  {
    rule: 'bookings.linked.holes-sum',
    defect: 'v5 books half of a linked group',
    layer: taking('v5', isHalf),
  },
];
