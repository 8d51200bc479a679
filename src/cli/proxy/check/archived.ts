import type { ArchivedExchange } from '../../../conformance/index.js';
import type { PassedExchange, PassedMessage } from '../wire/passed.js';
import { decodedBody } from '../wire/decoded.js';
import { pairsIn, type RawHeaders } from '../wire/raw-headers.js';

const utf8 = new TextDecoder();

/** The body as text, without its compression; undefined if it was not kept or cannot be read. */
export function textOf({ headers, body }: PassedMessage): string | undefined {
  const plain = body && decodedBody(headers, body);
  return plain && utf8.decode(plain);
}

/** The headers as `fetch` has them; what it does not take is left out. */
export function headersOf(raw: RawHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of pairsIn(raw)) {
    try {
      headers.append(name, value);
    } catch {
      continue;
    }
  }
  return headers;
}

/** An exchange as a recording has it: the answer is that of the deployment, whatever the client got. */
export function archivedOf(passed: PassedExchange, baseUrl: string): ArchivedExchange {
  const { method, path, request, answer, at, durationMs, delivery } = passed;
  const requestBody = request.size === 0 ? undefined : textOf(request);
  const text = answer?.isWhole ? textOf(answer) : undefined;
  return {
    method,
    url: delivery?.url ?? baseUrl + path,
    requestHeaders: headersOf(request.headers),
    ...(requestBody === undefined ? {} : { requestBody }),
    status: answer?.status ?? 0,
    headers: headersOf(answer?.headers ?? []),
    text,
    size: text?.length ?? answer?.size ?? 0,
    startedAt: at,
    durationMs: Math.round(durationMs),
  };
}
