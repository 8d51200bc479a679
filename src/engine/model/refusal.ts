import { deceptiveSign, jsonFault } from '../../common/index.js';
import type { FailureCode, RuleId } from '../../contract/index.js';

/**
 * All refusals of the service. `http/refusals.ts` sets the status and message of each code, so that a natural failure
 * and an injected one are equal byte for byte.
 */
export type RefusalCode =
  | 'unauthorized'
  | 'token-refused'
  | 'invalid'
  | 'unsupported-media-type'
  | 'body-too-large'
  | 'linked-tee-times'
  | 'unknown-path'
  | 'method-not-allowed'
  | 'rate-limited'
  | 'unknown-country'
  | 'unknown-facility'
  | 'unknown-course'
  | 'unknown-booking'
  | 'facility-unconnected'
  | 'callback-target'
  | 'callback-backlog'
  | 'booking-canceled'
  | 'payment-repeated'
  | 'cancellation-denied'
  | FailureCode
  | 'server-error'
  | 'maintenance'
  | 'not-kept'
  | 'no-room'
  | 'internal';

/** The rule by which a body is refused that cannot be read. */
export const UNREADABLE = 'envelope.json-body';

export interface RefusalDetail {
  /** The message of a code whose message depends on the request; ignored for codes with a fixed message. */
  readonly words?: string;
  /** The reason, for logs and explanations; never part of the response. */
  readonly detail?: string;
  /** The `data` to return instead, in a dialect that returns an empty result for unknown things. */
  readonly empty?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Thrown when the service refuses a request, with the rule that decided. A defect of the sandbox is an ordinary error.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    readonly rule: RuleId,
    readonly info: RefusalDetail = {},
  ) {
    super(info.detail ?? info.words ?? code);
  }
}

/** Refuses a missing or malformed parameter or field; names the field, the requirement and the value. */
export function invalid(rule: RuleId, field: string, due: string, got?: unknown): Refusal {
  const came = got === undefined ? 'is missing; it ' : '';
  const shown = got === undefined ? '' : `; got ${show(got)}${typeof got === 'string' ? oddity(got) : ''}`;
  return new Refusal('invalid', rule, { words: `\`${field}\` ${came}${due}${shown}` });
}

/** What the quoted text does not show. */
function oddity(got: string): string {
  const sign = deceptiveSign(got.slice(0, SHOWN));
  if (sign !== undefined) return ` (${sign})`;
  return /^\s*[[{]/.test(got) && jsonFault(got.slice(0, MOST_TRIED)) === undefined
    ? ' (JSON in a string: it was encoded twice)'
    : '';
}

const SHOWN = 60;
/** Characters of a text that are read to see whether it is JSON. */
const MOST_TRIED = 10_000;

function show(value: unknown): string {
  const text = JSON.stringify(clipped(value, SHOWN)) ?? String(value);
  if (text.length <= SHOWN) return text;
  // Joined anew, because a slice keeps the whole text in memory as long as the journal has the message.
  return `${Array.from(text.slice(0, SHOWN - 3)).join('')}...`;
}

/** A value as JSON. Values with thousands of levels can be parsed, but writing them would overflow the stack. */
function clipped(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.slice(0, SHOWN).map((item) => clipped(item, levels - 1));
  const entries = Object.entries(value).slice(0, SHOWN);
  return Object.fromEntries(entries.map(([name, item]) => [name, clipped(item, levels - 1)]));
}
