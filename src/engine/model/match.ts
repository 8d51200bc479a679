import type { BookingRequest } from './booking.js';
import type { Wish } from './linked.js';
import { Refusal } from './refusal.js';
import type { TeeSheet } from './tee-sheet.js';
import type { Course } from './world.js';

/** The tee time of a `teeId`, with its sheet and course. */
export interface Located {
  readonly course: Course;
  readonly sheet: TeeSheet;
  readonly index: number;
}

type Rule = ConstructorParameters<typeof Refusal>[1];

/** A tee time that cannot be booked as requested is a cart problem (Errors, table row 6). */
export function cartProblem(rule: Rule, detail: string): Refusal {
  return new Refusal('cart-problem', rule, { detail });
}

/**
 * Finds the tee time and the product of a request.
 *
 * @throws {Refusal} `cart-problem` if the tee time does not exist or differs from the request.
 */
export function matchWish(request: BookingRequest, located: Located | undefined): Wish {
  if (!located) throw cartProblem('bookings.request.teeId', `there is no tee time ${request.teeId}`);
  const { course, sheet, index } = located;
  const teeTime = sheet.teeTimes[index]!;
  const expect = (rule: Rule, name: string, want: unknown, got: unknown): void => {
    if (want !== got) throw cartProblem(rule, `tee time ${teeTime.teeId} has ${name} ${want}, the request says ${got}`);
  };
  expect('bookings.request.facilityId', 'facility', course.facilityId, request.facilityId);
  expect('bookings.request.course', 'course', course.name, request.course);
  expect('bookings.request.teetime', 'time', teeTime.time, request.time);
  expect('bookings.request.holes', 'holes', teeTime.holes, request.holes);
  const product =
    request.productId === null ? teeTime.products[0] : teeTime.products.find((one) => one.mid === request.productId);
  if (!product) {
    throw cartProblem(
      'bookings.request.productId',
      `tee time ${teeTime.teeId} does not sell product ${request.productId}`,
    );
  }
  return { request, teeTime, product };
}
