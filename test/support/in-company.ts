import { createHash } from 'node:crypto';

/**
 * Items in groups, in several orders that look like chance and are always the same: each item is tried with other
 * company in each order, for a fraction of the runs that all items alone would take.
 *
 * @param kindOf What no two items of a group may share.
 */
export function inCompany<T>(
  items: readonly T[],
  { size, orders, kindOf }: { readonly size: number; readonly orders: number; kindOf(item: T): string },
): readonly (readonly T[])[] {
  return Array.from({ length: orders }, (_, order) => {
    const groups: T[][] = [];
    const placeOf = (index: number): string => createHash('sha256').update(`${order} ${index}`).digest('hex');
    const places = items.map((item, index) => [placeOf(index), item] as const);
    for (const [, item] of places.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const hasRoom = (group: readonly T[]): boolean =>
        group.length < size && group.every((other) => kindOf(other) !== kindOf(item));
      const group = groups.find(hasRoom);
      if (group) group.push(item);
      else groups.push([item]);
    }
    return groups;
  }).flat();
}
