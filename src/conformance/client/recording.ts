import type { Masker } from '../../common/index.js';
import type { Exchange, Reply } from './exchange.js';
import type { KeptBody } from './kept-body.js';
import { readData } from './reading.js';
import type { RequestCall } from './request.js';

/** A request as it left. */
export interface Sent {
  readonly id: string;
  readonly call: RequestCall;
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
/** Characters that are masked after what is kept: a secret may begin there and end here. */
const MORE = 10_000;

/** The answer to a request, complete at an instant in epoch milliseconds. Tokens in it are secrets from then on. */
export function replyOf(
  masker: Masker,
  sent: Sent,
  { status, headers, encoding }: Pick<Reply, 'status' | 'headers' | 'encoding'>,
  at: number,
  { json, data, ok, text }: KeptBody,
): Reply {
  masker.learnResponse(headers);
  learnIn(masker, { data });
  masker.personal?.learn(json);
  return {
    id: sent.id,
    ...operationIn(sent.call),
    ...askedIn(sent.call),
    status,
    headers,
    get text() {
      return text();
    },
    ...(encoding ? { encoding } : {}),
    json,
    data: ok && 'operation' in sent.call ? readData(sent.call.operation, data) : data,
    ok,
    durationMs: at - sent.startedAt,
    probe: sent.call.breaking !== undefined,
    at,
    what: masker.text(`${sent.method} ${sent.path}`),
  };
}

function learnIn(masker: Masker, { data }: Pick<Reply, 'data'>): void {
  const { access_token: access, refresh_token: refresh } = (data ?? {}) as Record<string, unknown>;
  for (const token of [access, refresh]) if (typeof token === 'string') masker.learn(token);
}

/** An exchange as reports show it. */
export function exchangeOf(
  masker: Masker,
  { id, call, startedAt, method, url, headers, body }: Sent,
  now: number,
  answer: Pick<Exchange, 'response' | 'failure'>,
): Exchange {
  const kept = body === undefined ? {} : sentBody(masker, body);
  return {
    id,
    ...operationIn(call),
    ...(call.breaking === undefined ? {} : { breaking: call.breaking }),
    caller: call.as ?? 'first',
    startedAt: new Date(startedAt).toISOString(),
    durationMs: now - startedAt,
    request: { method, url: masker.text(url), headers: masker.headers(headers), ...kept },
    ...answer,
  };
}

/** The body of a request as a recorded exchange keeps it. */
export function sentBody(masker: Masker, text: string): Pick<Exchange['request'], 'body' | 'isCut'> {
  return { body: bodyKept(masker, text), ...(text.length > KEPT ? { isCut: true } : {}) };
}

/** A body as a recorded exchange keeps it. */
function bodyKept(masker: Masker, text: string): string {
  return masker.text(text.slice(0, KEPT + MORE)).slice(0, KEPT);
}

/**
 * The beginning of a text, as a text of its own: engines keep the whole of a text as long as a part of it is in use.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, most)));
}

/** The recorded part of an answer, with at most so many characters of its body. */
export function responseOf(
  masker: Masker,
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
  { text, length }: Pick<KeptBody, 'text' | 'length'>,
  most = KEPT,
): NonNullable<Exchange['response']> {
  const isCut = length > most + MORE;
  const kept = isCut ? beginningOf(text(), most + MORE) : '';
  return {
    status,
    headers: masker.headers(headers),
    // Most bodies are never shown, and masking one takes longer than parsing it.
    get body() {
      return masker.text(isCut ? kept : text()).slice(0, most);
    },
    length,
    ...(length > most ? { isCut: true } : {}),
  };
}

function operationIn(call: RequestCall): Pick<Exchange, 'operation'> {
  return 'operation' in call ? { operation: call.operation } : {};
}

function askedIn(call: RequestCall): Pick<Reply, 'asked'> {
  if (!('operation' in call)) return {};
  const { operation, params = {}, body, as: caller = 'first', scheme, headers, refusable, breaking } = call;
  // A refresh carries no credentials.
  const isOwn = caller === 'first' || operation === 'refreshToken';
  const isRight = isOwn && !scheme && !headers && !refusable && breaking === undefined;
  // Nothing can be learnt from megabytes that fill a body.
  const kept = breaking === 'limits.body-size' ? null : body;
  return { asked: { caller, params, body: kept, isRight, ...(breaking ? { breaking } : {}) } };
}
