import { type RuleId, ruleBasis } from '../generated/rule-basis.js';
import type { Misfit } from '../scenarios/spec.js';
import { deprecationHeader } from './deprecation.js';
import { record } from './exchange.js';
import type { Passage, Pipeline } from './passage.js';
import { problemResponse } from './problem.js';

/** Headers that a page of another origin may read; `X-Message` carries the pause of payments in some dialects. */
const exposed = 'WWW-Authenticate, Retry-After, Allow, X-Message, Deprecation';
const exposedWithOurs = `Teebox-Request-Id, Teebox-Rule, Teebox-Scenario, ${exposed}`;

/** The response, with the headers that tell what decided it. */
export function respond(
  pipeline: Pipeline,
  passage: Passage,
  status: number,
  body: string | Uint8Array,
  rule: RuleId,
  extra?: Readonly<Record<string, string>>,
  detail?: string,
): Response {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (!pipeline.pure) {
    headers['teebox-request-id'] = passage.requestId;
    headers['teebox-rule'] = `${rule}; basis=${ruleBasis[rule]}`;
    const told = passage.strikes?.told;
    if (told !== undefined) headers['teebox-scenario'] = told;
  }
  if (passage.header('origin') !== undefined) {
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = pipeline.pure ? exposed : exposedWithOurs;
  }
  if (passage.operation && pipeline.engine.answers['versions.deprecation'] === 'header') {
    const deprecation = deprecationHeader(passage.operation);
    if (deprecation) headers['deprecation'] = deprecation;
  }
  if (extra) Object.assign(headers, extra);
  record(pipeline, passage, { status, rule, detail, headers, body });
  return new Response(body as BodyInit, { status, headers });
}

/** The answer to a request that asks for a scenario that does not fit: never a silent success (RFC 9457). */
export function respondMisfit(pipeline: Pipeline, passage: Passage, { message, fits }: Misfit): Response {
  const headers: Record<string, string> = {};
  if (!pipeline.pure) headers['teebox-request-id'] = passage.requestId;
  if (passage.header('origin') !== undefined) headers['access-control-allow-origin'] = '*';
  record(pipeline, passage, { status: 400, rule: 'scenario', detail: message, headers, body: message });
  return problemResponse(400, message, { headers, fits });
}
