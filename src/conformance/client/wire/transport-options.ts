import type { Masker } from '../../../common/index.js';
import type { ChannelOptions, Credentials } from '../credentials.js';
import type { Exchange } from '../exchange.js';
import type { PreparedCall, RequestCall } from '../request.js';
import type { Host, Permission } from '../types.js';
import type { Deadline } from './deadline.js';
import type { Arrival } from './read-ahead.js';
import type { Scope } from './scope.js';

/** An answer of a rehearsal, and how often its size counts: those of a deployment are larger. */
export interface Rehearsed {
  readonly response: Response;
  readonly weight?: number;
}

/** What the way to a deployment needs to know. */
export interface TransportOptions {
  /** The origin of the deployment, with a path if it has one, without a slash at its end. */
  readonly baseUrl: string;
  /** Hides secrets; default: one of its own. */
  readonly masker?: Masker;
  readonly first: ChannelOptions;
  readonly second?: ChannelOptions;
  readonly allow: ReadonlySet<Permission>;
  readonly maxBookings: number;
  /** Milliseconds in which a list may follow a write; default: none. */
  readonly settle?: number;
  /** The most requests, those included that log in; default: any. */
  readonly maxRequests?: number;
  /** Timeout of a request in milliseconds. */
  readonly timeout: number;
  readonly maxBody: number;
  /** The most bytes that all answers and deliveries take, with what is parsed from them; default: any. */
  readonly maxEvidence?: number;
  /** Timeout of the whole run in milliseconds; 0 is no limit. */
  readonly deadline: number;
  /** The share of requests that may fail, in percent. */
  readonly maxErrors: number;
  /** The most requests per second; 0 is no limit. */
  readonly rps: number;
  /** Whether a read is sent again that ends in an error of the server, or in no JSON. */
  readonly rereads?: boolean;
  /** The most characters of a body that a recorded exchange keeps; default: a million. */
  readonly mostBody?: number;
  /** Epoch milliseconds beyond which no pause is made that the deployment asks for: the run ends instead; default: no limit. */
  readonly restsUntil?: number;
  readonly bearerHeader: string;
  /** Headers of every request, for a gateway; reports mask their values. */
  readonly headers: Readonly<Record<string, string>>;
  /** The program that makes the run, as the header `User-Agent` names it. */
  readonly userAgent: string;
  /** Whether reports show the personal data of bookings that the run has not made. */
  readonly showPersonalData?: boolean;
  /** The operations that the deployment is said to have; default: all. */
  readonly scope?: Scope;
  readonly runId: string;
  readonly host: Host;
  /** Interrupts the run: a read under way is given up, and nothing further is sent. */
  readonly signal?: AbortSignal;
  readonly onExchange: (exchange: Exchange) => void;
  /** Answers instead of the deployment; then nothing is sent. For the request plan. */
  readonly rehearse?: (call: RequestCall) => Rehearsed;
  /** Of a scout: the way to the deployment that the run itself has. */
  readonly scoutOf?: {
    readonly channels: { readonly first: Credentials; readonly second?: Credentials };
    readonly deadline: Deadline;
  };
  /** Of a scout: the answer to a read that the run has not asked for yet. */
  readonly foresee?: (
    call: RequestCall,
    prepared: PreparedCall,
    credentials: Readonly<Record<string, string>>,
  ) => Promise<Arrival>;
}
