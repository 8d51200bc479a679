import type { Answers } from '../generated/questions.js';
import type { ChannelOptions } from './credentials.js';
import type { KnownFinding } from './known.js';
import type { CallbackReceiver } from './receiver.js';
import type { Call } from './request.js';
import type { RuleSpec } from './rule.js';
import type { CheckEvent, Host, Permission } from './types.js';

/** What a run is told. Only the base URL, credentials and the host are needed. */
export interface CheckOptions {
  /** Of the deployment, such as `https://api.example.com`. */
  readonly baseUrl: string;
  readonly first: ChannelOptions;
  readonly second?: ChannelOptions;
  readonly host: Host;
  /** Leave beyond reading; default: none. */
  readonly allow?: readonly Permission[];
  /** The most bookings to be made; default {@link MAX_BOOKINGS}. */
  readonly maxBookings?: number;
  /**
   * The most requests to be sent, 0 for as many as it takes; default: {@link FEW_REQUESTS} without any leave, else as
   * many as it takes. What matters most is judged first; rules that would need more are not run.
   */
  readonly maxRequests?: number;
  /** Milliseconds until a request is given up; default 10,000. */
  readonly timeout?: number;
  /** The most requests a second; default: as fast as answers come. */
  readonly rps?: number;
  /** Globs of rule ids. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly known?: readonly KnownFinding[];
  readonly strict?: boolean;
  /** Percent of the rules that must be judged; default: any. */
  readonly minConclusive?: number;
  /** Answers of a dialect card to compare the deployment with. */
  readonly card?: Partial<Answers>;
  /** The header of the bearer token; default: that of the card, else `Authorization`. */
  readonly bearerHeader?: string;
  readonly receiver?: CallbackReceiver;
  /**
   * Milliseconds that a callback may take; default 10,000. When it is given, a deployment is also given so long to post
   * again what failed, and to hang up on a receiver that does not answer.
   */
  readonly callbackTimeout?: number;
  /** Rules in place of those of the suite. */
  readonly rules?: readonly RuleSpec[];
  readonly onEvent?: (event: CheckEvent) => void;
  /** Ends the run after the rule under way; what was found and left behind until then is reported. */
  readonly signal?: AbortSignal;
  /** Answers in place of the deployment; nothing is sent then. */
  readonly rehearse?: (call: Call) => Response;
}

/** How many bookings a run may make when it is not told. */
export const MAX_BOOKINGS = 25;

/** How many requests a run may send that is told nothing and only reads: fewer than 60, as it may be of production. */
export const FEW_REQUESTS = 59;

/** The most requests of a run; undefined for as many as it takes. */
export function requestLimit({
  maxRequests,
  allow = [],
}: Pick<CheckOptions, 'maxRequests' | 'allow'>): number | undefined {
  return (maxRequests ?? (allow.length > 0 ? 0 : FEW_REQUESTS)) || undefined;
}
