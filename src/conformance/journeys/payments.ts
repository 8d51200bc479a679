import { isObject } from '../../common/index.js';
import type { OperationId } from '../../contract/index.js';
import type { Caller, Reply } from '../client/exchange.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import {
  bulkBooking,
  type Creation,
  creations,
  newestWith,
  newestOf,
  operationIn,
  productBooking,
  shows,
  type VersionOf,
  versionsOf,
} from '../client/operations.js';
import { resource, resourceOf } from '../client/resource.js';
import { lastOf, listOf, type Session } from '../client/session.js';
import type { ListedBooking } from './booking-lists.js';
import { book, type Booked, booking, bookOne, group } from './bookings.js';
import { eventually } from './changing-answers.js';
import { connectedCountries } from './connected-facilities.js';
import { freshTeeTime, type TakenTeeTime, type TeeTimeNeed, twoTeeTimes } from './material.js';
import { freeIn, sheetOperation } from './pool/reads.js';
import { freeSlots } from './refused-bookings.js';

export type PayVersion = VersionOf<'confirmPayment'>;
export type BulkVersion = VersionOf<'confirmBulkPayment'>;
export type PaymentMethod = 'get' | 'post';

/** What is paid with a version: one booking or a group. */
export type PaymentTarget =
  | { readonly version: PayVersion; readonly bookingId: string }
  | { readonly version: BulkVersion; readonly bulkBookingId: number | string };

/** Newest first. */
export const payVersions = versionsOf('confirmPayment').toReversed();
export const bulkVersions = versionsOf('confirmBulkPayment').toReversed();

/** The operation of a payment and its parameters. */
export function payment(
  target: PaymentTarget,
  method: PaymentMethod,
): { operation: OperationId; params: Record<string, string | number> } {
  const bulkBookingId = 'bulkBookingId' in target;
  const name = `${target.version}.${bulkBookingId ? 'confirmBulkPayment' : 'confirmPayment'}`;
  const operation = (method === 'get' ? name : `${name}.post`) as OperationId;
  const params = bulkBookingId ? { bulkBookingId: target.bulkBookingId } : { serviceBookingId: target.bookingId };
  return { operation, params };
}

/** Whether a response says that the method or path does not exist. */
export function isMissing({ status }: Pick<Reply, 'status'>): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** The upcoming bookings in the newest list, read again. */
export async function upcomingBookings(session: Session): Promise<readonly ListedBooking[]> {
  const params = { fromDate: session.day(0).query };
  const reply = await session.send({ operation: operationIn('listBookings', newestWith.bookingList), params });
  return listOf<unknown>(reply, (data) => data).filter(isObject);
}

/** The same before the first payment of the run, with the bookings that it will pay. */
export const listedBeforePayments = resource('bookings before the payments', async (session) => {
  for (const one of creations) await booking(session, one).catch(unlessInconclusive);
  await group(session, bulkBooking).catch(unlessInconclusive);
  return upcomingBookings(session);
});

/** Sends a payment by POST and, if that is refused, by GET: the method is an open question. */
export async function pay(session: Session, target: PaymentTarget, as: Caller = 'first'): Promise<Paid> {
  await listedBeforePayments(session).catch(unlessInconclusive);
  const reply = await session.send({ ...payment(target, 'post'), as });
  if (reply.ok || (reply.status >= 500 && !isMissing(reply))) return { method: 'post', reply, target };
  const other = await session.send({ ...payment(target, 'get'), as });
  return isMissing(other) || !(other.ok || isMissing(reply))
    ? { method: 'post', reply, target }
    : { method: 'get', reply: other, target };
}

export interface Paid {
  readonly method: PaymentMethod;
  readonly reply: Reply;
  readonly target: PaymentTarget;
}

/** The operation that creates the booking whose payment a version confirms: of the same version, or the next that can. */
function bookedFor(version: PayVersion): Creation {
  return creations.find((one) => one.version >= version) ?? productBooking;
}

/** A payment of the run's own booking, and the facility of the booking. */
export interface OwnPayment extends Paid {
  readonly facilityId: number;
  /** The booking, or those of the group. */
  readonly bookingIds: readonly string[];
  /** The free slots of their tee times before the payment and after it, and the sheet that shows them. */
  readonly slots: readonly { readonly before: number; readonly after: number; readonly shownBy: string | undefined }[];
}

/** Pays what the run has booked, and looks at the tee times before and after it. */
async function payFor(
  session: Session,
  { bookingIds, sheet, places }: Booked,
  target: PaymentTarget,
): Promise<OwnPayment> {
  // It makes bookings, which must not come between the looks.
  await listedBeforePayments(session).catch(unlessInconclusive);
  const look = (place: TakenTeeTime): Promise<number | undefined> =>
    freeSlots(session, place).catch(unlessInconclusive);
  const seen: (readonly [place: TakenTeeTime, before: number | undefined])[] = [];
  for (const place of places) seen.push([place, await look(place)]);
  const paid = await pay(session, target);
  const slots: OwnPayment['slots'][number][] = [];
  for (const [place, before] of paid.reply.ok ? seen : []) {
    const [was, seeing] = [before ?? Infinity, () => look(place)];
    const after = await eventually(session, paid.reply, seeing, (now) => now === undefined || now <= was);
    const shownBy = lastOf(session, sheetOperation);
    if (before !== undefined && after !== undefined) slots.push({ before, after, shownBy });
  }
  return { ...paid, slots, bookingIds, facilityId: sheet.facilityId };
}

export const paid = resourceOf('payment', async (session, version: PayVersion): Promise<OwnPayment> =>
  payOneOf(session, await booking(session, bookedFor(version)), productBooking, ({ bookingIds: [bookingId] }) => {
    return { version, bookingId: bookingId! };
  }),
);

export const paidBulk = resourceOf('bulk payment', async (session, version: BulkVersion): Promise<OwnPayment> =>
  payOneOf(session, await group(session, bulkBooking), bulkBooking, (made) => {
    return { version, bulkBookingId: numberOf(made) };
  }),
);

/** The payments of single bookings of a group: of one, and of the other where that is refused. No rule pays the group itself. */
export const paidOfGroup = resourceOf(
  'payments of a group one by one',
  async (session, version: PayVersion): Promise<readonly OwnPayment[]> => {
    const made: OwnPayment[] = [];
    const payEach = async (places: readonly TakenTeeTime[]): Promise<void> => {
      const { bookingIds, sheet } = await book(session, productBooking, places, true);
      for (const bookingId of bookingIds) {
        const paid = await pay(session, { version, bookingId });
        made.push({ ...paid, slots: [], bookingIds: [bookingId], facilityId: sheet.facilityId });
        if (paid.reply.ok) return;
      }
    };
    await payEach(await twoTeeTimes(session));
    const last = made.at(-1);
    if (!last || !isConditional(last.reply) || (await isDue(session, last.facilityId)) !== false) return made;
    const place = await dueTeeTime(session);
    if (place) await payEach([place]);
    return made;
  },
);

/**
 * Pays a booking. It may have been paid before, with another version or with its group, so another one is tried where that
 * is refused, and then one at a facility that is paid when it is booked.
 */
async function payOneOf(
  session: Session,
  first: Booked,
  creation: Creation,
  targetOf: (made: Booked) => PaymentTarget,
): Promise<OwnPayment> {
  const payAt = async (place: TakenTeeTime): Promise<OwnPayment> => {
    const other = await bookOne(session, creation, place);
    return payFor(session, other, targetOf(other));
  };
  const paid = await payFor(session, first, targetOf(first));
  if (paid.reply.ok) {
    if (!releases(paid)) return paid;
    // Others may have cancelled at that tee time, but hardly at another one too.
    const second = await freshTeeTime(session).then(payAt).catch(unlessInconclusive);
    return second && releases(second) ? paid : { ...paid, slots: [] };
  }
  const made = await payAt(await freshTeeTime(session));
  if (!isConditional(made.reply) || (await isDue(session, made.facilityId)) !== false) return made;
  const taken = await dueTeeTime(session);
  return taken ? payAt(taken) : made;
}

/** A tee time at a facility that is paid when it is booked, if there is one. */
async function dueTeeTime(session: Session): Promise<TakenTeeTime | undefined> {
  const due = await dueFacilities(session);
  const need: TeeTimeNeed = {
    what: 'a tee time at a facility that is paid when it is booked',
    fits: (teeTime, { facilityId }) => freeIn(teeTime) > 0 && due.has(facilityId),
    promised: (records) => records.some(({ facilityId }) => due.has(facilityId)),
  };
  return due.size === 0 ? undefined : freshTeeTime(session, need).catch(unlessInconclusive);
}

/** Whether a tee time has more free slots after a payment than before it. */
const releases = ({ slots }: OwnPayment): boolean => slots.some(({ before, after }) => after > before);

/** Whether a refusal may say that nothing is due yet. */
export function isConditional(reply: Reply): boolean {
  return !reply.ok && reply.status < 500 && !isMissing(reply);
}

/** The newest facility that has its payment rule. */
const facilityWithRule = operationIn('findFacility', newestOf('findFacility', shows('paymentRule')));

/** Whether a part of the price is due before play, by the payment rule of the facility; undefined without one. */
export async function isDue(session: Session, facilityId: number): Promise<boolean | undefined> {
  const { data } = await session.read(facilityWithRule, { facilityId });
  const parts: readonly unknown[] = Array.isArray(data) ? data : [];
  const rule = parts.filter(isObject).find(({ paymentRule }) => isObject(paymentRule))?.['paymentRule'];
  if (!isObject(rule)) return undefined;
  return (['first', 'last'] as const).some(
    (part) => rule[`${part}PaymentConditionPercentage`] !== 0 && !/play/i.test(String(rule[`${part}PaymentCondition`])),
  );
}

const ENOUGH = 3;

/** Some facilities that are paid when they are booked. */
const dueFacilities = resource(
  'facilities that are paid when booked',
  async (session): Promise<ReadonlySet<number>> => {
    const found = new Set<number>();
    for (const { facilities } of await connectedCountries(session)) {
      for (const { id } of facilities) {
        if (await isDue(session, id)) found.add(id);
        if (found.size === ENOUGH) return found;
      }
    }
    return found;
  },
);

/** The id of a bulk booking of two. */
export async function bulk(session: Session): Promise<number> {
  return numberOf(await group(session, bulkBooking));
}

function numberOf({ groupId, reply }: Booked): number {
  if (groupId !== undefined) return groupId;
  throw new Inconclusive('precondition', `a \`bulkBookingId\` in the answer to ${reply.what}`);
}
