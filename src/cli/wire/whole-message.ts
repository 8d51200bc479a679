import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { http } from '../network/http.js';
import { KnownHeaders } from './known-heads.js';

/** Answers one request of a server. */
export type Listener = (incoming: WholeMessage, outgoing: ServerResponse) => void;

const { IncomingMessage } = http;

/** The largest body that is awaited before a request is answered. */
const LARGEST = 65_536;

/** Properties that Node does not document: whether the body is not read any more, and the state of the stream. */
const DUMPED = '_dumped';
const STATE = '_readableState';

const decoder = new TextDecoder();

/**
 * A request that can give its body as soon as it has come. Most bodies come in one piece with their head; the machinery
 * of streams takes as long for one as to book a tee time.
 */
export class WholeMessage extends IncomingMessage {
  declare [DUMPED]: boolean;
  declare [STATE]: Record<'ended' | 'endEmitted' | 'destroyed' | 'closed' | 'closeEmitted', boolean>;
  /** The answer, if it was made without the listener that is to send it. */
  answer?: Response | Promise<Response>;
  private missing = 0;
  private pieces: Buffer[] = [];
  private came: ((body: string | undefined) => void) | undefined;
  /** The headers, after they were read; the accessor of `headers` has them here. */
  known: IncomingHttpHeaders | undefined;

  static {
    // Node declares a property and has an accessor. If another Node has none, it reads the headers itself.
    const inherited = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers');
    if (inherited?.get) Object.defineProperty(this.prototype, 'headers', knownHeaders(inherited.get));
  }

  /**
   * Calls back with the body when it has come whole. If it does not come at once, calls back with undefined, and the
   * body can be read as a stream. To be called as the head arrives.
   */
  whenWhole(length: number, came: (body: string | undefined) => void): void {
    if (length > LARGEST) return came(undefined);
    this.missing = length;
    this.came = came;
    process.nextTick(() => {
      if (this.came && this.missing > 0) this.#giveUp();
    });
  }

  /**
   * Ends a message whose body nobody will read as a stream, as Node 24 does with `optimizeEmptyRequests`. Without it, each
   * message goes through the steps of a stream to its end.
   */
  endUnread(): void {
    const state = this[STATE];
    this[DUMPED] = true;
    state.ended = true;
    state.endEmitted = true;
    state.destroyed = true;
    state.closed = true;
    state.closeEmitted = true;
  }

  override push(chunk: Buffer | null): boolean {
    const { came, pieces } = this;
    if (!came) return super.push(chunk);
    if (chunk) {
      this.missing -= chunk.byteLength;
      return pieces.push(chunk) > 0;
    }
    this.came = undefined;
    this.endUnread();
    came(decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)));
    return false;
  }

  #giveUp(): void {
    const { came, pieces } = this;
    this.came = undefined;
    for (const piece of pieces) super.push(piece);
    came!(undefined);
  }
}

/** The headers of a message, read by the accessor of Node if they are not known. */
function knownHeaders(
  read: () => IncomingHttpHeaders,
): PropertyDescriptor & ThisType<{ known: IncomingHttpHeaders | undefined; readonly rawHeaders: string[] }> {
  const headers = new KnownHeaders();
  return {
    configurable: true,
    get() {
      return (this.known ??= headers.find(this.rawHeaders) ?? headers.keep(this.rawHeaders, read.call(this)));
    },
    set(value: IncomingHttpHeaders) {
      this.known = value;
    },
  };
}
