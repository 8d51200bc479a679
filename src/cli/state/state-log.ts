import { type Change, type ChangeSink, jsonPieces, type PendingCallbacks, type State } from '../../engine/index.js';
import { Batch } from './batch.js';
import type { FileLock } from './file-lock.js';
import { checkedLine, checkedState } from './line-check.js';
import { LogFile } from './log-file.js';
import { lossOf, Outage, reasonOf } from './outage.js';
import { prepareFile, type Replacement, SECRET_MODE } from '../atomic-file.js';

/** A snapshot that is being made while lines are still appended to the file. */
interface Compaction {
  /** The lines that were appended since. */
  readonly since: string[];
  made?: Replacement;
}

interface WriterHost {
  readonly path: string;
  readonly lock: FileLock;
  readonly tell: (line: string) => void;
  /** Bytes of changes from which on a snapshot replaces them, if they are more than the last one. */
  readonly leastChanges: number;
  /** Called when `swap` is due. */
  readonly due: () => void;
  /** The callbacks that are not delivered yet, which follow each snapshot. */
  readonly callbacks: PendingCallbacks;
}

/** Appends lines to a file, and replaces it with a snapshot when the lines have become more than the snapshot. */
class LogWriter {
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

  /**
   * Appends everything that the state has and the file has not.
   *
   * @throws {Error} if the file may belong to another server.
   */
  append(line: string): void {
    this.host.lock.check();
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
    this.host.lock.check();
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
    const { host } = this;
    try {
      const file = await LogFile.open(host.path, made.handle, made.size, made.size);
      if (lines.length > 0) {
        file.append(lines.join(''));
        await file.sync();
      }
      host.lock.check();
      // Windows replaces no file that is open. Until another takes its place, it has to be on the disk.
      await this.file?.sync().catch(() => {});
      await this.file?.close();
      await made.takePlace();
      this.file = file;
    } catch (error) {
      await made.discard();
      throw error;
    }
    this.#limit = this.#nextLimit();
  }
}

function* linesOf(state: State, callbacks: readonly Change[], deadline = Infinity): Iterable<string> {
  for (const piece of checkedState(jsonPieces(state))) {
    if (performance.now() > deadline) throw new Error('it takes too long');
    yield piece;
  }
  yield '\n';
  if (callbacks.length > 0) yield checkedLine(callbacks.map((one) => JSON.stringify(one)));
}

/** When a change is on the disk, and not only with the system: before its answer, or within a second. */
export type StateSync = 'always' | 'interval';

/** Milliseconds between two syncs. */
const INTERVAL = 1000;
/** Milliseconds that the snapshot of a clean stop may take; otherwise the changes stay. */
const LAST_SNAPSHOT = 400;
/** Bytes of changes from which on a snapshot replaces them. */
const LEAST_CHANGES = 4_194_304;
/** Characters of changes that may wait for a disk; beyond them, only a snapshot helps. */
const MOST_WAITING = 16_777_216;

export interface StateLogOptions {
  readonly path: string;
  readonly lock: FileLock;
  readonly sync: StateSync;
  readonly tell: (line: string) => void;
  /** The file from which the state was loaded, if lines can be appended to it. */
  readonly file: LogFile | undefined;
  /** Whether there is a file from an earlier run. */
  readonly hasFile: boolean;
  /** Bytes of changes from which on a snapshot replaces them. Default: 4 MiB. */
  readonly leastChanges?: number;
  /** The callbacks that are not delivered yet, as the file has them. */
  readonly callbacks: PendingCallbacks;
}

/** Keeps the changes of a sandbox in a file. Those that were made together are one line. */
export class StateLog implements ChangeSink {
  readonly #writer: LogWriter;
  readonly #outage: Outage;
  #pending = new Batch();
  /** What is being written. */
  #current: Batch | undefined;
  #work: Promise<void> | undefined;
  #isScheduled = false;
  #isFollowing = false;
  /** Changes of callbacks before that. */
  readonly #early: Change[] = [];
  #syncTimer: NodeJS.Timeout | undefined;
  #counted: number | undefined;

  constructor(readonly options: StateLogOptions) {
    const { path, lock, tell, file, callbacks, leastChanges = LEAST_CHANGES } = options;
    this.#writer = new LogWriter({ path, lock, tell, leastChanges, due: () => void this.#begin(), callbacks }, file);
    this.#outage = new Outage(path, tell, () => void this.#begin());
  }

  /** Sets the source of the state, and whether it is as it is in the file. */
  follow(snapshot: () => State, isSame: boolean): void {
    this.#isFollowing = true;
    this.#writer.follow(snapshot);
    if (!isSame) this.#writer.needSnapshot();
    for (const change of this.#early.splice(0)) this.append(change);
  }

  /** What happens before `follow` is in the state that it gives. */
  append(change: Change): void {
    // The state of the start is in the file, but not that its callbacks are over.
    if (!this.#isFollowing && change.kind === 'callback') this.#early.push(change);
    if (!this.#isFollowing) return;
    this.options.callbacks.apply(change);
    const pending = this.#pending;
    pending.add(change);
    if (change.kind === 'state') this.#writer.needSnapshot();
    if (this.#outage.now && pending.characters > MOST_WAITING) {
      this.#writer.needSnapshot();
      pending.forget();
    }
    this.#counted = undefined;
    if (this.#isScheduled) return;
    // Most changes are written before, by `kept` of the request that made them.
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#pending.isEmpty && !this.#outage.now) void this.#begin();
    });
  }

  counted(requests: number): void {
    this.#counted = requests;
  }

  /** Refuses all requests if the file may belong to another server. */
  checkLock(): void {
    if (this.#outage.now) return;
    try {
      this.options.lock.check();
    } catch (error) {
      this.#writer.needSnapshot();
      this.#outage.begin(error, 0);
    }
  }

  kept(): Promise<void> | undefined {
    if (this.#outage.now) return Promise.reject(this.#outage.now);
    if (this.#pending.isEmpty) return this.#current?.kept();
    if (this.options.sync === 'interval' && !this.#work && this.#writer.canAppend()) return this.#appendNow();
    const kept = this.#pending.kept();
    void this.#begin();
    return kept;
  }

  /** Whether a stop has something to do that would be worth waiting for. */
  get hasWork(): boolean {
    return !this.#pending.isEmpty || this.#current !== undefined || this.#writer.changes > 0;
  }

  /** What would be lost if the process ended now, as a message; undefined if everything is in the file. */
  loss(): string | undefined {
    const batches = [this.#current, this.#pending].filter((batch) => batch !== undefined);
    const { path, hasFile } = this.options;
    return lossOf(batches, { path, why: this.#outage.why, hasFile: hasFile || this.#writer.file !== undefined });
  }

  /** Writes what is pending, and makes the file a plain state if that does not take long. */
  async close(): Promise<void> {
    const requests = this.#counted;
    if (requests !== undefined && this.#writer.canAppend()) this.append({ kind: 'requests', requests });
    await this.#work;
    if (!this.#pending.isEmpty || this.#outage.now) await this.#begin();
    this.#outage.stop();
    clearTimeout(this.#syncTimer);
    if (this.#outage.now) return;
    if (this.#writer.changes > 0) {
      this.#work = this.#writer.rewrite(performance.now() + LAST_SNAPSHOT).catch(() => {});
      await this.#work;
      this.#work = undefined;
    }
    await this.#writer.file?.sync().catch(() => {});
  }

  /** It takes a few microseconds, less than a promise. */
  #appendNow(): Promise<void> | undefined {
    try {
      this.#append(this.#pending);
      this.#pending = new Batch();
      return undefined;
    } catch (error) {
      return Promise.reject(this.#outage.begin(error, 0));
    }
  }

  #append(batch: Batch): void {
    this.#writer.append(batch.line);
    if (this.options.sync === 'interval') this.#syncTimer ??= setTimeout(() => void this.#syncLater(), INTERVAL);
  }

  async #syncLater(): Promise<void> {
    this.#syncTimer = undefined;
    const file = this.#writer.file!;
    try {
      await file.sync();
      file.checkPlace();
    } catch (error) {
      // What takes its place is on the disk.
      if (file.isClosed) return;
      this.#writer.needSnapshot();
      this.#outage.begin(error, 0);
    }
  }

  /** Writes what is pending. */
  #begin(): Promise<void> {
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
      if (!this.#pending.isEmpty && !this.#outage.now) void this.#begin();
    });
    return this.#work;
  }

  async #run(): Promise<void> {
    for (;;) {
      if (this.#writer.isSwapDue) await this.#writer.swap();
      else if (this.#pending.isEmpty && !this.#outage.now) return;
      else if (!(await this.#keep())) return;
    }
  }

  /** Whether what was pending is in the file. */
  async #keep(): Promise<boolean> {
    const start = performance.now();
    const batch = this.#pending;
    this.#pending = new Batch();
    this.#current = batch;
    try {
      await this.#write(batch);
    } catch (error) {
      const failure = this.#outage.begin(error, performance.now() - start);
      for (const refused of [batch, this.#pending]) refused.refuse(failure);
      batch.follow(this.#pending);
      this.#pending = batch;
      return false;
    } finally {
      this.#current = undefined;
    }
    this.#outage.over();
    batch.done();
    return true;
  }

  async #write(batch: Batch): Promise<void> {
    // A snapshot of now has the batch too.
    if (!this.#writer.canAppend()) return this.#writer.rewrite();
    this.#append(batch);
    if (this.options.sync === 'interval') return;
    await this.#writer.file!.sync().catch((error: unknown) => {
      // Nobody knows what is on the disk then.
      this.#writer.needSnapshot();
      throw error;
    });
  }
}
