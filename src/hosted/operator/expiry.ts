import { epochOf } from '../../engine/index.js';
import { DURATION_FORMS, readDuration, ValidationError, validationError } from '../../common/index.js';

const TEN_YEARS = 3652 * 24 * 3_600_000;
const DUE = 'an instant in ISO 8601 with a time zone, such as 2027-06-01T00:00:00Z';

interface Lifetime {
  readonly expiresAt?: string | null;
  readonly expiresIn?: string;
}

/**
 * When a world expires, in epoch milliseconds; null for never, undefined if nothing is said of it.
 *
 * @throws {ValidationError} for an instant that is none, past, or more than ten years ahead, and for both members.
 */
export function expiryOf({ expiresAt, expiresIn }: Lifetime, now: number): number | null | undefined {
  if (expiresAt !== undefined && expiresIn !== undefined) {
    throw new ValidationError('Give `expiresAt` or `expiresIn`, not both.', ['expiresAt', 'expiresIn']);
  }
  if (expiresIn !== undefined) {
    const duration = readDuration(expiresIn);
    if (duration === undefined)
      throw validationError('expiresIn', `a duration such as P90D, ${DURATION_FORMS}`, expiresIn);
    return within('expiresIn', now + duration, expiresIn, now);
  }
  return typeof expiresAt === 'string'
    ? within('expiresAt', readInstant('expiresAt', expiresAt), expiresAt, now)
    : expiresAt;
}

/** @throws {ValidationError} for text that is not an instant. */
export function readInstant(member: string, text: string): number {
  try {
    return epochOf(text);
  } catch {
    throw validationError(member, DUE, text);
  }
}

function within(member: string, epoch: number, given: string, now: number): number {
  if (epoch > now && epoch <= now + TEN_YEARS) return epoch;
  throw validationError(member, 'in the future and at most ten years ahead', given);
}
