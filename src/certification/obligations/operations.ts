import { canonicalJson, isObject } from '../../common/index.js';
import { operationOf } from '../../contract/index.js';
import { shortKey } from './bounded.js';
import { answerOf, type ClientCall, pathnameOf, readOnce, requestJson } from './traffic.js';

/** The name of the operation of a call without its version and method, such as `listTeeTimes`. */
export function nameOf({ operation }: Pick<ClientCall, 'operation'>): string | undefined {
  return operation?.split('.').find((part) => !/^v\d+$/.test(part));
}

const creating = new Set(['createBooking', 'createBulkBooking']);

/** Whether a call books. */
export function isCreation(call: ClientCall): boolean {
  return creating.has(nameOf(call) ?? '');
}

/**
 * Whether a call asks for the end of a booking. The API specification describes no such operation; deployments that
 * have one take DELETE (`booking.cancel`).
 */
export function isCancellation(call: ClientCall): boolean {
  return call.method === 'DELETE' && /^\/api\/v\d+\/bookings\/[^/]+\/?$/.test(pathnameOf(call));
}

/** Whether a call was answered with success. A deployment may say with the status 200 that it has failed. */
export function isSuccess(call: ClientCall): boolean {
  return answerOf(call).ok;
}

/** A success whose body the client cannot read, so that it has no use of it. */
export function isUnreadable(call: ClientCall): boolean {
  if (!isSuccess(call)) return false;
  return call.responseBody === undefined ? call.struck !== undefined : answerOf(call).json === undefined;
}

/** When a call was over. */
export function endOf({ endedAt, answeredAt, at }: ClientCall): number {
  return endedAt ?? answeredAt ?? at;
}

/** Whether a client could know the outcome of `earlier` when it sent `later`. */
export function knewOf(
  later: Pick<ClientCall, 'turn' | 'at'>,
  earlier: { readonly turn: number; readonly end: number },
) {
  return later.turn > earlier.turn && later.at >= earlier.end;
}

/** Whether one of two calls arrived before the other was over. */
export function overlap(one: ClientCall, other: ClientCall): boolean {
  const [first, second] = one.turn < other.turn ? [one, other] : [other, one];
  return first.arrived === undefined ? second.at < endOf(first) : second.turn < first.arrived;
}

/** Whether the service refused it for a reason of the client: neither an error of its own nor too many requests. */
export function isRefusal(call: ClientCall): boolean {
  return call.status >= 200 && call.status < 500 && call.status !== 429 && !answerOf(call).ok;
}

const LONGEST_BODY = 2000;

/** What two requests share that ask for the same: parameters without a meaning are none of it. */
function sameRequest({ method, path, operation, params, body = '' }: ClientCall): string {
  const known = operation
    ? operationOf(operation).parameters.map(({ name }) => params[name] ?? null)
    : path.slice(0, 500);
  return JSON.stringify([method, operation, known, body.slice(0, LONGEST_BODY)]);
}

/** What a retry of a booking may change: each attempt can have new references, and the price of a new answer. */
const RETRIED_ANEW: ReadonlySet<string> = new Set(['linkedTeeTimeRef', 'paymentIntent', 'netRate']);
/** What a booking has from the tee sheet. */
const OF_TEE_SHEET: ReadonlySet<string> = new Set([
  ...RETRIED_ANEW,
  'facilityId',
  'teetime',
  'course',
  'round',
  'teeId',
  'holes',
  'productId',
]);

/**
 * What makes two requests the same one: the test where tests are told apart, the operation with its version, and the
 * body. Of tests that are not told apart, two that book alike are no repeat of one another.
 */
export const identityOf = readOnce((call: ClientCall): string =>
  shortKey(isCreation(call) ? bookingWithout(call, RETRIED_ANEW) : JSON.stringify([call.test, sameRequest(call)])),
);

/**
 * What is counted on the happy path, to know how often tests send it on purpose: a booking whatever its tee time, as that
 * depends on what was booked before, and a refresh whatever its token.
 */
export const kindOf = readOnce((call: ClientCall): string => {
  if (isCreation(call)) return shortKey(bookingWithout(call, OF_TEE_SHEET));
  return shortKey(JSON.stringify([call.test, call.operation === 'refreshToken' ? call.operation : sameRequest(call)]));
});

function bookingWithout(call: ClientCall, names: ReadonlySet<string>): string {
  const body = without(requestJson(call), names) ?? call.body?.slice(0, LONGEST_BODY);
  return canonicalJson([call.test ?? null, call.operation ?? null, body ?? null]);
}

function without(body: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(body)) return body.map((one) => without(one, names));
  if (!isObject(body)) return body;
  const kept = Object.entries(body).filter(([name]) => !names.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'details' ? without(value, names) : value]));
}
