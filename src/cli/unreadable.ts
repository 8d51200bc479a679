import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemResponse } from '../engine/index.js';

const contentType = 'application/json; charset=utf-8';
/** Milliseconds that a client has to read the response before its connection is closed. */
const LINGER = 400;

interface Condition {
  readonly status: number;
  readonly message: string;
}

const malformed: Condition = { status: 400, message: 'The request is not well-formed HTTP.' };
const tunnel: Condition = { status: 405, message: 'This server is not a proxy and does not support CONNECT.' };
const expectation: Condition = {
  status: 417,
  message: 'The only expectation that this server supports is 100-continue.',
};
const hostless: Condition = {
  status: 400,
  message: 'The `Host` header names no valid host. Send the host of the URL, such as `Host: 127.0.0.1:4653`.',
};
const full: Condition = {
  status: 503,
  message: 'Answers that clients have not read yet fill the memory of the server for them. Send the request again.',
};
const broken: Condition = { status: 500, message: 'The sandbox failed to respond. This is a defect of the sandbox.' };
const conditions: Readonly<Record<string, Condition>> = {
  HPE_INVALID_METHOD: {
    status: 400,
    message:
      'The request is not well-formed HTTP: it does not start with a method. If it follows another request on the ' +
      'connection, the `Content-Length` of that one may be too small: it counts bytes, not characters.',
  },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request line and the headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

function bodyOf({ message }: Condition): string {
  return JSON.stringify({ success: false, data: null, message });
}

/** What another server than the sandbox says of itself. */
export interface OwnAnswers {
  /** In place of the message to CONNECT. */
  readonly tunnel?: string;
  /** A header of each answer. */
  readonly mark?: readonly [name: string, value: string];
  /** Hears of connections that bring no HTTP, of which nobody else would hear. */
  readonly onStray?: (what: string) => void;
}

/** The first bytes of a record of TLS that begins a handshake (RFC 8446, section 5.1). */
const HANDSHAKE = [0x16, 0x03] as const;

type ClientFault = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** What came instead of a request, if that can be told. */
function strayOf({ rawPacket }: ClientFault): string | undefined {
  if (!rawPacket || HANDSHAKE.some((byte, at) => rawPacket[at] !== byte)) return undefined;
  return 'a TLS handshake arrived, but this port speaks plain HTTP: start the URL of the client with http://';
}

function endWith(socket: Duplex, condition: Condition, mark?: OwnAnswers['mark']): void {
  if (!socket.writable) return void socket.destroy();
  const { status } = condition;
  const body = bodyOf(condition);
  socket.on('error', () => {});
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${contentType}\r\nConnection: close\r\n` +
      `${mark ? `${mark.join(': ')}\r\n` : ''}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER).unref();
}

/** Sends an error in the envelope where Node would close the connection or send an empty body. */
export function answerUnreadable(
  server: Server,
  { tunnel: words = tunnel.message, mark, onStray }: OwnAnswers = {},
): void {
  server.on('clientError', (fault: ClientFault, socket) => {
    const stray = strayOf(fault);
    if (stray !== undefined) onStray?.(stray);
    endWith(socket, conditions[fault.code ?? ''] ?? malformed, mark);
  });
  server.on('connect', (_request, socket) => endWith(socket, { ...tunnel, message: words }, mark));
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const own = mark ? { [mark[0]]: mark[1] } : {};
    response.writeHead(expectation.status, { 'content-type': contentType, connection: 'close', ...own });
    response.end(bodyOf(expectation));
  });
}

/** Finds requests whose address is no URL: the listener passes on hosts such as `xn--a`. */
export function hostCheck(): (request: Request, host: string | undefined) => Response | undefined {
  let known: string | undefined;
  return (request, host) => {
    // Most clients send one host, and a URL takes as long to parse as the rest of this function.
    if (host !== undefined && host === known) return undefined;
    if (URL.canParse(request.url)) {
      known = host;
      return undefined;
    }
    const { status, message } = hostless;
    return request.url.includes('/__admin') ? problemResponse(status, message) : answerOf(hostless);
  };
}

/** The response to a message that cannot be made into a `Request`. */
export function answerMalformed(): Response {
  return answerOf(malformed);
}

/** The response if the sandbox fails, which is a defect. */
export function answerError(error: unknown): Response {
  process.emitWarning(error instanceof Error ? error : String(error));
  return answerOf(broken);
}

/** Refuses a request, as answers that nobody reads fill the memory for them. */
export function answerFull(response: ServerResponse): void {
  response.writeHead(full.status, { 'content-type': contentType, 'retry-after': '1' });
  response.end(bodyOf(full));
}

function answerOf(condition: Condition): Response {
  return new Response(bodyOf(condition), { status: condition.status, headers: { 'content-type': contentType } });
}
