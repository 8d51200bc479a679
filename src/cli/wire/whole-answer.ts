import type { ServerResponse } from 'node:http';
import { http } from '../network/http.js';
import { WaitingAnswer, writeSoon } from './answer-queue.js';

/** Properties of a response that Node does not document; 20.20 and 24.21 have them. */
const HEADER = '_header';
const SENT = '_headerSent';
const TIMEOUT = '_keepAliveTimeout';
const KEPT = '_defaultKeepAlive';
const FINISH = '_finish';

interface OpenResponse extends ServerResponse {
  readonly [TIMEOUT]?: number;
  readonly [KEPT]?: boolean;
  [HEADER]: string | null;
  [SENT]: boolean;
  finished: boolean;
  [FINISH](): void;
}

const OK = 'HTTP/1.1 200 OK\r\n';

/** What Node refuses in a header, and what it writes in another way if the body is not Latin-1. */
const unusual = /[^\t\x20-\x7e]/;

/**
 * Writes head and body to the socket of a connection that stays open, with the bytes of `writeHead` and `end`. These two
 * take as long as the system takes to send a small answer. Gives back whether it could; if not, nothing is written.
 */
export function sendWhole({ status, headers, body }: Whole, length: number, response: ServerResponse): boolean {
  const outgoing = response as OpenResponse;
  const { socket, [TIMEOUT]: timeout } = outgoing;
  // An answer that waits for others on its connection has no socket yet. HTTP/1.0 closes it, or names what it keeps.
  const staysOpen = outgoing.shouldKeepAlive && outgoing.useChunkedEncodingByDefault && outgoing[KEPT];
  if (!socket?.writable || !staysOpen || !timeout || length === 0 || outgoing.headersSent) return false;
  // Another Node may have neither: then its own way is taken.
  if (!outgoing[FINISH] || outgoing[HEADER] === undefined) return false;
  let head = status === 200 ? OK : `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n`;
  for (const name in headers) {
    const value = headers[name]!;
    if (unusual.test(value)) return false;
    head += `${name}: ${value}\r\n`;
  }
  const now = Date.now();
  head += `${commonHeaders(now, timeout)}${length}\r\n\r\n`;
  outgoing.statusCode = status;
  outgoing[HEADER] = head;
  outgoing[SENT] = true;
  outgoing.finished = true;
  outgoing[FINISH]();
  const written = (error?: Error | null): void => void (error || outgoing.emit('finish'));
  writeSoon(new WaitingAnswer(socket, head, body, length, written), now);
  return true;
}

interface Whole {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

let second = Number.NaN;
let keptFor = 0;
let common = '';

/** The headers that Node adds, up to the length. They are written anew each second. */
function commonHeaders(now: number, timeout: number): string {
  const inSeconds = Math.floor(now / 1000);
  if (inSeconds === second && timeout === keptFor) return common;
  second = inSeconds;
  keptFor = timeout;
  const date = new Date(inSeconds * 1000).toUTCString();
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(timeout / 1000)}`;
  return (common = `Date: ${date}\r\n${keepAlive}\r\nContent-Length: `);
}
