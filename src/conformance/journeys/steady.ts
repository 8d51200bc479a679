import { Finding } from '../outcome.js';
import { Session } from '../session.js';

/**
 * Compares answers that were fetched one after another. In between somebody may have booked, so a difference counts
 * only when it is there again between answers fetched anew.
 */
export async function steady(session: Session, compare: (session: Session) => Promise<void>): Promise<void> {
  try {
    await compare(session);
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    const anew = new Session({ ...session.run, memo: new Map() });
    try {
      await compare(anew);
    } finally {
      for (const id of anew.exchanges) session.exchanges.add(id);
    }
  }
}

/**
 * The versions that a refusal is asked of: all in a run that has leave for more than reading, and one, not the same
 * for every rule, in a run that only reads, since that has to stay small.
 */
export function spread<V>({ run }: Session, versions: readonly V[], only = 0): readonly V[] {
  return run.transport.allows('bookings') ? versions : versions.slice(only, only + 1);
}
