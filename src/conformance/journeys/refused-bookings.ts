import { isObject } from '../../common/index.js';
import type { Reply } from '../client/exchange.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { bulkBooking, newestWith, operationIn, productBooking } from '../client/operations.js';
import type { SendProbe } from '../client/request.js';
import { resource, resourceOf } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { bodyFor, contactKnown, bookOne } from './bookings.js';
import { contentOf, freshBookings, type ListedBooking } from './booking-lists.js';
import { eventually } from './changing-answers.js';
import { freshTeeTimeOf, material, probeTarget, probeTargetSpent, type TakenTeeTime, UNKNOWN_ID } from './material.js';
import { type ListedTeeTime, paramsOf, sheetOperation, type TeeTimeQuery } from './tee-sheets.js';

/** The tee time of all bookings that must be refused. It stays free as long as they are. */
export const idleTeeTime = resource('idle tee time', roomyTeeTime);

/** A tee time with room for a booking beside those of a probe, if the deployment has one. */
function roomyTeeTime(session: Session): Promise<TakenTeeTime> {
  return freshTeeTimeOf(session, [3, 2, 1]);
}

/** A booking of the idle tee time. */
export async function idleBody(session: Session): Promise<Record<string, unknown>> {
  await contactKnown(session);
  return bodyFor(session, productBooking, await idleTeeTime(session));
}

/** The channel's bookings of a tee time. */
async function bookingsAt(session: Session, { sheet, teeTime }: TakenTeeTime): Promise<readonly ListedBooking[]> {
  const all = (await freshBookings(session, newestWith.bookingList, sheet.day)) as readonly ListedBooking[];
  return all.filter((item) => isObject(item) && item['teeId'] === teeTime.teeid);
}

/** Their ids. */
async function bookingsOf(session: Session, spot: TakenTeeTime): Promise<readonly string[]> {
  return (await bookingsAt(session, spot)).map(({ bookingId }) => String(bookingId));
}

/** The most free slots that a tee time shows now; 0 if it is no longer shown. */
export async function freeSlots(
  session: Session,
  { sheet, teeTime }: { readonly sheet: TeeTimeQuery; readonly teeTime: Pick<ListedTeeTime, 'teeid'> },
): Promise<number> {
  const { data, ok } = await session.send({ operation: sheetOperation, params: paramsOf(sheet) });
  const list = isObject(data) && Array.isArray(data['teeTimeV3']) ? (data['teeTimeV3'] as ListedTeeTime[]) : undefined;
  if (!ok || !list) throw new Inconclusive('precondition', 'the tee times on the day of a booking');
  const shown = list.find(({ teeid }) => teeid === teeTime.teeid);
  return Math.max(0, ...(shown?.products ?? []).map(({ available }) => available));
}

/** How far an id is away from one that the service issued. */
const NEXT = [1, 40];

/**
 * Answers to bookings of ids next to those of a tee sheet, which a service may take apart to find the tee time. Such an
 * id may be that of another tee time, and its booking a right one.
 */
export async function bookingsOfNextIds(session: Session): Promise<readonly Reply[]> {
  const target = await probeTarget(session);
  const known = new Set((await material(session)).sheets.flatMap(({ teeTimes }) => teeTimes.map(({ teeid }) => teeid)));
  const last = Math.max(...target.sheet.teeTimes.map(({ teeid }) => teeid));
  const replies: Reply[] = [];
  for (const teeId of NEXT.map((one) => last + one).filter((id) => !known.has(id))) {
    const body = { ...bodyFor(session, productBooking, target), teeId };
    const breaking = 'errors.create.status';
    const reply = await session.send({ operation: operationIn('createBooking'), body, breaking });
    if (reply.ok) await probeTargetSpent(session);
    replies.push(reply);
  }
  return replies;
}

/**
 * What refused bookings leave behind: one without an email address of the contact, and one of a product that the tee
 * time does not have. Undefined if they leave nothing.
 *
 * @throws {Inconclusive} if one of them is accepted.
 */
export async function tracesOfRefusals(
  session: Session,
  probe: SendProbe,
  spot: TakenTeeTime,
): Promise<string | undefined> {
  const [booked, free] = [await bookingsOf(session, spot), await freeSlots(session, spot)];
  let refused: Reply | undefined;
  for (const creation of session.creations('product', 'round')) {
    const whole = bodyFor(session, creation, spot);
    const { contactEmail: _, ...body } = whole;
    const others = creation === productBooking ? [{ ...whole, productId: UNKNOWN_ID }] : [];
    for (const bad of [body, ...others]) {
      const reply = await probe({ operation: creation.operation, body: bad });
      if (reply.ok && creation !== productBooking) return undefined;
      if (reply.ok) throw new Inconclusive('precondition', 'a refusal of an invalid booking');
      refused = reply;
    }
  }
  // A slot may be held for a moment during validation; that is not a trace.
  const look = async (): Promise<string | undefined> => {
    if ((await bookingsOf(session, spot)).some((id) => !booked.includes(id))) return 'a booking';
    return (await freeSlots(session, spot)) < free ? 'a slot that is taken' : undefined;
  };
  const left = await eventually(session, refused!, look, (found) => found === undefined);
  if (left !== undefined) return left;
  // A deployment may accept an extra product that it does not know.
  const extraProduct = [{ mid: UNKNOWN_ID, quantity: 1 }];
  const plain = bodyFor(session, productBooking, spot);
  const reply = await probe({ operation: productBooking.operation, body: { ...plain, extraProduct } });
  return reply.ok ? undefined : eventually(session, reply, look, (found) => found === undefined);
}

/** What a refused list of one valid and one invalid item leaves behind. */
interface RefusedGroup {
  /** Whether the valid item stays booked: an open question. */
  readonly stays: boolean;
  /** Free slots of its tee time before and after; the same if it stays booked. */
  readonly free: readonly [before: number, after: number];
}

/** The forms in which several bookings are sent at once. */
export type GroupForm = 'list' | 'details' | 'bulk';

/** A group whose first item is right: another is of no tee time, or there are no slots for it any more. */
interface TornGroup {
  readonly form: GroupForm;
  readonly lacks: 'tee time' | 'slots';
}

/** Others may book at that moment: a slot that is gone is seen twice, or not taken for one. */
export const refusedGroup = resourceOf(
  'refused group',
  async (session, torn: TornGroup): Promise<RefusedGroup> => {
    const first = await refuseGroup(session, torn);
    const [before, after] = first.free;
    if (after >= before) return first;
    const second = await refuseGroup(session, torn).catch(unlessInconclusive);
    return second ?? { ...first, free: [before, before] };
  },
  ({ form, lacks }) => `${form} ${lacks}`,
);

async function refuseGroup(session: Session, { form, lacks }: TornGroup): Promise<RefusedGroup> {
  const creation = form === 'bulk' ? bulkBooking : productBooking;
  const spot = await roomyTeeTime(session);
  const [before, free] = [await bookingsOf(session, spot), await freeSlots(session, spot)];
  const good = bodyFor(session, creation, spot);
  // No tee time has slots for all of it, even if four free slots stand for more.
  const tooMany = [1, 2].map(() => bodyFor(session, creation, spot, Math.max(1, free)));
  const items = [good, ...(lacks === 'slots' ? tooMany : [{ ...good, teeId: UNKNOWN_ID }])];
  const reply = await session.send({
    operation: creation.operation,
    body: form === 'details' ? { details: items } : items,
    breaking: 'bookings.create.atomic',
  });
  if (reply.ok) throw new Inconclusive('precondition', 'a refusal of a group with an invalid item');
  // A slot may be held for a moment.
  const left = await eventually(
    session,
    reply,
    () => freeSlots(session, spot),
    (now) => now >= free,
  );
  // The control shows that the valid item can be booked alone. As soon as the control is listed, an earlier booking is
  // listed too.
  const control = await bookOne(session, creation, spot);
  const look = (): Promise<readonly ListedBooking[]> => bookingsAt(session, spot);
  const [own] = control.bookingIds;
  const after = await eventually(session, control.reply, look, (all) => all.some((one) => one['bookingId'] === own));
  // The channel may book by other means meanwhile: what others made is not the run's to cancel.
  const isLeft = (one: ListedBooking): boolean => contentOf(one) === contentOf(good as unknown as ListedBooking);
  const rest = after.filter(isLeft).find(({ bookingId: id }) => id !== own && !before.includes(String(id)));
  if (!rest) return { stays: false, free: [free, left] };
  session.run.transport.own.adopt({ bookingId: String(rest['bookingId']), channel: 'first' });
  session.run.transport.budget.adopt(rest, reply.id);
  return { stays: true, free: [free, free] };
}
