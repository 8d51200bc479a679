import { isObject } from '../../common/index.js';
import type { Reply } from './exchange.js';
import { Inconclusive, NotAllowed, SuiteError } from './outcome.js';
import { idInPath, type Named, namedIn } from './permission.js';
import type { PreparedCall, RequestCall } from './request.js';
import type { Leftover } from './types.js';

/** Characters of an identifier, which a payment has in its path. */
export const LONGEST_ID = 2000;

/** Counts requests up to a limit. */
export class RequestBudget {
  #used = 0;

  constructor(readonly max = Infinity) {}

  /** The number of requests sent. */
  get used(): number {
    return this.#used;
  }

  get isSpent(): boolean {
    return this.#used >= this.max;
  }

  /**
   * @param unneeded Requests that were sent besides.
   * @throws {NotAllowed} where the limit is reached.
   */
  readonly ready = (unneeded = 0): void => {
    if (this.#used + unneeded >= this.max)
      throw new NotAllowed('budget', `more than ${this.max} requests (--max-requests)`);
  };

  /** Counts a request that is sent now, and returns its number. */
  take(): number {
    return (this.#used += 1);
  }
}

/** The ids of the bookings in the answer to a creation, and the number of their group. */
export function bookingsIn(data: unknown): { readonly ids: readonly string[]; readonly group?: number } {
  if (!isObject(data)) return { ids: [] };
  if (!Array.isArray(data['bookingIds'])) return { ids: idOf(data) };
  const group = data['groupId'] ?? data['bulkBookingId'];
  return { ids: data['bookingIds'].flatMap(idOf), ...(typeof group === 'number' ? { group } : {}) };
}

function idOf(item: unknown): string[] {
  const id = isObject(item) ? item['bookingId'] : undefined;
  return typeof id === 'string' ? [id] : [];
}

/** A booking that the run has made, and by which channel. */
export interface MadeBooking {
  readonly bookingId: string;
  readonly channel: string;
}

/** The first part of an id that no booking has. */
const MADE_UP = 'no-such-';
/** Numbers from here on are ids that no group has. */
const MADE_UP_NUMBER = 2_147_000_000;

/**
 * Knows which bookings and groups the run has made. A request that pays, cancels or changes one by its id must name one
 * of these, or an id that is made up.
 */
export class OwnBookings {
  readonly #own = new Map<string, MadeBooking>();
  readonly #groups = new Set<string>();
  /** Ids that a list showed before any answer of the run had them: bookings of somebody else. */
  readonly #others = new Set<string>();
  readonly #payments = new Map<string, Leftover>();
  /** The path of each cancellation that was accepted, by the id in it. */
  readonly #canceled = new Map<string, string>();
  /** Versions that have no path to cancel a booking. */
  readonly #uncancelable = new Set<string>();

  /** Bookings in the order in which they were made. */
  get all(): readonly MadeBooking[] {
    return [...this.#own.values()];
  }

  /** Bookings whose cancellation was accepted. */
  get canceled(): readonly MadeBooking[] {
    return [...this.#own].filter(([id]) => this.#canceled.has(id)).map(([, booking]) => booking);
  }

  /** The version whose path has accepted a cancellation. */
  get cancelVersion(): string | undefined {
    return /\/api\/(v\d+)\//.exec([...this.#canceled.values()].at(-1) ?? '')?.[1];
  }

  /** Whether the path of a version was tried, and is not there. */
  hasNoCancellation(version: string): boolean {
    return this.#uncancelable.has(version);
  }

  /** Payments that were confirmed, or perhaps were. */
  get payments(): readonly Leftover[] {
    return [...this.#payments.values()];
  }

  /** Whether a booking is known to be one of somebody else. */
  isOfOthers(bookingId: unknown): boolean {
    return typeof bookingId === 'string' && !this.#own.has(idInPath(bookingId));
  }

  /** Adds a booking of the run that only a list has shown. */
  adopt(booking: MadeBooking): void {
    const id = idInPath(booking.bookingId);
    this.#others.delete(id);
    this.#own.set(id, booking);
  }

  /**
   * Holds back a request that names a booking or group which the run has not made.
   *
   * @throws {Inconclusive} if the deployment issued an id of an earlier booking, {@link SuiteError} for any other id.
   */
  guard({ method, path }: PreparedCall): void {
    const named = namedIn(method, path);
    if (!named || this.#isOwn(named) || isMadeUp(named) || this.#isBroken(named)) return;
    if (this.#others.has(named.id)) {
      throw new Inconclusive(
        'precondition',
        `an id of a booking that this run has made (${named.id} is an earlier one)`,
      );
    }
    throw new SuiteError(`${method} ${path} is not sent: this run has not made ${named.kind} ${named.id}.`);
  }

  /** Learns from an answer. A payment that was not accepted may have been confirmed all the same: no list shows that. */
  note(call: RequestCall, prepared: PreparedCall, reply: Reply | undefined, exchange: string): void {
    const channel = call.as ?? 'first';
    if (reply?.ok && prepared.body !== undefined) this.#noteCreation(reply, channel);
    if (reply?.ok && reply.operation?.endsWith('listBookings')) this.#noteList(reply.data);
    const named = namedIn(prepared.method, prepared.path);
    if (reply?.ok && named && prepared.method === 'DELETE') this.#canceled.set(named.id, prepared.path);
    const isMissing = reply !== undefined && [404, 405, 501].includes(reply.status);
    // Another channel may not see the booking, and gets a 404 for that.
    if (isMissing && prepared.method === 'DELETE' && channel === 'first') {
      this.#uncancelable.add(/\/api\/(v\d+)\//.exec(prepared.path)?.[1] ?? '');
    }
    if (!named?.isPayment || isMadeUp(named) || !this.#isOwn(named)) return;
    const key = `${named.kind} ${named.id}`;
    if (this.#payments.get(key)?.kind === 'payment') return;
    const of = named.kind === 'booking' ? { bookingId: named.id } : { group: Number(named.id) };
    const kind = reply?.ok ? 'payment' : 'perhaps';
    const what = reply?.ok ? `payment of ${key}` : `perhaps the payment of ${key}`;
    this.#payments.set(key, { kind, ...of, channel, what, exchange: reply?.id ?? exchange });
  }

  #noteCreation({ data }: Reply, channel: string): void {
    const { ids, group } = bookingsIn(data);
    for (const bookingId of ids) {
      const id = idInPath(bookingId);
      if (!this.#others.has(id)) this.#own.set(id, { bookingId, channel });
    }
    if (group !== undefined) this.#groups.add(String(group));
  }

  #noteList(data: unknown): void {
    for (const item of Array.isArray(data) ? data : []) {
      const bookingId = isObject(item) ? item['bookingId'] : undefined;
      if (typeof bookingId !== 'string' || !this.isOfOthers(bookingId)) continue;
      this.#others.add(idInPath(bookingId));
    }
  }

  #isOwn({ kind, id }: Named): boolean {
    return kind === 'group' ? this.#groups.has(id) : this.#own.has(id);
  }

  /** Whether it is an own id with something added, which is no valid id. */
  #isBroken({ kind, id }: Named): boolean {
    const own = kind === 'group' ? [...this.#groups] : [...this.#own.keys()];
    return (
      !this.#others.has(id) && own.some((one) => id.length > one.length && id.startsWith(one) && !/^\d+$/.test(id))
    );
  }
}

function isMadeUp({ id }: Named): boolean {
  return id === '' || id.startsWith(MADE_UP) || (/^\d+$/.test(id) && Number(id) >= MADE_UP_NUMBER);
}
