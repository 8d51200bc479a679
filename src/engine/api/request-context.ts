/**
 * One request while it is answered: what is known of it, its response with the envelope, and its end in the journal.
 * `answer.ts` leads it through its steps.
 */
import type { Channel } from '../model/world.js';
import { type Answers, operations, type OperationSpec, ruleBasis, type RuleId } from '../../contract/index.js';
import type { Authenticate, HeaderReader } from './authenticate.js';
import type { HostHints } from './host-hints.js';
import type { RequestScenarios } from './request-scenarios.js';
import type { Schedule } from '../model/clock.js';
import {
  INTERNAL_ERROR,
  type Journal,
  type JournalEntry,
  NOT_KEPT,
  OpenEntry,
  PREFLIGHT,
  type Recorded,
  type RequestRecording,
} from '../record/journal.js';
import type { Answer, Engine } from './routes/call.js';
import type { Caches } from '../store/caches.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import type { ValidationError } from '../../common/index.js';
import { problemResponse } from './problem.js';
import { refusalStatus, refusalWords } from './refusals.js';

/** Reads the path of a request as routes have it. */
export type ReadPath = (request: Request) => string;

/** What serves the requests of one sandbox: its state and the reading of requests in the current dialect. */
export interface RequestServices {
  readonly engine: Engine;
  readonly authenticate: Authenticate;
  readonly limitRate: ((channel: Channel, now: number) => void) | undefined;
  /** Omits every header that the service itself would not send. */
  readonly pure: boolean;
  readonly journal: Journal;
  /** Missing in the world of strangers. */
  readonly recording: RequestRecording | undefined;
  readonly onExchange: ((entry: JournalEntry) => void) | undefined;
  readonly scenarios: Scenarios;
  /** The prefix of every path, in a world other than the main one. */
  readonly prefix: string | undefined;
  /** Reads the access token of a request. */
  readonly tokenOf: (header: HeaderReader) => string | undefined;
  /** Answers a request of the admin API. */
  readonly admin: (request: Request, hints: HostHints, readPath: ReadPath) => Promise<Response>;
  nextRequestId(): string;
  readonly schedule: Schedule;
  /** Whether a request with valid credentials needs another world. */
  readonly forStrangers: boolean;
  /** Resolves when all changes so far are kept; undefined if nobody keeps them. */
  readonly keep: (() => Promise<void> | undefined) | undefined;
  /** The caches of routes and parameters. */
  readonly caches: Caches;
}

/** The response to a request. */
interface Outcome {
  readonly status: number;
  readonly rule: string;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** One request in the pipeline, with what is known about it so far. */
export interface RequestContext {
  readonly operation: OperationSpec | undefined;
  readonly request: Request;
  readonly header: HeaderReader;
  readonly requestId: string;
  readonly at: number;
  /** The instant that its work sees: the one of its arrival, or the end of a wait that a scenario asked for. */
  now: number;
  /** Its journal entry. */
  readonly entry: OpenEntry;
  readonly recorded: Recorded | undefined;
  /** The parsed body, after it was read. */
  body: unknown;
  text: string | undefined;
  /** What is wrong with the body; reported after authentication. */
  flaw: { readonly error: unknown } | undefined;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
  channel: Channel | undefined;
  /** The scenarios of the request; undefined if none can apply to it. */
  scenarios: RequestScenarios | undefined;
  /** The response, which a scenario may still delay or break. */
  outcome: Outcome | undefined;
  /** Whether the status and headers of the response were sent before its body. */
  begun: boolean;
  /** What the response waits for: the changes that are being kept. */
  kept: Promise<void> | undefined;
}

/** A request from the host, with its path parameters. */
export interface Incoming {
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
}

/** Opens a request on arrival, with its journal entry. */
export function openRequest(
  services: RequestServices,
  operation: OperationSpec | undefined,
  { request, path, hints }: Incoming,
): RequestContext {
  const header = headerReaderOf(request, hints);
  const at = services.engine.now();
  const requestId = services.nextRequestId();
  const headers = hints.headers ?? request.headers;
  const entry = new OpenEntry(requestId, request.method, request.url, at, operation?.id, headers);
  services.journal.arrive(entry);
  return {
    operation,
    request,
    header,
    requestId,
    at,
    now: at,
    entry,
    recorded: services.recording?.arrive(entry, hints.url, hints.anyCallbackTarget === true),
    path,
    hints,
    body: undefined,
    text: undefined,
    flaw: undefined,
    channel: undefined,
    scenarios: undefined,
    outcome: undefined,
    begun: false,
    kept: undefined,
  };
}

function headerReaderOf(request: Request, hints: HostHints): HeaderReader {
  return hints.header ? (name) => hints.header!(name) : (name) => request.headers.get(name) ?? undefined;
}

/** Records the response. The entry stays open if something may still delay or replace the response. */
export function record(services: RequestServices, context: RequestContext, outcome: Outcome): void {
  const { entry, scenarios } = context;
  context.outcome = outcome;
  // The recording has the response as it was made: a replay keeps nothing, so it cannot fail to.
  if (outcome.rule !== NOT_KEPT) recorded(services, context, outcome);
  // The client left while a scenario held the request back.
  if (entry.state !== 'open') describe(services, context, outcome);
  else if (!scenarios?.triggered && !context.kept) settleSent(services, context);
}

/** Notes that nothing more is done for a request than to send its response, if there is one. */
export function recorded({ recording, keep }: RequestServices, context: RequestContext, outcome?: Outcome): void {
  if (context.recorded) recording!.over(context.recorded, outcome);
  if (keep) context.kept = keep();
}

/** Notes that a request goes on after a wait. A replay may hold it until it is its turn. */
export function resume(
  { recording }: RequestServices,
  { recorded: one, now }: RequestContext,
): Promise<void> | undefined {
  return one && recording!.resume(one, now);
}

/** Ends a request whose response is complete. If the client has gone, nobody gets it. */
export function settleSent(services: RequestServices, context: RequestContext): void {
  settle(services, context, hasLeft(context) ? 'cut' : 'answered');
}

/** Ends a request and notifies listeners. Only the first end of a request counts. */
export function settle(services: RequestServices, context: RequestContext, state: 'answered' | 'cut'): void {
  const { entry, outcome, begun } = context;
  if (entry.state !== 'open') return;
  entry.state = state;
  if (outcome) {
    describe(services, context, outcome);
    if (state === 'answered' || begun) entry.status = outcome.status;
  }
  complete(services, context);
}

function describe(
  { journal }: RequestServices,
  { entry }: RequestContext,
  { rule, detail, headers, body }: Outcome,
): void {
  entry.rule = rule;
  entry.responseHeaders = headers;
  journal.keepResponse(entry, body);
  if (detail !== undefined) entry.detail = detail;
}

function hasLeft({ hints, request }: RequestContext): boolean {
  return hints.hasLeft ? hints.hasLeft() : request.signal.aborted;
}

function complete(
  { journal, onExchange }: RequestServices,
  { entry, channel, hints, scenarios }: RequestContext,
): void {
  const met = scenarios?.journalled;
  if (met) entry.scenario = met;
  if (channel) entry.channel = channel.name;
  if (hints.elapsed) entry.durationMs = hints.elapsed();
  journal.complete(entry);
  onExchange?.(entry);
}

/** Resolves after milliseconds, or as soon as the signal aborts. */
export function pause(schedule: Schedule, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    // The timer also prevents garbage collection: a signal holds its request only weakly.
    const stop = schedule(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

/** Resolves after milliseconds, or as soon as the client leaves, which ends its request in the journal. */
export async function wait(services: RequestServices, context: RequestContext, milliseconds: number): Promise<void> {
  const { signal } = context.request;
  await pause(services.schedule, milliseconds, signal);
  if (signal.aborted) settle(services, context, 'cut');
}

/** Ends the request in the journal if the client leaves before it is over. */
export function watchClient(services: RequestServices, context: RequestContext): void {
  context.request.signal.addEventListener('abort', () => settle(services, context, 'cut'));
}

/** Headers that a page of another origin may read; `X-Message` carries the pause of payments in some dialects. */
const exposed = 'WWW-Authenticate, Retry-After, Allow, X-Message, Deprecation';
const exposedWithOurs = `Teebox-Request-Id, Teebox-Rule, Teebox-Scenario, ${exposed}`;

/** The response, with the headers that say which rule decided it. */
export function respond(
  services: RequestServices,
  context: RequestContext,
  status: number,
  body: string | Uint8Array,
  rule: RuleId | typeof INTERNAL_ERROR | typeof NOT_KEPT,
  extra?: Readonly<Record<string, string>>,
  detail?: string,
): Response {
  const headers = ownHeaders(services, context, rule);
  if (context.header('origin') !== undefined) {
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = services.pure ? exposed : exposedWithOurs;
  }
  if (context.operation && services.engine.answers['versions.deprecation'] === 'header') {
    const deprecation = deprecationHeader(context.operation);
    if (deprecation) headers['deprecation'] = deprecation;
  }
  if (extra) Object.assign(headers, extra);
  record(services, context, { status, rule, detail, headers, body });
  return new Response(body as BodyInit, { status, headers });
}

function ownHeaders(
  { pure }: RequestServices,
  { requestId, scenarios }: RequestContext,
  rule: RuleId | typeof INTERNAL_ERROR | typeof NOT_KEPT,
): Record<string, string> {
  if (pure) return { 'content-type': JSON_TYPE };
  const headers: Record<string, string> =
    rule === INTERNAL_ERROR || rule === NOT_KEPT
      ? { 'content-type': JSON_TYPE, 'teebox-request-id': requestId }
      : { 'content-type': JSON_TYPE, 'teebox-request-id': requestId, 'teebox-rule': ruleHeader(rule) };
  const triggered = scenarios?.header;
  if (triggered !== undefined) headers['teebox-scenario'] = triggered;
  return headers;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The header of each rule that has decided so far. */
const ruleHeaders = new Map<RuleId, string>();

function ruleHeader(rule: RuleId): string {
  let header = ruleHeaders.get(rule);
  if (header === undefined) ruleHeaders.set(rule, (header = `${rule}; basis=${ruleBasis[rule]}`));
  return header;
}

/**
 * The response to a request on which the sandbox itself failed: a defect, not a refusal. It has the status 500 and the
 * error body of the dialect, but no `Teebox-Rule`, because no rule of the API specification decided. The stack is in the journal
 * and the log, never in the response.
 */
export function respondInternalError(services: RequestServices, context: RequestContext, error: unknown): Response {
  const { answers } = services.engine;
  const detail = (error instanceof Error && error.stack) || String(error);
  const body = failureBody(answers, 'internal', refusalWords('internal', undefined));
  return respond(services, context, refusalStatus('internal', answers), body, INTERNAL_ERROR, undefined, detail);
}

/** The response to a request with an invalid scenario: an error, never a silent success (RFC 9457). */
export function respondInvalid(
  services: RequestServices,
  context: RequestContext,
  { message, fits }: ValidationError,
): Response {
  const headers: Record<string, string> = {};
  if (!services.pure) headers['teebox-request-id'] = context.requestId;
  if (context.header('origin') !== undefined) headers['access-control-allow-origin'] = '*';
  record(services, context, { status: 400, rule: 'scenario', detail: message, headers, body: message });
  // Not with `problemResponse`, whose titles pages need on demand only.
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, detail: message, fits };
  return new Response(JSON.stringify(problem), {
    status: 400,
    headers: { ...headers, 'content-type': 'application/problem+json' },
  });
}

/** Refuses the preflight of a page, and says why in the journal and the log: the page itself learns nothing. */
export function refusePreflight(services: RequestServices, incoming: Incoming, detail: string): Response {
  const context = openRequest(services, undefined, incoming);
  const headers: Record<string, string> = services.pure ? {} : { 'teebox-request-id': context.requestId };
  record(services, context, { status: 403, rule: PREFLIGHT, detail, headers, body: detail });
  return problemResponse(403, detail, { headers });
}

/**
 * The body of a success: `{success: true, data}` (section "What the service does", list 1). A message is
 * next to the payload only where the API specification has one: the paused payment of v5.
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
