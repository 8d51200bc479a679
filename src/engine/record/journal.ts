/** The last requests of a sandbox: an entry for each, in a ring buffer that listeners and followers can watch. */
/** Request headers of a host: Node's object or the standard `Headers`. */
export type HeaderSource = Readonly<Record<string, string | readonly string[] | undefined>> | Headers;

/**
 * Whether they are the standard ones. Not by `instanceof`: in Node, the first use of `Headers` loads all classes of the
 * web, 9 MB that a server of plain requests never needs.
 */
export function areWebHeaders(source: HeaderSource): source is Headers {
  return typeof source['forEach' as keyof typeof source] === 'function';
}

/** Replaces the rule id for a defect of the sandbox. */
export const INTERNAL_ERROR = 'internal-error';

/** Replaces the rule id where the state could not be kept. */
export const NOT_KEPT = 'not-kept';

/** Replaces the rule id where a page was not permitted to send its request. */
export const PREFLIGHT = 'preflight';

/** A scenario that was requested or struck. */
export interface EntryScenario {
  readonly id: string;
  readonly source: string;
  /** The id of the plan that it comes from. */
  readonly plan?: string;
  /** Whether it was triggered. A header may request one that is not. */
  readonly struck: boolean;
  readonly phase?: string;
  /** What the host did instead, if it cannot produce the fault. */
  readonly as?: string;
  /** Other scenarios that the same request triggered: a slow response may also be a refusal. */
  readonly also?: readonly string[];
}

/** Why a body is not kept: it is too long, or it gave way because the journal was full. */
export type Dropped = 'too-long' | 'evicted';

/** The record of one request. It is created on arrival and completed with the response. */
export interface JournalEntry {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  /** Epoch milliseconds on the sandbox's clock. */
  readonly at: number;
  readonly operation?: string | undefined;
  readonly requestHeaders: HeaderSource;
  /** The body, if it was read and is kept. It is parsed with each access. */
  readonly body?: unknown;
  /** Characters of the body, if it is well-formed JSON. */
  readonly bodyLength?: number;
  readonly bodyDropped?: Dropped;
  /**
   * `open`: the response is not complete yet. `cut`: a scenario ended the connection, or the client left before it had
   * the response.
   */
  state: 'open' | 'answered' | 'cut';
  /** 0 if no response was sent. */
  status: number;
  channel?: string;
  /**
   * The rule that decided; `scenario` for a request with an invalid scenario; `internal-error` for a defect of the
   * sandbox; `not-kept` if the state could not be kept.
   */
  rule?: string;
  /** Why it was refused, in more detail than the response. */
  detail?: string;
  scenario?: EntryScenario;
  /** What the caller may have meant otherwise, though it did not decide the response. */
  warnings?: readonly string[];
  /** Set if a scenario ended the request before the service looked at its credentials and parameters. */
  unread?: true;
  responseHeaders?: Readonly<Record<string, string>>;
  /** The response body, if it is kept. */
  readonly responseBody?: string | Uint8Array;
  /** Characters of a text, bytes of binary data. */
  readonly responseLength?: number;
  readonly responseDropped?: Dropped;
  /** Milliseconds from the arrival of the request to its response, measured by the host. */
  durationMs?: number;
}

/** The entry of a request on arrival. It is a class, so that all entries share one hidden class. */
export class OpenEntry implements JournalEntry {
  state: JournalEntry['state'] = 'open';
  status = 0;
  /** Its position in the journal. */
  turn = -1;
  /** Bytes that it holds without its bodies. */
  texts = 0;
  bodyText: string | undefined = undefined;
  declare bodyLength?: number;
  declare bodyDropped?: Dropped;
  declare responseBody?: string | Uint8Array;
  declare responseLength?: number;
  declare responseDropped?: Dropped;
  declare channel?: string;
  declare rule?: string;
  declare detail?: string;
  declare scenario?: EntryScenario;
  declare warnings?: readonly string[];
  declare unread?: true;
  declare responseHeaders?: Readonly<Record<string, string>>;
  declare durationMs?: number;

  constructor(
    readonly requestId: string,
    readonly method: string,
    readonly url: string,
    readonly at: number,
    readonly operation: string | undefined,
    readonly requestHeaders: JournalEntry['requestHeaders'],
  ) {}

  get body(): unknown {
    return this.bodyText === undefined ? undefined : (JSON.parse(this.bodyText) as unknown);
  }

  dropBodies(): void {
    if (this.bodyText !== undefined) this.bodyDropped = 'evicted';
    if (this.responseBody !== undefined) this.responseDropped = 'evicted';
    this.bodyText = undefined;
    delete this.responseBody;
  }
}

/** A response as the service made it, before the network could break it. */
export interface MadeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** One request of a recording. */
export interface Recorded {
  readonly entry: OpenEntry;
  /** The address that the caller used, where the host takes a part of it away. */
  readonly address: string | undefined;
  /** Whether callbacks may go anywhere. */
  readonly reachesAll: boolean;
  /** The body as it came; undefined if it was not read, or not to its end. */
  text: string | undefined;
  /** Undefined as long as there is none, and if the connection was lost before. */
  made: MadeResponse | undefined;
}

/** Notes what decides the responses of a sandbox, in order. Another implementation plays it again. */
export interface RequestRecording {
  arrive(entry: OpenEntry, address: string | undefined, reachesAll: boolean): Recorded;
  /** A request goes on after it has waited; if it has to wait again, for a promise. */
  resume(recorded: Recorded, now: number): Promise<void> | undefined;
  /** Nothing that is done for a request after this changes the state. */
  over(recorded: Recorded, made: MadeResponse | undefined): void;
}

/** Called twice for each request: on arrival, and when it is answered or cut. */
export type JournalListener = (entry: JournalEntry) => void;

/** Why a journal began: the sandbox was created, or its state was reset or restored. */
type Beginning = 'start' | 'reset' | 'restore';

/** Follows a journal across resets, until its sandbox ends. */
interface JournalFollower {
  readonly entry: JournalListener;
  /** The journal has begun anew, and its ids are counted again. */
  readonly begun: () => void;
  /** The sandbox has ended; the follower is removed. */
  readonly ended: (reason: string) => void;
  /** The clock of the sandbox was moved, frozen or resumed. */
  readonly moved?: () => void;
  /** An operator changed something else, such as `plans`. */
  readonly changed?: (what: string) => void;
}

/** Maximum number of event streams, and of waiting verifications. */
const MOST_PLACES = 100;
const words = { streams: 'event streams are open', waiters: 'verifications wait' };

/** Thrown if too many follow the journal, or wait for requests. */
export class Crowded extends Error {
  override readonly name = 'Crowded';
}

/** The last requests of a sandbox, in a ring buffer. Nothing is copied or masked until it is read. */
export class Journal {
  readonly #ring = new Ring();
  readonly #listeners = new Set<JournalListener>();
  readonly #followers = new Set<JournalFollower>();
  /** Entries of before that are still open: their ids are given to others now. */
  readonly #former = new WeakSet<JournalEntry>();
  #newest: JournalEntry | undefined;
  #ended: string | undefined;
  /** How often it has begun anew, and why the last time. */
  generation = 0;
  beginning: Beginning = 'start';

  arrive(entry: OpenEntry): void {
    this.#ring.add(entry);
    this.#newest = entry;
    if (this.#listeners.size > 0) this.#tell(entry);
  }

  complete(entry: JournalEntry): void {
    if (this.#listeners.size > 0 && !this.#former.has(entry)) this.#tell(entry);
  }

  /** The entries, oldest first. */
  get entries(): readonly JournalEntry[] {
    return this.#ring.all;
  }

  /** Bytes that the entries hold, estimated from above. */
  get bytes(): number {
    return this.#ring.bytes;
  }

  /** Keeps the text of a request body, unless it is too long. */
  keepRequest(entry: OpenEntry, text: string): void {
    this.#ring.keepRequest(entry, text);
  }

  /** Keeps a response body, unless it is too long. */
  keepResponse(entry: OpenEntry, body: string | Uint8Array): void {
    this.#ring.keepResponse(entry, body);
  }

  dropBodies(): void {
    this.#ring.shed(0);
  }

  find(requestId: string): JournalEntry | undefined {
    return this.#ring.all.find((entry) => entry.requestId === requestId);
  }

  /** The last request that arrived since the journal began; `clear` does not forget it. */
  get newest(): JournalEntry | undefined {
    return this.#newest;
  }

  clear(): void {
    this.#ring.clear();
  }

  /** Begins anew after a reset or restore: requests are counted again. */
  begin(why: Beginning): void {
    for (const entry of this.#ring.all) if (entry.state === 'open') this.#former.add(entry);
    this.clear();
    this.#newest = undefined;
    this.generation += 1;
    this.beginning = why;
    for (const { begun } of this.#followers) begun();
  }

  /** Reports that the clock was moved, frozen or resumed. */
  tellClock(): void {
    for (const { moved } of this.#followers) moved?.();
  }

  /** Reports that an operator changed something, by the first part of its path in the admin API. */
  tellChange(path: string): void {
    const what = /^[\w-]*/.exec(path)![0];
    for (const { changed } of this.#followers) changed?.(what);
  }

  /** Ends together with its sandbox. Whoever still waits gets the reason. */
  end(reason: string): void {
    this.#ended = reason;
    const followers = [...this.#followers];
    this.#followers.clear();
    this.#listeners.clear();
    for (const { ended } of followers) ended(reason);
  }

  /** How many follow the journal, and how many wait for requests in it. */
  readonly places = { streams: 0, waiters: 0 };

  /**
   * Takes a place; the returned function gives it up.
   *
   * @throws {Crowded} if there is none.
   */
  take(kind: keyof Journal['places']): () => void {
    const { places } = this;
    if (places[kind] >= MOST_PLACES) throw new Crowded(`${MOST_PLACES} ${words[kind]} already.`);
    places[kind] += 1;
    let left = false;
    return () => {
      if (!left) places[kind] -= 1;
      left = true;
    };
  }

  /** Adds a follower; the returned function removes it. */
  follow(follower: JournalFollower): () => void {
    if (this.#ended !== undefined) {
      follower.ended(this.#ended);
      return () => {};
    }
    this.#followers.add(follower);
    const unlisten = this.listen(follower.entry);
    return () => {
      unlisten();
      this.#followers.delete(follower);
    };
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }
}

/** Maximum number of entries, and of characters or bytes of a body; of a longer body only the length is kept. */
const REMEMBERED = 1000;
const LONGEST_BODY = 65_536;
/** Maximum of bytes of a journal, estimated from above. The oldest bodies are dropped first. */
export const JOURNAL_BYTES = 33_554_432;
/** What an entry holds without its texts. */
const ENTRY_BYTES = 1024;

/** The last entries of a journal, with what they hold in memory. */
export class Ring {
  /** An entry is at its turn, modulo the maximum. */
  #entries: OpenEntry[] = [];
  #next = 0;
  /** The entries before this turn have no bodies any more. */
  #shed = 0;
  /** How many entries hold a binary body: the responses of the caches are shared. */
  readonly #shared = new Map<Uint8Array, number>();
  #bytes = 0;
  /** The headers that were counted last: hosts give the same ones again. */
  #counted: { readonly headers: HeaderSource | undefined; readonly characters: number } = {
    headers: undefined,
    characters: 0,
  };

  constructor(readonly limit = JOURNAL_BYTES) {}

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest first. */
  get all(): readonly OpenEntry[] {
    const oldest = this.#next % REMEMBERED;
    const entries = this.#entries;
    return this.#next <= REMEMBERED ? entries : [...entries.slice(oldest), ...entries.slice(0, oldest)];
  }

  add(entry: OpenEntry): void {
    const turn = this.#next++;
    const former = this.#entries[turn % REMEMBERED];
    if (former) this.#count(former, -1);
    entry.turn = turn;
    entry.texts = ENTRY_BYTES + 2 * (entry.url.length + this.#charactersOf(entry.requestHeaders));
    this.#entries[turn % REMEMBERED] = entry;
    this.#bytes += entry.texts;
    if (this.#bytes > this.limit) this.shed(this.limit);
  }

  clear(): void {
    this.#entries = [];
    this.#shared.clear();
    this.#next = 0;
    this.#shed = 0;
    this.#bytes = 0;
  }

  /** Keeps the text of a body that is well-formed JSON. */
  keepRequest(entry: OpenEntry, text: string): void {
    entry.bodyLength = text.length;
    const dropped = this.#dropOf(entry, text.length);
    if (dropped) entry.bodyDropped = dropped;
    else {
      entry.bodyText = text;
      this.#hold(entry, 2 * text.length);
    }
  }

  keepResponse(entry: OpenEntry, body: string | Uint8Array): void {
    entry.responseLength = body.length;
    const dropped = this.#dropOf(entry, body.length);
    if (dropped) entry.responseDropped = dropped;
    else {
      entry.responseBody = body;
      if (this.#isHeld(entry)) this.#hold(entry, typeof body === 'string' ? 2 * body.length : this.#share(body, 1));
    }
  }

  /** Drops bodies, the oldest first, until the entries hold at most so many bytes. */
  shed(limit: number): void {
    this.#shed = Math.max(this.#shed, this.#next - REMEMBERED);
    for (; this.#bytes > limit && this.#shed < this.#next; this.#shed += 1) {
      const entry = this.#entries[this.#shed % REMEMBERED]!;
      this.#count(entry, -1);
      entry.dropBodies();
      this.#count(entry, 1);
    }
  }

  #charactersOf(headers: HeaderSource): number {
    if (headers !== this.#counted.headers) this.#counted = { headers, characters: charactersOf(headers) };
    return this.#counted.characters;
  }

  /** Why a body of this length is not kept; undefined if it is. */
  #dropOf(entry: OpenEntry, length: number): Dropped | undefined {
    if (length > LONGEST_BODY) return 'too-long';
    return entry.turn < this.#shed && this.#isHeld(entry) ? 'evicted' : undefined;
  }

  #isHeld(entry: OpenEntry): boolean {
    return this.#entries[entry.turn % REMEMBERED] === entry;
  }

  /** Counts bytes of a body that an entry has got. */
  #hold(entry: OpenEntry, bytes: number): void {
    if (!this.#isHeld(entry)) return;
    this.#bytes += bytes;
    if (this.#bytes > this.limit) this.shed(this.limit);
  }

  #count({ texts, bodyText = '', responseBody = '' }: OpenEntry, sign: 1 | -1): void {
    const response = typeof responseBody === 'string' ? 2 * responseBody.length : this.#share(responseBody, sign);
    this.#bytes += sign * (texts + 2 * bodyText.length + response);
  }

  /** The bytes that begin or end to be held. */
  #share(body: Uint8Array, sign: 1 | -1): number {
    const holders = (this.#shared.get(body) ?? 0) + sign;
    if (holders === 0) this.#shared.delete(body);
    else this.#shared.set(body, holders);
    return holders === (sign === 1 ? 1 : 0) ? body.byteLength : 0;
  }
}

function charactersOf(headers: HeaderSource): number {
  let sum = 0;
  if (areWebHeaders(headers)) headers.forEach((value, name) => (sum += name.length + value.length));
  else {
    for (const name in headers) {
      const value = headers[name];
      sum += name.length + (typeof value === 'string' ? value : String(value)).length;
    }
  }
  return sum;
}

/** The number of an entry; they are counted from the start of the sandbox. */
export function numberOf({ requestId }: JournalEntry): number {
  return Number(requestId.slice('req-'.length));
}
