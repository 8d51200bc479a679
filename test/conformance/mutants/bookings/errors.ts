import { answering, refused } from '../layers/booking-lists.js';
import { refusingOtherwise } from '../layers/creations.js';
import type { Mutant } from '../mutant.js';

const creation = /\/api\/v5\/bookings$/;
const anything = /\/api\//;

/** Defects in how failures are answered. */
export const errorMutants: readonly Mutant[] = [
  {
    rule: 'errors.create.status',
    defect: 'a booking of a nonexistent tee time is answered with 404',
    layer: refusingOtherwise(creation, (body) => [404, body]),
  },
  {
    rule: 'errors.create.status',
    defect: 'a failed booking is answered with 200',
    layer: refusingOtherwise(creation, (body) => [200, body]),
  },
  {
    rule: 'errors.create.status',
    defect: 'a failed booking is answered with 500',
    layer: refusingOtherwise(creation, (body) => [500, body]),
  },
  {
    rule: 'errors.create.status',
    defect: 'a `teeId` close to that of a tee time is answered with 500',
    layer: answering(/^POST \/api\/v5\/bookings$/, async (request, go) => {
      const { teeId } = (await request.clone().json()) as { readonly teeId?: number };
      const response = await go(request);
      return response.ok || Number(teeId) > 2_000_000_000 ? response : refused(500);
    }),
  },
  {
    rule: 'errors.server-error',
    defect: 'a facility id that is no number is answered with 500',
    options: { only: ['errors.server-error', 'facilities.path.facilityId'] },
    layer: refusingOtherwise(/abc$/, (body) => [500, body]),
  },
  {
    rule: 'errors.server-error',
    defect: 'a failed booking is answered with 507',
    options: { only: ['errors.server-error', 'errors.create.message'] },
    layer: refusingOtherwise(creation, (body) => [507, body]),
  },
  {
    rule: 'errors.server-error',
    defect: 'the prices are never available, and all else is',
    options: { only: ['errors.server-error', 'prices.list'] },
    layer: async (request, through) =>
      request.url.includes('/price/') ? new Response(null, { status: 503 }) : through(request),
  },
  {
    rule: 'errors.create.message',
    defect: 'a failed booking has no message',
    layer: refusingOtherwise(creation, () => [400, { success: false, data: null }]),
  },
  {
    rule: 'errors.create.message',
    defect: 'a failed booking has only a code as its message',
    layer: refusingOtherwise(creation, () => [400, { success: false, data: null, message: 'E_CART' }]),
  },
  {
    rule: 'errors.create.cart-problem',
    defect: 'the message of a cart problem does not ask for a new search',
    layer: refusingOtherwise(creation, (body) => [400, { ...body, message: 'The tee time is not available.' }]),
  },
  {
    rule: 'errors.create.retry-hint',
    defect: 'a message does not ask to retry',
    layer: refusingOtherwise(creation, (body) => [
      400,
      { ...body, message: 'The booking could not be processed at the moment.' },
    ]),
  },
  {
    rule: 'errors.create.retry-hint',
    defect: 'a message does not name the support',
    layer: refusingOtherwise(creation, (body) => [
      400,
      { ...body, message: 'Booking creation has failed. Try again.' },
    ]),
  },
  {
    rule: 'errors.create.invalid-body',
    defect: 'a body without a field is answered with 422',
    layer: refusingOtherwise(creation, (body) => [422, { ...body, message: 'A field is missing.' }]),
  },
  {
    rule: 'errors.body',
    defect: 'messages are in the field `error`',
    layer: refusingOtherwise(anything, ({ message, ...body }, { status }) => [status, { ...body, error: message }]),
  },
  {
    rule: 'errors.code',
    defect: 'refusals have a code',
    layer: refusingOtherwise(anything, (body, { status }) => [status, { ...body, code: 'INVALID' }]),
  },
  {
    rule: 'errors.auth-status',
    defect: 'missing credentials are answered with 403',
    layer: refusingOtherwise(anything, (body, { status }) => [status === 401 ? 403 : status, body]),
  },
  {
    rule: 'errors.token-status',
    defect: 'a refused token is answered with 400',
    layer: refusingOtherwise(/refreshToken$/, (body) => [400, body]),
  },
  {
    rule: 'errors.validation-status',
    defect: 'an invalid parameter is answered with 422',
    layer: refusingOtherwise(/\/teetimes\//, (body) => [422, body]),
  },
];
