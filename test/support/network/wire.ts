import { connectTo } from './raw.js';
import { basic } from '../credentials.js';

/** What came over a connection, byte for byte. */
export interface Wire {
  readonly chunks: readonly Buffer[];
  /** How it ended: `ended` in order, or the error of the socket. */
  readonly closed: Promise<string>;
  /** Resolves with the first byte. */
  readonly started: Promise<void>;
  /** The caller gives up. */
  giveUp(): void;
}

/** Sends a request of the channel `fairway`, and goes away only when the server does. */
export function callOver(
  baseUrl: string,
  method: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Wire {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: new URL(baseUrl).host,
    ...basic('fairway', 'not-a-secret-fairway'),
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connectTo(baseUrl);
  const chunks: Buffer[] = [];
  let how = 'ended';
  const started = new Promise<void>((resolve) => void socket.once('data', () => resolve()));
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (how = code!));
  const closed = new Promise<string>((resolve) => void socket.once('close', () => resolve(how)));
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
  return { chunks, closed, started, giveUp: () => void socket.destroy() };
}

/** An answer taken apart: its head, and its body as it came, in the pieces of its coding. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly pieces: readonly string[];
  readonly body: string;
}

/** Takes apart what came; a chunked body must have its end. */
export function answerIn({ chunks }: Wire): Answered {
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  const [first = '', ...lines] = all.subarray(0, end).toString('latin1').split('\r\n');
  const pairs = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
  const headers = new Headers(pairs);
  const rest = all.subarray(end + 4);
  const pieces = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : [rest];
  const texts = pieces.map((piece) => piece.toString('utf8'));
  return { status: Number(first.slice(9, 12)), headers, pieces: texts, body: Buffer.concat(pieces).toString('utf8') };
}

function unchunked(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) throw new Error(`A chunked body ended after ${pieces.length} pieces.`);
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (size === 0) return pieces;
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
