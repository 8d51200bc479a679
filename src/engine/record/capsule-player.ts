import type { MadeResponse, OpenEntry, Recorded, RequestRecording } from './journal.js';

/** A recording that also holds requests, so that they go on in the order of a capsule. */
export class Player implements RequestRecording {
  /** The responses, by request; undefined where the connection was lost. */
  readonly made = new Map<string, MadeResponse | undefined>();
  /** Where requests have to wait: `req-3 2`, before it goes on for the second time. */
  readonly #due = new Set<string>();
  readonly #held = new Map<string, () => void>();
  readonly #turns = new Map<string, number>();
  #moving: string | undefined;
  #moved: (() => void) | undefined;

  constructor(
    readonly recording: RequestRecording,
    readonly now: () => number,
  ) {}

  holdAt(of: string, turn: number): void {
    this.#due.add(`${of} ${turn}`);
  }

  /** Sends a request; resolves when it is over, or held. */
  async send(act: () => Promise<unknown>): Promise<void> {
    this.#moving = undefined;
    let sent: Promise<unknown> | undefined;
    const moved = this.#until(() => (sent = act()));
    // What is no request of the service is answered without being recorded.
    await Promise.race([moved, sent!.catch(() => {})]);
  }

  /** Lets a held request go on; resolves when it is over, or held again. Undefined if it is not held. */
  release(of: string, turn: number): Promise<void> | undefined {
    const key = `${of} ${turn}`;
    const go = this.#held.get(key);
    if (!go) return undefined;
    this.#held.delete(key);
    this.#moving = of;
    return this.#until(go);
  }

  /** Holds nothing any more. */
  releaseAll(): void {
    this.#due.clear();
    for (const go of this.#held.values()) go();
    this.#held.clear();
  }

  arrive(entry: OpenEntry, address: string | undefined, reachesAll: boolean): Recorded {
    this.#moving ??= entry.requestId;
    return this.recording.arrive(entry, address, reachesAll);
  }

  resume(recorded: Recorded, now: number): Promise<void> | undefined {
    const of = recorded.entry.requestId;
    const turn = (this.#turns.get(of) ?? 0) + 1;
    this.#turns.set(of, turn);
    const key = `${of} ${turn}`;
    if (!this.#due.has(key)) return this.recording.resume(recorded, now);
    const held = new Promise<void>((go) => void this.#held.set(key, go));
    this.#settle(of);
    return held.then(() => this.recording.resume(recorded, this.now()));
  }

  over(recorded: Recorded, made: MadeResponse | undefined): void {
    this.recording.over(recorded, made);
    this.made.set(recorded.entry.requestId, made);
    this.#settle(recorded.entry.requestId);
  }

  #until(act: () => unknown): Promise<void> {
    return new Promise((resolve) => {
      this.#moved = resolve;
      act();
    });
  }

  #settle(id: string): void {
    if (id === this.#moving) this.#moved?.();
  }
}
