import { Refusal, type RefusalCode } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Answer, Route } from '../routes/call.js';
import type { Strike } from '../scenarios/strike.js';
import { Misfit } from '../input/misfit.js';
import { readJsonBody } from './body.js';
import { settleSent } from './record.js';
import { openPassage } from './passage.js';
import type { ParameterReader } from './parameters.js';
import { breakAnswer, wait, watchClient } from './network.js';
import type { Incoming, Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { failsCreation, refusalStatus, refusalWords, unprocessableWords } from './refusals.js';
import { failureBody, respond, respondInternalError, respondMisfit, successBody } from './respond.js';
import { bodiesIn, ConnectionLost, RequestScenarios } from './request-scenarios.js';

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
    attachScenarios(pipeline, passage, operation);
    if (operation.auth) {
      passage.channel = authenticate(pipeline, passage, operation);
      pipeline.limitRate?.(passage.channel, passage.at);
    }
    const params = readParameters(incoming.request.url, incoming.path);
    const run = () => perform(pipeline, passage, served, params, incoming);
    const strike = passage.scenarios?.onArrival(passage.channel, params);
    if (strike) return answerStruck(pipeline, passage, strike, run);
    const result = run();
    if (!(result instanceof Promise)) return send(pipeline, passage, succeed(pipeline, passage, result));
    // A result that is posted before the response may take its receiver seconds.
    if (passage.scenarios?.struck) watchClient(pipeline, passage);
    return result.then(
      (value) => send(pipeline, passage, succeed(pipeline, passage, value)),
      (error: unknown) => send(pipeline, passage, fail(pipeline, passage, error)),
    );
  } catch (error) {
    return send(pipeline, passage, fail(pipeline, passage, error));
  }
}

/** Attaches what scenarios do to the request, unless none can strike it: most requests pay nothing. */
export function attachScenarios({ scenarios }: Pipeline, passage: Passage, operation: OperationSpec): void {
  const asked = passage.header('teebox-scenario');
  if (asked === undefined && !scenarios.armed && !operation.bodies) return;
  passage.scenarios = new RequestScenarios(scenarios, operation, passage.requestId, passage.at, asked);
}

/** The caller. A scenario may invalidate the credentials first; they are then refused like any others. */
function authenticate(pipeline: Pipeline, { header, at, scenarios }: Passage, { version }: OperationSpec): Channel {
  const channel = pipeline.authenticate(header, version, at);
  if (!scenarios) return channel;
  scenarios.token = pipeline.tokenOf(header);
  const strike = scenarios.onCredentials(channel);
  if (!strike) return channel;
  const { tokens } = pipeline.engine.store;
  const { effect } = strike.scenario;
  if (effect.kind === 'change' && effect.change === 'token-expired') tokens.expire(scenarios.token!, at);
  else tokens.revokeChannel(channel.name);
  strike.apply();
  return pipeline.authenticate(header, version, at);
}

/** Answers a request that a scenario strikes as a whole: before the work is done, or after. */
async function answerStruck(
  pipeline: Pipeline,
  passage: Passage,
  strike: Strike,
  run: () => Answer | Promise<Answer>,
): Promise<Response> {
  const { phase, delay, scenario } = strike;
  let response: Response;
  try {
    if (phase === 'before-commit') {
      strike.apply();
      await wait(pipeline, passage, delay);
    }
    const result = await run();
    if (phase === 'after-commit') strike.apply();
    response = succeed(pipeline, passage, result);
  } catch (error) {
    // A refusal stays a refusal, but its response can still be lost on the network.
    if (scenario.effect.kind === 'network' && phase === 'after-commit') strike.apply();
    response = fail(pipeline, passage, error);
  }
  return send(pipeline, passage, response);
}

/** Sends the response; a scenario may delay or break it. */
function send(pipeline: Pipeline, passage: Passage, response: Response): Response | Promise<Response> {
  const { scenarios } = passage;
  return scenarios?.struck ? sendStruck(pipeline, passage, scenarios, response) : response;
}

async function sendStruck(
  pipeline: Pipeline,
  passage: Passage,
  { fault, lateBy }: RequestScenarios,
  response: Response,
): Promise<Response> {
  if (lateBy > 0) await wait(pipeline, passage, lateBy);
  if (fault) return breakAnswer(pipeline, passage, fault.fault, fault.delay, response);
  settleSent(pipeline, passage);
  return response;
}

/** Answers a request that no operation takes. */
export function refuse(pipeline: Pipeline, incoming: Incoming, refusal: Refusal): Response {
  return fail(pipeline, openPassage(pipeline, undefined, incoming), refusal);
}

/** Runs the route of the operation. */
function perform(
  pipeline: Pipeline,
  passage: Passage,
  { operation, route }: Served,
  params: unknown,
  { hints }: Incoming,
): Answer | Promise<Answer> {
  const { engine } = pipeline;
  const { channel, requestId, request, scenarios } = passage;
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
      match: (ready, whom = channel) => scenarios?.onStep(whom, bodies(), ready),
    });
  };
  if (!operation.bodies) return run(undefined);
  return readJsonBody(request, passage.header, engine.answers['body.max-bytes']).then((body) => {
    passage.entry.body = body;
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
  if (error instanceof ConnectionLost) return Response.error();
  if (!(error instanceof Refusal)) return respondInternalError(pipeline, passage, error);
  const { code, rule, info } = error;
  const { answers } = pipeline.engine;
  if (info.empty !== undefined && isEmptyAnswer(pipeline, code)) {
    return respond(pipeline, passage, 200, successBody({ data: info.empty }), rule);
  }
  const words = refusalWords(code, info.words);
  const why = code === 'invalid' || code === 'linked-tee-times' ? `${words} (rule ${rule}).` : words;
  const fails = failsCreation(error, passage.operation, answers);
  const [told, message]: [RefusalCode, string] = fails ? ['unprocessable', unprocessableWords(why)] : [code, why];
  const body = failureBody(answers, told, message);
  return respond(pipeline, passage, refusalStatus(told, answers), body, rule, info.headers, info.detail ?? words);
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
