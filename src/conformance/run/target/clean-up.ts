import type { MadeBooking } from '../../client/own-bookings.js';
import { isObject } from '../../../common/index.js';
import { newestWith, operationIn, productBooking, roundBooking } from '../../client/operations.js';
import { unlessOver } from '../../client/outcome.js';
import type { RawCall } from '../../client/request.js';
import type { Session } from '../../client/session.js';

/** Versions whose path may cancel a booking: those that show or make bookings by the forms of today. */
const cancelVersions: ReadonlySet<string> = new Set([
  newestWith.bookingList,
  productBooking.version,
  roundBooking.version,
]);
/** Refusals after which the run gives up: the policies of facilities may forbid some cancellations. */
const MOST_REFUSALS = 5;
/** Statuses of a path or method that is not there. */
const absent: readonly number[] = [404, 405, 501];

/**
 * A request to cancel a booking of the run. No operation of the API specification does that, so it breaks a rule on
 * purpose.
 */
export function cancellation({ bookingId, channel }: MadeBooking, version: string): RawCall {
  const path = `/api/${version}/bookings/${encodeURIComponent(bookingId)}`;
  return { method: 'DELETE', path, as: channel === 'second' ? 'second' : 'first', breaking: 'bookings.cancel' };
}

/**
 * Cancels the bookings of the run at its end, where the deployment cancels by DELETE. Whether it does is tried with one
 * of them. A booking counts as cancelled if the list says so, or no longer shows it.
 *
 * @returns The ids of the cancelled bookings.
 */
export async function cleanUp(session: Session): Promise<ReadonlySet<string>> {
  const { transport, recorded } = session.run;
  if (recorded || !transport.allows('bookings')) return new Set();
  await transport.lookAtBookings();
  if (transport.own.all.length === 0) return new Set();
  // A run that is over, or a deployment that no longer answers: then the report lists what is left.
  await cancelAll(session).catch(unlessOver);
  return (await canceledIn(session).catch(unlessOver)) ?? new Set();
}

async function cancelAll(session: Session): Promise<void> {
  const { own } = session.run.transport;
  const left = own.all.filter((one) => !own.canceled.includes(one));
  const [last] = left.slice(-1);
  const version = last && (own.cancelVersion ?? (await versionThatCancels(session, last)));
  if (version === undefined) return;
  let refusals = 0;
  for (const one of left) {
    if (own.canceled.includes(one)) continue;
    const { ok } = await session.send(cancellation(one, version));
    refusals = ok ? 0 : refusals + 1;
    if (refusals === MOST_REFUSALS) return;
  }
}

/** The version whose path seems to cancel bookings; undefined if there is none. */
export async function versionThatCancels(session: Session, own: MadeBooking): Promise<string | undefined> {
  for (const version of cancelVersions) {
    const { own: known, scope } = session.run.transport;
    if (!scope.hasVersion(version) || known.hasNoCancellation(version)) continue;
    const { status } = await session.send(cancellation(own, version));
    if (!absent.includes(status)) return status < 500 ? version : undefined;
  }
  return undefined;
}

/** The bookings that were cancelled, and that the lists show as cancelled or not at all. */
async function canceledIn(session: Session): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (const channel of ['first', 'second'] as const) {
    const accepted = session.run.transport.own.canceled.filter((one) => one.channel === channel);
    if (accepted.length === 0) continue;
    const params = { fromDate: session.longAgo.query };
    const [version] = session.run.transport.scope.versionsOf('listBookings');
    if (version === undefined) return gone;
    const { ok, data } = await session.send({ operation: operationIn('listBookings', version), params, as: channel });
    if (!ok || !Array.isArray(data)) continue;
    const active = new Set(data.filter((item) => isObject(item) && item['status'] !== 'CANCELED').map(idOf));
    for (const { bookingId } of accepted) if (!active.has(bookingId)) gone.add(bookingId);
  }
  return gone;
}

function idOf(item: unknown): unknown {
  return isObject(item) ? item['bookingId'] : undefined;
}
