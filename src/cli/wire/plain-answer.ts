import type { ServerResponse } from 'node:http';
import { sendWhole } from './whole-answer.js';

type SentHeaders = Readonly<Record<string, string>>;

/** An answer that goes to the socket without a `Response`. */
export class PlainAnswer {
  constructor(
    readonly status: number,
    readonly headers: SentHeaders,
    readonly body: string | Uint8Array,
  ) {}
}

/** Node's own memory of the length that it adds below the other headers; `@hono/node-server` sets it too. */
const LENGTH = '_contentLength';

/** Sends an answer with the bytes that the listener of `@hono/node-server` sends for the same `Response`. */
export function sendPlain(answer: PlainAnswer, outgoing: ServerResponse): void {
  const { status, headers, body } = answer;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (sendWhole(answer, length, outgoing)) return;
  const fields: string[] = [];
  for (const name in headers) fields.push(name, headers[name]!);
  // HTTP/1.0 has no pieces of unknown length, and Node then adds no length itself.
  if (outgoing.useChunkedEncodingByDefault) (outgoing as unknown as Record<string, number>)[LENGTH] = length;
  else fields.push('Content-Length', String(length));
  outgoing.writeHead(status, fields);
  outgoing.end(body);
}
