import { NOT_KEPT } from '../record/journal.js';
import {
  failureBody,
  type RequestContext,
  type RequestServices,
  respond,
  settle,
  settleSent,
  wait,
} from './request-context.js';
import { refusalStatus } from './refusals.js';
import type { NetworkFault } from './request-scenarios.js';

/** What the host does if it cannot end a connection. */
const AS_NETWORK_ERROR = 'network error';
const PIECES = 10;
/** Milliseconds for earlier writes to be sent first. */
const BEFORE_THE_CUT = 20;

/** Breaks the response like a failing network, on the connection if the host has one, and ends the request. */
export async function breakAnswer(
  services: RequestServices,
  context: RequestContext,
  fault: NetworkFault,
  delay: number,
  response: Response,
): Promise<Response> {
  switch (fault) {
    case 'slow':
      settleSent(services, context);
      return response;
    case 'timeout':
      return hang(services, context, delay);
    case 'connection-reset':
      return cut(services, context, 'reset');
    case 'empty-response':
      return cut(services, context, 'close');
    case 'malformed-json':
      settleSent(services, context);
      return remade(response, (await response.text()).replace(/.{1,4}$/su, ''));
    case 'slow-body':
      return remade(response, dribble(services, context, delay, await bytesOf(response)));
    case 'truncated-body':
      return truncated(services, context, response);
  }
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function cut(services: RequestServices, context: RequestContext, how: 'reset' | 'close'): Response {
  const { hints, scenarios } = context;
  if (!hints.cut) scenarios!.as = AS_NETWORK_ERROR;
  settle(services, context, 'cut');
  return hints.cut ? hints.cut(how) : Response.error();
}

/** Sends no response until the caller gives up or the time is over. */
async function hang(services: RequestServices, context: RequestContext, longest: number): Promise<Response> {
  if (!context.hints.cut) context.scenarios!.as = AS_NETWORK_ERROR;
  await wait(services, context, longest);
  return cut(services, context, 'reset');
}

function remade({ status, headers }: Response, body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, headers });
}

/** A complete body that arrives in pieces. */
function dribble(
  services: RequestServices,
  context: RequestContext,
  delay: number,
  bytes: Uint8Array,
): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  let at = 0;
  context.begun = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (at > 0 && at < bytes.length) await wait(services, context, delay / PIECES);
      if (at < bytes.length) return controller.enqueue(bytes.subarray(at, (at += size)));
      settleSent(services, context);
      controller.close();
    },
    cancel: () => settle(services, context, 'cut'),
  });
}

/** A response whose body ends half way, shorter than its `Content-Length`. */
async function truncated(services: RequestServices, context: RequestContext, response: Response): Promise<Response> {
  const { hints } = context;
  const bytes = await bytesOf(response);
  const half = bytes.subarray(0, bytes.length >> 1);
  let sent = false;
  context.begun = true;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        return controller.enqueue(half);
      }
      await wait(services, context, BEFORE_THE_CUT);
      settleSent(services, context);
      if (hints.cut) hints.cut('close');
      else controller.error(new TypeError('The connection broke in the middle of the body.'));
    },
    cancel: () => settle(services, context, 'cut'),
  });
  response.headers.set('content-length', String(bytes.length));
  return remade(response, body);
}

/** What a caller reads whose response shows something that may get lost. */
export function notKeptWords(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return (
    `The sandbox could not keep its state: ${why.replace(/\.$/, '')}. What it has done is in force as long as it runs; ` +
    'look before you repeat the request.'
  );
}

/** The response to a request whose effects, or those that it shows, could not be kept. No rule decided. */
export function respondNotKept(services: RequestServices, context: RequestContext, error: unknown): Response {
  const { answers } = services.engine;
  const words = notKeptWords(error);
  const body = failureBody(answers, 'not-kept', words);
  return respond(services, context, refusalStatus('not-kept', answers), body, NOT_KEPT, undefined, words);
}
