import { isCreation, isUnreadable } from '../operations.js';
import type { ClientCall } from '../traffic.js';

/** The conditions of the table in the section Errors. */
export type CreationFailure =
  'tee-sheet-unresponsive' | 'transfer' | 'creation' | 'payment-pi' | 'payment-pv' | 'cart' | 'unprocessable';

/** How the creation of a booking can end without a booking in the hands of the client. */
export type CreationOutcome = CreationFailure | 'lost' | 'server-error';

const byScenario: Readonly<Record<string, CreationFailure>> = {
  'tee-sheet-unresponsive': 'tee-sheet-unresponsive',
  'transfer-failed': 'transfer',
  'booking-failed': 'creation',
  'payment-pi-failed': 'payment-pi',
  'payment-pv-failed': 'payment-pv',
  'cart-problem': 'cart',
  unprocessable: 'unprocessable',
};

const byWords: readonly (readonly [words: RegExp, failure: CreationFailure])[] = [
  [/currently unresponsive/i, 'tee-sheet-unresponsive'],
  [/transfer of funds/i, 'transfer'],
  [/payment \(PI\)/i, 'payment-pi'],
  [/payment \(PV\)/i, 'payment-pv'],
  [/search and book the tee times again/i, 'cart'],
  [/booking creation has failed/i, 'creation'],
  [/could not be processed at the moment/i, 'unprocessable'],
  // Many services have a request id in every refusal; this message names the booking by it.
  [/\bbooking (with )?(the |a )?request[ _]id\b/i, 'transfer'],
];

/** The documented failure that a creation was answered with. */
export function failureOf(call: ClientCall): CreationFailure | undefined {
  if (call.status !== 400 || !isCreation(call)) return undefined;
  const struck = call.struck && byScenario[call.struck.scenario];
  return struck ?? byWords.find(([words]) => words.test(call.responseBody ?? ''))?.[1];
}

/**
 * How a creation ended, if not with a booking or an ordinary refusal. A 503 is a refusal: the service says that it does not
 * take the request.
 */
export function outcomeOf(call: ClientCall): CreationOutcome | undefined {
  if (!isCreation(call)) return undefined;
  if (call.status === 0 || isUnreadable(call)) return 'lost';
  if (call.status >= 500 && call.status !== 503) return 'server-error';
  return failureOf(call);
}
