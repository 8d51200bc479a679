import { DAY_MS, FIRST_DAY, LAST_DAY } from './calendar.js';

/** The clock of a sandbox. Everything that depends on time reads it, so that time can be set. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Sets the clock to an instant. A running clock keeps running from there.
   *
   * @throws {RangeError} for an instant before 2000 or after 2199.
   */
  set(instant: Instant): void;
  /**
   * Moves the clock forward by milliseconds.
   *
   * @throws {RangeError} for anything but a number of at least 0, or past the end of 2199. Use `set` to go back.
   */
  advance(milliseconds: number): void;
  /** `standing`: frozen at an instant. `running`: follows its source. */
  readonly mode: 'standing' | 'running';
  /** Freezes a running clock at its current instant. */
  freeze(): void;
  /**
   * Lets a frozen clock run from its current instant.
   *
   * @throws {Error} if the clock has no source.
   */
  resume(): void;
  /** Undoes every `set`, `advance`, `freeze` and `resume`. */
  reset(): void;
}

/** Runs `work` after `delay` milliseconds; the returned function cancels it. */
export type Schedule = (work: () => void, delay: number) => () => void;

/** An instant: ISO 8601 with a time zone, epoch milliseconds, or a `Date`. */
export type Instant = string | number | Date;

/** The first and the last millisecond of a clock: there are no tee times outside. */
const FIRST = FIRST_DAY * DAY_MS;
const LAST = (LAST_DAY + 1) * DAY_MS - 1;

/**
 * The epoch milliseconds of an instant that a clock can show.
 *
 * @throws {RangeError} for text that is not ISO 8601 with a time zone, for a date that does not exist, and for one
 * before 2000 or after 2199.
 */
export function clockInstant(instant: Instant): number {
  const epoch = epochOf(instant);
  if (isOnClock(epoch)) return epoch;
  throw new RangeError('The clock goes from 2000-01-01T00:00:00Z to the end of 2199; this would set it elsewhere.');
}

/** Whether a clock can show epoch milliseconds. */
export function isOnClock(epoch: number): boolean {
  return epoch >= FIRST && epoch <= LAST;
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The epoch milliseconds of an instant.
 *
 * @throws {RangeError} for text that is not ISO 8601 with a time zone, and for a date that does not exist.
 */
export function epochOf(instant: Instant): number {
  const epoch = instant instanceof Date ? instant.getTime() : typeof instant === 'number' ? instant : parse(instant);
  if (!Number.isFinite(epoch) || Math.abs(epoch) > 8.64e15) throw new RangeError(wrong(instant));
  return epoch;
}

function parse(text: string): number {
  if (!iso.test(text)) return NaN;
  const epoch = Date.parse(text);
  // `Date` turns 31 February into a day in March. Only a date that exists survives the round trip.
  const local = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  return Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== text.slice(0, 10) ? NaN : epoch;
}

function wrong(instant: Instant): string {
  return `\`${String(instant)}\` is not an instant. Use ISO 8601 with a time zone, such as 2026-06-01T08:00:00Z.`;
}

/** A clock frozen at an instant. With a source of epoch milliseconds, it can be resumed. */
export function standingClock(at: Instant, source?: () => number): Clock {
  return clockOf(clockInstant(at), source);
}

/** A clock that follows a source of epoch milliseconds, such as `Date.now`. */
export function runningClock(source: () => number): Clock {
  return clockOf(null, source);
}

/** Wraps a clock to report every change of it. */
export function watchedClock(clock: Clock, moved: () => void): Clock {
  const telling =
    <Given extends readonly unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      act(...given);
      moved();
    };
  return {
    now: clock.now,
    get mode() {
      return clock.mode;
    },
    set: telling(clock.set),
    advance: telling(clock.advance),
    freeze: telling(clock.freeze),
    resume: telling(clock.resume),
    reset: telling(clock.reset),
  };
}

/** Frozen at `start`, or running with the source if `start` is null. */
function clockOf(start: number | null, source?: () => number): Clock {
  let standing = start;
  let ahead = 0;
  const now = (): number => standing ?? source!() + ahead;
  return {
    now,
    get mode() {
      return standing === null ? 'running' : 'standing';
    },
    set(instant) {
      const epoch = clockInstant(instant);
      if (standing === null) ahead = epoch - source!();
      else standing = epoch;
    },
    advance(milliseconds) {
      if (!(milliseconds >= 0 && Number.isFinite(milliseconds))) {
        throw new RangeError(
          `\`advance\` needs a number of milliseconds of at least 0; got ${milliseconds}. To go back, use \`set\`.`,
        );
      }
      clockInstant(now() + milliseconds);
      if (standing === null) ahead += milliseconds;
      else standing += milliseconds;
    },
    freeze: () => void (standing = now()),
    resume() {
      if (!source) throw new Error('This clock has no source to run with. Create the sandbox with the option `clock`.');
      if (standing === null) return;
      ahead = standing - source();
      standing = null;
    },
    reset() {
      standing = start;
      ahead = 0;
    },
  };
}
