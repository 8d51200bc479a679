import type { Reply } from '../client/exchange.js';
import { Finding, Inconclusive } from '../client/outcome.js';
import { Session } from '../client/session.js';

const ROUNDS = 5;
/** How often {@link eventually} looks. */
const LOOKS = 4;

/**
 * Compares answers that were fetched one after another. Another client may book in between, so a difference counts only
 * if the same difference is found again in new answers.
 */
export async function confirmDifferences(
  session: Session,
  compare: (session: Session) => Promise<void>,
): Promise<void> {
  const found = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const anew = round === 0 ? session : new Session({ ...session.run, memo: new Map() });
    try {
      return await compare(anew);
    } catch (error) {
      if (!(error instanceof Finding)) throw error;
      const { message, expected, actual } = error;
      const difference = JSON.stringify([message, expected, actual]);
      if (found.has(difference)) throw error;
      found.add(difference);
    } finally {
      for (const id of anew.exchanges) session.exchanges.add(id);
    }
  }
  throw new Inconclusive('not-enough-time', 'a moment without new bookings between two compared answers');
}

/**
 * Looks again until a write is visible, or a few times at most. The delays depend on how long the deployment took to
 * answer the write.
 */
export async function eventually<T>(
  session: Session,
  { durationMs }: Pick<Reply, 'durationMs'>,
  look: () => Promise<T>,
  enough: (seen: T) => boolean,
): Promise<T> {
  let seen = await look();
  for (let time = 1; time < LOOKS && !enough(seen); time += 1) {
    await session.run.host.sleep(Math.max(durationMs, 50) * 2 ** time);
    seen = await look();
  }
  return seen;
}
