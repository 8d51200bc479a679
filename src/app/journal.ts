/** Request headers as a host has them: Node's own object, or the standard one. */
export type HeaderSource = Readonly<Record<string, string | readonly string[] | undefined>> | Headers;

/** A scenario as it met a request. */
export interface ExchangeScenario {
  readonly id: string;
  readonly source: string;
  /** Whether it struck; a header may ask in vain. */
  readonly struck: boolean;
  readonly phase?: string;
  /** What the host did in its place, where it cannot do that very thing. */
  readonly as?: string;
  /** Others that struck the same request: what is slow may be refused as well. */
  readonly also?: readonly string[];
}

/** What happened to one request: written at its arrival, completed when it is answered. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  /** Epoch milliseconds on the sandbox's clock. */
  readonly at: number;
  readonly operation?: string | undefined;
  readonly requestHeaders: HeaderSource;
  /** The parsed body, once it was read. */
  body?: unknown;
  /** `cut`: it was left without an answer on purpose. */
  state: 'open' | 'answered' | 'cut';
  /** 0 without an answer. */
  status: number;
  channel?: string;
  /** The rule that decided; for what asks for a scenario that does not fit, `scenario`. */
  rule?: string;
  /** Why it was refused, in more words than the answer has. */
  detail?: string;
  scenario?: ExchangeScenario;
  responseHeaders?: Readonly<Record<string, string>>;
  /** The answer's body, unless it is longer than is kept. */
  responseBody?: string | Uint8Array;
  /** In characters or bytes, as it was made. */
  responseLength?: number;
  /** What the host measured from the arrival of the request to its answer. */
  durationMs?: number;
}

/** Told of each request twice: as it arrives, and as it is answered or cut. */
export type JournalListener = (exchange: Exchange) => void;

/** Exchanges remembered; of a longer body only the length is. */
const REMEMBERED = 1000;
export const LONGEST_BODY = 65_536;

/** The last requests of a sandbox, in a ring; nothing is copied or masked before somebody looks. */
export class Journal {
  readonly #ring: Exchange[] = [];
  readonly #listeners = new Set<JournalListener>();
  #next = 0;

  arrive(exchange: Exchange): void {
    this.#ring[this.#next] = exchange;
    this.#next = (this.#next + 1) % REMEMBERED;
    if (this.#listeners.size > 0) this.#tell(exchange);
  }

  complete(exchange: Exchange): void {
    if (this.#listeners.size > 0) this.#tell(exchange);
  }

  /** The exchanges remembered, oldest first. */
  get exchanges(): readonly Exchange[] {
    const ring = this.#ring;
    return ring.length < REMEMBERED ? ring : [...ring.slice(this.#next), ...ring.slice(0, this.#next)];
  }

  find(requestId: string): Exchange | undefined {
    return this.#ring.find((exchange) => exchange.requestId === requestId);
  }

  clear(): void {
    this.#ring.length = 0;
    this.#next = 0;
  }

  /** How many listen. */
  get listening(): number {
    return this.#listeners.size;
  }

  /** Tells of what happens from now on, until the function it gives back is called. */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(exchange: Exchange): void {
    for (const listener of this.#listeners) listener(exchange);
  }
}
