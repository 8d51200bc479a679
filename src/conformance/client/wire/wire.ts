import type { Encoding } from '../exchange.js';
import type { Host } from '../types.js';

/** What one request may cost. */
export interface WireLimits {
  /** Milliseconds until the body has been read to its end. */
  readonly timeout: number;
  /** Bytes of a body, after decompression. */
  readonly maxBody: number;
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

/** A response that has been read: to its end, or to the size limit. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the body is longer than the size limit; then `text` is only its beginning. */
  readonly isCut: boolean;
}

/** No whole answer came within the time limit. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Bytes that are kept of a body beyond the size limit. */
const HEAD = 2000;

/** Sends requests, each within a time limit and a size limit. */
export class Wire {
  /**
   * Requests under way. A `Request` follows the signal that it is made with only as long as it is referenced: without
   * this set it could be collected, and would never hear of its time limit.
   */
  readonly #open = new Set<Request>();

  constructor(readonly host: Pick<Host, 'fetch' | 'schedule'>) {}

  /**
   * Sends a request and reads the answer. The time limit holds for the headers and the body. A body beyond the size
   * limit is given up, and so is its connection.
   *
   * @throws {TimedOut} at the time limit; whatever `fetch` throws.
   */
  async exchange(url: string, init: RequestInit, { timeout, maxBody, signal }: WireLimits): Promise<Received> {
    const stop = new AbortController();
    const request = new Request(url, { ...init, signal: stop.signal });
    this.#open.add(request);
    let cancel = (): void => {};
    let interrupt = (): void => {};
    // The race ends the wait even if the host's `fetch` ignores the signal.
    const late = new Promise<never>((_, reject) => {
      const end = (why: string): void => {
        const error = new TimedOut(why);
        stop.abort(error);
        reject(error);
      };
      cancel = this.host.schedule(() => end(`none within ${timeout} ms`), timeout);
      interrupt = () => end('the run was interrupted');
    });
    signal?.addEventListener('abort', interrupt);
    try {
      return await Promise.race([this.#receive(request, stop, maxBody), late]);
    } finally {
      cancel();
      signal?.removeEventListener('abort', interrupt);
      this.#open.delete(request);
    }
  }

  async #receive(request: Request, stop: AbortController, maxBody: number): Promise<Received> {
    const response = await this.host.fetch(request);
    const { status, headers } = response;
    const { bytes, isCut } = await read(response, stop.signal, maxBody);
    if (isCut) stop.abort();
    return { status, headers, ...decoded(isCut ? bytes.subarray(0, HEAD) : bytes), isCut };
  }
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

function decoded(bytes: Uint8Array): Pick<Received, 'text' | 'encoding'> {
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, encoding: hasMark ? 'byte-order-mark' : 'utf-8' };
  } catch {
    return { text: new TextDecoder().decode(bytes), encoding: 'invalid' };
  }
}

interface Body {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

async function read({ body }: Response, gone: AbortSignal, maxBody: number): Promise<Body> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const leave = (): void => void reader?.cancel().catch(() => {});
  gone.addEventListener('abort', leave);
  try {
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) break;
      chunks.push(part.value);
      size += part.value.byteLength;
      if (size > maxBody) break;
    }
  } finally {
    gone.removeEventListener('abort', leave);
  }
  const isCut = size > maxBody;
  if (isCut) leave();
  return { bytes: joined(isCut ? chunks.slice(0, 1) : chunks, isCut ? (chunks[0]?.byteLength ?? 0) : size), isCut };
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first) return first;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
