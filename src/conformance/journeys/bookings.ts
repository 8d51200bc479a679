import { exactAmount } from '../../common/index.js';
import { bookingsIn } from '../client/own-bookings.js';
import type { Reply } from '../client/exchange.js';
import { type Creation, productBooking } from '../client/operations.js';
import { Inconclusive, Refused, unlessInconclusive } from '../client/outcome.js';
import { resourceOf } from '../client/resource.js';
import { payloadOf, type Session } from '../client/session.js';
import { freshTeeTime, twoTeeTimes, type TakenTeeTime } from './material.js';
import { freeIn, type ListedTeeSheet, type ListedTeeTime, productFor } from './pool/reads.js';

/** The tee time that was booked if it has a free slot left, otherwise one that no other journey uses. */
export async function roomAt(session: Session, { sheet, teeTimes: [booked] }: Booked): Promise<TakenTeeTime> {
  return freeIn(booked!) > 1 ? { sheet, teeTime: booked! } : freshTeeTime(session);
}

const contactNames = { contactFirstName: 'Conformance', contactLastName: 'Check' };
const name = { contactName: 'Conformance Check' };
/**
 * The API specification has first and last name in its field list and one name in its samples: some deployments need
 * the latter.
 */
const contactForms: readonly Readonly<Record<string, string>>[] = [contactNames, { ...contactNames, ...name }, name];
/** The form that a deployment takes, if it refuses the first one. */
const contacts = new WeakMap<Session['run']['transport'], number>();

/** Whether the deployment refuses a booking with a first and a last name alone. */
export async function needsSingleName(session: Session): Promise<boolean> {
  await contactKnown(session);
  return contacts.has(session.run.transport);
}

/** Deployments that refuse the reference in a bulk booking. */
const unreferenced = new WeakSet<Session['run']['transport']>();
export async function formKnown(session: Session, creation: Creation): Promise<void> {
  await contactKnown(session);
  if (creation.form === 'bulk') await booking(session, creation).catch(unlessInconclusive);
}

/** First and last name of a contact, with letters beyond ASCII and a punctuation mark. */
export const foreignNames = ['Zo\u00eb', "O'\u0141uka"] as const;

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

/** A tee time, and the facility of the sheet that has it. */
export interface Place {
  readonly sheet: { readonly facilityId: number };
  readonly teeTime: ListedTeeTime;
}

/** A valid body for a tee time and its first fitting product; `comments` has the id of the run. */
export function bodyFor(
  session: Session,
  creation: Creation,
  { sheet: { facilityId }, teeTime }: Place,
  players = 1,
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
  if (creation.form === 'round') return { ...common, round: course };
  if (creation.form === 'product') return { ...common, course, productId: product?.mid };
  const netRate = netRateFor(teeTime, players) ?? 0;
  const reference = unreferenced.has(session.run.transport) ? {} : { linkedTeeTimeRef: session.uuid() };
  return { ...common, course, netRate, extraProduct: [], additionalPlayers: [], ...reference };
}

type Steps = ListedTeeTime['products'][number]['pricing'];

/** Where the price for several players is at most so many times that for one, it is the price of each player. */
export const AS_FOR_ONE = 1.25;

/** How many times the price for one player that for several is. */
export function ratioOf(steps: Steps, players: number): number | undefined {
  const [one, several] = [1, players].map((count) => steps.find(({ quantity }) => quantity === count)?.price?.amount);
  return one && several !== undefined ? several / one : undefined;
}

/** The net rate of all players together, of the product that {@link bodyFor} selects. */
export function netRateFor(teeTime: ListedTeeTime, players: number): number | undefined {
  const steps = productFor(teeTime, players)?.pricing ?? [];
  const rate = steps.find(({ quantity }) => quantity === players)?.netRate.amount;
  const isOfEach = players > 1 && (ratioOf(steps, players) ?? Infinity) <= AS_FOR_ONE;
  return rate === undefined || !isOfEach ? rate : exactAmount(rate * players);
}

/** What a journey booked. */
export interface Booked {
  readonly creation: Creation;
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
export const booking = resourceOf('booking', async (session, creation: Creation): Promise<Booked> => {
  if (creation !== productBooking) await contactKnown(session);
  const make = async (): Promise<Booked> =>
    bookAll(session, creation, [await freshTeeTime(session)], creation.form === 'bulk');
  try {
    return await again(make);
  } catch (error) {
    const { transport } = session.run;
    if (!(error instanceof Refused)) throw error;
    /** The form is known only from a booking that is made with it, whatever ends the attempt. */
    const attempt = async (undo: () => void): Promise<Booked | undefined> => {
      let made: Booked | undefined;
      try {
        return (made = await make().catch(unlessInconclusive));
      } finally {
        if (!made) undo();
      }
    };
    if (creation.form === 'bulk') {
      unreferenced.add(transport);
      const made = await attempt(() => unreferenced.delete(transport));
      if (made) return made;
    }
    if (contacts.has(transport)) throw error;
    for (const form of [1, 2]) {
      contacts.set(transport, form);
      const made = await attempt(() => contacts.delete(transport));
      if (made) return made;
    }
    throw error;
  }
});

/** A group of two bookings: an array of bookings by product, or a bulk booking. */
export const group = resourceOf('group', (session, creation: Creation) =>
  again(async () => {
    await formKnown(session, creation);
    return bookAll(session, creation, await twoTeeTimes(session), true);
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
  creation: Creation,
  places: readonly TakenTeeTime[],
  asList: boolean,
  changes: Record<string, unknown> = {},
): Promise<Booked> {
  await formKnown(session, creation);
  return bookAll(session, creation, places, asList, changes);
}

async function bookAll(
  session: Session,
  creation: Creation,
  places: readonly TakenTeeTime[],
  asList: boolean,
  changes: Record<string, unknown> = {},
): Promise<Booked> {
  const items = places.map((place) => ({ ...bodyFor(session, creation, place), ...changes }));
  const reply = await session.send({ operation: creation.operation, body: asList ? items : items[0] });
  return bookedBy(reply, creation, places, items);
}

/**
 * What a request has booked.
 *
 * @throws {Refused} if it is refused.
 * @throws {Inconclusive} `precondition` if it is accepted without a usable id.
 */
export function bookedBy(
  reply: Reply,
  creation: Creation,
  places: readonly TakenTeeTime[],
  items: Booked['items'],
): Booked {
  payloadOf(reply);
  const bookingIds = idsIn(reply);
  if (bookingIds.length === 0) throw new Inconclusive('precondition', `an identifier in the answer to ${reply.what}`);
  const groupId = groupIn(reply);
  const teeTimes = places.map(({ teeTime }) => teeTime);
  const made = { creation, sheet: places[0]!.sheet, teeTimes, places, items, reply, bookingIds };
  return { ...made, ...(groupId === undefined ? {} : { groupId }) };
}

/** The ids of the bookings in a response. */
export function idsIn({ data }: Pick<Reply, 'data'>): readonly string[] {
  return bookingsIn(data).ids;
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
export async function bookOne(session: Session, creation: Creation, place: TakenTeeTime, players = 1): Promise<Booked> {
  await formKnown(session, creation);
  const item = bodyFor(session, creation, place, players);
  const reply = await session.send({ operation: creation.operation, body: bodyOf(creation, item) });
  return bookedBy(reply, creation, [place], [item]);
}

/** The request body of one booking: a bulk booking is a list of one. */
export function bodyOf(creation: Creation, item: Record<string, unknown>): unknown {
  return creation.form === 'bulk' ? [item] : item;
}
