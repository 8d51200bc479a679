import { isObject } from '../../common/index.js';
import { DAY } from '../client/day.js';
import { unlessInconclusive } from '../client/outcome.js';
import { operationIn } from '../client/operations.js';
import type { Session } from '../client/session.js';

/** A difference that matters: the searched days begin two days ahead. */
const LEAST = 2 * DAY;

/**
 * Learns whether the clock of the deployment is another one than that of the run: by the header `Date` of its answers, or by
 * its bookings, of which most were made later than now. True if the days of the run are other ones from then on.
 */
export async function clockLearned(session: Session): Promise<boolean> {
  const { transport, host, recorded } = session.run;
  if (recorded || transport.ahead !== 0) return false;
  const now = host.now();
  const shown = Date.parse(transport.replies.at(-1)?.headers.get('date') ?? '') - now;
  const ahead = Math.abs(shown) > LEAST ? shown : (await newestBooking(session)) - now;
  // A booking tells only that it is not earlier.
  if (!(ahead > LEAST || Math.abs(shown) > LEAST)) return false;
  transport.ahead = ahead;
  return true;
}

/** When the newest booking was made, if most of them were made in the future of the run; otherwise never. */
async function newestBooking(session: Session): Promise<number> {
  const { scope } = session.run.transport;
  const [version] = scope.versionsOf('listBookings');
  if (version === undefined) return -Infinity;
  const params = { fromDate: session.longAgo.query };
  const list = await session.list<unknown>(operationIn('listBookings', version), params).catch(unlessInconclusive);
  const made = (list ?? []).flatMap((item) => {
    const at = isObject(item) ? Date.parse(`${String(item['createdAt']).slice(0, 19)}Z`) : NaN;
    return Number.isNaN(at) ? [] : [at];
  });
  const later = made.filter((at) => at > session.run.host.now() + LEAST);
  return later.length * 2 > made.length ? Math.max(...later) : -Infinity;
}
