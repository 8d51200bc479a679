import { inWords } from '../budget.js';
import { isObject, type Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import type { RuleContext } from '../rule.js';
import type { Session } from '../session.js';
import { bodyFor, freshBookings, freshTeeTime } from './bookings.js';
import { bookOne, eventually } from './effects.js';
import { paramsOf, type TeeSheet, type TeeTime } from './tee-sheets.js';
import { UNKNOWN_ID } from './unknown-id.js';

export interface Spot {
  readonly sheet: TeeSheet;
  readonly teeTime: TeeTime;
}

/** A tee time for bookings that must be refused, the same for all of them: where none is made, it stays free. */
export function idleTeeTime(session: Session): Promise<Spot> {
  return session.once('idle tee time', (session) =>
    freshTeeTime(session, 3).catch((error) => {
      if (error instanceof Inconclusive) return freshTeeTime(session);
      throw error;
    }),
  );
}

/** A booking of the idle tee time with something changed. */
export async function idleBody(
  session: Session,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { sheet, teeTime } = await idleTeeTime(session);
  return { ...bodyFor(session, 'v5', { facilityId: sheet.facilityId, teeTime }), ...changes };
}

/** The channel's bookings of a tee time. */
export async function bookingsOf(session: Session, { sheet, teeTime }: Spot): Promise<readonly string[]> {
  const all = await freshBookings(session, 'v4', sheet.day);
  return all.filter((item) => isObject(item) && item.teeId === teeTime.teeid).map(({ bookingId }) => bookingId);
}

async function freeSlots(session: Session, { sheet, teeTime }: Spot): Promise<number> {
  const { data, ok } = await session.send({ operation: 'v4.listTeeTimes', params: paramsOf(sheet) });
  const list = isObject(data) && Array.isArray(data['teeTimeV3']) ? (data['teeTimeV3'] as TeeTime[]) : undefined;
  if (!ok || !list) throw new Inconclusive('precondition', 'tee times of the day of a booking');
  const shown = list.find(({ teeid }) => teeid === teeTime.teeid);
  return Math.max(0, ...(shown?.products ?? []).map(({ available }) => available));
}

/**
 * What bookings of a tee time leave behind that are refused: for a body without an address of the contact, and for a
 * product that the tee time does not have. Undefined for nothing.
 *
 * @throws {Inconclusive} when neither is refused.
 */
export async function traces(session: Session, probe: RuleContext['probe'], spot: Spot): Promise<string | undefined> {
  const [booked, free] = [await bookingsOf(session, spot), await freeSlots(session, spot)];
  const { sheet, teeTime } = spot;
  const { contactEmail: _, ...body } = bodyFor(session, 'v5', { facilityId: sheet.facilityId, teeTime });
  let refused: Reply | undefined;
  for (const bad of [body, { ...body, contactEmail: _, productId: UNKNOWN_ID }]) {
    const reply = await probe({ operation: 'v5.createBooking', body: bad });
    if (reply.ok) throw new Inconclusive('precondition', 'the refusal of a booking that is not right');
    refused = reply;
  }
  // A slot that is held for a moment while a booking is looked at is no trace.
  const look = async (): Promise<string | undefined> => {
    if ((await bookingsOf(session, spot)).some((id) => !booked.includes(id))) return 'a booking';
    return (await freeSlots(session, spot)) < free ? 'a slot that is taken' : undefined;
  };
  return eventually(session, refused!, look, (found) => found === undefined);
}

/** Whether the good item of a list stays booked beside one that cannot be booked. */
export async function halfBooked(session: Session, probe: RuleContext['probe']): Promise<boolean> {
  const spot = await idleTeeTime(session);
  const before = await bookingsOf(session, spot);
  const [good, bad] = [await idleBody(session), await idleBody(session, { teeId: UNKNOWN_ID })];
  const reply = await probe({ operation: 'v5.createBooking', body: [good, bad] });
  if (reply.ok) throw new Inconclusive('precondition', 'the refusal of a group with an impossible item');
  // Only where the good item can be booked does its absence tell of the bad one; and what was made before a booking
  // that shows, shows as well.
  const control = await bookOne(session, 'v5', spot);
  const look = async (): Promise<readonly string[]> => bookingsOf(session, spot);
  const after = await eventually(session, control.reply, look, (ids) => ids.includes(control.bookingId));
  const bookingId = after.find((id) => id !== control.bookingId && !before.includes(id));
  if (bookingId === undefined) return false;
  session.run.found.push({ kind: 'booking', bookingId, channel: 'first', what: inWords(good), exchange: reply.id });
  return true;
}
