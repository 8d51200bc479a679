import { maskText } from '../../common/index.js';
import { basicCredentials, type Channel } from '../model/world.js';
import type { Answers, Effect } from '../../contract/index.js';
import type { CallbackTarget } from './targets.js';

/** One result to be posted to a caller's address (section "Events"). */
export interface CallbackDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly channel: string;
  /** The address without secrets. */
  readonly url: string;
  /** `withheld`: a scenario prevents the delivery. */
  state: 'pending' | 'delivered' | 'failed' | 'withheld';
  /** The body as it was posted. Null before that, and of a body that is too large or too old to be kept. */
  body: string | null;
  readonly attempts: CallbackAttempt[];
  /** The scenario that acts on the delivery. */
  readonly fault?: CallbackFault;
}

/** The fault that a scenario injects into a delivery. */
export type CallbackFault = Extract<Effect, { kind: 'callback' }>['fault'];

/** One attempt to post a result. */
export interface CallbackAttempt {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The status of the receiver's response, or null if there was none. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly error?: string;
}

interface PostHost {
  readonly answers: Answers;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The instant of the attempt in epoch milliseconds. */
  readonly at: number;
  /** Runs work after milliseconds; the returned function cancels it. */
  later(work: () => void, delay: number): () => void;
}

/** What is posted, and where. */
interface Post {
  readonly target: CallbackTarget;
  /** Makes the body: its whole text, or a stream of it. `read` is called when more of a stream is read. */
  readonly body: (read: () => void) => Promise<string | ReadableStream>;
}

/** Posts a result and returns the attempt; `controller` aborts it. */
export async function postResult(
  host: PostHost,
  { target, body: make }: Post,
  channel: Channel,
  controller: AbortController,
): Promise<CallbackAttempt> {
  const at = new Date(host.at).toISOString();
  const seconds = host.answers['callback.timeout-seconds'];
  let late = false;
  let over = false;
  let cancel = () => {};
  const wait = (): void => {
    cancel();
    if (over) return;
    cancel = host.later(() => {
      late = true;
      controller.abort();
    }, seconds * 1000);
  };
  try {
    const body = await make(wait);
    controller.signal.throwIfAborted();
    wait();
    const init: RequestInit & { readonly duplex?: 'half' } = {
      method: 'POST',
      headers: await headersOf(host.answers, { target, body }, channel),
      body,
      redirect: 'manual',
      signal: controller.signal,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    };
    const response = await host.fetch(target.url, init);
    await response.body?.cancel();
    // A receiver may answer before it has read a stream to its end.
    if (typeof body !== 'string') controller.abort();
    return { at, status: response.status };
  } catch (error) {
    return { at, status: null, error: late ? `no answer within ${seconds} s` : reason(error, target) };
  } finally {
    over = true;
    cancel();
  }
}

/** The caller's own credentials come before those that a dialect sends to every receiver. */
async function headersOf(
  answers: Answers,
  { target, body }: { readonly target: CallbackTarget; readonly body: string | ReadableStream },
  channel: Channel,
): Promise<Record<string, string>> {
  const isSigned = typeof body === 'string' && answers['callback.signature'] === 'hmac-sha256';
  return {
    'content-type': 'application/json',
    ...(answers['callback.auth'] === 'basic' ? { authorization: basicCredentials(channel) } : {}),
    ...target.headers,
    ...(isSigned ? { 'x-signature': await signatureOf(body, channel.password) } : {}),
  };
}

/** `sha256=` and the HMAC-SHA256 of the body in hex, keyed by the channel's password. */
export async function signatureOf(body: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body)));
  return `sha256=${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function isTaken({ status }: CallbackAttempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Node puts a network error (`ECONNREFUSED`) into the cause. A message may quote the address. */
function reason(error: unknown, { url, shown }: CallbackTarget): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? maskText((cause?.message ?? message).replaceAll(url, shown));
}
