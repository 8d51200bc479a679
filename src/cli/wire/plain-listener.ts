import type { ServerResponse } from 'node:http';
import type { Handle } from '../../engine/index.js';
import { answerError } from '../unreadable.js';
import { KnownTargets } from './known-heads.js';
import { PlainAnswer, sendPlain } from './plain-answer.js';
import { PlainRequest } from './plain-request.js';
import { type HintSource, NOTHING, PlainHints } from './socket-hints.js';
import type { Listener, WholeMessage } from './whole-message.js';

/** Where requests go that are not plain. */
interface OtherWay {
  readonly listen: Listener;
  /** Resolves when it has loaded the classes of the web. */
  readonly whenLoaded: () => Promise<unknown>;
}

/** Paths of operations in a spelling that a URL keeps, so that nothing else reads them in another way. */
const plainTarget = /^(?:\/w\/[A-Za-z\d][\w.-]*)?\/api\/[\w\-/]+(?:\?[\w!$&()*+,\-./:;=?@~%[\]]*)?$/;
const isPlain = (target: string): boolean => plainTarget.test(target);
const plainHost = /^[a-z\d._-]+(?::\d{1,5})?$/;
const plainLength = /^\d{1,5}$/;

/**
 * Answers requests of operations without the `Request` and `Response` of the web, whose making takes longer than a small
 * answer; all others go to the other listener, and so does an answer that is a `Response`.
 */
export function plainListener(handle: Handle, source: HintSource, web: OtherWay): Listener {
  const originOf = origins();
  const targets = new KnownTargets();
  const { listen: other, whenLoaded } = web;
  const send = (answer: Response, incoming: WholeMessage, outgoing: ServerResponse): void => {
    if (answer instanceof PlainAnswer) return sendPlain(answer, outgoing);
    if (answer === NOTHING) return;
    incoming.answer = answer;
    other(incoming, outgoing);
  };
  const answer = (url: string, incoming: WholeMessage, outgoing: ServerResponse, body?: string): void => {
    const request = new PlainRequest(incoming.method!, url, incoming, outgoing) as unknown as Request;
    try {
      const made = handle(request, new PlainHints(source, request, incoming, body, whenLoaded));
      if (!(made instanceof Promise)) return send(made, incoming, outgoing);
      made.then(
        (response) => send(response, incoming, outgoing),
        (error: unknown) => send(answerError(error), incoming, outgoing),
      );
    } catch (error) {
      send(answerError(error), incoming, outgoing);
    }
  };
  return (incoming, outgoing) => {
    const { method, headers } = incoming;
    const origin = headers['teebox-callback'] === undefined ? originOf(headers.host) : undefined;
    const url = origin && targets.find(incoming.url!, origin, isPlain);
    if (!url || headers['transfer-encoding'] !== undefined) return other(incoming, outgoing);
    const length = headers['content-length'];
    if (method === 'GET') {
      if (length !== undefined) return other(incoming, outgoing);
      incoming.endUnread();
      return answer(url, incoming, outgoing);
    }
    if (method !== 'POST' && method !== 'PUT') return other(incoming, outgoing);
    if (length === undefined || !plainLength.test(length)) return other(incoming, outgoing);
    incoming.whenWhole(Number(length), (body) => {
      if (body === undefined) other(incoming, outgoing);
      else answer(url, incoming, outgoing, body);
    });
  };
}

/** The origin of a `Host` that a URL keeps as it is. */
function origins(): (host: string | undefined) => string | undefined {
  let known: string | undefined;
  let origin = '';
  return (host) => {
    // Most clients send one host, and a URL takes long to parse.
    if (host !== undefined && host === known) return origin;
    if (host === undefined || !plainHost.test(host)) return undefined;
    const own = `http://${host}`;
    if (!URL.canParse(own) || new URL(own).host !== host) return undefined;
    known = host;
    return (origin = own);
  };
}
