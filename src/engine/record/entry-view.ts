import { defined, maskAddress, maskHeader, maskJson, maskText } from '../../common/index.js';
import { ruleBasis } from '../../contract/index.js';
import { areWebHeaders, type Dropped, type EntryScenario, type HeaderSource, type JournalEntry } from './journal.js';

/** The properties of a sandbox that views of entries need. */
export interface ViewContext {
  /** The prefix of every path, in a world other than the main one. */
  readonly prefix?: string | undefined;
  /** The header that carries bearer tokens in the current dialect. */
  readonly bearerHeader: string;
}

/** An entry in a list, without headers, bodies and secrets. */
export interface EntrySummary {
  readonly id: string;
  readonly state: JournalEntry['state'];
  /** ISO 8601, UTC, on the sandbox's clock. */
  readonly at: string;
  readonly method: string;
  /** The path with its query, below the base URL. */
  readonly path: string;
  readonly operation?: string;
  readonly channel?: string;
  /** 0 if there was no response. */
  readonly status: number;
  readonly rule?: string;
  readonly basis?: 'stated' | 'implied' | 'open';
  readonly detail?: string;
  readonly scenario?: EntryScenario;
  readonly warnings?: readonly string[];
  readonly durationMs?: number;
}

/** A request or a response. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Why there is a length, but no body. */
  readonly dropped?: Dropped;
}

/** A complete entry, without secrets. */
export interface EntryView extends EntrySummary {
  readonly request: Message & {
    /** Characters of the body, if it was read. */
    readonly length?: number;
  };
  readonly response?: Message & {
    /** Characters of a text, bytes of binary data. */
    readonly length: number;
  };
}

/** The path and query of a URL, without secrets. */
export function pathOf({ url }: Pick<JournalEntry, 'url'>, prefix = ''): string {
  return maskAddress(rawPathOf(url, prefix));
}

/** The path and query as requested. */
export function rawPathOf(url: string, prefix = ''): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const path = start < 0 ? '/' : url.slice(start);
  return path.startsWith(prefix) ? path.slice(prefix.length) || '/' : path;
}

/** Why a request was refused. It does not repeat the body of a token refresh, which may contain the token anywhere. */
export function whyOf({ detail, operation }: Pick<JournalEntry, 'detail' | 'operation'>): string | undefined {
  if (detail === undefined) return undefined;
  return maskText(operation === 'refreshToken' ? withoutEcho(detail) : detail);
}

function withoutEcho(text: string): string {
  return text.replace(/; got .*$/s, '');
}

/** The entry of a list. */
export function summaryOf(entry: JournalEntry, { prefix }: ViewContext): EntrySummary {
  const { requestId, state, at, method, operation, channel, status, rule, scenario, warnings, durationMs } = entry;
  const basis = rule === undefined ? undefined : (ruleBasis as Readonly<Record<string, EntrySummary['basis']>>)[rule];
  const detail = whyOf(entry);
  return defined({
    id: requestId,
    state,
    at: new Date(at).toISOString(),
    method,
    path: pathOf(entry, prefix),
    operation,
    channel,
    status,
    rule,
    basis,
    detail,
    scenario,
    warnings: warnings?.map((one) => maskText(one)),
    durationMs: durationMs === undefined ? undefined : Number(durationMs.toFixed(3)),
  });
}

/** The complete entry. */
export function viewOf(entry: JournalEntry, context: ViewContext): EntryView {
  const { requestHeaders, responseHeaders, responseLength = 0 } = entry;
  const request = defined({
    headers: headersOf(requestHeaders, context),
    body: requestBodyOf(entry),
    length: entry.bodyLength,
    dropped: entry.bodyDropped,
  });
  if (!responseHeaders) return { ...summaryOf(entry, context), request };
  const response = defined({
    headers: headersOf(responseHeaders, context),
    body: responseBodyOf(entry),
    length: responseLength,
    dropped: entry.responseDropped,
  });
  return { ...summaryOf(entry, context), request, response };
}

function headersOf(source: HeaderSource, { bearerHeader }: ViewContext): Record<string, string> {
  const entries: [string, string | readonly string[] | undefined][] = areWebHeaders(source)
    ? [...source]
    : Object.entries(source);
  const found: [string, string][] = [];
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    found.push([name, maskHeader(name, text, bearerHeader)]);
  }
  return Object.fromEntries(found);
}

/** The body of a token refresh is masked completely, because it may contain the token anywhere. */
function requestBodyOf({ body, operation }: JournalEntry): unknown {
  if (operation !== 'refreshToken' || body === undefined) return maskJson(body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return '***';
  return Object.fromEntries(Object.keys(body).map((name) => [/^\w{0,12}_?token$/i.test(name) ? name : '***', '***']));
}

function responseBodyOf({ responseBody, operation }: JournalEntry): unknown {
  if (responseBody === undefined) return undefined;
  const text = typeof responseBody === 'string' ? responseBody : new TextDecoder().decode(responseBody);
  const refreshes = operation === 'refreshToken';
  try {
    return maskJson(JSON.parse(text), refreshes ? (one) => maskText(withoutEcho(one)) : maskText);
  } catch {
    return maskText(refreshes ? withoutEcho(text) : text);
  }
}
