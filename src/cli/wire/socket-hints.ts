import type { IncomingMessage } from 'node:http';
import { type AdminAccess, type HostHints, lacksToken } from '../../engine/index.js';
import { writeQueued } from './answer-queue.js';
import { PlainAnswer } from './plain-answer.js';

/** What the hints of all requests of a server share. */
export interface HintSource {
  readonly access: AdminAccess;
  readonly callerOf: (incoming: IncomingMessage) => NonNullable<HostHints['caller']>;
}

/** What a server knows of a request beside its `Request`. Others are derived from it, so that it has no private fields. */
export abstract class SocketHints implements HostHints {
  /** What tells the server to send nothing more. */
  protected abstract readonly nothing: Response;

  readonly start = performance.now();
  readonly headers: IncomingMessage['headers'];

  constructor(
    readonly source: HintSource,
    readonly request: Request,
    readonly incoming: IncomingMessage,
  ) {
    this.headers = incoming.headers;
  }

  /** A dialect chooses the name, so that it may be `constructor`, or the one header that Node lists. */
  header(name: string): string | undefined {
    // Not `this.headers`, in place of which others may have put a `Headers` of their own.
    const { headers } = this.incoming;
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof value === 'object' ? value.join(', ') : value;
  }

  get caller(): NonNullable<HostHints['caller']> {
    return this.source.callerOf(this.incoming);
  }

  get isStranger(): boolean {
    return lacksToken(this.request, this.source.access);
  }

  /** Ends the connection without a complete response. */
  cut(how: 'reset' | 'close'): Response {
    const { socket } = this.incoming;
    writeQueued(); // A client that sends several requests at once gets the answers to those before.
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return this.nothing;
  }

  elapsed(): number {
    return performance.now() - this.start;
  }

  hasLeft(): boolean {
    return this.incoming.socket.destroyed;
  }
}

/** In place of an answer, when nothing more is to be sent. */
export const NOTHING = {} as Response;

/** The hints of a request whose answer needs no `Response`. */
export class PlainHints extends SocketHints {
  constructor(
    source: HintSource,
    request: Request,
    incoming: IncomingMessage,
    readonly body: string | undefined,
    private readonly whenLoaded: () => Promise<unknown>,
  ) {
    super(source, request, incoming);
  }

  get nothing(): Response {
    return NOTHING;
  }

  respond(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Response {
    return new PlainAnswer(status, headers, body) as unknown as Response;
  }

  async whole(answer: Response): Promise<Response> {
    if (!(answer instanceof PlainAnswer)) return answer;
    await this.whenLoaded();
    const { status, headers, body }: PlainAnswer = answer;
    return new Response(body as BodyInit, { status, headers });
  }
}
