import { operations, type OperationSpec } from '../generated/operations.js';
import type { Answers } from '../generated/questions.js';
import { type RuleId, ruleBasis } from '../generated/rule-basis.js';
import type { Misfit } from '../input/misfit.js';
import type { Answer } from '../routes/call.js';
import { INTERNAL_ERROR } from '../journal/journal-entry.js';
import { record } from './record.js';
import type { Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { problemResponse } from './problem.js';
import { refusalStatus, refusalWords } from './refusals.js';

/** Headers that a page of another origin may read; `X-Message` carries the pause of payments in some dialects. */
const exposed = 'WWW-Authenticate, Retry-After, Allow, X-Message, Deprecation';
const exposedWithOurs = `Teebox-Request-Id, Teebox-Rule, Teebox-Scenario, ${exposed}`;

/** The response, with the headers that say which rule decided it. */
export function respond(
  pipeline: Pipeline,
  passage: Passage,
  status: number,
  body: string | Uint8Array,
  rule: RuleId | typeof INTERNAL_ERROR,
  extra?: Readonly<Record<string, string>>,
  detail?: string,
): Response {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (!pipeline.pure) {
    headers['teebox-request-id'] = passage.requestId;
    if (rule !== INTERNAL_ERROR) headers['teebox-rule'] = `${rule}; basis=${ruleBasis[rule]}`;
    const struck = passage.scenarios?.header;
    if (struck !== undefined) headers['teebox-scenario'] = struck;
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

/**
 * The response to a request on which the sandbox itself failed: a defect, not a refusal. It has the status 500 and the
 * error body of the dialect, but no `Teebox-Rule`, because no rule of the document decided. The stack is in the journal
 * and the log, never in the response.
 */
export function respondInternalError(pipeline: Pipeline, passage: Passage, error: unknown): Response {
  const { answers } = pipeline.engine;
  const detail = (error instanceof Error && error.stack) || String(error);
  const body = failureBody(answers, 'internal', refusalWords('internal', undefined));
  return respond(pipeline, passage, refusalStatus('internal', answers), body, INTERNAL_ERROR, undefined, detail);
}

/** The response to a request with an invalid scenario: an error, never a silent success (RFC 9457). */
export function respondMisfit(pipeline: Pipeline, passage: Passage, { message, fits }: Misfit): Response {
  const headers: Record<string, string> = {};
  if (!pipeline.pure) headers['teebox-request-id'] = passage.requestId;
  if (passage.header('origin') !== undefined) headers['access-control-allow-origin'] = '*';
  record(pipeline, passage, { status: 400, rule: 'scenario', detail: message, headers, body: message });
  return problemResponse(400, message, { headers, fits });
}

/**
 * The body of a success: `{success: true, data}` (section "What the service does", list 1). A message stands
 * beside the payload only where the document has one: the paused payment of v5.
 */
export function successBody(answer: Answer): string | Uint8Array {
  if ('body' in answer) return answer.body;
  const json = 'json' in answer ? answer.json : JSON.stringify(answer.data ?? null);
  const message =
    'message' in answer && answer.message !== undefined ? `,"message":${JSON.stringify(answer.message)}` : '';
  return `{"success":true,"data":${json}${message}}`;
}

/** The body of a refusal. Its shape is an open question: `error.body` and `error.code`. */
export function failureBody(answers: Answers, code: string, message: string): string {
  const codePart = answers['error.code'] === 'code' ? { code } : {};
  switch (answers['error.body']) {
    case 'message':
      return JSON.stringify({ success: false, data: null, message, ...codePart });
    case 'error':
      return JSON.stringify({ success: false, data: null, error: message, ...codePart });
    case 'errors':
      return JSON.stringify({ success: false, data: null, errors: [{ message }], ...codePart });
    case 'data':
      return JSON.stringify({ success: false, data: { message }, ...codePart });
  }
}

/** Since when old versions count as deprecated, where a dialect says so: the first day of 2025. */
const SINCE = '@1735689600';

/** The newest version of each operation. */
const newest = new Map<string, string>();
for (const { name, version } of operations) {
  if (version > (newest.get(name) ?? '')) newest.set(name, version);
}

/**
 * The header that announces an operation with a successor as deprecated (RFC 9745), for dialects that do so:
 * the section "Versioning" leaves it open (question `versions.deprecation`).
 */
function deprecationHeader({ name, version }: OperationSpec): string | undefined {
  return version < (newest.get(name) ?? '') ? SINCE : undefined;
}
