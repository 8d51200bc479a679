import type { Day } from '../day.js';
import type { Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import type { ReceivedResult, Session } from '../session.js';
import { place } from './places.js';
import { teeSheet } from './tee-sheets.js';

/** A search over several facilities and what was posted for it. */
export interface Searched {
  readonly facilityIds: readonly number[];
  readonly from: Day;
  readonly to: Day;
  readonly holes: number;
  readonly players: number;
  /** The answer at once. */
  readonly reply: Reply;
  /** The deliveries, at least one. */
  readonly results: readonly ReceivedResult[];
}

const FACILITIES = 3;

/** Which of the two forms of a date is taken is an open question. */
async function askEither(
  session: Session,
  ids: readonly number[],
  { query, iso }: Day,
  holes: number,
  callbackUrl: string,
): Promise<Reply> {
  const params = { facilityIds: ids.join(','), players: 1, holes, callbackUrl };
  const ask = (day: string): Promise<Reply> =>
    session.send({ operation: 'v5.searchTeeTimes', params: { ...params, fromDate: day, toDate: day } });
  const reply = await ask(query);
  return reply.ok ? reply : ask(iso);
}

/**
 * A search of the run's facilities on the day of its tee sheet, with its result. Made once in a run.
 *
 * @throws {Inconclusive} when nothing is delivered in time: only rules about the delivery itself may make that a finding.
 */
export function search(session: Session): Promise<Searched> {
  return session.once('search', async (session) => {
    const { facilityId, day, holes } = await teeSheet(session);
    const others = (await place(session)).facilities.map(({ id }) => id).filter((id) => id !== facilityId);
    const address = await session.callbackAddress();
    const asked = [facilityId, ...others].slice(0, FACILITIES);
    let [facilityIds, reply] = [asked, await askEither(session, asked, day, holes, address.url)];
    // It may have been too much at once.
    if (!reply.ok) {
      facilityIds = [facilityId];
      reply = await askEither(session, facilityIds, day, holes, address.url);
    }
    if (!reply.ok) throw new Inconclusive('precondition', `an accepted search (it was ${reply.status})`);
    const arrived = await address.wait(1, session.run.callbackTimeout);
    if (!arrived) throw new Inconclusive('not-enough-time', 'a delivery at the callback address (--callback-url)');
    const results = address.deliveries.map((delivery) => session.received(delivery));
    return { facilityIds, from: day, to: day, holes, players: 1, reply, results };
  });
}
