import type { BookingRequest } from './booking.js';
import { Refusal } from './refusal.js';
import type { TeeTime } from './tee-sheet.js';
import type { Product } from './world.js';

/** A request with its tee time and product. */
export interface Wish {
  readonly request: BookingRequest;
  readonly teeTime: TeeTime;
  readonly product: Product;
}

/** A product with more holes than its tee time needs further, linked tee times. */
function needsLink({ teeTime, product }: Wish): boolean {
  return product.holes > teeTime.holes;
}

/**
 * Checks the bookings of one request against the rules of linked tee times ("Create booking", linked list 1 to 5).
 *
 * @throws {Refusal} `linked-tee-times`, naming the first broken rule.
 */
export function checkLinked(wishes: readonly Wish[]): void {
  // Most bookings have no reference.
  let groups: Map<string, Wish[]> | undefined;
  for (const wish of wishes) {
    const ref = wish.request.linkedTeeTimeRef;
    if (ref === null) {
      if (needsLink(wish)) throw missingRef(wish);
      continue;
    }
    const key = ref.toLowerCase();
    groups ??= new Map<string, Wish[]>();
    const group = groups.get(key);
    if (group) group.push(wish);
    else groups.set(key, [wish]);
  }
  const all = groups ? [...groups.values()] : [];
  for (const group of all) checkGroup(group, all);
}

function checkGroup(group: readonly Wish[], all: readonly (readonly Wish[])[]): void {
  const first = group[0]!;
  for (const { request, product } of group) {
    if (product.mid !== first.product.mid) {
      throw refuse('bookings.linked.one-product', 'must name the same green fee product in every round of the group');
    }
    if (request.players !== first.request.players) {
      throw refuse('bookings.linked.same-players', 'must have the same number of players in every round of the group');
    }
  }
  if (new Set(group.map(({ teeTime }) => teeTime.teeId)).size < group.length) {
    throw refuse('bookings.linked.holes-sum', 'must name a different tee time for each round of the group');
  }
  const holes = group.reduce((sum, { teeTime }) => sum + teeTime.holes, 0);
  if (holes >= first.product.holes) return;
  const split = all.some((other) => other !== group && other[0]!.product.mid === first.product.mid);
  if (split) throw refuse('bookings.linked.same-ref', 'must have the same `linkedTeeTimeRef` in all rounds of a group');
  throw refuse(
    'bookings.linked.holes-sum',
    `must add up to at least ${first.product.holes} holes, as the product \`${first.product.name}\` covers; got ${holes}`,
  );
}

function missingRef({ product, teeTime }: Wish): Refusal {
  return refuse(
    'bookings.linked.ref-required',
    `must have a \`linkedTeeTimeRef\`: the product \`${product.name}\` covers ${product.holes} holes and the tee time has ${teeTime.holes}`,
  );
}

function refuse(rule: ConstructorParameters<typeof Refusal>[1], due: string): Refusal {
  return new Refusal('linked-tee-times', rule, { words: `Linked bookings ${due}.` });
}
