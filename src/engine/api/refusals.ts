/** The one table of refusals: code to status and words, for real failures and injected ones alike. */
import { type Refusal, type RefusalCode, UNREADABLE } from '../model/refusal.js';
import { type Answers, failures, type OperationSpec } from '../../contract/index.js';

interface RefusalWords {
  /** The HTTP status, from a question if the API specification leaves it open. */
  readonly status: number | ((answers: Answers) => number);
  /** The fixed message, or null if each refusal has its own. */
  readonly words: string | null;
}

const retry = 'Please try again; if the error persists, contact support.';

const byDialect = (answer: Answers['facility.unknown']): number => (answer === 'empty' ? 404 : answer);

/**
 * The status and message of each refusal. The documented failures of a booking creation come from
 * `spec/failures.yaml`.
 */
export const refusalTable = {
  unauthorized: { status: (answers) => answers['auth.failure'], words: null },
  'token-refused': { status: (answers) => answers['token.failure'], words: null },
  invalid: { status: (answers) => answers['error.validation'], words: null },
  'unsupported-media-type': { status: 415, words: null },
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
  ...failures,
  'transfer-failed': { ...failures['transfer-failed'], words: null },
  'server-error': { status: 500, words: `The service has failed. ${retry}` },
  maintenance: { status: 503, words: 'The service is closed for maintenance. Please come back later.' },
  'not-kept': { status: 503, words: null },
  'no-room': {
    status: 507,
    words:
      'The bookings of this sandbox fill the memory that it may have for them. Reset it, or give it a larger heap.',
  },
  internal: { status: 500, words: `The sandbox itself failed to answer this request. ${retry}` },
} as const satisfies Record<RefusalCode, RefusalWords>;

/** The message for a failed transfer of funds, which names the booking by its request id (Errors, list 1). */
export function transferFailedWords(requestId: string): string {
  return failures['transfer-failed'].words.replace('{requestId}', () => requestId);
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
  // Of a body that cannot be read, nobody knows that it is a booking.
  const isOther = rule === 'versions.query-once' || rule === UNREADABLE;
  return creates && !isOther && ofBody.includes(code) && answers['booking.invalid-body'] === 'failed-creation';
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
