import { ftruncateSync, statSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Milliseconds for which a path is trusted to lead to the file, so that a busy server does not look each time. */
const TRUST = 50;

/** A file in which a snapshot is followed by changes: one line for those that were written together. */
export class LogFile {
  #end: number;
  #seen = -Infinity;
  #isCut = false;
  #isClosed = false;

  private constructor(
    readonly path: string,
    readonly handle: FileHandle,
    /** Bytes of the snapshot. */
    readonly snapshot: number,
    end: number,
    readonly mark: string,
  ) {
    this.#end = end;
  }

  /** @param end Bytes that are whole. What follows is cut off before the first line is written. */
  static async open(path: string, handle: FileHandle, snapshot: number, end: number): Promise<LogFile> {
    return new LogFile(path, handle, snapshot, end, markOf(await handle.stat()));
  }

  /** Bytes of the changes. */
  get changes(): number {
    return this.#end - this.snapshot;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether the path leads to it and nothing else does. Somebody may have moved or removed it, or its folder. */
  isInPlace(): boolean {
    if (this.#isClosed) return false;
    const now = performance.now();
    if (now - this.#seen < TRUST) return true;
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found?.nlink !== 1 || markOf(found) !== this.mark) return false;
    this.#seen = now;
    return true;
  }

  /** @throws {Error} if the path leads elsewhere. */
  checkPlace(): void {
    if (!this.isInPlace()) throw new Error('the file was moved or removed');
  }

  /** Writes text to the end. If it throws, the file ends where it ended. */
  append(text: string): void {
    const { fd } = this.handle;
    const bytes = Buffer.from(text);
    try {
      if (!this.#isCut) ftruncateSync(fd, this.#end);
      this.#isCut = true;
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, this.#end + at);
    } catch (error) {
      this.#seen = -Infinity;
      this.#cut(fd);
      throw error;
    }
    this.#end += bytes.length;
  }

  #cut(fd: number): void {
    try {
      ftruncateSync(fd, this.#end);
    } catch {
      // A torn line at the end is passed over when it is read, and the next one is written over it.
    }
  }

  sync(): Promise<void> {
    return this.handle.datasync();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.handle.close().catch(() => {});
  }
}

function markOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}
