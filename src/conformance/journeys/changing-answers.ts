import { canonicalInAnyOrder } from '../../common/index.js';
import type { Reply } from '../client/exchange.js';
import { Finding, Inconclusive } from '../client/outcome.js';
import { onlyReads } from '../client/request.js';
import { type Run, Session } from '../client/session.js';

const ROUNDS = 5;
/** Milliseconds, half of the first pause before another look. */
const FIRST_DELAY = 50;

/**
 * Compares answers that were fetched one after another. Another client may book in between, so a difference counts only
 * if the same difference is found again in new answers, and once more after `settle`: both may be out of a cache.
 */
export async function confirmDifferences(
  session: Session,
  compare: (session: Session) => Promise<void>,
): Promise<void> {
  const found = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) await afterWrites(session.run);
    const anew = round === 0 ? session : new Session({ ...session.run, memo: new Map() });
    try {
      return await compare(anew);
    } catch (error) {
      if (!(error instanceof Finding)) throw error;
      const { message, expected, actual } = error;
      const difference = canonicalInAnyOrder({ message, expected, actual });
      const times = (found.get(difference) ?? 0) + 1;
      if (times > 2) throw error;
      found.set(difference, times);
      if (times === 2) await session.run.host.sleep(session.run.settle);
    } finally {
      for (const id of anew.exchanges) session.exchanges.add(id);
    }
  }
  throw new Inconclusive('not-enough-time', 'a moment without new bookings between two compared answers');
}

/** Waits until the latest write of a run must be visible everywhere, as `settle` says. */
async function afterWrites({ transport, host, settle }: Run): Promise<void> {
  const written = transport.replies.findLast(({ operation }) => operation !== undefined && !onlyReads(operation));
  const left = written ? written.at + settle - host.now() : 0;
  if (left > 0) await host.sleep(left);
}

/**
 * Looks again until a write is visible, for as long as `settle` says. The delays grow, and depend on how long the
 * deployment took to respond to the write.
 *
 * @param look Takes whether it is the first look, for which the latest answer since the write will do.
 */
export async function eventually<T>(
  session: Session,
  { durationMs }: Pick<Reply, 'durationMs'>,
  look: (isFirst: boolean) => Promise<T>,
  enough: (seen: T) => boolean,
): Promise<T> {
  const { host, settle } = session.run;
  let seen = await look(true);
  let delay = Math.max(durationMs, FIRST_DELAY);
  for (let left = settle; left > 0 && !enough(seen); left -= delay) {
    delay = Math.min(delay * 2, left);
    await host.sleep(delay);
    seen = await look(false);
  }
  return seen;
}
