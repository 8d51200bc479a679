import type { BookingRequest } from './booking.js';
import type { Wish } from './linked.js';
import { Refusal } from './refusal.js';
import type { TeeSheet } from './tee-sheet.js';
import type { Course } from './world.js';

/** The tee time that a `teeId` names, with the sheet and course it stands on. */
export interface Located {
  readonly course: Course;
  readonly sheet: TeeSheet;
  readonly index: number;
}

type Rule = ConstructorParameters<typeof Refusal>[1];

/** A tee time that cannot be booked as asked is a problem of the cart (Errors, table row 6). */
export function cartProblem(rule: Rule, detail: string): Refusal {
  return new Refusal('cart-problem', rule, { detail });
}

/**
 * Finds the tee time and product a request means.
 *
 * @throws {Refusal} `cart-problem` when the tee time does not exist or does not match what the request says of it.
 */
export function matchWish(request: BookingRequest, located: Located | undefined): Wish {
  if (!located) throw cartProblem('bookings.request.teeId', `there is no tee time ${request.teeId}`);
  const { course, sheet, index } = located;
  const slot = sheet.slots[index]!;
  const expect = (rule: Rule, name: string, want: unknown, got: unknown): void => {
    if (want !== got) throw cartProblem(rule, `tee time ${slot.teeId} has ${name} ${want}, the request says ${got}`);
  };
  expect('bookings.request.facilityId', 'facility', course.facilityId, request.facilityId);
  expect('bookings.request.course', 'course', course.name, request.course);
  expect('bookings.request.teetime', 'time', slot.time, request.time);
  expect('bookings.request.holes', 'holes', slot.holes, request.holes);
  const product =
    request.productId === null ? slot.products[0] : slot.products.find((one) => one.mid === request.productId);
  if (!product) {
    throw cartProblem(
      'bookings.request.productId',
      `tee time ${slot.teeId} does not sell product ${request.productId}`,
    );
  }
  return { request, slot, product };
}
