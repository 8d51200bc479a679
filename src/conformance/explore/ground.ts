import type { Run } from '../client/session.js';
import type { Abilities } from './generate.js';
import type { Habits, Made, Taking } from './model.js';
import type { Channel } from './steps.js';

/** What all walks of a run share: what was learnt of the deployment, and what is in use there. */
export interface Ground {
  readonly run: Run;
  readonly habits: Habits;
  can: Abilities;
  taking: Taking;
  /** Milliseconds in which a list or a tee sheet may follow a write. */
  settle: number;
  /** Whether differences are looked for: in a rehearsal they are not. */
  readonly compares: boolean;
  /** Identifiers of bookings and groups that were issued, by whom. */
  readonly ids: Map<string, string>;
  readonly tokens: Set<string>;
  /** The bookings of all walks, for the whole lists. */
  readonly bookings: Map<string, Made>;
  /** Ids of bookings of walks that ended with a finding, or were given up: what lists say of them was told, or is not known. */
  readonly unclear: Set<string>;
  /** Facilities where a booking of a channel was accepted, and those where its first one was refused: see {@link placeOf}. */
  readonly bookable: Set<string>;
  readonly refusing: Set<string>;
  /** Versions whose lists tell bookings by their email address, their id, or both. */
  readonly listed: Map<string, ReadonlySet<'key' | 'id'>>;
  /** The version whose list accepts the access token of a channel. */
  readonly bearers: Map<Channel, string>;
  /** Whether a spent token was sent: the deployment may have revoked the others. */
  hasReused: boolean;
  /** The most milliseconds that a right fact took to be seen. */
  lag: number;
  attempts: number;
  /** Right bookings in a row that were refused at one facility after another: the deployment may take no more. */
  closed: number;
  /** Epoch milliseconds after which no further step begins. */
  readonly end: number;
}

/** A facility, for a channel: not every one is connected to both. */
export function placeOf(as: Channel, facilityId: number): string {
  return `${as} ${facilityId}`;
}
