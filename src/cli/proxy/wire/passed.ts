import type { RawHeaders } from './raw-headers.js';

/** A message as it was kept: a body is undefined if it is too long, or if there was no room for it. */
export interface PassedMessage {
  readonly headers: RawHeaders;
  readonly body: Uint8Array | undefined;
  /** The length of the body in bytes. */
  readonly size: number;
  /** Whether the body was not kept since too many came at once. */
  readonly foundNoRoom?: boolean;
}

/** An answer as it was kept. */
export interface PassedAnswer extends PassedMessage {
  readonly status: number;
  /** Whether it arrived whole. */
  readonly isWhole: boolean;
}

/** What `--inject` did to an exchange. */
export interface Injected {
  /** The ids of the scenarios, the one that decided the answer first. */
  readonly scenarios: readonly string[];
  /** Whether the request reached the deployment. */
  readonly wasSent: boolean;
  /** Whether the client got something else than the deployment has answered. */
  readonly changed: boolean;
}

/** One exchange that has passed by. It is plain data, so that it can go to another thread. */
export interface PassedExchange {
  /** `x1`, `x2`, ... in the order of arrival. */
  readonly id: string;
  readonly turn: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Milliseconds until the answer of the deployment was complete, or the exchange was over. */
  readonly durationMs: number;
  readonly method: string;
  /** Below the base URL of the deployment, with its query. */
  readonly path: string;
  readonly request: PassedMessage;
  /** The answer of the deployment; undefined without one. */
  readonly answer: PassedAnswer | undefined;
  /** Why there is none. */
  readonly failure: string | undefined;
  readonly isUnreachable: boolean;
  readonly injected: Injected | undefined;
  /** What the client got, where that is not what the deployment has answered; the status is 0 for nothing whole. */
  readonly seen: PassedAnswer | undefined;
  readonly clientLeft: boolean;
  /** A result of a search on its way to the client. */
  readonly delivery: { readonly url: string; readonly search: string } | undefined;
}
