import type { Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { bodyFor, type Booked, freshBookings, freshTeeTime } from './bookings.js';
import { effect, eventually, groupIn, idsIn } from './effects.js';
import type { Spot } from './refusals.js';

/** A booking of one as an object with `details`. Made once in a run. */
export function withDetails(session: Session): Promise<Booked> {
  return session.once('booking with details', async (session) => {
    await effect(session);
    // It was left over by the booking before: so a later booking has a later tee time, against the rest of the run.
    const { sheet, teeTime } = await session.once<Spot>('a tee time left over', (inner) => freshTeeTime(inner));
    const item = bodyFor(session, 'v5', { facilityId: sheet.facilityId, teeTime });
    const reply = await session.send({ operation: 'v5.createBooking', body: { details: [item] } });
    const bookingIds = idsIn(reply);
    if (!reply.ok || bookingIds.length === 0) {
      throw new Inconclusive('precondition', `a booking with \`details\` (it was ${reply.status})`);
    }
    const groupId = groupIn(reply);
    const made = { version: 'v5' as const, sheet, teeTimes: [teeTime], items: [item], reply, bookingIds };
    return { ...made, ...(groupId === undefined ? {} : { groupId }) };
  });
}

/** The one booking of the run that it tries to cancel, which no other rule looks at afterwards. */
export interface Canceled {
  readonly bookingId: string;
  /** The answer to the attempt. */
  readonly reply: Reply;
  /** Its status in the list after it. */
  readonly shown: unknown;
}

export function canceled(session: Session): Promise<Canceled> {
  return session.once('canceled booking', async (session) => {
    const { bookingIds, sheet } = await withDetails(session);
    const bookingId = bookingIds[0]!;
    const path = `/api/v4/bookings/${encodeURIComponent(bookingId)}`;
    const reply = await session.send({ method: 'DELETE', path, breaking: 'bookings.cancel' });
    const look = async (): Promise<unknown> =>
      (await freshBookings(session, 'v4', sheet.day)).find((item) => item?.bookingId === bookingId)?.status;
    const shown = reply.ok ? await eventually(session, reply, look, (status) => status === 'CANCELED') : undefined;
    return { bookingId, reply, shown };
  });
}
