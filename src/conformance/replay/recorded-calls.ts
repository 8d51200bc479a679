import { type OperationSpec, matchOperation } from '../../contract/index.js';
import type { ArchivedExchange } from './archive.js';
import { Callers } from './callers.js';
import { MASK, parsedJson } from '../../common/index.js';
import { type OperationCall, prepare, type RequestCall } from '../client/request.js';
import type { UnjudgedExchange } from '../client/types.js';

/** An exchange, and the call of the contract that it matches. */
export interface RecordedCall {
  readonly exchange: ArchivedExchange;
  /** The path below the base URL, with its query. */
  readonly path: string;
  readonly call: RequestCall;
}

/** An exchange that cannot be evaluated, and why. */
export interface Unevaluated {
  readonly exchange: ArchivedExchange;
  readonly why: string;
}

/** The exchanges of an archive, by kind. */
export interface Recording {
  readonly baseUrl: string;
  readonly calls: RecordedCall[];
  /** Results of searches, posted to the callback address of a recorded search. */
  readonly deliveries: ArchivedExchange[];
  readonly unjudged: readonly UnjudgedExchange[];
}

/** The elements of a list, which holds each of them only until its turn. */
export function* drained<T>(list: T[]): Generator<T> {
  list.reverse();
  while (list.length > 0) yield list.pop()!;
}

/** Characters of an address that is looked at. */
const MOST_URL = 8192;

/**
 * Finds the operation of each exchange by method and path below the base URL.
 *
 * @param archive The exchanges; those that cannot be evaluated are not held on to.
 * @param given The base URL; the default is the one under which most exchanges are operations.
 */
export function readRecording(archive: ArchivedExchange[], given?: string): Recording {
  const baseUrl = (given ?? guessBase(archive)).replace(/\/+$/, '');
  const callers = new Callers();
  const calls: RecordedCall[] = [];
  const others: ArchivedExchange[] = [];
  const unjudged: UnjudgedExchange[] = [];
  for (const exchange of drained(archive)) {
    const found = matched(exchange, baseUrl, callers);
    const why = found && lackOf(exchange);
    if (!found) others.push(exchange);
    else if (why === undefined) calls.push(found);
    else unjudged.push(unjudgedOf({ exchange, why }));
  }
  const addresses = new Set(calls.map(({ call }) => ('params' in call ? call.params?.['callbackUrl'] : undefined)));
  const isDelivery = ({ url, requestBody }: ArchivedExchange): boolean =>
    addresses.has(url) && requestBody !== undefined;
  const strays = others.filter((exchange) => !isDelivery(exchange));
  const noOperation = strays.map((exchange) =>
    unjudgedOf({ exchange, why: exchange.refusal?.why ?? whyNone(exchange, baseUrl) }),
  );
  return { baseUrl, calls, deliveries: others.filter(isDelivery), unjudged: [...unjudged, ...noOperation] };
}

/** What a report says of an exchange that was not evaluated. */
export function unjudgedOf({ exchange: { method, url }, why }: Unevaluated): UnjudgedExchange {
  return { method, url, why };
}

/** The call of an exchange below the base URL, or why it cannot be evaluated. */
export function readExchange(
  exchange: ArchivedExchange,
  baseUrl: string,
  callers: Callers,
): RecordedCall | Unevaluated {
  const found = matched(exchange, baseUrl, callers);
  if (!found) return { exchange, why: whyNone(exchange, baseUrl) };
  const why = lackOf(exchange);
  return why === undefined ? found : { exchange, why };
}

/** The base URL under which most exchanges are operations; if none is one, that of the first exchange. */
function guessBase(archive: readonly ArchivedExchange[]): string {
  const found = new Map<string, number>();
  for (const exchange of archive) {
    if (exchange.url.length > MOST_URL) continue;
    const { origin, pathname } = new URL(exchange.url);
    for (let at = pathname.indexOf('/api/'); at >= 0; at = pathname.indexOf('/api/', at + 1)) {
      const base = origin + pathname.slice(0, at);
      if (matched(exchange, base, new Callers())) found.set(base, (found.get(base) ?? 0) + 1);
    }
  }
  const [best] = [...found].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? (archive[0] ? new URL(archive[0].url).origin : 'about:blank');
}

function matched(exchange: ArchivedExchange, baseUrl: string, callers: Callers): RecordedCall | undefined {
  if (exchange.url.length > MOST_URL) return undefined;
  const path = below(exchange, baseUrl);
  if (path === undefined) return undefined;
  const match = matchOperation(exchange.method, path);
  if (!match) return probed(exchange, path);
  const { operation, inPath, query } = match;
  // Unknown parameters, such as a number against caching, are allowed and ignored.
  const known = new Set(operation.parameters.map(({ name }) => name));
  const listed = [...query].filter(([name]) => known.has(name));
  const params = { ...Object.fromEntries(listed), ...inPath };
  const body = bodyOf(exchange);
  const as = callers.callerOf(exchange);
  const call: OperationCall = { operation: operation.id, params, as, ...(body === undefined ? {} : { body }) };
  const { breaking } = exchange;
  return { exchange, path, call: { ...call, ...(breaking ? { breaking } : breach(call, operation)) } };
}

/** A request of a run that is in no contract, which breaks a rule by that. */
function probed(exchange: ArchivedExchange, path: string): RecordedCall | undefined {
  const { method, breaking, caller = 'first' } = exchange;
  if (breaking === undefined) return undefined;
  const body = bodyOf(exchange);
  return { exchange, path, call: { method, path, breaking, as: caller, ...(body === undefined ? {} : { body }) } };
}

/** Path and query below the base URL; undefined for another URL. */
function below({ url }: ArchivedExchange, baseUrl: string): string | undefined {
  const base = new URL(baseUrl).href.replace(/\/$/, '');
  const { origin, pathname, search } = new URL(url);
  const plain = origin + pathname + search;
  return plain.startsWith(`${base}/`) ? plain.slice(base.length) : undefined;
}

/** The contract does not describe answers to requests that break it, so their form is not checked. */
function breach(call: OperationCall, { rule }: OperationSpec): Pick<OperationCall, 'breaking'> {
  const masked = typeof call.body !== 'undefined' && JSON.stringify(call.body).includes(MASK);
  const { faults } = prepare(call);
  const told = masked ? faults.filter((fault) => !fault.startsWith('its body')) : faults;
  return told.length > 0 ? { breaking: rule } : {};
}

function bodyOf({ requestBody }: ArchivedExchange): unknown {
  return requestBody ? parsedJson(requestBody, requestBody) : undefined;
}

/** The answer came, and nothing is known of its body: it is too long, or its encoding cannot be read. */
export const NOT_KEPT = 'its body was not kept';

/** Nothing is known of the rest of the body. */
export const NOT_WHOLE = 'its body was not kept whole';

/** The reason why an exchange cannot be evaluated. */
function lackOf({ status, text, size, refusal }: ArchivedExchange): string | undefined {
  if (status === 0) return 'no answer was recorded';
  if (status === 304) return 'the answer came from a cache';
  if (refusal) return refusal.why;
  if (text === undefined) return NOT_KEPT;
  // A body that the recorder truncated or masked is not a fault of the deployment.
  return (text === MASK || size > text.length) && parsedJson(text) === undefined ? NOT_WHOLE : undefined;
}

function whyNone(exchange: ArchivedExchange, baseUrl: string): string {
  if (exchange.url.length > MOST_URL) return `its address is longer than ${MOST_URL} characters`;
  if (below(exchange, baseUrl) === undefined) return `it is not below ${baseUrl}`;
  return 'no operation of the contract has its method and path';
}
