import { ruleBasis } from '../generated/rule-basis.js';
import type { Exchange, ExchangeScenario, HeaderSource } from './journal.js';
import { maskAddress, maskHeader, maskJson, maskText } from './mask.js';

/** What the views of exchanges must know of their sandbox. */
export interface ViewContext {
  /** What every path begins with, in a world of its own. */
  readonly prefix?: string | undefined;
  /** The header that carries bearer tokens, in the dialect in force. */
  readonly bearerHeader: string;
}

/** An exchange in a list: without headers and bodies, and without secrets. */
export interface ExchangeSummary {
  readonly id: string;
  readonly state: Exchange['state'];
  /** ISO 8601, UTC, on the sandbox's clock. */
  readonly at: string;
  readonly method: string;
  /** With its query, below the base URL. */
  readonly path: string;
  readonly operation?: string;
  readonly channel?: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly rule?: string;
  readonly basis?: 'stated' | 'implied' | 'open';
  readonly detail?: string;
  readonly scenario?: ExchangeScenario;
  readonly durationMs?: number;
}

/** An exchange with all that is remembered of it, without secrets. */
export interface ExchangeView extends ExchangeSummary {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown };
  readonly response?: {
    readonly headers: Readonly<Record<string, string>>;
    /** Absent where it was longer than is kept. */
    readonly body?: unknown;
    /** In characters or bytes, as it was made. */
    readonly length: number;
  };
}

/** Path and query of an address, without secrets. */
export function pathOf({ url }: Pick<Exchange, 'url'>, prefix = ''): string {
  return maskAddress(rawPathOf(url, prefix));
}

/** Path and query as they were asked for. */
export function rawPathOf(url: string, prefix = ''): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const path = start < 0 ? '/' : url.slice(start);
  return path.startsWith(prefix) ? path.slice(prefix.length) || '/' : path;
}

/** Why a request was refused; the body of a token refresh is not repeated, since any part of it may be the token. */
export function whyOf({ detail, operation }: Pick<Exchange, 'detail' | 'operation'>): string | undefined {
  if (detail === undefined) return undefined;
  return maskText(operation === 'refreshToken' ? withoutEcho(detail) : detail);
}

function withoutEcho(text: string): string {
  return text.replace(/; got .*$/s, '');
}

/** What a list shows of an exchange. */
export function summaryOf(exchange: Exchange, { prefix }: ViewContext): ExchangeSummary {
  const { requestId, state, at, method, operation, channel, status, rule, scenario, durationMs } = exchange;
  const basis =
    rule === undefined ? undefined : (ruleBasis as Readonly<Record<string, ExchangeSummary['basis']>>)[rule];
  const detail = whyOf(exchange);
  return {
    id: requestId,
    state,
    at: new Date(at).toISOString(),
    method,
    path: pathOf(exchange, prefix),
    ...(operation === undefined ? {} : { operation }),
    ...(channel === undefined ? {} : { channel }),
    status,
    ...(rule === undefined ? {} : { rule }),
    ...(basis === undefined ? {} : { basis }),
    ...(detail === undefined ? {} : { detail }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(durationMs === undefined ? {} : { durationMs: Number(durationMs.toFixed(3)) }),
  };
}

/** Everything that is remembered of an exchange. */
export function viewOf(exchange: Exchange, context: ViewContext): ExchangeView {
  const { requestHeaders, responseHeaders, responseLength = 0 } = exchange;
  const request = { headers: headersOf(requestHeaders, context), ...present('body', requestBodyOf(exchange)) };
  if (!responseHeaders) return { ...summaryOf(exchange, context), request };
  const headers = headersOf(responseHeaders, context);
  const response = { headers, ...present('body', responseBodyOf(exchange)), length: responseLength };
  return { ...summaryOf(exchange, context), request, response };
}

function present(name: 'body', value: unknown): { readonly body?: unknown } {
  return value === undefined ? {} : { [name]: value };
}

function headersOf(source: HeaderSource, { bearerHeader }: ViewContext): Record<string, string> {
  const entries: [string, string | readonly string[] | undefined][] =
    source instanceof Headers ? [...source] : Object.entries(source);
  const found: [string, string][] = [];
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    found.push([name, maskHeader(name, text, bearerHeader)]);
  }
  return Object.fromEntries(found);
}

/** The body of a token refresh is masked whole: any part of it may be the token. */
function requestBodyOf({ body, operation }: Exchange): unknown {
  if (operation !== 'refreshToken' || body === undefined) return maskJson(body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return '***';
  return Object.fromEntries(Object.keys(body).map((name) => [/^\w{0,12}_?token$/i.test(name) ? name : '***', '***']));
}

function responseBodyOf({ responseBody, operation }: Exchange): unknown {
  if (responseBody === undefined) return undefined;
  const text = typeof responseBody === 'string' ? responseBody : new TextDecoder().decode(responseBody);
  const refreshes = operation === 'refreshToken';
  try {
    return maskJson(JSON.parse(text), refreshes ? (one) => maskText(withoutEcho(one)) : maskText);
  } catch {
    return maskText(refreshes ? withoutEcho(text) : text);
  }
}
