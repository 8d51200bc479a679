import { type Exchange, readBody, type Reply } from './exchange.js';
import type { Masker } from './mask.js';
import type { Call } from './request.js';

/** A request as it left. */
export interface Sent {
  readonly id: string;
  readonly call: Call;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** Characters of a body that a recorded exchange keeps. */
const KEPT = 1_000_000;

/** The answer to a request, read to its end. Tokens in it are secrets from then on. */
export async function replyOf(
  masker: Masker,
  sent: Sent,
  response: Pick<Response, 'status' | 'headers' | 'text'>,
  now: () => number,
): Promise<Reply> {
  const text = await response.text();
  const { status, headers } = response;
  const read = readBody(status, text);
  const { access_token: access, refresh_token: refresh } = (read.data ?? {}) as Record<string, unknown>;
  for (const token of [access, refresh]) if (typeof token === 'string') masker.learn(token);
  const at = now();
  return {
    id: sent.id,
    ...operationIn(sent.call),
    status,
    headers,
    text,
    ...read,
    durationMs: at - sent.startedAt,
    probe: sent.call.breaking !== undefined,
    at,
    what: masker.text(`${sent.method} ${sent.path}`),
  };
}

/** An exchange as reports show it. */
export function exchangeOf(
  masker: Masker,
  { id, call, startedAt, method, url, headers, body }: Sent,
  now: number,
  answer: Pick<Exchange, 'response' | 'failure'>,
): Exchange {
  const kept = body === undefined ? {} : { body: masker.text(body).slice(0, KEPT) };
  return {
    id,
    ...operationIn(call),
    caller: call.as ?? 'first',
    startedAt: new Date(startedAt).toISOString(),
    durationMs: now - startedAt,
    request: { method, url: masker.text(url), headers: masker.headers(headers), ...kept },
    ...answer,
  };
}

/** The recorded part of an answer. */
export function responseOf(masker: Masker, { status, headers, text }: Reply): NonNullable<Exchange['response']> {
  return { status, headers: masker.headers(headers), body: masker.text(text).slice(0, KEPT), length: text.length };
}

function operationIn(call: Call): Pick<Exchange, 'operation'> {
  return 'operation' in call ? { operation: call.operation } : {};
}
