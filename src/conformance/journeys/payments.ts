import type { OperationId } from '../../generated/operations.js';
import type { Caller, Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { booking, freshTeeTime, group } from './bookings.js';
import { bookOne } from './effects.js';

export type PayVersion = 'v1' | 'v3' | 'v4' | 'v5';
export type BulkVersion = 'v3' | 'v4' | 'v5';
export type Method = 'get' | 'post';

/** What is paid: one booking or a group, in a version. */
export type Target =
  | { readonly version: PayVersion; readonly bookingId: string }
  | { readonly version: BulkVersion; readonly bulkBookingId: number | string };

export const payVersions: readonly PayVersion[] = ['v5', 'v4', 'v3', 'v1'];
export const bulkVersions: readonly BulkVersion[] = ['v5', 'v4', 'v3'];

/** The operation of a payment and its parameters. */
export function payment(
  target: Target,
  method: Method,
): { operation: OperationId; params: Record<string, string | number> } {
  const bulk = 'bulkBookingId' in target;
  const name = `${target.version}.${bulk ? 'confirmBulkPayment' : 'confirmPayment'}`;
  const operation = (method === 'get' ? name : `${name}.post`) as OperationId;
  const params = bulk ? { bulkBookingId: target.bulkBookingId } : { serviceBookingId: target.bookingId };
  return { operation, params };
}

/** Whether an answer says that there is no such method or path. */
export function isMissing({ status }: Pick<Reply, 'status'>): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** Sends a payment by POST and, where that is not taken, by GET; which one is taken is open. */
export async function pay(session: Session, target: Target, as: Caller = 'first'): Promise<Paid> {
  const reply = await session.send({ ...payment(target, 'post'), as });
  if (!isMissing(reply)) return { method: 'post', reply, target };
  const other = await session.send({ ...payment(target, 'get'), as });
  return isMissing(other) ? { method: 'post', reply, target } : { method: 'get', reply: other, target };
}

export interface Paid {
  readonly method: Method;
  readonly reply: Reply;
  readonly target: Target;
}

/** The single booking whose payment a version confirms. */
const BOOKED = { v1: 'v2', v3: 'v3', v4: 'v5', v5: 'v5' } as const;

/** The confirmation of one booking in a version. Made once in a run. */
export function paid(session: Session, version: PayVersion): Promise<Paid> {
  return session.once(`payment ${version}`, async (session) => {
    const { bookingIds } = await booking(session, BOOKED[version]);
    const first = await pay(session, { version, bookingId: bookingIds[0]! });
    if (first.reply.ok) return first;
    // It may have been confirmed before, in another version or with its group: a second booking tells.
    const { bookingId } = await bookOne(session, 'v5', await freshTeeTime(session));
    return pay(session, { version, bookingId });
  });
}

/** The bulk booking that payments name: of two, made once in a run. */
export async function bulk(session: Session): Promise<number> {
  const { groupId, reply } = await group(session, 'v3');
  if (groupId === undefined)
    throw new Inconclusive('precondition', `a \`bulkBookingId\` in the answer to ${reply.what}`);
  return groupId;
}

/** The confirmation of a bulk booking in a version. Made once in a run. */
export function paidBulk(session: Session, version: BulkVersion): Promise<Paid> {
  return session.once(`bulk payment ${version}`, async (session) => {
    const first = await pay(session, { version, bulkBookingId: await bulk(session) });
    if (first.reply.ok) return first;
    const { groupId } = await bookOne(session, 'v3', await freshTeeTime(session));
    return groupId === undefined ? first : pay(session, { version, bulkBookingId: groupId });
  });
}
