import { type ExchangeView, type ViewContext, viewOf } from './exchange-view.js';
import type { Exchange } from './journal.js';
import { maskAddress } from './mask.js';

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface Content {
  readonly size: number;
  readonly mimeType: string;
  readonly text?: string;
}

/** One exchange of an HTTP Archive; names that begin with an underscore are our own, as the format allows. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly Pair[];
    readonly queryString: readonly Pair[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly Pair[];
    readonly content: Content;
    readonly redirectURL: '';
    readonly headersSize: -1;
    readonly bodySize: -1;
  };
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: 0; readonly wait: number; readonly receive: 0 };
  readonly _id: string;
  readonly _state: string;
  readonly _operation?: string;
  readonly _channel?: string;
  readonly _rule?: string;
  readonly _scenario?: string;
}

/** An HTTP Archive 1.2. */
export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: 'teebox'; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

const HTTP = 'HTTP/1.1';
const JSON_TYPE = 'application/json';

/** Exchanges as an HTTP Archive, without secrets; those still open are left out, since the format has no place for them. */
export function harOf(exchanges: readonly Exchange[], context: ViewContext, version: string): Har {
  const entries = exchanges.filter(({ state }) => state !== 'open').map((one) => entryOf(one, context));
  return { log: { version: '1.2', creator: { name: 'teebox', version }, entries } };
}

function entryOf(exchange: Exchange, context: ViewContext): HarEntry {
  const view = viewOf(exchange, context);
  const { id, state, at, durationMs = 0, operation, channel, rule, scenario } = view;
  return {
    startedDateTime: at,
    time: durationMs,
    request: requestOf(exchange, view),
    response: responseOf(view),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    _state: state,
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(channel === undefined ? {} : { _channel: channel }),
    ...(rule === undefined ? {} : { _rule: rule }),
    ...(scenario?.struck ? { _scenario: scenario.id } : {}),
  };
}

function requestOf(
  { url: asked, method }: Exchange,
  { request: { headers, body } }: ExchangeView,
): HarEntry['request'] {
  const url = maskAddress(asked);
  const at = url.indexOf('?');
  const query = at < 0 ? [] : [...new URLSearchParams(url.slice(at + 1))];
  const text = body === undefined ? undefined : textOf(body);
  return {
    method,
    url,
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(headers),
    queryString: query.map(([name, value]) => ({ name, value })),
    ...(text === undefined ? {} : { postData: { mimeType: typeOf(headers), text } }),
    headersSize: -1,
    bodySize: text === undefined ? 0 : -1,
  };
}

function responseOf({ status, response }: ExchangeView): HarEntry['response'] {
  const { headers = {}, body, length = 0 } = response ?? {};
  return {
    status,
    statusText: '',
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(headers),
    content: { size: length, mimeType: typeOf(headers), ...(body === undefined ? {} : { text: textOf(body) }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function typeOf(headers: Readonly<Record<string, string>>): string {
  return headers['content-type'] ?? JSON_TYPE;
}

function pairsOf(headers: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
