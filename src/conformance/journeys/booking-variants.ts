import { type Day, dayOf } from '../client/day.js';
import type { Reply } from '../client/exchange.js';
import { Refused, unlessInconclusive, unlessOutside } from '../client/outcome.js';
import {
  bulkBooking,
  type Creation,
  creations,
  newestWith,
  operationIn,
  productBooking,
  roundBooking,
} from '../client/operations.js';
import { resource, resourceOf } from '../client/resource.js';
import {
  bodyFor,
  book,
  type Booked,
  bookedBy,
  booking,
  bookOne,
  contactAs,
  foreignNames,
  group,
  roomAt,
} from './bookings.js';
import { freshBookings, type ListedBooking, otherChannel } from './booking-lists.js';
import { bookingEffect } from './booking-effect.js';
import { eventually } from './changing-answers.js';
import { linkedOffer, linkedRounds } from './linked-tee-times.js';
import { freshTeeTime, material, type TakenTeeTime } from './material.js';
import { exactlyShown } from './last-slots.js';
import { freeIn, type ListedTeeSheet } from './pool/reads.js';
import { listOf, type Session } from '../client/session.js';

const { bookingList } = newestWith;

/** A linked group, and the refusal of its reference in capitals if there was one. */
interface LinkedGroup extends Booked {
  readonly refusedInCapitals?: Refused;
}

/**
 * Linked tee times of one product, booked as a group with one reference. A UUID in capitals is the same one; where that is
 * refused twice, the other rules have the group with small letters.
 */
export const linkedGroup = resource('linked group', async (session): Promise<LinkedGroup> => {
  const offer = await linkedOffer(session);
  const teeTimes = await linkedRounds(session, offer);
  const reference = session.uuid();
  const sheet: ListedTeeSheet = { ...offer, day: dayOf(teeTimes[0]!.time)! };
  const places = teeTimes.map((teeTime) => ({ sheet, teeTime }));
  const bookBy = (linkedTeeTimeRef: string): Promise<Booked> =>
    book(session, productBooking, places, true, { productId: offer.productId, linkedTeeTimeRef });
  const inCapitals = (): Promise<Booked | Refused> =>
    bookBy(reference.toUpperCase()).catch((error: unknown) => {
      if (error instanceof Refused) return error;
      throw error;
    });
  let booked = await inCapitals();
  if (booked instanceof Refused) booked = await inCapitals();
  const made = booked instanceof Refused ? { ...(await bookBy(reference)), refusedInCapitals: booked } : booked;
  (await material(session)).markBooked(teeTimes);
  return made;
});

/** A single booking, sent as an object with `details`. */
export const bookingWithDetails = resource('booking with details', async (session): Promise<Booked> => {
  const { later } = await bookingEffect(session);
  return withDetails(session, later).catch(async (error: unknown) => {
    if (error instanceof Refused) return withDetails(session, await freshTeeTime(session));
    throw error;
  });
});

async function withDetails(session: Session, place: TakenTeeTime): Promise<Booked> {
  const item = bodyFor(session, productBooking, place);
  const reply = await session.send({ operation: productBooking.operation, body: { details: [item] } });
  return bookedBy(reply, productBooking, [place], [item]);
}

/** A cancellation of a booking of the first channel that the second one has tried. */
export interface ForeignCancellation {
  readonly bookingId: string;
  readonly reply: Reply;
  /** Whether the booking is no longer active. */
  readonly isCanceled: boolean;
}

/** Sent before the first channel cancels the same booking. */
export const foreignCancellation = resource('foreign cancellation', async (session): Promise<ForeignCancellation> => {
  await otherChannel(session);
  const { bookingIds, sheet } = await bookingWithDetails(session);
  const bookingId = bookingIds[0]!;
  const status = async (): Promise<unknown> => statusOf(session, bookingId, sheet.day);
  const wasActive = isActive(await status());
  const call = { method: 'DELETE', path: pathOf(bookingId), breaking: 'bookings.cancel.channel-scope' } as const;
  const reply = await session.send({ ...call, as: 'second' });
  const after = reply.ok ? await eventually(session, reply, status, (one) => !isActive(one)) : undefined;
  return { bookingId, reply, isCanceled: wasActive && reply.ok && !isActive(after) };
});

const pathOf = (bookingId: string): string => `/api/${bookingList}/bookings/${encodeURIComponent(bookingId)}`;
const isActive = (status: unknown): boolean => typeof status === 'string' && !/^\s*cancel/i.test(status);

/** The status of a booking in the newest list; undefined if it is not listed. */
async function statusOf(session: Session, bookingId: string, day: Day): Promise<unknown> {
  const all: readonly ListedBooking[] = await freshBookings(session, bookingList, day);
  return all.find((item) => item?.['bookingId'] === bookingId)?.['status'];
}

/** The only booking that the run tries to cancel. No other rule looks at it afterwards. */
export interface CanceledBooking {
  readonly bookingId: string;
  /** The response to the attempt. */
  readonly reply: Reply;
  /** Its status in the booking list after the attempt. */
  readonly shown: unknown;
}

export const canceledBooking = resource('canceled booking', async (session): Promise<CanceledBooking> => {
  if (session.hasSecond) await foreignCancellation(session).catch(unlessInconclusive);
  const { bookingIds, sheet } = await bookingWithDetails(session);
  const bookingId = bookingIds[0]!;
  const reply = await session.send({ method: 'DELETE', path: pathOf(bookingId), breaking: 'bookings.cancel' });
  const look = async (): Promise<unknown> => statusOf(session, bookingId, sheet.day);
  const shown = reply.ok ? await eventually(session, reply, look, (status) => status === 'CANCELED') : undefined;
  return { bookingId, reply, shown };
});

/** Makes bookings one after the other and skips those that are inconclusive. */
async function makeEach(...makers: readonly (() => Promise<Booked>)[]): Promise<readonly Booked[]> {
  const all: Booked[] = [];
  for (const make of makers) {
    const one = await make().catch(unlessInconclusive);
    if (one) all.push(one);
  }
  return all;
}

/** A booking of several players. If a tee time is refused, another one is tried. */
const bookingOfSeveral = resourceOf(
  'booking of several players',
  async (session, { creation, players }: Several): Promise<Booked> => {
    const make = async (): Promise<Booked> => bookOne(session, creation, await freshTeeTime(session, players), players);
    return make().catch((error: unknown) => {
      if (error instanceof Refused) return make();
      throw error;
    });
  },
  ({ creation, players }) => `${creation.operation} ${players}`,
);

/** A booking for all free slots of a tee time that shows exactly how many it has. If it is refused, another one is tried. */
const bookingOfRest = resource('booking of all free slots', async (session): Promise<Booked> => {
  const make = async (): Promise<Booked> => {
    const place = await freshTeeTime(session, exactlyShown);
    return bookOne(session, productBooking, place, freeIn(place.teeTime));
  };
  return make().catch((error: unknown) => {
    if (error instanceof Refused) return make();
    throw error;
  });
});

interface Several {
  readonly creation: Creation;
  readonly players: number;
}

/** The numbers of players that no other journey books, in each version. */
const several: readonly Several[] = [
  { creation: productBooking, players: 4 },
  { creation: productBooking, players: 3 },
  { creation: roundBooking, players: 4 },
  { creation: bulkBooking, players: 4 },
];

/** The operations that take several bookings in one body, newest first. */
const inGroups = creations.filter(({ form }) => form !== 'round').toReversed();

/**
 * The groups of the run: an array of bookings by product, a bulk booking, linked tee times, and an object with
 * `details`.
 */
export function bookedGroups(session: Session): Promise<readonly Booked[]> {
  return makeEach(
    ...inGroups.map((one) => () => group(session, one)),
    () => linkedGroup(session),
    () => bookingWithDetails(session),
  );
}

/** The bookings of the run that are not single bookings by product, without the one that it tries to cancel. */
export function otherBookings(session: Session): Promise<readonly Booked[]> {
  return makeEach(
    ...creations.filter((one) => one !== productBooking).map((one) => () => booking(session, one)),
    ...inGroups.map((one) => () => group(session, one)),
    () => linkedGroup(session),
    ...several.map((one) => () => bookingOfSeveral(session, one)),
    () => bookingOfRest(session),
  );
}

const EMOJI = '\u{1F3CC}';

/** A booking whose contact has letters that some character sets lack: an emoji, too, unless it is refused with one. */
export const bookingWithForeignName = resource('booking in a foreign name', async (session): Promise<Booked> => {
  const first = await booking(session, productBooking);
  const [firstName, lastName] = foreignNames;
  const attempt = async (contact: Record<string, unknown>): Promise<Booked> => {
    const place = await roomAt(session, first);
    return book(session, productBooking, [place], false, contact);
  };
  const comments = `conformance check ${session.run.runId} ${EMOJI}`;
  return attempt({ ...contactAs(session, `${firstName} ${EMOJI}`, lastName), comments }).catch((error: unknown) => {
    if (error instanceof Refused) return attempt(contactAs(session, firstName, lastName));
    throw error;
  });
});

/**
 * A booking with a single `contactName`, as the samples have it and v1 lists it; the API specification does not say
 * that it is taken.
 */
export const bookingWithSingleName = resource('booking with a single name', async (session): Promise<Booked> => {
  const place = await freshTeeTime(session);
  const { contactFirstName: _, contactLastName: __, ...rest } = bodyFor(session, productBooking, place);
  const item: Record<string, unknown> = { ...rest, contactName: 'Conformance Check' };
  const reply = await session.send({
    operation: productBooking.operation,
    body: item,
    breaking: 'bookings.request.contactName',
  });
  return bookedBy(reply, productBooking, [place], [item]);
});

/** A booking of the run in a list: when it was made, and when it is played. */
export interface OwnBooking {
  readonly made: number;
  readonly time: number;
}

/** Bookings of the run in the order of the newest list: a few, or all if these were made in the order of play. */
export async function ownInOrder(session: Session): Promise<readonly OwnBooking[]> {
  const first = await bookingEffect(session);
  const details = await bookingWithDetails(session);
  const older = await booking(session, roundBooking).catch(unlessOutside);
  const singly = [await booking(session, productBooking), ...(older ? [older] : [])];
  const few = [first, details, ...singly];
  const ofFew = few.flatMap((one) => one.bookingIds.map((id) => [id, one.reply.id] as const));
  const { leftovers } = session.run.transport.budget;
  const ofAll = leftovers.flatMap((one) =>
    one.bookingId === undefined ? [] : [[one.bookingId, one.exchange] as const],
  );
  const params = { fromDate: session.day(0).query };
  const reply = await session.send({ operation: operationIn('listBookings', bookingList), params });
  const listed = listOf<ListedBooking>(reply, (data) => data);
  const [own, all] = [ofFew, ofAll].map((ids) => {
    const made = new Map<unknown, string>(ids);
    return listed.flatMap(({ bookingId: id, teetime }): OwnBooking[] => {
      const exchange = made.get(id);
      if (exchange === undefined) return [];
      return [{ made: Number(exchange.slice(1)), time: Date.parse(`${String(teetime).slice(0, 19)}Z`) }];
    });
  });
  return inOrderOfPlay(own!) ? all! : own!;
}

/** Whether bookings were made in the order in which they are played, or in its reverse. */
function inOrderOfPlay(own: readonly OwnBooking[]): boolean {
  return isSorted([...own].sort((a, b) => a.made - b.made).map(({ time }) => time));
}

/** Whether numbers rise or fall all along. */
export function isSorted(values: readonly number[]): boolean {
  const up = values.every((value, index) => index === 0 || values[index - 1]! <= value);
  return up || values.every((value, index) => index === 0 || values[index - 1]! >= value);
}
