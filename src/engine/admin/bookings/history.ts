import type { Booking } from '../../model/booking.js';
import { counted, decoded } from '../../../common/index.js';
import { type JournalEntry, numberOf } from '../../record/journal.js';
import { RIVALS } from '../../store/ledger.js';
import type { AdminHost } from '../route.js';
import { viewOf } from './booking-view.js';

/** What happened to a booking, with what tells so. */
interface BookingEvent {
  readonly at: number;
  readonly kind: 'created' | 'payment' | 'listed' | 'cancelled' | 'callback';
  readonly words: string;
  readonly entry?: JournalEntry;
  readonly callbackId?: string;
}

/** The history of a booking by its state, the journal and the callbacks, and what these can no longer tell. */
export function historyOf(host: AdminHost, booking: Booking): unknown {
  const requests = host.inspector.journal.entries.filter(({ operation }) => operation !== undefined);
  const [created, ...creationGaps] = creationOf(booking, requests);
  const [listed, ...listGaps] = listsOf(booking, requests);
  const events: BookingEvent[] = [
    created,
    ...paymentsOf(booking, requests),
    ...cancellationsOf(booking, requests, created.entry === undefined),
    ...listed,
    ...callbacksOf(host, booking),
  ];
  return {
    booking: viewOf(host.engine, booking),
    events: events.sort((one, other) => one.at - other.at || turnOf(one) - turnOf(other)).map(eventView),
    gaps: [...creationGaps, ...listGaps],
  };
}

/** Of one instant, the creation is first, then requests in their order, then what no request did. */
function turnOf({ kind, entry }: BookingEvent): number {
  return kind === 'created' ? 0 : entry ? numberOf(entry) : Number.MAX_SAFE_INTEGER;
}

function eventView({ at, kind, words, entry, callbackId }: BookingEvent): unknown {
  return {
    at: new Date(at).toISOString(),
    kind,
    words,
    requestId: entry?.requestId ?? null,
    operation: entry?.operation ?? null,
    status: entry?.status ?? null,
    scenario: entry?.scenario?.struck ? entry.scenario.id : null,
    callbackId: callbackId ?? null,
  };
}

/** Without the version and the method: `v5.confirmPayment.post` is `confirmPayment`. */
function isOf(entry: JournalEntry, ...names: readonly string[]): boolean {
  return names.some((name) => entry.operation!.split('.').includes(name));
}

/** Epoch milliseconds of a stored moment, which is in UTC without a designator. */
function instant(moment: string): number {
  return Date.parse(`${moment}Z`);
}

function textOf({ responseBody = '' }: JournalEntry): string {
  return typeof responseBody === 'string' ? responseBody : new TextDecoder().decode(responseBody);
}

function names(booking: Booking, text: string): boolean {
  return text.includes(JSON.stringify(booking.bookingId)) || text.includes(JSON.stringify(booking.code));
}

/** The request that made it: its answer has the id, or it was lost on its way and its body has the booking. */
function creationOf(booking: Booking, requests: readonly JournalEntry[]): [BookingEvent, ...string[]] {
  const at = instant(booking.createdAt);
  const what = `${booking.channel} booked ${counted(booking.players, 'slot')}`;
  const attempts = requests.filter(
    (entry) => entry.channel === booking.channel && isOf(entry, 'createBooking', 'createBulkBooking'),
  );
  const answered = attempts.find((entry) => entry.status < 400 && names(booking, textOf(entry)));
  if (answered) return [{ at, kind: 'created', words: `${what}.`, entry: answered }];
  const lost = attempts.findLast((entry) => isLost(entry) && entry.at <= at && asksFor(entry.body, booking));
  if (lost) {
    const words = `${what}; the answer did not say so, so the client may not know.`;
    return [{ at, kind: 'created', words, entry: lost }];
  }
  return [{ at, kind: 'created', words: `${what}.` }, whyUnknown(booking, requests)];
}

const AFTER = 'after-commit';

/** Whether a scenario was triggered after the change, or the client left before it had the answer. */
function isLost({ state, scenario }: JournalEntry): boolean {
  return scenario?.phase === AFTER || (state === 'cut' && scenario?.phase !== 'before-commit');
}

function isSuccess(state: JournalEntry['state'], status: number): boolean {
  return state === 'answered' && status < 400;
}

function asksFor(body: unknown, { teeId, players, contactLastName }: Booking): boolean {
  const item = JSON.stringify(body) ?? '';
  return [`"teeId":${teeId}`, `"players":${players}`, JSON.stringify(contactLastName)].every((one) =>
    item.includes(one),
  );
}

function whyUnknown({ channel, createdAt }: Booking, requests: readonly JournalEntry[]): string {
  if (channel === RIVALS) return 'No request made it: an operator let another buyer book.';
  const [first] = requests;
  const rest = 'It came with the world or a restored state, or its request is no longer kept.';
  if (!first) return `The journal is empty. ${rest}`;
  if (first.at <= instant(createdAt)) return `No request in the journal made it. ${rest}`;
  return `The journal begins at ${new Date(first.at).toISOString()}, after the booking was made. ${rest}`;
}

/** The requests whose path names the booking or its group. */
function requestsFor(booking: Booking, requests: readonly JournalEntry[], ...operations: string[]): JournalEntry[] {
  const group = `${booking.groupId}`;
  return requests.filter((entry) => {
    if (entry.channel !== booking.channel || !isOf(entry, ...operations)) return false;
    const parts = new URL(entry.url).pathname.split('/').map(decoded);
    return isOf(entry, 'confirmBulkPayment')
      ? parts.includes(group)
      : parts.includes(booking.bookingId) || parts.includes(booking.code);
  });
}

function paymentsOf(booking: Booking, requests: readonly JournalEntry[]): BookingEvent[] {
  const asked = requestsFor(booking, requests, 'confirmPayment', 'confirmBulkPayment');
  const did = { kind: 'payment', done: 'The payment was confirmed', not: 'Payment confirmation' } as const;
  return turnsOf(did, booking.paymentConfirmedAt, asked, '; no request in the journal did it.');
}

function cancellationsOf(booking: Booking, requests: readonly JournalEntry[], unasked: boolean): BookingEvent[] {
  const asked = requestsFor(booking, requests, 'cancelBooking');
  const did = { kind: 'cancelled', done: 'It was cancelled', not: 'Cancellation' } as const;
  // The world begins with some bookings that are cancelled already.
  const fromStart = unasked && booking.canceledAt === booking.createdAt;
  const others = '; no request in the journal did it. The operator can, and so can a request that is no longer kept.';
  return turnsOf(did, booking.canceledAt, asked, fromStart ? ' when it was made.' : others);
}

/** The requests that were to change a booking, and the change itself if none of them made it. */
function turnsOf(
  { kind, done, not }: { readonly kind: BookingEvent['kind']; readonly done: string; readonly not: string },
  changedAt: string | null,
  asked: readonly JournalEntry[],
  otherwise: string,
): BookingEvent[] {
  const at = changedAt === null ? Number.NaN : instant(changedAt);
  const able = asked.filter((entry) => entry.at <= at && !isPaused(entry));
  const answered = able.find(({ state, status, scenario }) => isSuccess(state, status) || scenario?.phase === AFTER);
  const made = answered ?? able.find(isLost);
  const events: BookingEvent[] = asked.map((entry) => {
    if (entry === made) return { at, kind, words: `${done}.`, entry };
    const why = entry.detail === undefined ? '' : `: ${entry.detail.replace(/\.$/, '')}`;
    const outcome = entry.state === 'answered' ? 'changed nothing' : 'got no answer';
    return { at: entry.at, kind, words: `${not} ${entry.status < 400 ? outcome : 'was refused'}${why}.`, entry };
  });
  if (changedAt === null || made) return events;
  return [...events, { at, kind, words: `${done}${otherwise}` }];
}

/** In v5 the operation is paused: it succeeds and changes nothing. */
function isPaused(entry: JournalEntry): boolean {
  return isOf(entry, 'v5') && /temporarily paused/.test(textOf(entry) + JSON.stringify(entry.responseHeaders ?? {}));
}

function listsOf(booking: Booking, requests: readonly JournalEntry[]): [BookingEvent[], ...string[]] {
  const lists = requests.filter((entry) => entry.channel === booking.channel && isOf(entry, 'listBookings'));
  const events = lists
    .filter((entry) => names(booking, textOf(entry)))
    .map((entry): BookingEvent => {
      return { at: entry.at, kind: 'listed', words: `${booking.channel} saw it in the list of bookings.`, entry };
    });
  const long = lists.filter(({ responseDropped }) => responseDropped !== undefined).length;
  if (long === 0) return [events];
  const had = long === 1 ? 'it' : 'they';
  return [
    events,
    `Of ${counted(long, 'list')} only the length is kept, so it is not known whether ${had} had this booking.`,
  ];
}

/** The results that showed the tee time to its channel. */
function callbacksOf({ engine, inspector }: AdminHost, { channel, teeId }: Booking): BookingEvent[] {
  const shows = new RegExp(`"teeid":${teeId}[,}]`);
  return engine.callbacks.deliveries.flatMap((delivery) => {
    const [first] = delivery.attempts;
    if (delivery.channel !== channel || !first || !shows.test(delivery.body ?? '')) return [];
    const entry = inspector.journal.find(delivery.requestId);
    const tries = counted(delivery.attempts.length, 'attempt');
    const words = `A search result with its tee time was ${delivery.state} after ${tries}.`;
    const event = { at: Date.parse(first.at), kind: 'callback', words, callbackId: delivery.id } as const;
    return [entry ? { ...event, entry } : event];
  });
}
