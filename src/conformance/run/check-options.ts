import type { GivenAnswers, RuleId } from '../../contract/index.js';
import type { ChannelOptions } from '../client/credentials.js';
import type { KnownFinding, OwnSeverity, Severity } from '../client/report-parts.js';
import type { CallbackReceiver } from '../client/receiver.js';
import type { GivenHeaders } from '../client/wire/given-headers.js';
import type { RequestCall } from '../client/request.js';
import type { Rehearsed } from '../client/wire/transport-options.js';
import type { RuleSpec } from '../rules/rule.js';
import type { CheckEvent, Depth, Host, Permission } from '../client/types.js';

/** The options of a run. Only the base URL, credentials and the host are required. */
export interface CheckOptions extends GivenHeaders {
  /** The base URL of the deployment, such as `https://api.example.com`. */
  readonly baseUrl: string;
  readonly first: ChannelOptions;
  readonly second?: ChannelOptions;
  readonly host: Host;
  /** Permissions beyond reading; default: none. */
  readonly allow?: readonly Permission[];
  /** How much is read to compare; default `standard`. */
  readonly depth?: Depth;
  /** The maximum number of bookings; default {@link MAX_BOOKINGS}. */
  readonly maxBookings?: number;
  /**
   * Stops the run after this number of requests. Rules that need more are not run. 0, the default, is no limit.
   */
  readonly maxRequests?: number;
  /** Timeout of a request in milliseconds; default 10,000. */
  readonly timeout?: number;
  /** The most bytes of an answer's body, after decompression; default {@link MAX_BODY}. A longer one is given up. */
  readonly maxBody?: number;
  /**
   * The most bytes that all answers and deliveries take, with what is parsed from them; default {@link MAX_EVIDENCE}, or
   * {@link MAX_EVIDENCE_THOROUGH} at that depth. Rules that need more are not run.
   */
  readonly maxEvidence?: number;
  /**
   * Timeout of the whole run in milliseconds: rules that are left then are not run. The default, and 0, is no limit.
   */
  readonly deadline?: number;
  /** Milliseconds in which a list or a tee sheet may follow a write; default {@link SETTLE}. */
  readonly settle?: number;
  /** The share of requests that may fail, in percent, before the run ends as unhealthy; default {@link MAX_ERRORS}. */
  readonly maxErrors?: number;
  /** The most reads at a time; default {@link PARALLEL}. What a run finds does not depend on it. */
  readonly parallel?: number;
  /** The maximum number of requests per second; default: no limit. */
  readonly rps?: number;
  /** Globs of rule ids. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly known?: readonly KnownFinding[];
  /**
   * The lowest severity at which a broken rule fails; below it, the rule warns. By default every broken stated rule fails,
   * and a broken implied one if it is at least major. At `minor`, a difference from the card fails too.
   */
  readonly failOn?: Severity;
  /** Severities in place of those of the catalogue, by the id of the rule. */
  readonly severities?: Readonly<Partial<Record<RuleId, OwnSeverity>>>;
  /** Milliseconds within which 95 % of the answers of an operation should come. The reports warn of slower ones. */
  readonly maxP95?: number;
  /** Minimum share of the observable rules in scope that must be evaluated, in percent; default: 0. */
  readonly minConclusive?: number;
  /** The rule whose result says what it compared between answers. */
  readonly explain?: RuleId;
  /** The answers of a dialect card to compare the deployment with. */
  readonly card?: GivenAnswers;
  /** The header of the bearer token; default: the header on the card, or `Authorization`. */
  readonly bearerHeader?: string;
  /** The program that makes the run, such as `my-tests/1.0`, for the header `User-Agent`; default: `teebox`. */
  readonly userAgent?: string;
  /** Shows names, phones and e-mails of bookings that the run has not made; default: reports mask them. */
  readonly showPersonalData?: boolean;
  /** The versions that the deployment has, such as `v5`. Nothing is sent to others; default: all. */
  readonly versions?: readonly string[];
  /** Globs of the operations that the deployment has, by name or id: `listBookings`, `v4.*`; default: all. */
  readonly operations?: readonly string[];
  /** Ids of facilities that are read whatever else is chosen, also where no operation lists facilities. */
  readonly facilities?: readonly number[];
  readonly receiver?: CallbackReceiver;
  /**
   * Timeout of a callback in milliseconds; default 10,000. If set, the run also waits this long for the retry of a
   * failed delivery, and for the deployment to disconnect from a receiver that does not answer.
   */
  readonly callbackTimeout?: number;
  readonly onEvent?: (event: CheckEvent) => void;
  /** Interrupts the run: nothing further is sent, and the rules are evaluated by what was seen until then. */
  readonly signal?: AbortSignal;
}

/** What the suite and its tests can set in addition. It is no part of the library, whose types would hold half the suite. */
export interface RunOptions extends CheckOptions {
  /** Rules that replace those of the suite. */
  readonly rules?: readonly RuleSpec[];
  /** Answers in place of the deployment; nothing is sent then. */
  readonly rehearse?: (call: RequestCall) => Rehearsed;
}

/** The most bytes of an answer that a run reads by default: 8 MiB. */
export const MAX_BODY = 8 * 1024 * 1024;

/** The room for answers and deliveries by default, in bytes. Most of what a standard run reads of ten facilities fits. */
export const MAX_EVIDENCE = 80 * 1024 * 1024;
/** The same for a thorough run. */
export const MAX_EVIDENCE_THOROUGH = 160 * 1024 * 1024;

/** How long a run waits by default until a write must be visible, in milliseconds. */
export const SETTLE = 3000;

/** The most reads at a time by default. */
export const PARALLEL = 4;

/** The share of requests that may fail by default, in percent. */
export const MAX_ERRORS = 2;

/** The default maximum number of bookings of a run. */
export const MAX_BOOKINGS = 100;
