import type { State } from '../../index.js';
import { counted } from '../../input/words.js';
import { jsonPieces } from '../../state/json-pieces.js';
import { replaceFile, SECRET_MODE } from '../atomic-file.js';

/** Milliseconds from a change to its save, and the minimum between two saves. */
const PAUSE = 200;
/** The pause is at least this many times as long as a save, so that large states do not block the process. */
const SHARE = 4;
/** Milliseconds after which a save that failed is tried again, at most. */
const LONGEST_RETRY = 5000;

/** Changes that are not in the file. */
interface Unsaved {
  readonly changes: number;
  /** Epoch milliseconds of the first of them. */
  readonly since: number;
}

/** Saves shortly after a change, one save at a time. Changes during a save go into the next one. */
export class Saver {
  #snapshot: (() => State) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unsaved: Unsaved | undefined;
  #saving: { readonly unsaved: Unsaved; readonly done: Promise<void> } | undefined;
  #pause = PAUSE;
  #failure: string | undefined;
  /** The number of the newest booking in the file; undefined if there is no file. */
  #bookings = 0;

  constructor(
    readonly file: string,
    readonly tell: (line: string) => void,
    /** Whether there is a file from an earlier save. */
    public hasFile: boolean,
  ) {}

  /** Sets the source of the state, which is as it is in the file. */
  follow(snapshot: () => State): void {
    this.#snapshot = snapshot;
    this.#bookings = snapshot().store.sequence;
  }

  changed(): void {
    this.#unsaved = { changes: (this.#unsaved?.changes ?? 0) + 1, since: this.#unsaved?.since ?? Date.now() };
    if (this.#timer === undefined && this.#saving === undefined) this.#later();
  }

  /** Saves pending changes. `loss` says afterwards what could not be saved. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving?.done;
    clearTimeout(this.#timer);
    if (this.#unsaved) await this.#save();
    clearTimeout(this.#timer);
  }

  /** What would be lost if the process ended now, as a message; undefined if everything is saved. */
  loss(): string | undefined {
    const parts = [this.#saving?.unsaved, this.#unsaved].filter((part) => part !== undefined);
    if (parts.length === 0 || !this.#snapshot) return undefined;
    const changes = parts.reduce((sum, part) => sum + part.changes, 0);
    const bookings = this.#snapshot().store.sequence - this.#bookings;
    const among = bookings > 0 ? `, among them ${counted(bookings, 'booking')}` : '';
    const rest = this.hasFile
      ? `${this.file} has the state of before.`
      : `There is no state in ${this.file}; the next start begins anew.`;
    return (
      `The last save of the state to ${this.file} failed: ${this.#failure ?? 'it was interrupted'}. ` +
      `Lost ${changes === 1 ? 'is' : 'are'} ${counted(changes, 'change')} since ${new Date(parts[0]!.since).toISOString()}${among}. ` +
      `${rest} Make sure that it can be written before you start again.`
    );
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#save();
    }, this.#pause);
  }

  #save(): Promise<void> {
    const unsaved = this.#unsaved!;
    this.#unsaved = undefined;
    const done = this.#write().then((saved) => {
      this.#saving = undefined;
      if (!saved) this.#unsaved = { changes: unsaved.changes + (this.#unsaved?.changes ?? 0), since: unsaved.since };
      if (this.#unsaved) this.#later();
    });
    this.#saving = { unsaved, done };
    return done;
  }

  /** Whether the state was written. */
  async #write(): Promise<boolean> {
    const start = performance.now();
    if (!this.#snapshot) return false;
    try {
      const state = this.#snapshot();
      await replaceFile(this.file, withNewline(jsonPieces(state)), SECRET_MODE);
      this.#bookings = state.store.sequence;
      this.hasFile = true;
      if (this.#failure !== undefined) this.tell(`teebox: The state is saved to ${this.file} again.`);
      this.#failure = undefined;
      this.#pause = Math.max(PAUSE, SHARE * (performance.now() - start));
      return true;
    } catch (error) {
      const why = reasonOf(error as NodeJS.ErrnoException);
      if (this.#failure === undefined)
        this.tell(`${failed(this.file, why)} The sandbox keeps running and tries again.`);
      this.#failure = why;
      this.#pause = Math.max(Math.min(2 * this.#pause, LONGEST_RETRY), SHARE * (performance.now() - start));
      return false;
    }
  }
}

function* withNewline(pieces: Iterable<string>): Iterable<string> {
  yield* pieces;
  yield '\n';
}

function failed(file: string, why: string): string {
  return `teebox: Failed to save the state to ${file}: ${why}.`;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const why: Record<string, string> = {
    ENOSPC: 'the disk is full',
    ENOENT: 'the folder no longer exists',
    EACCES: 'the folder is not writable',
    EROFS: 'the folder is not writable',
  };
  return why[code ?? ''] ?? message;
}
