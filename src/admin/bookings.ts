import type { Booking } from '../domain/booking.js';
import { Refusal } from '../domain/refusal.js';
import { cancelUnderPolicy } from '../routes/cancel.js';
import { viewOf } from './booking-view.js';
import { Problem, shown } from './problem.js';
import { facilityOf, oneOf, readQuery, wholeNumber } from './read.js';
import type { AdminCall, AdminHost, AdminRoute } from './route.js';
import { slotView } from './tee-sheets.js';

/** The bookings of all channels, and the cancelling that channels themselves may not have. */
export const bookingRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'bookings', answer: list },
  {
    method: 'GET',
    path: 'bookings/:bookingId',
    answer: ({ host, path }) => viewOf(host.engine, find(host, path['bookingId']!)),
  },
  { method: 'POST', path: 'bookings/:bookingId/cancel', answer: cancel },
];

const LARGEST_PAGE = 10_000;
const USUAL_PAGE = 1000;

/** In order of creation; `count` is that of all that fit, whatever the page. */
function list({ host, request }: AdminCall): unknown {
  const { engine } = host;
  const query = readQuery(request, ['channel', 'status', 'facilityId', 'limit', 'offset']);
  const names = engine.store.world.channels.map(({ name }) => name);
  const channel = query.channel === undefined ? undefined : oneOf('channel', query.channel, names);
  const status = query.status === undefined ? undefined : oneOf('status', query.status, ['BOOKED', 'CANCELED']);
  const facility = query.facilityId === undefined ? undefined : facilityOf(engine, query.facilityId, 400);
  const limit = query.limit === undefined ? USUAL_PAGE : wholeNumber('limit', query.limit, 1, LARGEST_PAGE);
  const offset = query.offset === undefined ? 0 : wholeNumber('offset', query.offset, 0, Number.MAX_SAFE_INTEGER);
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

function cancel({ host, request, path }: AdminCall): unknown {
  const { engine } = host;
  const { force = 'false' } = readQuery(request, ['force']);
  const forced = oneOf('force', force, ['true', 'false']) === 'true';
  const booking = find(host, path['bookingId']!);
  if (booking.status === 'CANCELED') {
    throw new Problem(409, `Booking ${booking.bookingId} is cancelled already, since ${booking.canceledAt}Z.`);
  }
  if (forced) engine.store.cancel(booking, engine.now());
  else cancelOrExplain(host, booking);
  const { sheet, index } = engine.store.locate(booking.teeId)!;
  return { booking: viewOf(engine, booking), teeTime: slotView(engine, sheet.slots[index]!) };
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
