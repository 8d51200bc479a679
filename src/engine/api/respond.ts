import { type Answers, operations, type OperationSpec, ruleBasis, type RuleId } from '../../contract/index.js';
import type { Misfit } from '../../common/index.js';
import type { Answer } from './routes/call.js';
import { INTERNAL_ERROR, NOT_KEPT } from '../record/journal-entry.js';
import { record } from './record.js';
import type { Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
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
  rule: RuleId | typeof INTERNAL_ERROR | typeof NOT_KEPT,
  extra?: Readonly<Record<string, string>>,
  detail?: string,
): Response {
  const headers = ownHeaders(pipeline, passage, rule);
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

function ownHeaders(
  { pure }: Pipeline,
  { requestId, scenarios }: Passage,
  rule: RuleId | typeof INTERNAL_ERROR | typeof NOT_KEPT,
): Record<string, string> {
  if (pure) return { 'content-type': JSON_TYPE };
  const headers: Record<string, string> =
    rule === INTERNAL_ERROR || rule === NOT_KEPT
      ? { 'content-type': JSON_TYPE, 'teebox-request-id': requestId }
      : { 'content-type': JSON_TYPE, 'teebox-request-id': requestId, 'teebox-rule': ruleHeader(rule) };
  const struck = scenarios?.header;
  if (struck !== undefined) headers['teebox-scenario'] = struck;
  return headers;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';

/** The header of each rule that has decided so far. */
const ruleHeaders = new Map<RuleId, string>();

function ruleHeader(rule: RuleId): string {
  let header = ruleHeaders.get(rule);
  if (header === undefined) ruleHeaders.set(rule, (header = `${rule}; basis=${ruleBasis[rule]}`));
  return header;
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
  const sent = { ...headers, 'content-type': PROBLEM_TYPE };
  return new Response(problemBody('Bad Request', 400, message, { fits }), { status: 400, headers: sent });
}

export interface ProblemMembers {
  readonly headers?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** An error of the sandbox itself. Not with the titles of all others, which pages need on demand only. */
export function titledProblem(
  title: string,
  status: number,
  detail: string,
  { headers = {}, ...members }: ProblemMembers,
): Response {
  const body = problemBody(title, status, detail, members);
  return new Response(body, { status, headers: { ...headers, 'content-type': PROBLEM_TYPE } });
}

function problemBody(title: string, status: number, detail: string, members: object): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail, ...members });
}

/**
 * The body of a success: `{success: true, data}` (section "What the service does", list 1). A message stands
 * beside the payload only where the document has one: the paused payment of v5.
 */
export function successBody(answer: Answer): string | Uint8Array {
  if ('body' in answer) return answer.body;
  const json = 'json' in answer ? answer.json : JSON.stringify(answer.data ?? null);
  if (!('message' in answer) || answer.message === undefined) return `{"success":true,"data":${json}}`;
  return `{"success":true,"data":${json},"message":${JSON.stringify(answer.message)}}`;
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
