import type { Channel } from '../domain/world.js';
import type { Answers } from '../generated/questions.js';
import { basicCredentials } from '../domain/basic-credentials.js';
import type { Effect } from '../generated/scenarios.js';
import { maskText } from '../journal/mask.js';
import type { CallbackTarget } from './targets.js';

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

export interface PostHost {
  readonly answers: Answers;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The instant of the attempt in epoch milliseconds. */
  readonly at: number;
  /** Runs work after milliseconds; the returned function cancels it. */
  later(work: () => void, delay: number): () => void;
}

/** Posts a result and returns the attempt; `controller` aborts it. */
export async function postResult(
  host: PostHost,
  { target, body }: { readonly target: CallbackTarget; readonly body: string },
  channel: Channel,
  controller: AbortController,
): Promise<CallbackAttempt> {
  const at = new Date(host.at).toISOString();
  const seconds = host.answers['callback.timeout-seconds'];
  let late = false;
  const cancel = host.later(() => {
    late = true;
    controller.abort();
  }, seconds * 1000);
  try {
    const response = await host.fetch(target.url, {
      method: 'POST',
      headers: await headersOf(host.answers, { target, body }, channel),
      body,
      redirect: 'manual',
      signal: controller.signal,
    });
    await response.body?.cancel();
    return { at, status: response.status };
  } catch (error) {
    return { at, status: null, error: late ? `no answer within ${seconds} s` : reason(error, target) };
  } finally {
    cancel();
  }
}

/** The caller's own credentials come before those that a dialect sends to every receiver. */
async function headersOf(
  answers: Answers,
  { target, body }: { readonly target: CallbackTarget; readonly body: string },
  channel: Channel,
): Promise<Record<string, string>> {
  return {
    'content-type': 'application/json',
    ...(answers['callback.auth'] === 'basic' ? { authorization: basicCredentials(channel) } : {}),
    ...target.headers,
    ...(answers['callback.signature'] === 'hmac-sha256' ? { 'x-signature': await sign(body, channel.password) } : {}),
  };
}

/** `sha256=` and the HMAC-SHA256 of the body in hex, keyed by the channel's password. */
async function sign(body: string, secret: string): Promise<string> {
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

/** The body of a result, changed by the scenario that strikes it. */
export function changedBody(body: string, fault: CallbackFault | undefined): string {
  if (fault === 'malformed') return body.slice(0, Math.ceil((body.length * 2) / 3));
  if (fault !== 'partial') return body;
  const result = JSON.parse(body) as { data: unknown };
  return Array.isArray(result.data) ? JSON.stringify({ ...result, data: result.data.slice(0, -1) }) : body;
}
