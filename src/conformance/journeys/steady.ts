import { Finding, Inconclusive } from '../outcome.js';
import { Session } from '../session.js';

const ROUNDS = 5;

/**
 * Compares answers that were fetched one after another. In between somebody may have booked, so a difference counts
 * only when the very same one is there again between answers fetched anew.
 */
export async function steady(session: Session, compare: (session: Session) => Promise<void>): Promise<void> {
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
  throw new Inconclusive('not-enough-time', 'a moment in which nobody books, between two answers that are compared');
}

/** Versions, or whatever else a rule tries in turn: all, or the one at an index where requests are few. */
export function spread<V>({ run }: Session, all: readonly V[], at = 0): readonly V[] {
  return run.transport.limited ? all.slice(at, at + 1) : all;
}
