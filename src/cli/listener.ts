import type { IncomingMessage, RequestListener } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import {
  type AdminAccess,
  admitsConsole,
  type HostHints,
  lacksToken,
  refuseAdmin,
  refuseCallback,
  type Sandbox,
} from '../engine/index.js';
import { closeAfterPage } from './network/caller.js';
import { answerError, answerMalformed, hostCheck } from './unreadable.js';

/** What the hints of all requests of a server share. */
interface HintSource {
  readonly access: AdminAccess;
  readonly callerOf: (incoming: IncomingMessage) => NonNullable<HostHints['caller']>;
}

/**
 * The listener of a server.
 *
 * @param hostname The host of addresses, if a request names none.
 */
export function listenerFor(handle: Sandbox['handle'], source: HintSource, hostname: string): RequestListener {
  const answer = answerBy(handle, source);
  const listener = getRequestListener((request, { incoming }) => answer(request, incoming as IncomingMessage), {
    hostname,
    // The cleanup of the adapter closes a connection half a second after the response if the body is still arriving. The client
    // may not have read the response by then.
    autoCleanupIncoming: false,
    errorHandler: (error) => (error instanceof RequestError ? answerMalformed() : answerError(error)),
  });
  return (incoming, outgoing) => {
    closeAfterPage(incoming, outgoing);
    void listener(incoming, outgoing);
  };
}

/** Answers requests: the console for browsers, and the sandbox for everything else. */
function answerBy(handle: Sandbox['handle'], source: HintSource) {
  const checkHost = hostCheck();
  const { access } = source;
  const answer = (request: Request, incoming: IncomingMessage) =>
    refuseAdmin(request, access, incoming.headers) ?? handle(request, new NodeHints(source, request, incoming));
  return (request: Request, incoming: IncomingMessage): Response | Promise<Response> => {
    const { headers } = incoming;
    const refused = checkHost(request, headers.host) ?? refuseCallback(request, headers);
    if (refused) return refused;
    if (!admitsConsole(request, incoming.url ?? '', access)) return answer(request, incoming);
    const shown = import('./console-files.js').then(({ showConsole }) => showConsole(request));
    return shown.then((response) => response ?? answer(request, incoming));
  };
}

/** What the server knows of a request besides its `Request`. Hints are derived from it, so it has no private fields. */
class NodeHints implements HostHints {
  readonly start = performance.now();
  readonly headers: IncomingMessage['headers'];

  constructor(
    readonly source: HintSource,
    readonly request: Request,
    readonly incoming: IncomingMessage,
  ) {
    this.headers = incoming.headers;
  }

  /** A dialect chooses the name, so it may be `constructor`, or the one header that Node lists. */
  header(name: string): string | undefined {
    // Not `this.headers`: derived hints may have replaced it with a `Headers` object.
    const { headers } = this.incoming;
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof value === 'object' ? value.join(', ') : value;
  }

  get caller(): NonNullable<HostHints['caller']> {
    return this.source.callerOf(this.incoming);
  }

  get isStranger(): boolean {
    return lacksToken(this.request, this.source.access, this.incoming.headers);
  }

  /** Ends the connection without a complete response. */
  cut(how: 'reset' | 'close'): Response {
    const { socket } = this.incoming;
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return RESPONSE_ALREADY_SENT;
  }

  elapsed(): number {
    return performance.now() - this.start;
  }

  hasLeft(): boolean {
    return this.incoming.socket.destroyed;
  }
}
