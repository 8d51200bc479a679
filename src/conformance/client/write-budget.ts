import { isObject, parsedJson } from '../../common/index.js';
import type { OperationId } from '../../contract/index.js';
import { bookingItems, type Reply } from './exchange.js';
import { Inconclusive } from './outcome.js';
import { bookingsIn } from './own-bookings.js';
import type { RequestCall } from './request.js';
import type { Leftover } from './types.js';

/** Characters of the time of a leftover. */
const LONGEST_TIME = 40;

/** One booking of a request body, from the moment at which it is about to be sent. */
interface SentBooking {
  /** The channel whose list would show it. */
  readonly channel: 'first' | 'second';
  /** Whose credentials the request had. */
  readonly as: string;
  readonly operation: OperationId | undefined;
  readonly what: string;
  readonly time: string;
  readonly players: unknown;
  readonly email: unknown;
  /** `doubt`: nobody knows whether the booking exists. */
  state: 'sent' | 'doubt' | 'made';
  /** Whether it is known to be a booking of the run, and not only likely. */
  isSure: boolean;
  /** Whether the deployment answered, and not with an error of the server: then its work is done. */
  isAnswered: boolean;
  exchange: string;
  bookingId?: string;
  group?: number;
  /** The position among all answers, and its time in epoch milliseconds. */
  order: number;
  at: number;
}

/** A booking as a list shows it. */
interface Listed {
  readonly id: string | undefined;
  readonly time: string;
  readonly players: unknown;
  readonly email: unknown;
}

/** What a list showed before the first booking of the run. */
interface Watch {
  readonly before: ReadonlySet<string | undefined>;
  /** Milliseconds after which the list showed a booking of the run, at the soonest. */
  lag: number;
  /** The bookings of the run that it has shown. */
  readonly shown: Set<SentBooking>;
}

/**
 * Counts bookings before they are sent, and remembers those that were made or may have been: the service cannot cancel a
 * booking. Only an answer with an identifier says what became of a booking; any other answer, or none, leaves a doubt,
 * which counts as a booking until the list of the channel shows otherwise.
 */
export class WriteBudget {
  #sent: SentBooking[] = [];
  readonly #watched = new Map<string, Watch>();
  #answers = 0;

  /**
   * @param max The most bookings.
   * @param settle Milliseconds in which a list may follow a write.
   */
  constructor(
    readonly max: number,
    readonly settle = 0,
  ) {}

  /** How many more bookings may be made. */
  get left(): number {
    return this.max - this.#sent.length;
  }

  /** The bookings that were made, and those that perhaps were. */
  get leftovers(): readonly Leftover[] {
    return this.#sent.map(({ isSure, bookingId, group, as: channel, what, exchange }) => ({
      kind: isSure ? 'booking' : 'perhaps',
      ...(bookingId === undefined ? {} : { bookingId }),
      ...(group === undefined ? {} : { group }),
      channel,
      what,
      exchange,
    }));
  }

  /** The channels with bookings that nobody knows about. */
  get doubtful(): readonly ('first' | 'second')[] {
    return [...new Set(this.#sent.filter(isDoubt).map(({ channel }) => channel))];
  }

  /** How many bookings and doubts there were so far: while it stays the same, another look shows nothing new. */
  get answers(): number {
    return this.#answers;
  }

  /**
   * Reserves the bookings of a body, whether or not they are expected to succeed.
   *
   * @throws {Inconclusive} when fewer are left; then nothing may be sent.
   */
  reserve(call: RequestCall): readonly SentBooking[] {
    const items = itemsOf(call.body);
    const count = items.length;
    if (count > this.left) {
      throw new Inconclusive(
        'budget',
        `${count} more ${count === 1 ? 'booking' : 'bookings'} (--max-bookings, now ${this.max})`,
      );
    }
    const as = call.as ?? 'first';
    const operation = 'operation' in call ? call.operation : undefined;
    const sent = items.map((item): SentBooking => ({
      channel: as === 'second' ? 'second' : 'first',
      as,
      operation,
      what: inWords(item),
      ...contentsOf(item),
      state: 'sent',
      isSure: false,
      isAnswered: false,
      exchange: '',
      order: 0,
      at: 0,
    }));
    this.#sent.push(...sent);
    return sent;
  }

  /** Nothing was sent. */
  release(sent: readonly SentBooking[]): void {
    this.#sent = this.#sent.filter((one) => !sent.includes(one));
  }

  /** Notes the answer to what was reserved: identifiers show what was made, anything else leaves a doubt. */
  note(sent: readonly SentBooking[], reply: Reply | undefined, exchange: string, at: number): void {
    const { ids, group } = reply?.ok ? bookingsIn(reply.data) : { ids: [] };
    const last = sent.at(-1);
    const more = last ? ids.slice(sent.length).map((): SentBooking => ({ ...last })) : [];
    this.#sent.push(...more);
    this.#answers += 1;
    for (const [index, one] of [...sent, ...more].entries()) {
      const bookingId = ids[index];
      const isAnswered = reply !== undefined && reply.status < 500;
      Object.assign(one, { exchange, at, isAnswered, order: this.#answers, state: 'doubt' });
      if (bookingId === undefined) continue;
      Object.assign(one, { state: 'made', isSure: true, bookingId, ...(group === undefined ? {} : { group }) });
    }
  }

  /** Takes a booking that a list shows for one that the run has made by a request, whatever was answered. */
  adopt(item: unknown, exchange: string): void {
    const listed = listedOf(item);
    const own = this.#sent.find((one) => one.exchange === exchange && isExact(one, listed));
    if (own) confirm(own, listed);
  }

  isWatched(channel: string): boolean {
    return this.#watched.has(channel);
  }

  /** Notes what the list of a channel shows before the first booking of the run; undefined if no list can be read. */
  watch(channel: string, list: readonly unknown[] | undefined): void {
    const before = new Set(list?.map((item) => listedOf(item).id));
    if (!this.isWatched(channel)) this.#watched.set(channel, { before, lag: Infinity, shown: new Set() });
  }

  /**
   * Compares what the run has sent with what the list of a channel shows: doubts become bookings, or are settled. A list
   * proves that a booking is missing only if it shows others of the run, and none of the latest is missing in it.
   *
   * @param at When the list was asked for, and `until` when it had come, in epoch milliseconds.
   */
  look(channel: string, list: readonly unknown[], at: number, until: number): void {
    const watch = this.#watched.get(channel);
    if (!watch) return;
    const own = this.#sent.filter((one) => one.channel === channel);
    const made = own.filter(({ state }) => state === 'made');
    const doubts = own.filter(isDoubt);
    let rest = list.map(listedOf).filter(({ id }) => id === undefined || !watch.before.has(id));
    const shown = new Set<SentBooking>();
    const pair = (some: readonly SentBooking[], isSame: (one: SentBooking, other: Listed) => boolean): void => {
      rest = rest.filter((other) => {
        const found = some.find((one) => !shown.has(one) && isSame(one, other));
        if (!found) return true;
        shown.add(found);
        if (isDoubt(found)) confirm(found, other);
        return false;
      });
    };
    const isSameTime = (one: SentBooking, { time }: Listed): boolean => time !== '' && one.time === time;
    pair(made, (one, { id }) => one.bookingId === id);
    // Versions may have identifiers of their own. A booking that the list does not have to show yet is not among them.
    const settled = made.filter((one) => at - one.at >= this.settle);
    pair(settled, isSameTime);
    pair(doubts, isExact);
    pair(doubts, isSameTime);
    // A list may show a booking with another time. One with another contact is of somebody else.
    const emails = new Set(own.map(({ email }) => email));
    rest = rest.filter(({ email }) => typeof email !== 'string' || emails.has(email));
    pair(settled, () => true);
    pair(doubts, () => true);

    for (const one of shown) if (!watch.shown.has(one)) watch.lag = Math.min(watch.lag, until - one.at);
    for (const one of shown) watch.shown.add(one);
    const newest = Math.max(0, ...[...shown].map(({ order }) => order));
    const shows = (operation: SentBooking['operation']): boolean => {
      const alike = made.filter((one) => one.operation === operation);
      return alike.length > 0 ? alike.some((one) => shown.has(one)) : shown.size > 0;
    };
    const isOld = made.some(
      (one) => one.order > newest && at - one.at >= this.settle && !shown.has(one) && shows(one.operation),
    );
    const isMissing = (one: SentBooking): boolean =>
      isDoubt(one) &&
      one.channel === channel &&
      shows(one.operation) &&
      ((one.isAnswered && one.order < newest) || (at >= this.#visibleAt(one) && !isOld));
    this.#sent = this.#sent.filter((one) => !isMissing(one));
  }

  /** When the list must show the doubts that are left, in epoch milliseconds; undefined if it has shown no booking of the run. */
  get visibleAt(): number | undefined {
    const own = this.#sent.filter(({ state }) => state !== 'sent');
    if (own.every(isDoubt)) return undefined;
    return Math.max(...own.filter(isDoubt).map((one) => this.#visibleAt(one)));
  }

  #visibleAt({ channel, isAnswered, at }: SentBooking): number {
    const { lag = Infinity } = this.#watched.get(channel) ?? {};
    return at + (isAnswered ? Math.min(this.settle, lag) : this.settle);
  }
}

const isDoubt = ({ state }: SentBooking): boolean => state === 'doubt';

const isExact = ({ time, players, email }: SentBooking, other: Listed): boolean =>
  time !== '' && time === other.time && players === other.players && email === other.email;

/** A list shows what may be the booking. */
function confirm(doubt: SentBooking, listed: Listed): void {
  Object.assign(doubt, { state: 'made', isSure: isExact(doubt, listed) });
  if (listed.id !== undefined) doubt.bookingId = listed.id;
}

/** The single bookings of a body that may be text; one that is not JSON counts as one. */
export const itemsOf = (body: unknown): readonly unknown[] =>
  bookingItems(typeof body === 'string' ? parsedJson(body, body) : body);

/** What tells the booking of an item from others, as far as the item can be read. */
function contentsOf(item: unknown): Pick<Listed, 'time' | 'players' | 'email'> {
  const { teetime, players, contactEmail: email }: Record<string, unknown> = isObject(item) ? item : {};
  const time = typeof teetime === 'string' ? teetime.slice(0, 19).replace('T', ' ') : '';
  return { time, players, email };
}

function listedOf(item: unknown): Listed {
  const id = isObject(item) ? item['bookingId'] : undefined;
  return { ...contentsOf(item), id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined };
}

/** A booking as the list of what was left behind shows it. */
function inWords(item: unknown): string {
  if (!isObject(item)) return 'a malformed body';
  const { facilityId, teetime, players } = item;
  const group = players === 1 ? '1 player' : `${String(players)} players`;
  return `facility ${String(facilityId)}, ${String(teetime).slice(0, LONGEST_TIME)}, ${group}`;
}
