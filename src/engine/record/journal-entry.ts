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

/** A scenario that was requested or struck. */
export interface EntryScenario {
  readonly id: string;
  readonly source: string;
  /** Whether it struck. A header may request a scenario that does not strike. */
  readonly struck: boolean;
  readonly phase?: string;
  /** What the host did instead, if it cannot produce the fault. */
  readonly as?: string;
  /** Other scenarios that struck the same request: a slow response may also be a refusal. */
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
