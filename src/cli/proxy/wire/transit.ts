import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Injected, PassedAnswer } from './passed.js';
import { isChunked, type RawHeaders, rawHeader } from './raw-headers.js';
import { Tap, type TapRoom } from './tap.js';

/** Why an answer is not whole. */
export const CUT = 'the connection broke in the middle of the answer';

/** The answer of the deployment, as far as it came. */
export interface TargetAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  /** Whether the body arrived whole. */
  isWhole: boolean;
}

/** One request on its way through the proxy, and what is kept of it. */
export class Transit {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly #start = performance.now();
  readonly sent: Tap;
  readonly answered: Tap;
  answer: TargetAnswer | undefined;
  /** Milliseconds until the answer of the deployment was complete. */
  answerMs: number | undefined;
  /** Why the deployment gave no answer. */
  failure: string | undefined;
  /** Whether the deployment could not be reached at all. */
  isUnreachable = false;
  injected: Injected | undefined;
  /** What the client got instead of the answer of the deployment. */
  seen: PassedAnswer | undefined;
  /** Whether the proxy has ended the connection of the client. */
  wasCut = false;
  /** Whether the client went away before it had the whole answer. */
  clientLeft = false;
  /** The path and query of the request. */
  readonly path: string;
  /** The path and query that go on. */
  onwardPath: string;

  constructor(
    readonly turn: number,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    room: TapRoom,
    now: number,
  ) {
    this.at = now;
    this.sent = new Tap(room);
    this.answered = new Tap(room);
    this.path = originForm(request.url ?? '/');
    this.onwardPath = this.path;
  }

  get id(): string {
    return `x${this.turn + 1}`;
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get headers(): RawHeaders {
    return this.request.rawHeaders;
  }

  /** Whether the request has a body, which may be empty. */
  get hasBody(): boolean {
    return isChunked(this.headers) || !['0', undefined].includes(rawHeader(this.headers, 'content-length'));
  }

  /** Milliseconds since the request came. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** The deployment begins to answer. */
  begin(message: IncomingMessage): void {
    const answer: TargetAnswer = { status: message.statusCode!, headers: message.rawHeaders, isWhole: false };
    this.answer = answer;
    message.on('end', () => {
      answer.isWhole = message.complete && this.failure === undefined;
      this.answerMs = this.elapsed;
    });
    message.on('error', () => {});
    message.on('close', () => {
      if (!message.complete) this.lose(new Error(CUT));
    });
  }

  /** The deployment has ended the connection without a whole answer: so does the proxy. */
  lose(error: NodeJS.ErrnoException): void {
    if (this.response.destroyed) return;
    this.failure = error.message;
    this.cut(error.code === 'ECONNRESET' && error.message !== 'socket hang up' ? 'reset' : 'close');
  }

  /** Ends the connection of the client without a complete answer. */
  cut(how: 'reset' | 'close'): void {
    const { socket } = this.request;
    this.wasCut = true;
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  }
}

/**
 * The path and query of a request; a client that takes this server for its HTTP proxy sends a whole URL. Anything else than `*`
 * begins with a slash: it would otherwise lengthen the host in the URL that a proxy of the environment gets.
 */
function originForm(target: string): string {
  const [, rest = target] = /^https?:\/\/[^/?#]*(.*)/i.exec(target) ?? [];
  return rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
}
