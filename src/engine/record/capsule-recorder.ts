import type { Booking } from '../model/booking.js';
import type { MadeResponse, OpenEntry, Recorded, RequestRecording } from './journal.js';
import type { SavePoint } from '../state/state.js';

/** Maximum of what a recording keeps. The oldest part is dropped as a whole, up to its next save point. */
const MOST_REQUESTS = 1000;
const MOST_BYTES = 16_777_216;
/** Of a part: with more of it, a save point is due. */
const PART_REQUESTS = 250;
const PART_BYTES = 4_194_304;
/** Characters of a response that is kept only as long as there is room for it among others of its like. */
const LONG = 65_536;
const LONG_BYTES = 4_194_304;
/** What a step holds without its texts. */
const STEP_BYTES = 1024;

/** One request with its response. A class, so that all share one hidden class. */
export class RecordedRequest implements Recorded {
  readonly kind = 'request';
  text: string | undefined = undefined;
  made: MadeResponse | undefined = undefined;
  isOver = false;
  /** Of a response that is too long to be kept. */
  length: number | undefined = undefined;
  /** How often it has gone on, and the last instant that it has seen. */
  resumed = 0;
  now: number;

  constructor(
    readonly entry: OpenEntry,
    readonly address: string | undefined,
    readonly reachesAll: boolean,
  ) {
    this.now = entry.at;
  }
}

/** Something that decides responses, in the order in which it happened. */
export type RecordedStep =
  | RecordedRequest
  /** A request went on while others were answered, or the clock had moved. */
  | { readonly kind: 'resume'; readonly of: string; readonly turn: number; readonly at: number }
  | { readonly kind: 'clock'; readonly at: number }
  /** What an operator did, as a call of the admin API. */
  | {
      readonly kind: 'admin';
      readonly at: number;
      readonly method: string;
      readonly path: string;
      readonly body?: unknown;
    };

/** A booking that was cancelled or paid for after a savePoint: neither is ever undone. */
export type RecordedBooking = readonly [booking: Booking, event: 'canceled' | 'paid'];

/** What happened from one save point to the next. */
interface Part {
  readonly savePoint: SavePoint;
  readonly steps: RecordedStep[];
  readonly events: RecordedBooking[];
  /** Its binary bodies: the responses of the caches are shared. */
  readonly shared: Set<Uint8Array>;
  requests: number;
  bytes: number;
}

/** Keeps the last requests of a sandbox, and a save point before them, from which they can be played again. */
export class CapsuleRecorder implements RequestRecording {
  #parts: Part[] = [];
  /** The requests with long responses, the oldest first. */
  #long: RecordedRequest[] = [];
  #longBytes = 0;
  #open = 0;
  /** Who acted last. */
  #last: RecordedRequest | undefined;
  /** The instant at which the baseline of the sandbox was made. */
  plantedAt = 0;

  constructor(
    readonly savePoint: () => SavePoint,
    readonly now: () => number,
  ) {}

  /** Begins anew, at the state of now. `planted`: that is the baseline. */
  begin(planted: boolean): void {
    if (planted) this.plantedAt = this.now();
    this.#drop();
    this.#turn();
  }

  arrive(entry: OpenEntry, address: string | undefined, reachesAll: boolean): RecordedRequest {
    const request = new RecordedRequest(entry, address, reachesAll);
    this.#open += 1;
    const part = this.#add(request, 2 * entry.url.length);
    if (part) part.requests += 1;
    this.#last = request;
    return request;
  }

  resume(recorded: Recorded, now: number): Promise<void> | undefined {
    const request = recorded as RecordedRequest;
    request.resumed += 1;
    if (this.#last !== request || request.now !== now) {
      this.#add({ kind: 'resume', of: request.entry.requestId, turn: request.resumed, at: now });
    }
    request.now = now;
    this.#last = request;
    return undefined;
  }

  over(recorded: Recorded, made: MadeResponse | undefined): void {
    const request = recorded as RecordedRequest;
    this.#open -= 1;
    request.made = made;
    request.isOver = true;
    const part = this.#parts.at(-1);
    const length = made?.body.length ?? 0;
    if (part) part.bytes += 2 * (request.text?.length ?? 0) + (length > LONG ? 0 : bytesIn(part, made?.body));
    if (length > LONG) this.#keepLong(request, length);
    // Only now: a request that is under way would be cut in two.
    if (this.#open === 0 && this.#isDue()) this.#turn();
  }

  /** Notes a move of the clock, or what an operator did. */
  note(step: RecordedStep): void {
    this.#add(step);
    this.#last = undefined;
  }

  noteBooking(booking: Booking, event: 'canceled' | 'paid'): void {
    this.#parts.at(-1)?.events.push([booking, event]);
  }

  /** Everything since the oldest save point; where that was lost, since now. */
  get recorded(): {
    readonly savePoint: SavePoint;
    readonly steps: RecordedStep[];
    readonly events: RecordedBooking[];
  } {
    const [first] = this.#parts;
    return {
      savePoint: first?.savePoint ?? this.savePoint(),
      steps: this.#parts.flatMap(({ steps }) => steps),
      events: this.#parts.flatMap(({ events }) => events),
    };
  }

  /** Bytes that it holds, estimated from above. */
  get bytes(): number {
    let sum = this.#longBytes;
    for (const { bytes } of this.#parts) sum += bytes;
    return sum;
  }

  /** Forgets everything up to the end of the next request. */
  forget(): void {
    this.#drop();
  }

  #isDue(): boolean {
    const part = this.#parts.at(-1);
    return !part || part.requests >= PART_REQUESTS || part.bytes >= PART_BYTES;
  }

  #turn(): void {
    this.#parts.push({ savePoint: this.savePoint(), steps: [], events: [], shared: new Set(), requests: 0, bytes: 0 });
    const isTooMuch = () =>
      this.bytes - this.#longBytes > MOST_BYTES ||
      this.#parts.reduce((sum, { requests }) => sum + requests, 0) > MOST_REQUESTS;
    while (this.#parts.length > 1 && isTooMuch()) this.#parts.shift();
  }

  /** Without a moment at which no request is under way, there is no savePoint: then all of it is dropped. */
  #add(step: RecordedStep, bytes = 0): Part | undefined {
    const part = this.#parts.at(-1);
    if (!part) return undefined;
    part.steps.push(step);
    part.bytes += STEP_BYTES + bytes;
    if (part.bytes <= MOST_BYTES && part.requests <= MOST_REQUESTS) return part;
    this.#drop();
    return undefined;
  }

  #drop(): void {
    this.#parts = [];
    this.#long = [];
    this.#longBytes = 0;
    this.#last = undefined;
  }

  #keepLong(request: RecordedRequest, length: number): void {
    this.#long.push(request);
    this.#longBytes += 2 * length;
    while (this.#longBytes > LONG_BYTES) {
      const old = this.#long.shift()!;
      const { status, headers, body } = old.made!;
      old.length = body.length;
      old.made = { status, headers, body: '' };
      this.#longBytes -= 2 * body.length;
    }
  }
}

/** The bytes that a body adds to a part. */
function bytesIn({ shared }: Part, body: string | Uint8Array = ''): number {
  if (typeof body === 'string') return 2 * body.length;
  if (shared.has(body)) return 0;
  shared.add(body);
  return body.byteLength;
}
