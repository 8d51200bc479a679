import { slicesBy } from '../../../common/index.js';
import type { Booking } from '../../model/booking.js';
import { Refusal } from '../../model/refusal.js';
import { cancelUnderPolicy } from '../../api/routes/cancel.js';
import { Problem, shown } from '../problem.js';
import { checkChannel, facilityOf, readQuery } from '../read.js';
import { RIVALS } from '../../store/ledger.js';
import type { AdminCall, AdminHost, AdminRoute } from '../route.js';
import { streamed } from '../streamed.js';
import { findTeeTime, teeTimeView } from '../tee-sheets/sheet-view.js';
import { paymentOf, viewOf } from './booking-view.js';
import { historyOf } from './history.js';

/** The bookings of all channels, and their cancellation by the operator. */
export const bookingRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'bookings', answer: list },
  {
    method: 'GET',
    path: 'bookings/:bookingId',
    answer: ({ host, path }) => viewOf(host.engine, find(host, path['bookingId']!)),
  },
  {
    method: 'GET',
    path: 'bookings/:bookingId/history',
    answer: ({ host, path }) => historyOf(host, find(host, path['bookingId']!)),
  },
  { method: 'POST', path: 'bookings/:bookingId/cancel', answer: cancel },
];

const USUAL_PAGE = 1000;

/** In order of creation, or the newest first. `count` is the number of matches on all pages. */
async function list({ host, request }: AdminCall): Promise<unknown> {
  const { engine } = host;
  const query = await readQuery(request, 'listBookingsQuery');
  const { limit = USUAL_PAGE, offset = 0, order } = query;
  checkChannel([...engine.store.world.channels.map(({ name }) => name), RIVALS], query.channel);
  if (query.facilityId !== undefined) facilityOf(engine, query.facilityId, 400);
  const words = (query.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const same = <Name extends 'channel' | 'status' | 'facilityId' | 'groupId'>(booking: Booking, name: Name) =>
    query[name] === undefined || booking[name] === query[name];
  const fits = (booking: Booking) =>
    same(booking, 'channel') &&
    same(booking, 'status') &&
    same(booking, 'facilityId') &&
    same(booking, 'groupId') &&
    (query.payment === undefined || paymentOf(booking) === query.payment) &&
    (words.length === 0 || hasWords(booking, words));
  const all = engine.store.ledger.all();
  const found: Booking[] = [];
  const note = (booking: Booking): void => void (fits(booking) && found.push(booking));
  // Only to search texts takes long.
  if (words.length > 0) await slicesBy(host.pause)(all, note);
  else for (const booking of all) note(booking);
  if (order === 'newest') found.reverse();
  const page = found.slice(offset, offset + limit);
  return streamed({ count: found.length, bookings: page.map((booking) => viewOf(engine, booking)) }, host);
}

/** Whether what is shown of a booking, and its contact, players and comments, have all these words, in small letters. */
function hasWords(booking: Booking, words: readonly string[]): boolean {
  const { bookingId, code, contactFirstName, contactLastName, contactEmail, contactPhone, comments } = booking;
  const players = booking.additionalPlayers.flatMap(({ firstName, lastName }) => [firstName, lastName]);
  const contact = [contactFirstName, contactLastName, contactEmail, contactPhone];
  const { channel, facilityId, groupId, course, time, status } = booking;
  const state = status === 'BOOKED' ? 'booked' : 'cancelled';
  const place = [channel, facilityId, groupId, course, time.replace('T', ' '), state];
  const all = [bookingId, code, ...contact, comments, ...players, ...place];
  const text = all.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function find({ engine }: AdminHost, id: string): Booking {
  const { ledger } = engine.store;
  const booking = ledger.find(id) ?? ledger.findByCode(id);
  if (booking) return booking;
  throw new Problem(404, `There is no booking ${shown(id)}. GET bookings lists what there is.`);
}

async function cancel({ host, request, path }: AdminCall): Promise<unknown> {
  const { engine } = host;
  const { force } = await readQuery(request, 'cancelBookingQuery');
  const booking = find(host, path['bookingId']!);
  if (booking.status === 'CANCELED') {
    throw new Problem(409, `Booking ${booking.bookingId} is cancelled already, since ${booking.canceledAt}Z.`);
  }
  if (force === 'true') engine.store.cancel(booking, engine.now());
  else cancelOrExplain(host, booking);
  return { booking: viewOf(engine, booking), teeTime: teeTimeView(engine, findTeeTime(engine, booking.teeId)!) };
}

function cancelOrExplain({ engine }: AdminHost, booking: Booking): void {
  try {
    cancelUnderPolicy(engine, booking);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const now = new Date(engine.now()).toISOString();
    throw new Problem(
      409,
      `The policy of facility ${booking.facilityId} denies it: ${error.message} (${booking.time} there), ` +
        `and it is ${now}. \`?force=true\` cancels it all the same.`,
    );
  }
}
