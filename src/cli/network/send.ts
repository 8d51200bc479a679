import type http from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Statuses whose answers have no body. */
const bodiless: readonly number[] = [101, 103, 204, 205, 304];

/**
 * Sends a request, and gives back its answer when the head of it has come.
 *
 * @param isStream Whether the body is passed on while it arrives, instead of being read first for its length.
 */
export async function send(
  way: Pick<typeof http, 'request'>,
  request: Request,
  options: RequestOptions,
  isStream = false,
): Promise<Response> {
  const { url, method, signal } = request;
  const stream = isStream && request.body ? Readable.fromWeb(request.body as ReadableStream) : undefined;
  const body = request.body && !stream ? Buffer.from(await request.arrayBuffer()) : undefined;
  const length = body ? { 'content-length': String(body.length) } : {};
  const headers = { ...Object.fromEntries(request.headers), ...length, ...options.headers };
  return new Promise<Response>((resolve, reject) => {
    const sent = way.request(url, { ...options, method, signal, headers }, (message) => {
      // Node takes a body without a length for whole, even if its connection was reset.
      sent.on('error', (error) => {
        if (!message.complete && !signal.aborted) message.destroy(error);
      });
      try {
        resolve(responseOf(message));
      } catch (error) {
        reject(error as Error);
      }
    });
    sent.on('error', reject);
    // An error of either side ends the other, and reaches the listener above.
    if (stream) pipeline(stream, sent, () => {});
    else sent.end(body);
  });
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  if (!bodiless.includes(status))
    return new Response(Readable.toWeb(decoded(message)) as globalThis.ReadableStream, { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

/** The body without its content encoding. The request asks for none, but a gateway may add one. */
function decoded(message: IncomingMessage): Readable {
  const coding = message.headers['content-encoding']?.trim().toLowerCase();
  if (coding === undefined) return message;
  const makers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const make = Object.entries(makers).find(([name]) => name === coding)?.[1];
  // An error reaches the reader of the stream.
  return make ? pipeline(message, make(), () => {}) : message;
}
