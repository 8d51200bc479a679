/** Where a sandbox takes its time from. Everything that hangs on time asks it, so that time can be set. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Sets the clock to an instant; a standing clock stands there, a running one runs on from there. */
  set(instant: Instant): void;
  /**
   * Moves the clock forward by milliseconds.
   *
   * @throws {RangeError} for what is no number of at least 0: back it goes by `set`.
   */
  advance(milliseconds: number): void;
  /** Whether it stands where it was put or runs with its source. */
  readonly mode: 'standing' | 'running';
  /** Makes a running clock stand where it is. */
  freeze(): void;
  /**
   * Lets a clock run on from where it stands.
   *
   * @throws {Error} for a clock that has no source to run with.
   */
  resume(): void;
  /** Undoes every `set`, `advance`, `freeze` and `resume`. */
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

/** A clock that stands at an instant until it is moved; with a source of epoch milliseconds it can be made to run. */
export function standingClock(at: Instant, source?: () => number): Clock {
  return clockOf(epochOf(at), source);
}

/** A clock that runs with a source of epoch milliseconds, such as the machine's. */
export function runningClock(source: () => number): Clock {
  return clockOf(null, source);
}

/** A clock that tells when somebody moved it. */
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

/** Stands at `start`, or runs with the source where that is null. */
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
      const epoch = epochOf(instant);
      if (standing === null) ahead = epoch - source!();
      else standing = epoch;
    },
    advance(milliseconds) {
      if (!(milliseconds >= 0 && Number.isFinite(milliseconds))) {
        throw new RangeError(
          `A clock advances by milliseconds, at least 0; got ${milliseconds}. To go back, use \`set\`.`,
        );
      }
      if (standing === null) ahead += milliseconds;
      else standing += milliseconds;
    },
    freeze: () => void (standing = now()),
    resume() {
      if (!source) throw new Error('This clock has no source to run with. Please create the sandbox with `clock`.');
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
