import { counted } from '../../common/index.js';
import type { Batch } from './batch.js';

/** Milliseconds between two attempts at first, and at most. */
const PAUSE = 200;
const LONGEST_PAUSE = 1000;
/** The pause is at least this many times as long as an attempt, so that large states do not block the process. */
const SHARE = 4;

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file must not become larger',
  ENOENT: 'the folder no longer exists',
  EACCES: 'the folder is not writable',
  EPERM: 'the folder is not writable',
  EROFS: 'the file system is read-only',
};

export function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  return reasons[code] ?? message;
}

/** What keeps changes from being written. It is reported once, and again when it is over. */
export class Outage {
  /** The reason as those get it whose changes are not kept; undefined if there is none. */
  now: Error | undefined;
  why: string | undefined;
  #pause = PAUSE;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly path: string,
    readonly tell: (line: string) => void,
    readonly retry: () => void,
  ) {}

  /** @param took Milliseconds of the attempt. */
  begin(error: unknown, took: number): Error {
    this.why = reasonOf(error as NodeJS.ErrnoException);
    if (!this.now) {
      this.tell(
        `teebox: Failed to save the state to ${this.path}: ${this.why}. ` +
          'Requests are answered with 503 until it can be saved; Teebox tries again.',
      );
    }
    this.now = new Error(this.why);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.retry, Math.max(this.#pause, SHARE * took));
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    return this.now;
  }

  over(): void {
    if (!this.now) return;
    this.now = undefined;
    this.#pause = PAUSE;
    this.stop();
    this.tell(`teebox: The state is saved to ${this.path} again.`);
  }

  /** Tries no more by itself. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** What would be lost with these changes, as a message; undefined if nothing would. */
export function lossOf(
  batches: readonly Batch[],
  { path, why, hasFile }: { readonly path: string; readonly why: string | undefined; readonly hasFile: boolean },
): string | undefined {
  const [changes, bookings] = (['changes', 'bookings'] as const).map((what) =>
    batches.reduce((sum, batch) => sum + batch[what], 0),
  ) as [number, number];
  const since = batches.find((batch) => batch.since !== undefined)?.since;
  if (since === undefined) return undefined;
  const among = bookings > 0 ? `, among them ${counted(bookings, 'booking')}` : '';
  const rest = hasFile
    ? `${path} has the state of before.`
    : `There is no state in ${path}; the next start begins anew.`;
  return (
    `The last save of the state to ${path} failed: ${why ?? 'it was interrupted'}. ` +
    `Lost ${changes === 1 ? 'is' : 'are'} ${counted(changes, 'change')} since ${new Date(since).toISOString()}${among}. ` +
    `${rest} Make sure that it can be written before you start again.`
  );
}
