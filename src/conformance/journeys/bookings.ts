import type { OperationId } from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import { forms, operationIn, type VersionOf, versionsOf } from '../client/operations.js';
import { Inconclusive, Refused, unlessInconclusive } from '../client/outcome.js';
import { resourceOf } from '../client/resource.js';
import { payloadOf, type Session } from '../client/session.js';
import { productFor } from './linked-tee-times.js';
import { freshTeeTime, twoTeeTimes, type TakenTeeTime } from './material.js';
import { freeIn, type ListedTeeSheet, type ListedTeeTime } from './pool/reads.js';

export type BookVersion = VersionOf<'createBooking' | 'createBulkBooking'>;
/** The versions that create bookings, oldest first. */
export const bookVersions: readonly BookVersion[] = [
  ...versionsOf('createBooking'),
  ...versionsOf('createBulkBooking'),
].sort();

const { productBooking, roundBooking, bulkBooking } = forms;
/** The versions that take several bookings in one body. */
export type GroupVersion = typeof productBooking | typeof bulkBooking;
/** The newest operation that creates a booking. */
export const creation = operationIn('createBooking', productBooking);

/** The tee time that was booked if it has a free slot left, otherwise one that no other journey uses. */
export async function roomAt(session: Session, { sheet, teeTimes: [booked] }: Booked): Promise<TakenTeeTime> {
  return freeIn(booked!) > 1 ? { sheet, teeTime: booked! } : freshTeeTime(session);
}

const names = { contactFirstName: 'Conformance', contactLastName: 'Check' };
const name = { contactName: 'Conformance Check' };
/** The document has first and last name in its field list and one name in its samples: some deployments need the latter. */
const contactForms: readonly Readonly<Record<string, string>>[] = [names, { ...names, ...name }, name];
/** The form that a deployment takes, if it refuses the first one. */
const contacts = new WeakMap<Session['run']['transport'], number>();

/** Whether the deployment refuses a booking with a first and a last name alone. */
export async function needsSingleName(session: Session): Promise<boolean> {
  await contactKnown(session);
  return contacts.has(session.run.transport);
}

/** Deployments that refuse the reference in a bulk booking. */
const unreferenced = new WeakSet<Session['run']['transport']>();
export async function formKnown(session: Session, version: BookVersion): Promise<void> {
  await contactKnown(session);
  if (version === bulkBooking) await booking(session, bulkBooking).catch(unlessInconclusive);
}

/** A contact in the form that the deployment takes. */
export function contactAs(
  session: Session,
  contactFirstName: string,
  contactLastName: string,
): Record<string, unknown> {
  const contact: Readonly<Record<string, string>> = {
    contactFirstName,
    contactLastName,
    contactName: `${contactFirstName} ${contactLastName}`,
  };
  const fields = Object.keys(contactForms[contacts.get(session.run.transport) ?? 0]!);
  return Object.fromEntries(fields.map((field) => [field, contact[field]]));
}

/** The first booking of a run shows which form of the contact the deployment takes. */
export async function contactKnown(session: Session): Promise<void> {
  await booking(session, productBooking).catch(unlessInconclusive);
}

/** A valid body for a tee time and its first fitting product; `comments` has the id of the run. */
export function bodyFor(
  session: Session,
  version: BookVersion,
  { facilityId, teeTime, players = 1 }: { facilityId: number; teeTime: ListedTeeTime; players?: number },
): Record<string, unknown> {
  const { teeid, time, course, holes } = teeTime;
  const product = productFor(teeTime, players);
  const common = {
    facilityId,
    teetime: time.replace('T', ' '),
    players,
    teeId: teeid,
    holes,
    ...contactForms[contacts.get(session.run.transport) ?? 0],
    contactPhone: '+31 20 555 0100',
    contactEmail: 'conformance.check@example.com',
    comments: `conformance check ${session.run.runId}`,
  };
  if (version === roundBooking) return { ...common, round: course };
  if (version === productBooking) return { ...common, course, productId: product?.mid };
  const netRate = product?.pricing.find(({ quantity }) => quantity === players)?.netRate.amount ?? 0;
  const reference = unreferenced.has(session.run.transport) ? {} : { linkedTeeTimeRef: session.uuid() };
  return { ...common, course, netRate, extraProduct: [], additionalPlayers: [], ...reference };
}

/** What a journey booked. */
export interface Booked {
  readonly version: BookVersion;
  readonly sheet: ListedTeeSheet;
  readonly teeTimes: readonly ListedTeeTime[];
  /** The same tee times, each with its own sheet: a group may span two. */
  readonly places: readonly TakenTeeTime[];
  /** The single bookings as they were sent. */
  readonly items: readonly Record<string, unknown>[];
  readonly reply: Reply;
  readonly bookingIds: readonly string[];
  /** The number of the group, if it is one. */
  readonly groupId?: number;
}

/** One booking of one player for each version; a bulk booking is a list of one. */
export const booking = resourceOf('booking', async (session, version: BookVersion): Promise<Booked> => {
  if (version !== productBooking) await contactKnown(session);
  const make = async (): Promise<Booked> =>
    bookAll(session, version, [await freshTeeTime(session)], version === bulkBooking);
  try {
    return await again(make);
  } catch (error) {
    const { transport } = session.run;
    if (!(error instanceof Refused)) throw error;
    if (version === bulkBooking) {
      unreferenced.add(transport);
      const made = await make().catch(unlessInconclusive);
      if (made) return made;
      unreferenced.delete(transport);
    }
    if (contacts.has(transport)) throw error;
    for (const form of [1, 2]) {
      contacts.set(transport, form);
      const made = await make().catch(unlessInconclusive);
      if (made) return made;
    }
    contacts.delete(transport);
    throw error;
  }
});

/** A group of two bookings: an array of bookings by product, or a bulk booking. */
export const group = resourceOf('group', (session, version: GroupVersion) =>
  again(async () => {
    await formKnown(session, version);
    return bookAll(session, version, await twoTeeTimes(session), true);
  }),
);

/** Makes a booking, and another one if it is refused: another client may have taken the tee time in the meantime. */
function again<T>(make: () => Promise<T>): Promise<T> {
  return make().catch((error: unknown) => {
    if (error instanceof Refused) return make();
    throw error;
  });
}

/** Books tee times with a version, as one booking or as a list, and applies the same changes to each. */
export async function book(
  session: Session,
  version: BookVersion,
  sheet: ListedTeeSheet,
  teeTimes: readonly ListedTeeTime[],
  asList: boolean,
  changes: Record<string, unknown> = {},
): Promise<Booked> {
  await formKnown(session, version);
  const places = teeTimes.map((teeTime) => ({ sheet, teeTime }));
  return bookAll(session, version, places, asList, changes);
}

async function bookAll(
  session: Session,
  version: BookVersion,
  places: readonly TakenTeeTime[],
  asList: boolean,
  changes: Record<string, unknown> = {},
): Promise<Booked> {
  const items = places.map(({ sheet: { facilityId }, teeTime }) => ({
    ...bodyFor(session, version, { facilityId, teeTime }),
    ...changes,
  }));
  const reply = await session.send({ operation: creationOf(version), body: asList ? items : items[0] });
  payloadOf(reply);
  const bookingIds = idsIn(reply);
  if (bookingIds.length === 0) throw withoutId(reply);
  const groupId = groupIn(reply);
  const teeTimes = places.map(({ teeTime }) => teeTime);
  const made = { version, sheet: places[0]!.sheet, teeTimes, places, items, reply, bookingIds };
  return { ...made, ...(groupId === undefined ? {} : { groupId }) };
}

/** A booking that was accepted without a usable id. */
export function withoutId({ what }: Reply): Inconclusive {
  return new Inconclusive('precondition', `an identifier in the answer to ${what}`);
}

/** A single booking that a journey made, and the request it came from. */
export interface SingleBooking {
  readonly version: BookVersion;
  readonly sheet: ListedTeeSheet;
  readonly teeTime: ListedTeeTime;
  readonly item: Record<string, unknown>;
  readonly reply: Reply;
  readonly bookingId: string;
  /** The number of the group, if it is a bulk booking of one. */
  readonly groupId?: number;
}

/** The ids of the bookings in a response. */
export function idsIn({ data }: Pick<Reply, 'data'>): readonly string[] {
  const { bookingIds, bookingId } = (data ?? {}) as { bookingIds?: unknown; bookingId?: unknown };
  const list = Array.isArray(bookingIds)
    ? bookingIds.map((one: { bookingId?: unknown }) => one?.bookingId)
    : [bookingId];
  return list.filter((id): id is string => typeof id === 'string');
}

/** The number of the group in a response. */
export function groupIn({ data }: Pick<Reply, 'data'>): number | undefined {
  const { groupId, bulkBookingId } = (data ?? {}) as { groupId?: unknown; bulkBookingId?: unknown };
  const id = groupId ?? bulkBookingId;
  return typeof id === 'number' ? id : undefined;
}

/**
 * Makes a new booking of a tee time.
 *
 * @throws {Refused} if it is refused.
 */
export async function bookOne(
  session: Session,
  version: BookVersion,
  { sheet, teeTime }: Pick<SingleBooking, 'sheet' | 'teeTime'>,
  players = 1,
): Promise<SingleBooking> {
  await formKnown(session, version);
  const item = bodyFor(session, version, { facilityId: sheet.facilityId, teeTime, players });
  const reply = await session.send({ operation: creationOf(version), body: bodyOf(version, item) });
  payloadOf(reply);
  const [bookingId] = idsIn(reply);
  if (bookingId === undefined) throw withoutId(reply);
  const groupId = groupIn(reply);
  return { version, sheet, teeTime, item, reply, bookingId, ...(groupId === undefined ? {} : { groupId }) };
}

/** The operation that creates a booking in a version. */
export function creationOf(version: BookVersion): OperationId {
  return version === bulkBooking ? operationIn('createBulkBooking', version) : operationIn('createBooking', version);
}

/** The request body of one booking: a bulk booking is a list of one. */
export function bodyOf(version: BookVersion, item: Record<string, unknown>): unknown {
  return version === bulkBooking ? [item] : item;
}
