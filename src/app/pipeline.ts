import { Refusal } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Answer, PendingStrike, Route } from '../routes/call.js';
import { Misfit } from '../scenarios/spec.js';
import { readJsonBody } from './body.js';
import { failureBody, successBody } from './envelope.js';
import type { ParameterReader } from './parameters.js';
import type { Incoming, Passage, Pipeline } from './passage.js';
import { refusalStatus, refusalWords } from './refusals.js';
import { respond, respondMisfit } from './respond.js';
import { RequestStrikes } from './strikes.js';

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
    meetScenarios(pipeline, passage, operation);
    if (operation.auth) {
      passage.channel = pipeline.authenticate(passage.header, operation.version, passage.at);
      pipeline.limitRate?.(passage.channel, passage.at);
    }
    const params = readParameters(incoming.request.url, incoming.path);
    const strike = passage.strikes?.onArrival(passage.channel, params);
    if (strike?.phase === 'before-commit') throw strike.refusal();
    const result = operation.bodies
      ? withBody(pipeline, passage, params, route, incoming)
      : run(pipeline, passage, params, undefined, route, incoming);
    if (strike) return afterwards(pipeline, passage, result, strike);
    if (!(result instanceof Promise)) return succeed(pipeline, passage, result);
    return result.then(
      (value) => succeed(pipeline, passage, value),
      (error: unknown) => late(pipeline, passage, fail(pipeline, passage, error)),
    );
  } catch (error) {
    return late(pipeline, passage, fail(pipeline, passage, error));
  }
}

/** A request that nothing can strike is not burdened with scenarios. */
function meetScenarios({ scenarios }: Pipeline, passage: Passage, operation: OperationSpec): void {
  const asked = passage.header('teebox-scenario');
  if (asked === undefined && !scenarios.armed && !operation.bodies) return;
  passage.strikes = new RequestStrikes(scenarios, operation, passage.requestId, passage.at, asked);
}

/** What was asked for is done, and the answer is that it failed; what was refused anyway stays so. */
async function afterwards(
  pipeline: Pipeline,
  passage: Passage,
  result: Answer | Promise<Answer>,
  strike: PendingStrike,
): Promise<Response> {
  try {
    await result;
  } catch (error) {
    return fail(pipeline, passage, error);
  }
  return late(pipeline, passage, fail(pipeline, passage, strike.refusal()));
}

/** The answer, after the time that the scenario which struck takes. */
function late(pipeline: Pipeline, { strikes }: Passage, response: Response): Response | Promise<Response> {
  const delay = strikes?.struck?.delay ?? 0;
  return delay === 0 ? response : pipeline.wait(delay).then(() => response);
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
  { channel, requestId, request, strikes }: Passage,
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
    strike: (ready: () => void) => strikes?.onBooking(channel as Channel, body, ready),
  };
  return route(call);
}

function succeed(pipeline: Pipeline, passage: Passage, value: Answer): Response {
  const status = ('status' in value && value.status) || 200;
  const extra = 'headers' in value ? value.headers : undefined;
  return respond(pipeline, passage, status, successBody(value), passage.operation!.rule, extra);
}

function fail(pipeline: Pipeline, passage: Passage, error: unknown): Response {
  if (error instanceof Misfit) return respondMisfit(pipeline, passage, error);
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
