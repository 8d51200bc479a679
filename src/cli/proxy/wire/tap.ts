/** The memory for copies of bodies that are passing by, or wait to be checked. */
export class TapRoom {
  #used = 0;

  /**
   * @param maxBody The most bytes of one body.
   * @param max The most bytes of all.
   */
  constructor(
    readonly maxBody: number,
    readonly max: number,
  ) {}

  take(bytes: number): boolean {
    if (this.#used + bytes > this.max) return false;
    this.#used += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#used -= bytes;
  }
}

/** A copy of a body that passes by, as far as there is room for it. */
export class Tap {
  readonly #chunks: Buffer[] = [];
  /** The length of the whole body so far. */
  size = 0;
  #held = 0;
  #isCut = false;
  /** Whether the body was not kept since other bodies took the room, and not for its length. */
  foundNoRoom = false;

  constructor(readonly room: TapRoom) {}

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.#isCut) return;
    const isShort = this.size <= this.room.maxBody;
    if (isShort && this.room.take(chunk.length)) {
      this.#chunks.push(chunk);
      this.#held += chunk.length;
    } else {
      this.foundNoRoom = isShort;
      this.#isCut = true;
      this.release();
    }
  }

  /** The body in memory of its own, so that it can go to another thread; undefined if it was not kept. */
  bytes(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#isCut) return undefined;
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks.length = 0;
    return bytes;
  }

  /** Gives the room back: called when nobody holds the body any longer. */
  release(): void {
    this.#chunks.length = 0;
    this.room.free(this.#held);
    this.#held = 0;
  }
}
