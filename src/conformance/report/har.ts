import { harRequest, type HarRequest, harResponse, visibleJson } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';
import type { ReportModel } from './model.js';

const BINARY = 'application/octet-stream';

/**
 * All exchanges as an HTTP Archive 1.2, in the order of sending. Names with an underscore extend the format. Each exchange is
 * written by itself, on a line: all of them as objects take several times the memory of their text.
 */
export function harReport({ version, har: { exchanges, about } }: ReportModel): string {
  const head = visibleJson({ version: '1.2', creator: { name: 'teebox', version }, ...about });
  const entries = Array.from(exchanges, (exchange) => visibleJson(harEntry(exchange)));
  return `{"log":${head.slice(0, -1)},"entries":[\n${entries.join(',\n')}\n]}}\n`;
}

/** One exchange of an archive. */
export function harEntry(exchange: Exchange): object {
  const { id, operation, breaking, caller, startedAt, durationMs, failure, response } = exchange;
  // A body is masked each time that it is read.
  const { status = 0, headers = {}, body = '', length = 0 } = response ?? {};
  const isBodyMissing = body === '' && length > 0;
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(exchange.request),
    response: harResponse({ status, headers, text: isBodyMissing ? undefined : body, size: length }, BINARY),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(isBodyMissing ? { comment: 'The body of the answer was not kept.' } : {}),
    _id: id,
    _caller: caller,
    ...(exchange.request.isCut ? { _isCut: true } : {}),
    ...(operation === undefined ? {} : { _operation: operation }),
    ...(breaking === undefined ? {} : { _breaks: breaking }),
    ...(failure === undefined ? {} : { _failure: failure }),
  };
}

/** A delivery was posted to an address of the suite. The format requires a complete URL. */
const ELSEWHERE = 'http://callback.invalid';

function requestOf({ method, url: given, headers, body: text }: Exchange['request']): HarRequest {
  const { href: url, searchParams: query } = new URL(given, ELSEWHERE);
  return harRequest({ method, url, query, headers, text }, BINARY);
}
