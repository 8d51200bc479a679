import { type Change, jsonPieces, type PendingCallbacks, type State } from '../../engine/index.js';
import { prepareFile, type Replacement, SECRET_MODE } from '../atomic-file.js';
import { LogFile } from './log-file.js';
import { reasonOf } from './outage.js';

/** A snapshot that is being made while lines are still appended to the file. */
interface Compaction {
  /** The lines that were appended since. */
  readonly since: string[];
  made?: Replacement;
}

interface WriterHost {
  readonly path: string;
  readonly tell: (line: string) => void;
  /** Bytes of changes from which on a snapshot replaces them, if they are more than the last one. */
  readonly leastChanges: number;
  /** Called when `swap` is due. */
  readonly due: () => void;
  /** The callbacks that are not delivered yet, which follow each snapshot. */
  readonly callbacks: PendingCallbacks;
}

/** Appends lines to a file, and replaces it with a snapshot when the lines have become more than the snapshot. */
export class LogWriter {
  #snapshot: (() => State) | undefined;
  /** Whether the changes to come do not fit what is in the file. */
  #isApart: boolean;
  #compaction: Compaction | undefined;
  /** Bytes of lines at which the next snapshot is made. */
  #limit: number;

  constructor(
    readonly host: WriterHost,
    /** The file from which the state was loaded; undefined if nothing can be appended to it. */
    public file: LogFile | undefined,
  ) {
    this.#isApart = file === undefined;
    this.#limit = this.#nextLimit();
  }

  follow(snapshot: () => State): void {
    this.#snapshot = snapshot;
  }

  /** From now on only a snapshot can go on. */
  needSnapshot(): void {
    this.#isApart = true;
  }

  /** Bytes of lines in the file. */
  get changes(): number {
    return this.file?.changes ?? 0;
  }

  canAppend(): boolean {
    return !this.#isApart && this.file?.isInPlace() === true;
  }

  /** Appends everything that the state has and the file has not. */
  append(line: string): void {
    const file = this.file!;
    file.append(line);
    this.#compaction?.since.push(line);
    if (!this.#compaction && file.changes > this.#limit) this.#compact();
  }

  /**
   * Replaces the file with a snapshot of now.
   *
   * @param deadline An instant of `performance.now` at which it gives up.
   */
  async rewrite(deadline = Infinity): Promise<void> {
    const wasApart = this.#isApart;
    this.#isApart = false;
    void this.#compaction?.made?.discard();
    this.#compaction = undefined;
    try {
      await this.#use(await this.#prepare(deadline));
    } catch (error) {
      this.#isApart ||= wasApart;
      throw error;
    }
  }

  /** Whether a snapshot is ready to take the place of the file. */
  get isSwapDue(): boolean {
    return this.#compaction?.made !== undefined;
  }

  /** Puts the snapshot in the place of the file. Nothing may be appended meanwhile. */
  async swap(): Promise<void> {
    const compaction = this.#compaction!;
    await this.#use(compaction.made!, compaction.since).catch((error: unknown) => this.#failed(compaction, error));
    this.#compaction = undefined;
  }

  /** Snapshots take a constant share of what is written, however large they are. */
  #nextLimit(): number {
    return Math.max(this.host.leastChanges, this.file?.snapshot ?? 0);
  }

  #prepare(deadline?: number): Promise<Replacement> {
    return prepareFile(
      this.host.path,
      linesOf(this.#snapshot!(), this.host.callbacks.changes(), deadline),
      SECRET_MODE,
    );
  }

  /** Makes a snapshot of now, when everything is in the file. */
  #compact(): void {
    const compaction: Compaction = { since: [] };
    this.#compaction = compaction;
    void this.#prepare().then(
      (made) => {
        if (this.#compaction !== compaction) return made.discard();
        compaction.made = made;
        this.host.due();
      },
      (error: unknown) => this.#failed(compaction, error),
    );
  }

  #failed(compaction: Compaction, error: unknown): void {
    if (this.#compaction !== compaction) return;
    this.#compaction = undefined;
    this.#limit *= 2;
    const why = reasonOf(error as NodeJS.ErrnoException);
    this.host.tell(
      `teebox: Failed to replace the changes in ${this.host.path} with a new state: ${why}. They are kept, and the file grows.`,
    );
  }

  async #use(made: Replacement, lines: readonly string[] = []): Promise<void> {
    const { file: old, host } = this;
    try {
      const file = await LogFile.open(host.path, made.handle, made.size, made.size);
      if (lines.length > 0) {
        file.append(lines.join(''));
        await file.sync();
      }
      await made.takePlace();
      this.file = file;
    } catch (error) {
      await made.discard();
      throw error;
    }
    this.#limit = this.#nextLimit();
    await old?.close();
  }
}

function* linesOf(state: State, callbacks: readonly Change[], deadline = Infinity): Iterable<string> {
  for (const piece of jsonPieces(state)) {
    if (performance.now() > deadline) throw new Error('it takes too long');
    yield piece;
  }
  yield '\n';
  if (callbacks.length > 0) yield `${JSON.stringify(callbacks)}\n`;
}
