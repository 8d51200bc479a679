import { isObject } from '../../common/index.js';
import { type Day, dayAfter, DAY } from '../client/day.js';
import type { Caller, Reply } from '../client/exchange.js';
import { Inconclusive } from '../client/outcome.js';
import { newestWith, operationIn, type PayloadOf, type VersionOf, versionsOf } from '../client/operations.js';
import { resource } from '../client/resource.js';
import { eventually } from './changing-answers.js';
import { listOf, payloadOf, type Session } from '../client/session.js';

/** A listed booking of any version. */
export type ListedBooking = Readonly<Record<string, unknown>>;
/** The fields that all versions have. */
export type KnownBooking = ListedBooking & { readonly bookingId: string; readonly createdAt?: unknown };

export type ListVersion = VersionOf<'listBookings'>;
/** Newest first. */
export const listVersions = versionsOf('listBookings').toReversed();
const { bookingList: newest } = newestWith;

/** The list of a version. The complete lists are read first, so that rules can compare with them. */
export async function bookingList(
  session: Session,
  version: ListVersion,
  range: { readonly from?: Day; readonly to?: Day } = {},
  as: Caller = 'first',
): Promise<readonly ListedBooking[]> {
  await wholeBookingLists(session);
  return objects(await bookings(session, version, range, as));
}

/** The list of each version, with past bookings. */
export const wholeBookingLists = resource(
  'whole booking lists',
  async (session): Promise<Readonly<Record<ListVersion, readonly ListedBooking[]>>> => {
    const from = session.longAgo;
    const found: Partial<Record<ListVersion, readonly ListedBooking[]>> = {};
    for (const version of listVersions) {
      const list = await bookings(session, version, { from }).catch((error: unknown) => unlessOutside(error));
      if (Array.isArray(list)) found[version] = objects(list);
      // A rule that compares with it is not run.
      else Object.defineProperty(found, version, { get: () => rethrow(list) });
    }
    return found as Record<ListVersion, readonly ListedBooking[]>;
  },
);

/** Every booking of the channel that some version lists, each once. */
export async function knownBookings(session: Session): Promise<readonly KnownBooking[]> {
  const lists = await wholeBookingLists(session);
  const same = identityIn(lists);
  const items = new Map<string, KnownBooking>();
  for (const version of listVersions) {
    if (!session.run.transport.scope.has(operationIn('listBookings', version))) continue;
    for (const item of lists[version]) {
      const { bookingId } = item;
      const known = items.has(same(item));
      if (typeof bookingId === 'string' && !known) items.set(same(item), { ...item, bookingId });
    }
  }
  return [...items.values()];
}

/** The error for a list that the deployment is said not to have; rethrows any other. */
function unlessOutside(error: unknown): Inconclusive {
  if (error instanceof Inconclusive && error.reason === 'out-of-scope') return error;
  throw error;
}

function rethrow(error: unknown): never {
  throw error;
}

/** What tells a booking from all others, in the lists of every version. */
export type Identity = (item: ListedBooking) => string;

/**
 * The identity of bookings: their id, or their tee time, players and contact if versions have ids of their own. The
 * document shows two forms of ids (section "Booking (list item)").
 */
export function identityIn(lists: Readonly<Record<ListVersion, readonly ListedBooking[]>>): Identity {
  // Lists that the deployment is said not to have are no entries.
  const found = Object.keys(lists);
  const [last = [], ...older] = listVersions.filter((one) => found.includes(one)).map((version) => lists[version]);
  return identityOf(last, ...older);
}

/** The identity of the bookings in some lists, the newest version first. */
export function identityOf(
  newest: readonly ListedBooking[],
  ...others: readonly (readonly ListedBooking[])[]
): Identity {
  const ids = new Set(newest.map(({ bookingId }) => bookingId));
  const apart = (list: readonly ListedBooking[]): boolean =>
    list.length > 0 && ids.size > 0 && !list.some(({ bookingId }) => ids.has(bookingId));
  return others.some(apart) ? contentOf : ({ bookingId }) => String(bookingId);
}

/** The identity of the bookings that the run knows. */
export async function identity(session: Session): Promise<Identity> {
  return identityIn(await wholeBookingLists(session));
}

/** What a booking is about, apart from its id. */
export function contentOf({ teetime, players, ...item }: ListedBooking): string {
  return [String(teetime).slice(0, 19).replace(' ', 'T'), String(players ?? ''), nameOf(item)].join('; ');
}

/**
 * The words of the name of the contact, sorted: the API specification does not show how v1 combines first and last
 * name.
 */
export function nameOf({ contactName, contactFirstName, contactLastName }: ListedBooking): string {
  const names = contactName ?? `${String(contactFirstName ?? '')} ${String(contactLastName ?? '')}`;
  const words = String(names).split(/[\s,]+/);
  return words.sort().join(' ').trim();
}

function objects(list: readonly unknown[]): readonly ListedBooking[] {
  return list.filter(isObject);
}

type ListItem<V extends ListVersion> = PayloadOf<'listBookings', V>[number];

/** The booking list of a channel, read once in a run; {@link freshBookings} reads it again. */
export function bookings<V extends ListVersion>(
  session: Session,
  version: V,
  range: { readonly from?: Day; readonly to?: Day } = {},
  as: Caller = 'first',
): Promise<readonly ListItem<V>[]> {
  const params = { fromDate: range.from?.query, toDate: range.to?.query };
  return session.list<ListItem<V>>(operationIn('listBookings', version), params, as);
}

/** The booking list around one day or several, read again; with `since`, only if something was written after that answer. */
export async function freshBookings<V extends ListVersion>(
  session: Session,
  version: V,
  days: Day | readonly Day[],
  { since }: { readonly since?: Pick<Reply, 'id'> | undefined } = {},
): Promise<readonly ListItem<V>[]> {
  const sorted = [days].flat().sort((one, other) => (one.iso < other.iso ? -1 : 1));
  const params = { fromDate: dayAfter(sorted[0]!, -1).query, toDate: dayAfter(sorted.at(-1)!, 1).query };
  const call = { operation: operationIn('listBookings', version), params } as const;
  const reply = await (since ? session.latest(call, since) : session.send(call));
  const data = payloadOf(reply);
  if (!Array.isArray(data)) throw new Inconclusive('precondition', `a list in the answer to ${reply.what}`);
  return data as ListItem<V>[];
}

/**
 * Checks that the second channel is not the first one given twice. Without user names to compare, channels with the
 * same bookings count as one.
 *
 * @throws {Inconclusive} `not-given` if both are the same channel, `control-failed` if its credentials are refused.
 */
export async function otherChannel(session: Session): Promise<void> {
  const params = { fromDate: session.longAgo.query };
  const { status } = await session.read(operationIn('listBookings', newest), params, 'second');
  if (status === 401 || status === 403) {
    const missing = `accepted credentials for the second channel (--second-basic; the status was ${status})`;
    throw new Inconclusive('control-failed', missing);
  }
  const { first, second } = session.run.transport.channels;
  const [one, other] = [first.options.basic?.username, second?.options.basic?.username];
  const same = one === undefined || other === undefined ? await sameBookings(session) : one === other;
  if (same) throw new Inconclusive('not-given', 'a second channel that differs from the first one');
}

async function sameBookings(session: Session): Promise<boolean> {
  const own = (await wholeBookingLists(session))[newest].map(({ bookingId }) => bookingId);
  const others = await bookingList(session, newest, { from: session.longAgo }, 'second');
  return own.length > 0 && own.join() === others.map(({ bookingId }) => bookingId).join();
}

/**
 * Whether the list without parameters has a booking of the run, which may be listed a moment later. Undefined if its tee
 * time is so near that it may be past for the deployment.
 */
export async function isListedAsFuture(
  session: Session,
  version: ListVersion,
  { reply, id, time }: { readonly reply: Reply; readonly id: string; readonly time: string },
): Promise<boolean | undefined> {
  if (Date.parse(`${time.slice(0, 10)}T00:00:00Z`) < session.now + 2 * DAY) return undefined;
  const look = async (isFirst: boolean): Promise<boolean> => {
    const call = { operation: operationIn('listBookings', version) } as const;
    const now = await (isFirst ? session.latest(call, reply) : session.send(call));
    return listOf<unknown>(now, (data) => data).some((item) => isObject(item) && item['bookingId'] === id);
  };
  return eventually(session, reply, look, (isListed) => isListed);
}
