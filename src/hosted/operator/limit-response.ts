import type { Answers } from '../../contract/index.js';
import { failureBody, problemResponse } from '../../engine/index.js';
import type { LimitRefusal } from './meter.js';

/**
 * The answer to a request that a limit of the world refuses: a problem for the admin API, the error body of the dialect
 * for the service. The service has no 507, and `Teebox-Limit` says that it is not the service that refuses.
 */
export function limitResponse(refusal: LimitRefusal, request: Request, path: string, answers: Answers): Response {
  const { limit, status, message, retryAfter } = refusal;
  const headers: Record<string, string> = { 'teebox-limit': limit };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (/^\/__admin(\/|$)/.test(path)) return problemResponse(status, message, { headers });
  if (request.headers.has('origin')) {
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = 'Teebox-Limit, Retry-After';
  }
  headers['content-type'] = 'application/json; charset=utf-8';
  return new Response(failureBody(answers, `limit-${limit}`, message), { status, headers });
}
