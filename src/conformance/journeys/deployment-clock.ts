import { isObject } from '../../common/index.js';
import { DAY, type Day, dayAt } from '../client/day.js';
import { unlessOver } from '../client/outcome.js';
import { operationIn } from '../client/operations.js';
import type { Session } from '../client/session.js';
import { connectedCountry, MOST_IDS } from './connected-facilities.js';
import { pricesFor, recordsIn, timesOnSale } from './pool/reads.js';

/** A difference that matters: the searched days begin two days ahead. */
const LEAST = 2 * DAY;
/** Days back from now from which bookings are listed, if there are no newer ones: those of a clock that is years behind. */
const AGES_AGO = -7300;
/** Days after the newest booking on which tee times must be on sale if the clock is there, first and last. */
const SOLD = [30, 36] as const;

/**
 * Learns before the first rule whether the clock of the deployment is another one than that of the run, since all days are
 * chosen by it: by the header `Date` of its answers, or by its bookings, of which most were made later than now.
 */
export async function learnClock(session: Session): Promise<void> {
  const { transport, host, recorded, ofRun } = session.run;
  if ((recorded && !ofRun) || transport.clock) return;
  const now = host.now();
  const date = transport.replies.at(-1)?.headers.get('date');
  const shown = Date.parse(date ?? '') - now;
  const made = await bookingTimes(session, session.longAgo);
  // A rehearsal answers with examples.
  if (transport.options.rehearse) return;
  if (Math.abs(shown) > LEAST && !(await isOwnTime(session, now + shown))) {
    transport.clock = { ahead: shown, shownBy: 'date' };
    return;
  }
  // A booking tells only that it is not earlier.
  const later = made.filter((at) => at > now + LEAST);
  if (later.length * 2 > made.length) transport.clock = { ahead: Math.max(...later) - now, shownBy: 'bookings' };
  if (made.length === 0) await clockOfBookings(session, sells);
}

/**
 * Whether tee times are on sale as the run tells the time, and none as the header `Date` does: the machine of the
 * deployment sets it, and a sandbox whose clock is moved does not live in that time.
 */
async function isOwnTime(session: Session, shown: number): Promise<boolean> {
  const isSold = (at: number) => sells(session, at).catch(() => false);
  return (await isSold(session.run.host.now())) && !(await isSold(shown));
}

/** Whether tee times are on sale some weeks after an instant; of a past one, only if the clock is behind. */
async function sells(session: Session, at: number): Promise<boolean> {
  const { facilities } = await connectedCountry(session);
  const facilityIds = facilities.slice(0, MOST_IDS).map(({ id }) => id);
  const range = { from: dayAt(at, SOLD[0]), to: dayAt(at, SOLD[1]) };
  return recordsIn(await pricesFor(session, { facilityIds, ...range })).some((one) => timesOnSale(one).length > 0);
}

/**
 * Takes the clock of the deployment to be at its newest booking, however old, if that is plausible. True if the days of the run are
 * other ones from then on.
 */
export async function clockOfBookings(
  session: Session,
  isPlausible: (session: Session, at: number) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { transport, host, recorded, ofRun } = session.run;
  if ((recorded && !ofRun) || transport.clock) return false;
  const ahead = Math.max(...(await bookingTimes(session, session.day(AGES_AGO)))) - host.now();
  if (!(Math.abs(ahead) > LEAST && Number.isFinite(ahead))) return false;
  if (!(await isPlausible(session, host.now() + ahead).catch(() => false))) return false;
  transport.clock = { ahead, shownBy: 'bookings' };
  return true;
}

/** When the bookings from a day on were made. */
async function bookingTimes(session: Session, { query: fromDate }: Day): Promise<readonly number[]> {
  const [version] = session.run.transport.scope.versionsOf('listBookings');
  if (version === undefined) return [];
  // A rule that reads the same list later needs it as it is then.
  const call = { operation: operationIn('listBookings', version), params: { fromDate } };
  const reply = await session.send(call).catch(unlessOver);
  const list = reply?.ok && Array.isArray(reply.data) ? (reply.data as readonly unknown[]) : [];
  return list.flatMap((item) => {
    const at = isObject(item) ? Date.parse(`${String(item['createdAt']).slice(0, 19)}Z`) : NaN;
    return Number.isNaN(at) ? [] : [at];
  });
}
