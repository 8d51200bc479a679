import { areWebHeaders, type Dropped, type HeaderSource, type OpenEntry } from './journal-entry.js';

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
