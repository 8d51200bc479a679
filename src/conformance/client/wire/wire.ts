import { JsonMeter } from '../../../common/index.js';
import type { Encoding } from '../exchange.js';
import type { Host } from '../types.js';
import { type EvidenceBudget, inMiB, type Overload } from './evidence-budget.js';

/** What one request may cost. */
export interface WireLimits {
  /** Milliseconds until the body has been read to its end. */
  readonly timeout: number;
  /** Bytes of a body, after decompression. */
  readonly maxBody: number;
  /** The room for what is read. */
  readonly evidence: EvidenceBudget;
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

/** A response that has been read: to its end, or until it was too large. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly encoding: Encoding;
  /** Why the body was not read to its end; then `text` is only its beginning. */
  readonly refusal?: Overload | undefined;
}

/** No whole answer came within the time limit. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Bytes that are kept of a body that is too large. */
const HEAD = 2000;
const BYTES_OF_HEADER = 200;

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
  async exchange(url: string, init: RequestInit, { timeout, signal, ...limits }: WireLimits): Promise<Received> {
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
      return await Promise.race([this.#receive(request, stop, limits), late]);
    } finally {
      cancel();
      signal?.removeEventListener('abort', interrupt);
      this.#open.delete(request);
    }
  }

  async #receive(request: Request, stop: AbortController, limits: BodyLimits): Promise<Received> {
    const response = await this.host.fetch(request);
    const { status, headers } = response;
    const { bytes, refusal } = await read(response, stop.signal, limits);
    if (refusal) stop.abort();
    return { status, headers, ...decoded(bytes), refusal };
  }
}

type BodyLimits = Pick<WireLimits, 'maxBody' | 'evidence'>;

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
  readonly refusal: Overload | undefined;
}

async function read({ body, headers }: Response, gone: AbortSignal, { maxBody, evidence }: BodyLimits): Promise<Body> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  const meter = new JsonMeter().addBytes(bytesOf(headers));
  let size = 0;
  let refusal: Overload | undefined;
  const leave = (): void => void reader?.cancel().catch(() => {});
  gone.addEventListener('abort', leave);
  try {
    while (!refusal) {
      const part = await reader?.read();
      if (!part || part.done) break;
      chunks.push(part.value);
      size += part.value.byteLength;
      refusal = size > maxBody ? tooLong(maxBody) : evidence.refusalOf(meter.add(part.value));
    }
  } finally {
    gone.removeEventListener('abort', leave);
  }
  if (refusal) leave();
  refusal = refusal?.reason === 'too-large' ? refusal : evidence.take(meter);
  return { bytes: refusal ? chunks[0]!.subarray(0, HEAD) : joined(chunks, size), refusal };
}

/** What headers take in memory: each is an entry of several objects. */
function bytesOf(headers: Headers): number {
  return [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + BYTES_OF_HEADER, 0);
}

function tooLong(maxBody: number): Overload {
  return { reason: 'too-large', why: `its body is longer than ${inMiB(maxBody)} MiB (--max-body)` };
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
