import type { OperationId } from '../../contract/index.js';
import type { Severity } from '../client/report-parts.js';

/** The kinds of facts that a walk can find wrong, with what they cost (severity) and what they are in words. */
export const facts = {
  oversold: ['critical', 'A booking MUST NOT take more slots than its tee time has free.'],
  slots: ['major', 'The free slots of a tee time MUST follow the bookings that were accepted, and nothing else.'],
  filter: ['major', 'A tee sheet MUST list the tee times that have as many free slots as it was asked for.'],
  missing: ['major', 'A booking list MUST show every booking that its channel made.'],
  phantom: ['critical', 'A refused booking MUST leave nothing behind.'],
  twice: ['major', 'A booking list MUST show each booking once.'],
  content: ['major', 'A booking MUST be shown as it was made.'],
  lists: ['major', 'Every version MUST list the same bookings, with the same values.'],
  state: ['major', 'The state of a booking MUST change only by what was done to it.'],
  foreign: ['critical', 'A channel MUST NOT see or change the bookings of another channel.'],
  ids: ['critical', 'Each booking and each group MUST have an identifier of its own.'],
  refused: ['major', 'A right booking of a tee time with enough free slots MUST be accepted.'],
  payment: ['major', 'A payment MUST get the same response in the same situation.'],
  cancellation: ['major', 'A cancellation MUST get the same response in the same situation.'],
  prices: ['major', 'The free slots of the price list MUST follow the bookings that were accepted.'],
  search: ['major', 'The result of a search MUST show the free slots of that moment.'],
  tokens: ['critical', 'A refresh token MUST be accepted once, and each refresh MUST issue new tokens.'],
  access: ['critical', 'A new access token MUST be accepted.'],
  read: ['major', 'A request that was answered before MUST be answered again.'],
  'server-error': ['major', 'A request MUST NOT end in an error of the server.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;

export type Fact = keyof typeof facts;

/** What other clients of the deployment change, too: a few differences may be theirs. */
export const shared: ReadonlySet<Fact> = new Set<Fact>(['slots', 'filter', 'prices', 'search', 'refused']);

/** A fact that differs from what the steps of a walk have made of it. */
export interface Difference {
  readonly fact: Fact;
  /** One sentence, with its period. */
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** The exchange that shows it. */
  readonly shownBy?: string | undefined;
  readonly operation?: OperationId | undefined;
  /** Whether it is about a booking of an earlier walk, which only the whole list shows. */
  readonly isOfEarlier?: boolean;
}

/** What a walk is repeated for: at its end, only such facts are read. */
export interface Focus {
  readonly fact: Fact;
  readonly isOfEarlier: boolean;
}

/** The deployment contradicts what it has answered before. It ends a walk. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
  constructor(readonly difference: Difference) {
    super(difference.message);
  }
}

/** Nothing can be said about the rest of a walk, such as after a lost response. It ends a walk. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}
