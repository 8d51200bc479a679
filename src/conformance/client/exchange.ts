import { isObject } from '../../common/index.js';
import type { AnswerParts, OperationId, RuleId } from '../../contract/index.js';

/** Whose credentials a request carries. */
export type Caller = 'first' | 'second' | 'nobody';

/** One request and its answer as reports show it: bodies bounded, secrets masked. */
export interface Exchange {
  /** `x1`, `x2`, ... in the order of sending; a delivery to the callback receiver is `c1`, `c2`, ... */
  readonly id: string;
  /** Absent for a request that is not in the contract, and for a delivery. */
  readonly operation?: OperationId;
  /** The rule that the request breaks on purpose. */
  readonly breaking?: RuleId;
  readonly caller: Caller | 'deployment';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Whether `body` is only the beginning of the body. */
    readonly isCut?: true;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Characters of the whole body as it came: that of `body` is another one where it is cut, or secrets are masked. */
    readonly length: number;
    /** Whether `body` is only the beginning of the body. */
    readonly isCut?: true;
  };
  /** Why there is no answer. */
  readonly failure?: string;
}

/** How the bytes of a body stand for its text; JSON is UTF-8 without a byte order mark (RFC 8259, section 8.1). */
export type Encoding = 'utf-8' | 'byte-order-mark' | 'invalid';

/** What a request of the contract asked for. */
export interface AskedFor {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /**
   * Whether the deployment must accept it: it keeps to the contract, and the API specification leaves nothing about it
   * open.
   */
  readonly isRight: boolean;
  /** The rule that it breaks on purpose. */
  readonly breaking?: RuleId;
}

/** An answer as rules see it: whole, with its secrets. */
export interface Reply extends AnswerParts {
  /** Id of its exchange. */
  readonly id: string;
  readonly operation?: OperationId;
  /** Absent where `operation` is. */
  readonly asked?: AskedFor;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Absent for a recorded answer. */
  readonly encoding?: Encoding;
  readonly durationMs: number;
  /** Whether the request broke a rule on purpose: then the form of the answer is no evidence. */
  readonly probe: boolean;
  /** Epoch milliseconds at which it was complete. */
  readonly at: number;
  /** Method and address, masked, for messages. */
  readonly what: string;
}

/** The single bookings of a request body, in any of its shapes. */
export function bookingItems(body: unknown): readonly unknown[] {
  const list = isObject(body) && Array.isArray(body['details']) ? (body['details'] as unknown[]) : body;
  return Array.isArray(list) ? (list as unknown[]) : [list];
}
