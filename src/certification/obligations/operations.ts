import { answerOf, type ClientCall, pathnameOf } from './traffic.js';

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
 * Whether a call asks for the end of a booking. The document describes no such operation; deployments that have one take
 * DELETE (`booking.cancel`).
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
