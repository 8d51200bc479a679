import type { Booking } from '../domain/booking.js';
import { Refusal } from '../domain/refusal.js';
import { misfit } from '../input/misfit.js';
import { cancelUnderPolicy } from '../routes/cancel.js';
import { viewOf } from './booking-view.js';
import { Problem, shown } from './problem.js';
import { facilityOf, listed, readQuery } from './read.js';
import { RIVALS } from '../store/rival-channel.js';
import type { AdminCall, AdminHost, AdminRoute } from './route.js';
import { teeTimeView } from './tee-sheets.js';

/** The bookings of all channels, and their cancellation by the operator. */
export const bookingRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'bookings', answer: list },
  {
    method: 'GET',
    path: 'bookings/:bookingId',
    answer: ({ host, path }) => viewOf(host.engine, find(host, path['bookingId']!)),
  },
  { method: 'POST', path: 'bookings/:bookingId/cancel', answer: cancel },
];

const USUAL_PAGE = 1000;

/** In order of creation. `count` is the number of matches on all pages. */
async function list({ host, request }: AdminCall): Promise<unknown> {
  const { engine } = host;
  const query = await readQuery(request, 'listBookingsQuery');
  const { channel, status, limit = USUAL_PAGE, offset = 0 } = query;
  const channels = [...engine.store.world.channels.map(({ name }) => name), RIVALS];
  if (channel !== undefined && !channels.includes(channel)) {
    throw misfit('channel', `one of ${listed(channels)}`, channel, channels);
  }
  const facility = query.facilityId === undefined ? undefined : facilityOf(engine, query.facilityId, 400);
  const fits = (booking: Booking) =>
    (channel === undefined || booking.channel === channel) &&
    (status === undefined || booking.status === status) &&
    (facility === undefined || booking.facilityId === facility.id);
  const found = [...engine.store.ledger.all()].filter(fits);
  const page = found.slice(offset, offset + limit);
  return { count: found.length, bookings: page.map((booking) => viewOf(engine, booking)) };
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
  const { sheet, index } = engine.store.locate(booking.teeId)!;
  return { booking: viewOf(engine, booking), teeTime: teeTimeView(engine, sheet.teeTimes[index]!) };
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
