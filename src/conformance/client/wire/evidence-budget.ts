import type { JsonMeter } from '../../../common/index.js';
import { NotAllowed } from '../outcome.js';

const MIB = 1024 * 1024;
/** What of the budget a search through the deployment may use, so that the other rules have the rest. */
const SHARE_OF_SEARCHES = 0.75;

/** An answer of more bytes is large: those of an ordinary service have a tenth of it. */
const ORDINARY = 512 * 1024;
/** What of the budget large answers may use. */
const SHARE_OF_LARGE = 0.4;

/** Why a text is not read: by itself, or beside all that was read before. */
export interface Overload {
  readonly reason: 'too-large' | 'evidence';
  readonly why: string;
}

/** What was taken at a moment. */
export interface EvidenceMark {
  readonly used: number;
  readonly large: number;
}

/** The room for answers and deliveries: a run keeps them all, since its rules compare them. */
export class EvidenceBudget {
  #used = 0;
  #large = 0;
  #isSpent = false;

  /** @param max Bytes. */
  constructor(readonly max = Infinity) {}

  get error(): NotAllowed {
    return new NotAllowed('evidence', `room for more answers than ${inMiB(this.max)} MiB (max-evidence)`);
  }

  /** Whether a search should end with what it has found. */
  get isLow(): boolean {
    return this.isUsed(SHARE_OF_SEARCHES);
  }

  /** Whether more than a share of the room is taken, or of that for large answers, such as 0.5 for half of it. */
  isUsed(share: number): boolean {
    return this.#used > this.max * share || this.#large > this.max * SHARE_OF_LARGE * share;
  }

  /** @throws {NotAllowed} after an answer for which there was no room. */
  readonly ready = (): void => {
    if (this.#isSpent) throw this.error;
  };

  /** Gives back the room of a text that is no longer kept. */
  free({ bytes }: Pick<JsonMeter, 'bytes'>): void {
    this.#used -= bytes;
    if (bytes > ORDINARY) this.#large -= bytes;
  }

  /** Gives back the room of the text alone, which is made again from its JSON. Returns the bytes that are still taken. */
  freeText({ bytes, bytesOfText }: JsonMeter): number {
    this.free({ bytes });
    this.#add(bytes - bytesOfText);
    return bytes - bytesOfText;
  }

  /** What is taken at this moment, for {@link freeSince}. */
  get mark(): EvidenceMark {
    return { used: this.#used, large: this.#large };
  }

  /** Gives back the room of everything that was taken since a moment. */
  freeSince({ used, large }: EvidenceMark): void {
    [this.#used, this.#large] = [used, large];
  }

  /** Why a text of this size is not read; undefined where there is room for it. */
  refusalOf({ bytes, fault }: JsonMeter): Overload | undefined {
    if (fault !== undefined) return tooLarge(fault);
    if (bytes > this.max) return tooLarge(`it takes more than ${inMiB(this.max)} MiB to read (max-evidence)`);
    const hasRoom = bytes <= ORDINARY || this.#large + bytes <= this.max * SHARE_OF_LARGE;
    if (hasRoom && this.#used + bytes <= this.max) return undefined;
    return { reason: 'evidence', why: `there is no room for it within ${inMiB(this.max)} MiB (max-evidence)` };
  }

  /** Takes the room for a text of this size; says why where there is none. */
  take(size: JsonMeter): Overload | undefined {
    const refusal = this.refusalOf(size);
    if (!refusal) this.#add(size.bytes);
    else if (refusal.reason === 'evidence') this.#isSpent = true;
    return refusal;
  }

  #add(bytes: number): void {
    this.#used += bytes;
    if (bytes > ORDINARY) this.#large += bytes;
  }
}

function tooLarge(why: string): Overload {
  return { reason: 'too-large', why };
}

const BYTES_OF_HEADER = 200;

/** What headers take in memory: each is an entry of several objects. */
export function bytesOf(headers: Headers): number {
  return [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + BYTES_OF_HEADER, 0);
}

/** Bytes as MiB, for messages. */
export function inMiB(bytes: number): number {
  return Number((bytes / MIB).toFixed(3));
}
