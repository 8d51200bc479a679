import type { IncomingMessage } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { admitsConsole, refuseAdmin, refuseCallback, type Sandbox } from '../../engine/index.js';
import { answerError, answerMalformed, hostCheck } from '../unreadable.js';
import { type HintSource, SocketHints } from './socket-hints.js';
import type { Listener, WholeMessage } from './whole-message.js';

/** How requests are answered that are made into a `Request`. */
export interface WebWay {
  readonly handle: Sandbox['handle'];
  readonly source: HintSource;
  /** The host of addresses, if a request names none. */
  readonly hostname: string;
}

/** Answers requests by way of a `Request` and a `Response`. */
export function webListener({ handle, source, hostname }: WebWay): Listener {
  const answer = answerBy(handle, source);
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { answer: made } = incoming as WholeMessage;
      return made ?? answer(request, incoming as WholeMessage);
    },
    {
      hostname,
      errorHandler: (error) => (error instanceof RequestError ? answerMalformed() : answerError(error)),
    },
  );
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/** The console for browsers, and the sandbox for everything else. */
function answerBy(handle: Sandbox['handle'], source: HintSource) {
  const checkHost = hostCheck();
  const { access } = source;
  const answer = (request: Request, incoming: IncomingMessage) =>
    refuseAdmin(request, access) ?? handle(request, new WebHints(source, request, incoming));
  return (request: Request, incoming: IncomingMessage) => {
    const { headers } = incoming;
    const refused = checkHost(request, headers.host) ?? refuseCallback(request, headers);
    if (refused) return refused;
    if (!admitsConsole(request, incoming.url ?? '', access)) return answer(request, incoming);
    const shown = import('../console-files.js').then(({ showConsole }) => showConsole(request));
    return shown.then((response) => response ?? answer(request, incoming));
  };
}

class WebHints extends SocketHints {
  get nothing(): Response {
    return RESPONSE_ALREADY_SENT;
  }
}
