import type { JsonMeter } from '../../../common/index.js';
import type { Reply } from '../exchange.js';
import type { KeptBody } from '../kept-body.js';
import { NotAllowed } from '../outcome.js';
import { EvidenceBudget } from './evidence-budget.js';

/** An answer as it came. The run and its scout each make a reply of it. */
export interface Arrival extends Pick<Reply, 'status' | 'headers' | 'encoding'> {
  readonly body: KeptBody;
  readonly size?: JsonMeter | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly at: number;
}

type Coming = Promise<Arrival | undefined>;

/** A request with its answer, if it gets one that can be used. */
interface Entry {
  arrival: Coming;
  /** Whether it was sent before the run asked for it. */
  isEarly: boolean;
  /** The answer that the run gets itself, where it asks before the scout could send. */
  own?: Coming;
}

/** The requests that are alike, in the order in which they are sent. */
interface Alike {
  readonly entries: Entry[];
  /** How many of them the run has asked for, and the scout. */
  taken: number;
  seen: number;
}

/** What the run gets for a request: an answer that is on its way, or a place for the one that it gets itself. */
export interface Turn {
  readonly early: Coming | undefined;
  readonly settle: (arrival?: Arrival) => void;
}

/** Why a run goes on with one request at a time. */
export type Setback = 'limited' | 'network';

/** The most requests that are sent before the run asks for them: it may never do so. */
const MOST_EARLY = 100;
/** What of the room for answers they may take besides. */
const SHARE_OF_ROOM = 0.125;

/**
 * Reads that are sent before the run asks for them, several at a time. A scout evaluates rules at the same time as the run, only
 * to learn what they ask for. The run itself takes one answer after another in its own order, and sends what the scout has not
 * foreseen. So nothing that it finds depends on the number of requests at a time.
 */
export class ReadAhead {
  readonly #alike = new Map<string, Alike>();
  readonly #stop = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  #waiting: (() => void)[] = [];
  #active = 0;
  #early = 0;
  #used = 0;
  #isOpen = false;
  #isResting = false;
  #setback: Setback | undefined;
  /** The room for answers that the run has not asked for yet. */
  readonly room: EvidenceBudget;

  /**
   * @param width The most requests at a time.
   * @param maxEvidence The room for all answers of the run, in bytes.
   * @param mayMore Whether another request may be sent early, after so many that the run did not need so far.
   */
  constructor(
    readonly width: number,
    maxEvidence: number,
    readonly mayMore: (unneeded: number) => boolean,
  ) {
    this.room = new EvidenceBudget(maxEvidence * SHARE_OF_ROOM);
  }

  /** Gives up what is under way. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Requests that were sent early, and that the run has not asked for. */
  get unneeded(): number {
    return this.#early - this.#used;
  }

  /** Why a run that has read early no longer does. */
  get setback(): Setback | undefined {
    return this.#early > 0 ? this.#setback : undefined;
  }

  /** Whether the scout may send. */
  get isOpen(): boolean {
    return this.#isOpen && this.#setback === undefined;
  }

  open(): void {
    this.#isOpen = true;
  }

  /** One request at a time from now on. */
  end(setback: Setback): void {
    if (!this.signal.aborted) this.#setback ??= setback;
    this.#wake();
  }

  /** Ends with the run. */
  stop(): void {
    this.#isOpen = false;
    this.#stop.abort();
    this.#wake();
  }

  /** The next request of the run. */
  next(key: string): Turn {
    const alike = this.#of(key);
    const at = alike.taken;
    alike.taken += 1;
    const entry = alike.entries[at];
    if (entry?.isEarly) {
      const early = entry.arrival.then((arrival) => this.#use(arrival));
      return { early, settle: (arrival) => void (entry.arrival = Promise.resolve(arrival)) };
    }
    let settle: Turn['settle'] = () => {};
    const arrival: Coming = new Promise((resolve) => (settle = resolve));
    if (entry) entry.own = arrival;
    else alike.entries[at] = { arrival, isEarly: false };
    this.#wake();
    return { early: undefined, settle };
  }

  /**
   * The next answer for the scout: one that the run has got, or that of a request which is sent now.
   *
   * @throws {NotAllowed} where there is none.
   */
  async foresee(key: string, send: () => Coming): Promise<Arrival> {
    const alike = this.#of(key);
    const at = alike.seen;
    alike.seen += 1;
    const entry = (alike.entries[at] ??= this.#sendEarly(alike.entries[at - 1], send));
    const arrival = await entry.arrival;
    if (!arrival) throw unforeseen();
    return arrival;
  }

  /** Does what the run itself sends, beside what is under way. */
  async among<T>(work: () => Promise<T>): Promise<T> {
    while (this.#active >= this.width) await this.#change();
    return this.#count(work);
  }

  /**
   * Does what changes something: alone, and what was read before is not used after it.
   *
   * @param isOver Whether nothing is read early after it, until {@link open}.
   */
  async alone<T>(isOver: boolean, work: () => Promise<T>): Promise<T> {
    this.#isResting = true;
    if (isOver) this.#isOpen = false;
    try {
      await Promise.allSettled(this.#underWay);
      this.#drop();
      return await work();
    } finally {
      this.#isResting = false;
      this.#wake();
    }
  }

  #of(key: string): Alike {
    const known = this.#alike.get(key) ?? { entries: [], taken: 0, seen: 0 };
    this.#alike.set(key, known);
    return known;
  }

  #sendEarly(before: Entry | undefined, send: () => Coming): Entry {
    const entry: Entry = { arrival: Promise.resolve(undefined), isEarly: false };
    entry.arrival = this.#whenFree(entry, before, send);
    return entry;
  }

  async #whenFree(entry: Entry, before: Entry | undefined, send: () => Coming): Coming {
    await before?.arrival;
    const isFull = (): boolean =>
      this.#isResting || this.#active >= this.width || this.unneeded >= MOST_EARLY || !this.mayMore(this.unneeded);
    while (this.isOpen && !entry.own && isFull()) await this.#change();
    if (entry.own) return entry.own;
    if (!this.isOpen) return undefined;
    entry.isEarly = true;
    this.#early += 1;
    return this.#count(() => send().catch(() => undefined));
  }

  async #count<T>(work: () => Promise<T>): Promise<T> {
    this.#active += 1;
    const done = work();
    this.#underWay.add(done);
    try {
      return await done;
    } finally {
      this.#underWay.delete(done);
      this.#active -= 1;
      this.#wake();
    }
  }

  #use(arrival: Arrival | undefined): Arrival | undefined {
    if (!arrival) return undefined;
    this.#used += 1;
    if (arrival.size) this.room.free(arrival.size);
    this.#wake();
    return arrival;
  }

  #drop(): void {
    for (const alike of this.#alike.values()) {
      for (const { arrival } of alike.entries.splice(alike.taken)) {
        void arrival.then((one) => one?.size && this.room.free(one.size));
      }
      alike.seen = Math.min(alike.seen, alike.taken);
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

/** The scout asks for something that it cannot have. */
export function unforeseen(): NotAllowed {
  return new NotAllowed('not-allowed', 'an answer that can be had ahead of the run');
}
