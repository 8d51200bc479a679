/** Where a sandbox takes its time from. Everything that hangs on time asks it, so that time can be set. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Sets the clock to an instant; a standing clock stands there, a running one runs on from there. */
  set(instant: Instant): void;
  /** Moves the clock forward by milliseconds. */
  advance(milliseconds: number): void;
  /** Undoes every `set` and `advance`. */
  reset(): void;
}

/** An instant as ISO 8601 with a zone, epoch milliseconds, or a date. */
export type Instant = string | number | Date;

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Epoch milliseconds of an instant.
 *
 * @throws {RangeError} for text that is not ISO 8601 with a zone, and for a date that does not exist.
 */
export function epochOf(instant: Instant): number {
  const epoch = instant instanceof Date ? instant.getTime() : typeof instant === 'number' ? instant : parse(instant);
  if (!Number.isFinite(epoch) || Math.abs(epoch) > 8.64e15) throw new RangeError(wrong(instant));
  return epoch;
}

function parse(text: string): number {
  if (!iso.test(text)) return NaN;
  const epoch = Date.parse(text);
  // `Date` rolls 31 February over into March; a date that exists comes back as it was.
  const local = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  return Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== text.slice(0, 10) ? NaN : epoch;
}

function wrong(instant: Instant): string {
  return `\`${String(instant)}\` is not an instant. Please use ISO 8601 with a zone, such as 2026-06-01T08:00:00Z.`;
}

/** A clock that stands at an instant until it is moved. */
export function standingClock(at: Instant): Clock {
  const start = epochOf(at);
  let now = start;
  return {
    now: () => now,
    set: (instant) => void (now = epochOf(instant)),
    advance: (milliseconds) => void (now += milliseconds),
    reset: () => void (now = start),
  };
}

/** A clock that runs with a source of epoch milliseconds, such as the machine's. */
export function runningClock(source: () => number): Clock {
  let ahead = 0;
  return {
    now: () => source() + ahead,
    set: (instant) => void (ahead = epochOf(instant) - source()),
    advance: (milliseconds) => void (ahead += milliseconds),
    reset: () => void (ahead = 0),
  };
}
