import { type OperationId, operations } from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import { creations, operationIn, productBooking } from '../client/operations.js';
import { unlessInconclusive } from '../client/outcome.js';
import type { OperationCall } from '../client/request.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { bodyFor, bodyOf, booking, group } from '../journeys/bookings.js';
import { probeTarget } from '../journeys/material.js';
import { type ReadCall, readCalls } from '../journeys/read-calls.js';
import { acceptedSearch } from '../journeys/searches.js';

/** A call that succeeded, to send again with other credentials. */
export interface Right {
  readonly probe: Omit<OperationCall, 'breaking'>;
  readonly reply: Reply;
}

/** The calls that succeed. */
export async function rightReads(session: Session, calls: readonly ReadCall[]): Promise<readonly Right[]> {
  const right: Right[] = [];
  for (const call of calls) {
    const reply = await session.read(call.operation, call.params);
    if (reply.ok) right.push({ probe: call, reply });
  }
  return right;
}

/** One successful call of every operation that writes, if the run has permission for it. */
async function rightWrites(session: Session): Promise<readonly Right[]> {
  const { transport } = session.run;
  const right: Right[] = [];
  if (transport.allows('callbacks')) {
    const search = await acceptedSearch(session).catch(unlessInconclusive);
    if (search)
      right.push({ probe: { operation: operationIn('searchTeeTimes'), params: search.params }, reply: search.reply });
  }
  if (!transport.allows('bookings')) return right;
  for (const creation of creations) {
    const made = await booking(session, creation).catch(unlessInconclusive);
    // With enough free slots, so that nothing but the credentials is a reason to refuse it.
    const target = made && (await probeTarget(session).catch(unlessInconclusive));
    if (!target) continue;
    const { sheet, teeTime } = target;
    const item = bodyFor(session, creation, { facilityId: sheet.facilityId, teeTime });
    right.push({ probe: { operation: creation.operation, body: bodyOf(creation, item) }, reply: made.reply });
  }
  if (transport.allows('payments')) right.push(...(await rightPayments(session)));
  return right;
}

/** Payments that are confirmed again, with the first of the two methods that is accepted. */
async function rightPayments(session: Session): Promise<readonly Right[]> {
  const serviceBookingId = (await booking(session, productBooking).catch(unlessInconclusive))?.bookingIds[0];
  const bulkBookingId = (await group(session, productBooking).catch(unlessInconclusive))?.groupId;
  const right: Right[] = [];
  for (const { id, name, method } of operations) {
    const single = name === 'confirmPayment';
    if (!session.run.transport.scope.has(id) || method !== 'GET' || !(single || name === 'confirmBulkPayment'))
      continue;
    const params = single ? { serviceBookingId } : { bulkBookingId };
    if (Object.values(params).includes(undefined)) continue;
    for (const operation of [id, `${id}.post`] as OperationId[]) {
      const reply = await session.send({ operation, params });
      if (reply.ok) right.push({ probe: { operation, params }, reply });
      if (reply.ok) break;
    }
  }
  return right;
}

/** A call of every operation. */
export const everyCall = resource('every call', async (session): Promise<readonly Right[]> => [
  ...(await rightReads(session, await readCalls(session))),
  ...(await rightWrites(session)),
]);
