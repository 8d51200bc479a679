import type { Exchange } from '../exchange.js';
import type { FileReporter } from './reporter.js';

interface Pair {
  readonly name: string;
  readonly value: string;
}

const HTTP = 'HTTP/1.1';

/** All exchanges as an HTTP Archive 1.2, in the order of sending; names with an underscore are our own. */
export const harReporter: FileReporter = ({ report, exchanges, version }) => {
  const { verdict, target } = report;
  const entries = [...exchanges.values()].map(entryOf);
  const creator = { name: 'teebox', version };
  const log = { version: '1.2', creator, entries, _baseUrl: target.baseUrl, _runId: target.runId, _verdict: verdict };
  return `${JSON.stringify({ log }, null, 2)}\n`;
};

function entryOf(exchange: Exchange): object {
  const { id, operation, caller, startedAt, durationMs, failure } = exchange;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(exchange.request),
    response: responseOf(exchange.response),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: id,
    _caller: caller,
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(failure === undefined ? {} : { _failure: failure }),
  };
}

/** A delivery came to an address of the suite's own, and the format wants one that is whole. */
const ELSEWHERE = 'http://callback.invalid';

function requestOf({ method, url: given, headers, body }: Exchange['request']): object {
  const { href: url, searchParams } = new URL(given, ELSEWHERE);
  return {
    method,
    url,
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(headers),
    queryString: [...searchParams].map(([name, value]): Pair => ({ name, value })),
    ...(body === undefined ? {} : { postData: { mimeType: typeOf(headers), text: body } }),
    headersSize: -1,
    bodySize: body === undefined ? 0 : -1,
  };
}

/** An exchange without an answer has the status 0, as browsers write it. */
function responseOf(response: Exchange['response']): object {
  const { status, headers, body, length } = response ?? { status: 0, headers: {}, body: '', length: 0 };
  return {
    status,
    statusText: '',
    httpVersion: HTTP,
    cookies: [],
    headers: pairsOf(headers),
    content: { size: length, mimeType: typeOf(headers), text: body },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  };
}

function typeOf(headers: Readonly<Record<string, string>>): string {
  return headers['content-type'] ?? 'application/octet-stream';
}

function pairsOf(headers: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
