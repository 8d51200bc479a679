import { Refusal } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import { type RuleId, ruleBasis } from '../generated/rule-basis.js';
import type { Answer, Engine, Route } from '../routes/call.js';
import type { Authenticate, HeaderReader } from './authenticate.js';
import { readJsonBody } from './body.js';
import { deprecationHeader } from './deprecation.js';
import { failureBody, successBody } from './envelope.js';
import type { ParameterReader } from './parameters.js';
import { refusalStatus, refusalWords } from './refusals.js';

/** What happened to one request, for logs and journals. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Epoch milliseconds on the sandbox's clock. */
  readonly at: number;
  readonly operation?: string;
  readonly channel?: string;
  /** The rule that decided. */
  readonly rule: string;
  /** Why it was refused, in more words than the answer has. */
  readonly detail?: string;
  /** What the host measured from the arrival of the request to its answer. */
  readonly durationMs?: number;
}

/** What the host of a sandbox knows better or allows. */
export interface HostHints {
  /** Reads a request header without building a `Headers` object. */
  readonly header?: HeaderReader;
  /** Milliseconds since the request arrived. */
  readonly elapsed?: () => number;
  /** Lets callbacks go to any address; for hosts whose own handlers receive them. */
  readonly anyCallbackTarget?: boolean;
}

export interface Pipeline {
  readonly engine: Engine;
  readonly authenticate: Authenticate;
  readonly limitRate: ((channel: Channel, now: number) => void) | undefined;
  /** Leaves out every header that the service itself would not send. */
  readonly pure: boolean;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  nextRequestId(): string;
}

/** One request on its way: what is known of it so far. */
interface Passage {
  readonly operation: OperationSpec | undefined;
  readonly request: Request;
  readonly header: HeaderReader;
  readonly requestId: string;
  readonly at: number;
  readonly elapsed: (() => number) | undefined;
  channel?: Channel;
}

export interface Incoming {
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
}

/** An operation with what answers it. */
export interface Served {
  readonly operation: OperationSpec;
  readonly route: Route<never>;
  readonly readParameters: ParameterReader;
}

/**
 * Answers one request of one operation: authenticate, limit, validate, run, envelope. Operations without a body
 * are answered without a promise, which hosts send on a faster way.
 */
export function answer(
  pipeline: Pipeline,
  { operation, route, readParameters }: Served,
  incoming: Incoming,
): Response | Promise<Response> {
  const passage = start(pipeline, operation, incoming);
  try {
    if (operation.auth) {
      passage.channel = pipeline.authenticate(passage.header, operation.version, passage.at);
      pipeline.limitRate?.(passage.channel, passage.at);
    }
    const params = readParameters(incoming.request.url, incoming.path);
    const result = operation.bodies
      ? withBody(pipeline, passage, params, route, incoming)
      : run(pipeline, passage, params, undefined, route, incoming);
    if (!(result instanceof Promise)) return succeed(pipeline, passage, result);
    return result.then(
      (value) => succeed(pipeline, passage, value),
      (error: unknown) => fail(pipeline, passage, error),
    );
  } catch (error) {
    return fail(pipeline, passage, error);
  }
}

/** Answers a request that no operation takes. */
export function refuse(pipeline: Pipeline, incoming: Incoming, refusal: Refusal): Response {
  return fail(pipeline, start(pipeline, undefined, incoming), refusal);
}

function start(pipeline: Pipeline, operation: OperationSpec | undefined, { request, hints }: Incoming): Passage {
  const header = hints.header ?? ((name: string) => request.headers.get(name) ?? undefined);
  const at = pipeline.engine.now();
  return { operation, request, header, requestId: pipeline.nextRequestId(), at, elapsed: hints.elapsed };
}

async function withBody(
  pipeline: Pipeline,
  passage: Passage,
  params: unknown,
  route: Route<never>,
  incoming: Incoming,
): Promise<Answer> {
  const body = await readJsonBody(incoming.request, passage.header, pipeline.engine.answers['body.max-bytes']);
  return run(pipeline, passage, params, body, route, incoming);
}

function run(
  { engine }: Pipeline,
  { channel, requestId, request }: Passage,
  params: unknown,
  body: unknown,
  route: Route<never>,
  { hints }: Incoming,
): Answer | Promise<Answer> {
  const call = {
    engine,
    channel: channel as Channel,
    params: params as never,
    body,
    url: request.url,
    requestId,
    anyCallbackTarget: hints.anyCallbackTarget ?? false,
  };
  return route(call);
}

function succeed(pipeline: Pipeline, passage: Passage, value: Answer): Response {
  const status = ('status' in value && value.status) || 200;
  const extra = 'headers' in value ? value.headers : undefined;
  return respond(pipeline, passage, status, successBody(value), passage.operation!.rule, extra);
}

function fail(pipeline: Pipeline, passage: Passage, error: unknown): Response {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal('internal', 'errors.create.unprocessable', { detail: (error as Error)?.stack ?? String(error) });
  const { code, rule, info } = refusal;
  const { answers } = pipeline.engine;
  if (info.empty !== undefined && isEmptyAnswer(pipeline, code)) {
    return respond(pipeline, passage, 200, successBody({ data: info.empty }), rule);
  }
  const words = refusalWords(code, info.words);
  const message = code === 'invalid' || code === 'linked-tee-times' ? `${words} (rule ${rule}).` : words;
  const body = failureBody(answers, code, message);
  return respond(pipeline, passage, refusalStatus(code, answers), body, rule, info.headers, info.detail ?? words);
}

/** Whether the dialect answers an unknown thing with nothing instead of refusing it. */
function isEmptyAnswer({ engine: { answers } }: Pipeline, code: Refusal['code']): boolean {
  switch (code) {
    case 'unknown-facility':
      return answers['facility.unknown'] === 'empty';
    case 'unknown-course':
      return answers['course.unknown'] === 'empty';
    case 'unknown-booking':
      return answers['booking.unknown'] === 'empty';
    case 'unknown-country':
      return answers['country.unknown'] === 'empty';
    default:
      return false;
  }
}

/** Headers that a page of another origin may read; `X-Message` carries the pause of payments in some dialects. */
const exposed = 'WWW-Authenticate, Retry-After, Allow, X-Message, Deprecation';
const exposedWithOurs = `Teebox-Request-Id, Teebox-Rule, Teebox-Scenario, ${exposed}`;

function respond(
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
  if (pipeline.onExchange) report(pipeline.onExchange, passage, status, rule, detail);
  return new Response(body as BodyInit, { status, headers });
}

function report(
  onExchange: NonNullable<Pipeline['onExchange']>,
  { requestId, request, at, elapsed, operation, channel }: Passage,
  status: number,
  rule: RuleId,
  detail: string | undefined,
): void {
  onExchange({
    requestId,
    method: request.method,
    url: request.url,
    status,
    at,
    ...(operation ? { operation: operation.id } : {}),
    ...(channel ? { channel: channel.name } : {}),
    rule,
    ...(detail === undefined ? {} : { detail }),
    ...(elapsed ? { durationMs: elapsed() } : {}),
  });
}
