/** One message that arrived at the inbox. */
export interface InboxMessage {
  /** ISO 8601, UTC, on the sandbox's clock. */
  readonly at: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as received. */
  readonly text: string;
}

interface StoredMessage {
  readonly message: InboxMessage;
  /** Characters of body and headers. */
  readonly size: number;
  /** Counts the messages of all names. */
  readonly turn: number;
}

const MOST_NAMES = 100;
const MOST_MESSAGES = 100;
/** Characters of all messages together; the largest result of a search has 55 million. */
export const INBOX_SIZE = 67_108_864;

/** The messages posted to the sandbox itself, by name. The oldest are evicted first. */
export class Inbox {
  /** In the order of their newest message. */
  readonly #names = new Map<string, StoredMessage[]>();
  #size = 0;
  #turn = 0;

  /** Characters of all messages. */
  get size(): number {
    return this.#size;
  }

  /** The names with messages, least recently used first. */
  get names(): readonly { readonly name: string; readonly count: number }[] {
    return [...this.#names].map(([name, kept]) => ({ name, count: kept.length }));
  }

  /** The messages of a name, oldest first; empty for an unknown name. */
  messages(name: string): readonly InboxMessage[] {
    return (this.#names.get(name) ?? []).map(({ message }) => message);
  }

  take(name: string, message: InboxMessage): void {
    const size = message.text.length + JSON.stringify(message.headers).length;
    const kept = this.#names.get(name) ?? [];
    kept.push({ message, size, turn: ++this.#turn });
    this.#size += size;
    this.#names.delete(name);
    this.#names.set(name, kept);
    if (kept.length > MOST_MESSAGES) this.#dropFirst(name);
    const [idle] = this.#names.keys();
    if (this.#names.size > MOST_NAMES) this.empty(idle);
    while (this.#size > INBOX_SIZE && this.#turnOf(this.#oldest) < this.#turn) this.#dropFirst(this.#oldest);
  }

  /** Deletes the messages of a name, or all. */
  empty(name?: string): void {
    for (const one of name === undefined ? [...this.#names.keys()] : [name]) {
      while (this.#names.has(one)) this.#dropFirst(one);
    }
  }

  /** The name with the oldest message. */
  get #oldest(): string {
    return [...this.#names.keys()].reduce((a, b) => (this.#turnOf(b) < this.#turnOf(a) ? b : a));
  }

  #turnOf(name: string): number {
    return this.#names.get(name)![0]!.turn;
  }

  #dropFirst(name: string): void {
    const kept = this.#names.get(name)!;
    this.#size -= kept.shift()!.size;
    if (kept.length === 0) this.#names.delete(name);
  }
}
