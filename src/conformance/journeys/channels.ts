import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { list, wholeLists } from './booking-lists.js';

/**
 * Sees to it that the second channel is another one. Where user names do not tell, two channels with the same bookings
 * are taken for one.
 *
 * @throws {Inconclusive} `not-given` when it is the first one given twice, `control-failed` when it is refused.
 */
export async function otherChannel(session: Session): Promise<void> {
  const params = { fromDate: session.longAgo.query };
  const { status } = await session.read('v4.listBookings', params, 'second');
  if (status === 401 || status === 403) {
    const missing = `credentials of the second channel that are taken (--second-basic; it was ${status})`;
    throw new Inconclusive('control-failed', missing);
  }
  const { first, second } = session.run.transport.channels;
  const [one, other] = [first.options.basic?.username, second?.options.basic?.username];
  const same = one === undefined || other === undefined ? await sameBookings(session) : one === other;
  if (same) throw new Inconclusive('not-given', 'a second channel that is not the first one given twice');
}

async function sameBookings(session: Session): Promise<boolean> {
  const own = (await wholeLists(session)).v4.map(({ bookingId }) => bookingId);
  const others = await list(session, 'v4', { from: session.longAgo }, 'second');
  return own.length > 0 && own.join() === others.map(({ bookingId }) => bookingId).join();
}
