import { refusingOtherwise } from './creations.js';
import type { Mutant } from './mutant.js';

const creation = /\/api\/v5\/bookings$/;
const anything = /\/api\//;

/** Defects in how failures are answered. */
export const errorMutants: readonly Mutant[] = [
  {
    rule: 'errors.create.status',
    defect: 'a tee time that does not exist is a 404 of the booking',
    layer: refusingOtherwise(creation, (body) => [404, body]),
  },
  {
    rule: 'errors.create.status',
    defect: 'a booking that fails is a 200',
    layer: refusingOtherwise(creation, (body) => [200, body]),
  },
  {
    rule: 'errors.create.status',
    defect: 'a booking that fails brings the service down',
    layer: refusingOtherwise(creation, (body) => [500, body]),
  },
  {
    rule: 'errors.create.message',
    defect: 'a booking fails without a word',
    layer: refusingOtherwise(creation, () => [400, { success: false, data: null }]),
  },
  {
    rule: 'errors.create.message',
    defect: 'a booking fails with a code alone',
    layer: refusingOtherwise(creation, () => [400, { success: false, data: null, message: 'E_CART' }]),
  },
  {
    rule: 'errors.create.cart-problem',
    defect: 'a cart problem says nothing of a new search',
    layer: refusingOtherwise(creation, (body) => [400, { ...body, message: 'The tee time is not available.' }]),
  },
  {
    rule: 'errors.body',
    defect: 'messages stand in `error`',
    layer: refusingOtherwise(anything, ({ message, ...body }, { status }) => [status, { ...body, error: message }]),
  },
  {
    rule: 'errors.code',
    defect: 'refusals have a code',
    layer: refusingOtherwise(anything, (body, { status }) => [status, { ...body, code: 'INVALID' }]),
  },
  {
    rule: 'errors.auth-status',
    defect: 'missing credentials are a 403',
    layer: refusingOtherwise(anything, (body, { status }) => [status === 401 ? 403 : status, body]),
  },
  {
    rule: 'errors.token-status',
    defect: 'a refused token is a 400',
    layer: refusingOtherwise(/refreshToken$/, (body) => [400, body]),
  },
  {
    rule: 'errors.validation-status',
    defect: 'a parameter that is wrong is a 422',
    layer: refusingOtherwise(/\/teetimes\//, (body) => [422, body]),
  },
];
