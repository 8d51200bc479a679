import type { Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import type { NetworkFault } from './request-scenarios.js';

/** What the host does if it cannot end a connection. */
const AS_NETWORK_ERROR = 'network error';
const PIECES = 10;
/** Milliseconds for earlier writes to be sent first. */
const BEFORE_THE_CUT = 20;

/** Resolves after milliseconds, as the host of the sandbox waits. */
export function wait({ schedule }: Pipeline, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void schedule(resolve, milliseconds));
}

/** Breaks the response like a failing network, on the connection if the host has one. */
export async function breakAnswer(
  pipeline: Pipeline,
  passage: Passage,
  fault: NetworkFault,
  delay: number,
  response: Response,
): Promise<Response> {
  switch (fault) {
    case 'slow':
      return response;
    case 'timeout':
      return hang(pipeline, passage, delay);
    case 'connection-reset':
      return cut(passage, 'reset');
    case 'empty-response':
      return cut(passage, 'close');
    case 'malformed-json':
      return remade(response, (await response.text()).replace(/.{1,4}$/su, ''));
    case 'slow-body':
      return remade(response, dribble(pipeline, delay, await bytesOf(response)));
    case 'truncated-body':
      return truncated(pipeline, passage, response);
  }
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function cut({ hints, scenarios, entry }: Passage, how: 'reset' | 'close'): Response {
  entry.state = 'cut';
  entry.status = 0;
  if (hints.cut) return hints.cut(how);
  scenarios!.as = AS_NETWORK_ERROR;
  return Response.error();
}

/** Sends no response until the caller gives up or the time is over. */
function hang({ schedule }: Pipeline, passage: Passage, longest: number): Promise<Response> {
  const { hints, request, entry, scenarios } = passage;
  entry.state = 'cut';
  entry.status = 0;
  if (!hints.cut) scenarios!.as = AS_NETWORK_ERROR;
  return new Promise((resolve, reject) => {
    const end = () => resolve(cut(passage, 'reset'));
    // The timer also prevents garbage collection: a signal holds its request only weakly.
    const stop = schedule(end, longest);
    request.signal.addEventListener('abort', () => {
      stop();
      if (hints.cut) end();
      else reject(request.signal.reason as Error);
    });
  });
}

function remade({ status, headers }: Response, body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, headers });
}

/** A complete body that arrives in pieces. */
function dribble(pipeline: Pipeline, delay: number, bytes: Uint8Array): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      if (at > 0) await wait(pipeline, delay / PIECES);
      controller.enqueue(bytes.subarray(at, (at += size)));
    },
  });
}

/** A response whose body ends half way, shorter than its `Content-Length`. */
async function truncated(pipeline: Pipeline, { hints }: Passage, response: Response): Promise<Response> {
  const bytes = await bytesOf(response);
  const half = bytes.subarray(0, bytes.length >> 1);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        return controller.enqueue(half);
      }
      await wait(pipeline, BEFORE_THE_CUT);
      if (hints.cut) hints.cut('close');
      else controller.error(new TypeError('The connection broke in the middle of the body.'));
    },
  });
  response.headers.set('content-length', String(bytes.length));
  return remade(response, body);
}
