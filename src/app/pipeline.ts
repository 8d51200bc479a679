import { Refusal } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Answer, PendingStrike, Route } from '../routes/call.js';
import { Misfit } from '../scenarios/spec.js';
import { readJsonBody } from './body.js';
import { failureBody, successBody } from './envelope.js';
import { complete, openPassage } from './exchange.js';
import type { ParameterReader } from './parameters.js';
import { breakAnswer, wait } from './network.js';
import type { Incoming, Passage, Pipeline } from './passage.js';
import { refusalStatus, refusalWords } from './refusals.js';
import { respond, respondMisfit } from './respond.js';
import { bodiesIn, Lost, RequestStrikes } from './strikes.js';

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
export function answer(pipeline: Pipeline, served: Served, incoming: Incoming): Response | Promise<Response> {
  const { operation, readParameters } = served;
  const passage = openPassage(pipeline, operation, incoming);
  try {
    meetScenarios(pipeline, passage, operation);
    if (operation.auth) {
      passage.channel = authenticate(pipeline, passage, operation);
      pipeline.limitRate?.(passage.channel, passage.at);
    }
    const params = readParameters(incoming.request.url, incoming.path);
    const perform = () => performed(pipeline, passage, served, params, incoming);
    const strike = passage.strikes?.onArrival(passage.channel, params);
    if (strike) return struck(pipeline, passage, strike, perform);
    const result = perform();
    if (!(result instanceof Promise)) return leave(pipeline, passage, succeed(pipeline, passage, result));
    return result.then(
      (value) => leave(pipeline, passage, succeed(pipeline, passage, value)),
      (error: unknown) => leave(pipeline, passage, fail(pipeline, passage, error)),
    );
  } catch (error) {
    return leave(pipeline, passage, fail(pipeline, passage, error));
  }
}

/** A request that nothing can strike is not burdened with scenarios. */
export function meetScenarios({ scenarios }: Pipeline, passage: Passage, operation: OperationSpec): void {
  const asked = passage.header('teebox-scenario');
  if (asked === undefined && !scenarios.armed && !operation.bodies) return;
  passage.strikes = new RequestStrikes(scenarios, operation, passage.requestId, passage.at, asked);
}

/** Who is calling; a scenario may take what they call with, and then they are refused as ever. */
function authenticate(pipeline: Pipeline, { header, at, strikes }: Passage, { version }: OperationSpec): Channel {
  const channel = pipeline.authenticate(header, version, at);
  if (!strikes) return channel;
  strikes.token = pipeline.tokenOf(header);
  const strike = strikes.onCredentials(channel);
  if (!strike) return channel;
  const { tokens } = pipeline.engine.store;
  if (strike.effect.kind === 'change' && strike.effect.change === 'token-expired') tokens.expire(strikes.token!, at);
  else tokens.revokeChannel(channel.name);
  strike.strike();
  return pipeline.authenticate(header, version, at);
}

/** A request that is struck as it arrives: before what it asks for is done, or after. */
async function struck(
  pipeline: Pipeline,
  passage: Passage,
  strike: PendingStrike,
  perform: () => Answer | Promise<Answer>,
): Promise<Response> {
  const { phase, effect, delay } = strike;
  let response: Response;
  try {
    if (phase === 'before-commit') {
      strike.strike();
      await wait(pipeline, delay);
    }
    const result = await perform();
    if (phase === 'after-commit') strike.strike();
    response = succeed(pipeline, passage, result);
  } catch (error) {
    // What is refused anyway stays so; that its answer is lost on its way can be all the same.
    if (effect.kind === 'network' && phase === 'after-commit') strike.strike();
    response = fail(pipeline, passage, error);
  }
  return leave(pipeline, passage, response);
}

/** Sends an answer on its way, with what a scenario does to it there. */
function leave(pipeline: Pipeline, passage: Passage, response: Response): Response | Promise<Response> {
  const { strikes } = passage;
  return strikes?.any ? leaveStruck(pipeline, passage, strikes, response) : response;
}

async function leaveStruck(
  pipeline: Pipeline,
  passage: Passage,
  { fault, lateBy }: RequestStrikes,
  response: Response,
): Promise<Response> {
  if (lateBy > 0) await wait(pipeline, lateBy);
  const left = fault === undefined ? response : breakAnswer(pipeline, passage, fault.fault, fault.delay, response);
  complete(pipeline, passage);
  return left;
}

/** Answers a request that no operation takes. */
export function refuse(pipeline: Pipeline, incoming: Incoming, refusal: Refusal): Response {
  return fail(pipeline, openPassage(pipeline, undefined, incoming), refusal);
}

/** Does what the request asks for. */
function performed(
  pipeline: Pipeline,
  passage: Passage,
  { operation, route }: Served,
  params: unknown,
  { hints }: Incoming,
): Answer | Promise<Answer> {
  const { engine } = pipeline;
  const { channel, requestId, request, strikes } = passage;
  const run = (body: unknown) => {
    const bodies = () => (operation.bodies ? bodiesIn(body) : [params as Readonly<Record<string, unknown>>]);
    return route({
      engine,
      channel: channel as Channel,
      params: params as never,
      body,
      url: hints.url ?? request.url,
      requestId,
      anyCallbackTarget: hints.anyCallbackTarget ?? false,
      strike: (ready, whom = channel) => strikes?.onStep(whom, bodies(), ready),
    });
  };
  if (!operation.bodies) return run(undefined);
  return readJsonBody(request, passage.header, engine.answers['body.max-bytes']).then((body) => {
    passage.exchange.body = body;
    return run(body);
  });
}

function succeed(pipeline: Pipeline, passage: Passage, value: Answer): Response {
  const status = ('status' in value && value.status) || 200;
  const extra = 'headers' in value ? value.headers : undefined;
  return respond(pipeline, passage, status, successBody(value), passage.operation!.rule, extra);
}

function fail(pipeline: Pipeline, passage: Passage, error: unknown): Response {
  if (error instanceof Misfit) return respondMisfit(pipeline, passage, error);
  if (error instanceof Lost) return Response.error();
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
