import type { Exchange } from '../../conformance/index.js';
import type { OperationId } from '../../contract/index.js';
import type { ShownExchange } from '../shown-exchange.js';

/** The sandbox of an exam is gone when its report is read, so that its address is one that nobody has (RFC 2606). */
export const NOWHERE = 'http://sandbox.invalid';

/** A call or a callback in the form that the formats of reports share. */
export function asExchange(shown: ShownExchange): Exchange {
  const { id, exam, kind, method, path, operation, at, status, requestBody, responseBody } = shown;
  const body = responseBody ?? '';
  return {
    id,
    ...(operation === undefined ? {} : { operation: operation as OperationId }),
    caller: kind === 'call' ? 'first' : 'deployment',
    startedAt: at,
    durationMs: 0,
    request: {
      method,
      url: kind === 'call' ? `${NOWHERE}/w/${exam}${path}` : path,
      headers: shown.requestHeaders,
      ...(requestBody === undefined ? {} : { body: requestBody }),
    },
    ...(status === 0
      ? { failure: 'No answer.' }
      : { response: { status, headers: shown.responseHeaders, body, length: body.length } }),
  };
}
