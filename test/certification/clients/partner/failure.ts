/**
 * Why a call came to nothing:
 * `refused`: the service answered that it did not do it. `unauthorized`: it did not accept our token.
 * `limited`: too many requests. `unavailable`: an error of the service. `lost`: no answer, or none that can be read.
 * After the last two, nobody knows whether the work was done.
 */
type FailureKind = 'refused' | 'unauthorized' | 'limited' | 'unavailable' | 'lost';

export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';

  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly status = 0,
    /** Milliseconds that the service asks us to wait. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** Whether the work may have been done all the same. */
  get isUncertain(): boolean {
    return this.kind === 'unavailable' || this.kind === 'lost';
  }
}

/** A condition of the table in the section "Errors", list 1. */
export type BookingProblem = 'tee-sheet' | 'transfer' | 'creation' | 'payment-pi' | 'payment-pv' | 'cart' | 'other';

const words: readonly (readonly [problem: BookingProblem, words: RegExp])[] = [
  ['tee-sheet', /unresponsive/i],
  ['transfer', /transfer/i],
  ['payment-pi', /\(PI\)/],
  ['payment-pv', /\(PV\)/],
  ['cart', /cart\b/i],
  ['creation', /booking creation has failed/i],
];

/** The condition that a failed creation names; every other message is that of the last row. */
export function problemOf({ message }: ServiceFailure): BookingProblem {
  return words.find(([, pattern]) => pattern.test(message))?.[0] ?? 'other';
}

/**
 * The message of an answer, wherever the deployment puts it: the API specification does not show the body of an error.
 */
export function messageOf(body: unknown): string {
  const { message, error, errors, data } = (body ?? {}) as Record<string, unknown>;
  const inside = (value: unknown): unknown => (value as { message?: unknown } | null | undefined)?.message;
  const first = Array.isArray(errors) ? inside(errors[0]) : undefined;
  const found = [message, error, first, inside(data)].find((text) => typeof text === 'string' && text !== '');
  return (found as string | undefined) ?? 'The service gave no message.';
}
