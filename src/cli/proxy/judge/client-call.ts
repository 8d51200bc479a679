import { createHash } from 'node:crypto';
import { type ClientCall, type ClientDelivery, placed } from '../../../certification/index.js';
import type { PassedExchange } from '../wire/passed.js';
import { headersOf, textOf } from './archived.js';

/** A request as the client's judge sees it: the answer is what the client got. */
export function clientCallOf(passed: PassedExchange): ClientCall {
  const { id, turn, at, durationMs, method, path, request, injected, clientLeft } = passed;
  const answer = passed.seen ?? passed.answer;
  const arrived = answer?.isWhole && !clientLeft ? answer : undefined;
  const headers = headersOf(request.headers);
  const channel = channelOf(headers);
  const [scenario] = injected?.scenarios ?? [];
  return {
    id,
    turn,
    at,
    ...(arrived ? { answeredAt: at + durationMs } : {}),
    method,
    path,
    headers,
    body: request.size === 0 ? undefined : textOf(request),
    ...placed(method, path),
    status: arrived?.status ?? 0,
    responseHeaders: headersOf(arrived?.headers ?? []),
    responseBody: arrived && textOf(arrived),
    ...(injected?.changed && scenario ? { struck: { scenario, committed: injected.wasSent } } : {}),
    ...(channel === undefined ? {} : { channel }),
  };
}

/** The result of a search, as the client's judge sees it. */
export function deliveryOf({ id, at, durationMs, request, answer, delivery }: PassedExchange): ClientDelivery {
  return {
    id,
    search: delivery!.search,
    url: delivery!.url,
    at,
    ...(answer ? { answeredAt: at + durationMs } : {}),
    body: textOf(request) ?? '',
    status: answer?.status ?? 0,
  };
}

/** A fingerprint of a user name. Tokens change, and two of them may be of one channel. */
function channelOf(headers: Headers): string | undefined {
  const [, credentials] = /^basic ([\w+/=-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (credentials === undefined) return undefined;
  const [user] = Buffer.from(credentials, 'base64').toString('utf8').split(':', 1);
  return createHash('sha256').update(user!).digest('hex').slice(0, 12);
}
