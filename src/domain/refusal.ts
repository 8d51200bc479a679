import type { RuleId } from '../generated/rule-basis.js';

/**
 * Everything the service can refuse, as a closed list. `app/refusals.ts` gives each code its status and
 * words, so that a failure that arises and one that was asked for are equal byte for byte.
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
  | 'booking-canceled'
  | 'payment-repeated'
  | 'cancellation-denied'
  | 'tee-sheet-unresponsive'
  | 'transfer-failed'
  | 'booking-failed'
  | 'payment-pi-failed'
  | 'payment-pv-failed'
  | 'cart-problem'
  | 'unprocessable'
  | 'server-error'
  | 'maintenance'
  | 'internal';

export interface RefusalDetail {
  /** The sentence for codes whose words depend on the request; ignored by codes with fixed words. */
  readonly words?: string;
  /** Why, for logs and explanations; never part of the answer. */
  readonly detail?: string;
  /** What to answer as `data` where the dialect answers an unknown thing with nothing instead of refusing. */
  readonly empty?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Thrown when the service declines a request. It carries the rule that decided; it is not thrown for
 * defects of the sandbox, which surface as ordinary errors.
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

/** A parameter or field that is missing or malformed: names the field, says what is due and what came. */
export function invalid(rule: RuleId, field: string, due: string, got?: unknown): Refusal {
  const came = got === undefined ? 'is missing; it ' : '';
  const shown = got === undefined ? '' : `; got ${show(got)}`;
  return new Refusal('invalid', rule, { words: `\`${field}\` ${came}${due}${shown}` });
}

const SHOWN = 60;

function show(value: unknown): string {
  const text = JSON.stringify(clipped(value, SHOWN)) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 3)}...` : text;
}

/** What can be seen of a value: JSON of thousands of levels can be read, but to write it would overflow the stack. */
function clipped(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.slice(0, SHOWN).map((item) => clipped(item, levels - 1));
  const entries = Object.entries(value).slice(0, SHOWN);
  return Object.fromEntries(entries.map(([name, item]) => [name, clipped(item, levels - 1)]));
}
