import type { ClientRequest, IncomingMessage } from 'node:http';
import { CUT, type Transit } from './transit.js';
import { endToEnd, isChunked, pairsIn, rawHeader, without } from './raw-headers.js';
import type { ProxyTarget } from './target.js';
import { isNoHttp } from './unreachable.js';

/** What becomes of a request that was passed on. */
export interface OnwardOutcome {
  /** The deployment answers: its body is still to be read. */
  answer(message: IncomingMessage): void;
  /** It cannot be reached: nothing was sent. */
  unreachable(error: NodeJS.ErrnoException): void;
  /** It was reached, and ended the connection without an answer. */
  lost(error: NodeJS.ErrnoException): void;
}

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Methods whose requests need no length to say that they have no body. */
const bodiless: ReadonlySet<string> = new Set([...safe, 'DELETE', 'TRACE']);
const LEAST_STATUS = 100;
const PROCESSING = 102;
const EARLY_HINTS = 103;

/** Passes a request on while it arrives. Returns what gives it up. */
export function forward(target: ProxyTarget, transit: Transit, outcome: OnwardOutcome): () => void {
  let current: ClientRequest | undefined;
  let isOver = false;
  const send = (fresh: boolean): void => {
    const onward = target.request(transit.method, transit.onwardPath, headersFor(target, transit), fresh);
    current = onward;
    let isConnected = false;
    let hasAnswer = false;
    let answer: IncomingMessage | undefined;
    onward.on('socket', (socket) => {
      isConnected = onward.reusedSocket;
      if (!isConnected) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    onward.on('response', (message) => {
      hasAnswer = true;
      if (message.statusCode! >= LEAST_STATUS) {
        answer = message;
        return outcome.answer(message);
      }
      onward.destroy();
      outcome.unreachable(noHttp('HPE_INVALID_STATUS'));
    });
    // Without a listener, the request would never end.
    onward.on('upgrade', (_message, socket) => {
      hasAnswer = true;
      socket.destroy();
      outcome.unreachable(noHttp('HPE_PAUSED_UPGRADE'));
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (isOver || current !== onward) return;
      // Node takes a body without a length for whole, even if its connection was reset.
      if (answer && !answer.complete) return outcome.lost(new Error(CUT));
      if (hasAnswer) return;
      // The deployment closed an idle connection just now; a request that changes nothing is sent again on a new one.
      const mayRepeat = onward.reusedSocket && safe.has(transit.method) && !transit.hasBody;
      if (mayRepeat && !fresh) return send(true);
      if (isConnected && !isNoHttp(error.code)) outcome.lost(error);
      else outcome.unreachable(error);
    });
    passInterim(onward, transit);
    passBody(onward, transit);
  };
  send(false);
  return () => {
    isOver = true;
    current?.destroy();
  };
}

/** An answer that Node reads, and that cannot be passed on: a status that is none, or an upgrade that nobody asked for. */
function noHttp(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error('The answer is no HTTP.'), { code });
}

/** The headers of the request for the target: as they came, with its `Host` in the place of ours. */
function headersFor({ host, replaced, added }: ProxyTarget, { headers: raw, method, request }: Transit): string[] {
  const all = without(endToEnd(raw), replaced);
  const at = all.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  const headers = without(all, hosts);
  headers.splice(Math.max(at, 0), 0, all[at] ?? 'Host', host);
  if (isChunked(raw)) headers.push('Transfer-Encoding', rawHeader(raw, 'transfer-encoding')!);
  else if (!bodiless.has(method) && rawHeader(raw, 'content-length') === undefined) headers.push('Content-Length', '0');
  if (/\btrailers\b/i.test(rawHeader(raw, 'te') ?? '')) headers.push('TE', 'trailers');
  if (request.headers.trailer !== undefined && !isChunked(raw)) return [...without(headers, trailer), ...added];
  return [...headers, ...added];
}

const hosts: ReadonlySet<string> = new Set(['host']);
const trailer: ReadonlySet<string> = new Set(['trailer']);

/** Passes answers before the answer on: `100 Continue`, and hints. */
function passInterim(onward: ClientRequest, { response }: Transit): void {
  onward.on('continue', () => response.writeContinue());
  onward.on('information', ({ statusCode, headers }) => {
    if (response.headersSent || response.destroyed) return;
    if (statusCode === PROCESSING) response.writeProcessing();
    if (statusCode !== EARLY_HINTS || headers['link'] === undefined) return;
    try {
      response.writeEarlyHints(headers as Record<string, string>);
    } catch {
      // Node writes no hint that is no link. The answer itself is still to come.
    }
  });
}

function passBody(onward: ClientRequest, transit: Transit): void {
  const { request, sent } = transit;
  if (!transit.hasBody) return void onward.end();
  let hasBegun = false;
  request.on('data', (chunk: Buffer) => {
    hasBegun = true;
    sent.add(chunk);
    if (!onward.write(chunk)) request.pause();
  });
  onward.on('drain', () => request.resume());
  // The target may answer, or go away, before it has read everything.
  onward.on('close', () => request.resume());
  request.on('end', () => {
    if (request.rawTrailers.length > 0) onward.addTrailers(pairsIn(request.rawTrailers));
    onward.end();
  });
  setImmediate(() => {
    if (!hasBegun && !onward.destroyed && !onward.writableEnded) onward.flushHeaders();
  });
}

/** Passes an answer on while it arrives. */
export function passAnswer(message: IncomingMessage, transit: Transit, extra: readonly string[] = []): void {
  const { response, answered } = transit;
  const headers = [...answerHeaders(message, transit), ...extra];
  writeHead(transit, message, headers);
  let hasBegun = false;
  message.on('data', (chunk: Buffer) => {
    hasBegun = true;
    answered.add(chunk);
    if (!response.write(chunk)) message.pause();
  });
  response.on('drain', () => message.resume());
  message.on('end', () => {
    if (message.rawTrailers.length > 0 && response.chunkedEncoding) response.addTrailers(pairsIn(message.rawTrailers));
    response.end();
  });
  // The status and the headers may be all that comes for a while.
  setImmediate(() => {
    if (!hasBegun && !response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

/** Writes status and headers as they came. */
function writeHead(
  { response }: Transit,
  { statusCode = 502, statusMessage = '' }: IncomingMessage,
  headers: string[],
): void {
  response.sendDate = false;
  // Node refuses a phrase with characters that it accepts from others.
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage)) response.writeHead(statusCode, statusMessage, headers);
  else response.writeHead(statusCode, headers);
}

/** The headers of an answer for the client. Trailers are announced only where the body can have some. */
export function answerHeaders(message: IncomingMessage, { method, request }: Transit): string[] {
  const headers = endToEnd(message.rawHeaders);
  if (message.headers.trailer === undefined) return headers;
  const isShort = message.headers['content-length'] !== undefined;
  const hasNone = method === 'HEAD' || message.statusCode === 204 || message.statusCode === 304;
  return isShort || hasNone || request.httpVersion === '1.0' ? without(headers, trailer) : headers;
}
