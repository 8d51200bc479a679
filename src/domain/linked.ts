import type { BookingRequest } from './booking.js';
import { Refusal } from './refusal.js';
import type { Slot } from './tee-sheet.js';
import type { Product } from './world.js';

/** A request together with the tee time and the product it means. */
export interface Wish {
  readonly request: BookingRequest;
  readonly slot: Slot;
  readonly product: Product;
}

/** A product that covers more holes than its tee time has needs further, linked tee times. */
export function needsLink({ slot, product }: Wish): boolean {
  return product.holes > slot.holes;
}

/**
 * Holds the rules of linked tee times ("Create booking", linked list 1 to 5) over the bookings of one request.
 *
 * @throws {Refusal} `linked-tee-times`, naming the first rule that does not hold.
 */
export function checkLinked(wishes: readonly Wish[]): void {
  const groups = new Map<string, Wish[]>();
  for (const wish of wishes) {
    const ref = wish.request.linkedTeeTimeRef;
    if (ref === null) {
      if (needsLink(wish)) throw missingRef(wish);
      continue;
    }
    const key = ref.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(wish);
    else groups.set(key, [wish]);
  }
  for (const group of groups.values()) checkGroup(group, [...groups.values()]);
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
  if (new Set(group.map(({ slot }) => slot.teeId)).size < group.length) {
    throw refuse('bookings.linked.holes-sum', 'must name a tee time of its own for each round of the group');
  }
  const holes = group.reduce((sum, { slot }) => sum + slot.holes, 0);
  if (holes >= first.product.holes) return;
  const split = all.some((other) => other !== group && other[0]!.product.mid === first.product.mid);
  if (split) throw refuse('bookings.linked.same-ref', 'must share one `linkedTeeTimeRef` in all rounds of a group');
  throw refuse(
    'bookings.linked.holes-sum',
    `must add up to at least ${first.product.holes} holes, as the product \`${first.product.name}\` covers; got ${holes}`,
  );
}

function missingRef({ product, slot }: Wish): Refusal {
  return refuse(
    'bookings.linked.ref-required',
    `must carry a \`linkedTeeTimeRef\`: the product \`${product.name}\` covers ${product.holes} holes and the tee time has ${slot.holes}`,
  );
}

function refuse(rule: ConstructorParameters<typeof Refusal>[1], due: string): Refusal {
  return new Refusal('linked-tee-times', rule, { words: `Linked bookings ${due}.` });
}
