import type { HeaderSource } from '../record/journal.js';
import type { CallbackReach } from './routes/call.js';
import type { HeaderReader } from './authenticate.js';

/** What the host of a sandbox knows better or allows. */
export interface HostHints extends CallbackReach {
  /** Reads a request header without building a `Headers` object. */
  readonly header?: HeaderReader;
  /** All request headers, for the journal. */
  readonly headers?: HeaderSource;
  /** Milliseconds since the request arrived. */
  readonly elapsed?: () => number;
  /** The address that the caller used, where the host takes a part of its path away. */
  readonly url?: string;
  /**
   * Ends the connection of the request without the rest of its answer: with a TCP reset, or in order. What it gives
   * back is for the host alone. Without it, the answer is a network error in the sense of `fetch`.
   */
  readonly cut?: (how: 'reset' | 'close') => Response;
  /** The body, if the host has read it already. */
  readonly body?: string | undefined;
  /** Whether the host lets the request pass although it lacks the credentials that others need. It makes no world. */
  readonly isStranger?: boolean;
  /** Whether the client has closed the connection. Without it, the signal of the request says so. */
  readonly hasLeft?: () => boolean;
}

/** The hints with others instead of some: a host may give an object of a class, whose methods a spread would lose. */
export function changedHints(
  hints: HostHints,
  others: { readonly [Name in keyof HostHints]?: HostHints[Name] | undefined },
): HostHints {
  return Object.create(hints, Object.getOwnPropertyDescriptors(others)) as HostHints;
}
