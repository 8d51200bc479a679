import type { Refusal, RefusalCode } from '../model/refusal.js';
import type { Answers, OperationSpec } from '../../contract/index.js';

interface RefusalWords {
  /** The HTTP status, from a question if the document leaves it open. */
  readonly status: number | ((answers: Answers) => number);
  /** The fixed message, or null if each refusal has its own. */
  readonly words: string | null;
}

const retry = 'Please try again; if the error persists, contact support.';

const byDialect = (answer: Answers['facility.unknown']): number => (answer === 'empty' ? 404 : answer);

/**
 * The status and message of each refusal. The seven refusals of a booking creation follow the section Errors, list 1
 * and 2: all messages except those of the transfer and the cart end by asking for a retry.
 */
export const refusalTable = {
  unauthorized: { status: (answers) => answers['auth.failure'], words: null },
  'token-refused': { status: (answers) => answers['token.failure'], words: null },
  invalid: { status: (answers) => answers['error.validation'], words: null },
  'unsupported-media-type': {
    status: 415,
    words:
      'The request body must be sent with `Content-Type: application/json`. ' +
      'With curl, add the header: -H "Content-Type: application/json".',
  },
  'body-too-large': { status: 413, words: null },
  'linked-tee-times': { status: 400, words: null },
  'unknown-path': { status: 404, words: null },
  'method-not-allowed': { status: 405, words: null },
  'rate-limited': { status: 429, words: 'Too many requests. Please wait before the next one.' },
  'unknown-country': {
    status: (answers) => (answers['country.unknown'] === 'empty' ? 404 : answers['country.unknown']),
    words: null,
  },
  'unknown-facility': { status: (answers) => byDialect(answers['facility.unknown']), words: null },
  'unknown-course': { status: (answers) => byDialect(answers['course.unknown']), words: null },
  'unknown-booking': { status: (answers) => byDialect(answers['booking.unknown']), words: null },
  'facility-unconnected': { status: 403, words: 'This facility is not connected to your channel.' },
  'callback-target': { status: 400, words: null },
  'callback-backlog': {
    status: 429,
    words:
      'Too many results of searches wait to be posted. ' +
      'Please search again after your receiver has answered some of them.',
  },
  'booking-canceled': { status: 400, words: 'This booking was cancelled; its payment cannot be confirmed.' },
  'payment-repeated': { status: 400, words: 'The payment of this booking was confirmed before.' },
  'cancellation-denied': {
    status: 409,
    words: 'The cancellation is denied: it violates the cancellation policy of the facility.',
  },
  'tee-sheet-unresponsive': { status: 400, words: `The tee sheet servers are currently unresponsive. ${retry}` },
  'transfer-failed': { status: 400, words: null },
  'booking-failed': { status: 400, words: `Booking creation has failed. ${retry}` },
  'payment-pi-failed': { status: 400, words: `Payment (PI) has failed. ${retry}` },
  'payment-pv-failed': { status: 400, words: `Payment (PV) has failed. ${retry}` },
  'cart-problem': {
    status: 400,
    words: 'There is a problem with the tee times in your cart. Please search and book the tee times again.',
  },
  unprocessable: { status: 400, words: `The booking could not be processed at the moment. ${retry}` },
  'server-error': { status: 500, words: `The service has failed. ${retry}` },
  maintenance: { status: 503, words: 'The service is closed for maintenance. Please come back later.' },
  'not-kept': { status: 503, words: null },
  internal: { status: 500, words: `The sandbox itself failed to answer this request. ${retry}` },
} as const satisfies Record<RefusalCode, RefusalWords>;

/** The message for a failed transfer of funds, which names the booking by its request id (Errors, list 1). */
export function transferFailedWords(requestId: string): string {
  return `The transfer of funds to the payment account of the facility failed for the booking with request id ${requestId}.`;
}

export function refusalStatus(code: RefusalCode, answers: Answers): number {
  const { status } = refusalTable[code] as RefusalWords;
  return typeof status === 'function' ? status(answers) : status;
}

/** Refusals of a body that can be read, and is wrong. */
const ofBody: readonly RefusalCode[] = ['invalid', 'linked-tee-times'];

/** An invalid body may count as a failed creation: the last row of the table in the section Errors (`booking.invalid-body`). */
export function failsCreation(
  { code, rule }: Refusal,
  operation: OperationSpec | undefined,
  answers: Answers,
): boolean {
  const creates = operation?.name === 'createBooking' || operation?.name === 'createBulkBooking';
  const isOfQuery = rule === 'versions.query-once';
  return creates && !isOfQuery && ofBody.includes(code) && answers['booking.invalid-body'] === 'failed-creation';
}

/** The message of the last row of the table, with what is wrong. */
export function unprocessableWords(why: string): string {
  return `The booking could not be processed at the moment: ${why} ${retry}`;
}

export function refusalWords(code: RefusalCode, words: string | undefined): string {
  return refusalTable[code].words ?? words ?? code;
}

/** Whether the dialect answers an unknown thing with nothing instead of refusing it. */
export function isEmptyAnswer(answers: Answers, code: RefusalCode): boolean {
  switch (code) {
    case 'unknown-facility':
      return answers['facility.unknown'] === 'empty';
    case 'unknown-course':
      return answers['course.unknown'] === 'empty';
    case 'unknown-booking':
      return answers['booking.unknown'] === 'empty';
    case 'unknown-country':
      return answers['country.unknown'] === 'empty';
    default:
      return false;
  }
}
