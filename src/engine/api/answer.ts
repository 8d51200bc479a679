import { Refusal, type RefusalCode } from '../model/refusal.js';
import type { Channel } from '../model/world.js';
import type { OperationSpec } from '../../contract/index.js';
import { type Answer, EngineAt } from './routes/call.js';
import { Misfit } from '../../common/index.js';
import { attachByBody, attachScenarios, callerOf } from './attach-scenarios.js';
import { readBody } from './body.js';
import type { HostHints } from './host-hints.js';
import type { KnownCall } from './known-calls.js';
import { recorded, resume, settleSent } from './record.js';
import { openPassage } from './passage.js';
import { wait, watchClient } from './network.js';
import type { Incoming, Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { failsCreation, isEmptyAnswer, refusalStatus, refusalWords, unprocessableWords } from './refusals.js';
import { failureBody, respond, respondInternalError, respondMisfit, successBody } from './respond.js';
import { WorldNeeded } from './authenticate.js';
import { pastWarnings, strayWarnings, warn } from './warnings.js';
import { type Arrival, ConnectionLost, type RequestScenarios } from './request-scenarios.js';

/**
 * Answers one request of one operation: read the body, let scenarios strike, authenticate, limit, validate, run,
 * envelope. If there is no body, or the host has it, this needs no promise, and hosts send the answer on a faster way.
 */
export function answer(
  pipeline: Pipeline,
  call: KnownCall,
  request: Request,
  hints: HostHints,
): Response | Promise<Response> {
  const { operation } = call.served;
  const passage = openPassage(pipeline, operation, { request, path: call.path, hints });
  if (pipeline.forStrangers) refuseKnown(pipeline, passage, operation);
  pipeline.engine.rivals.catchUp(passage.at);
  try {
    attachScenarios(pipeline, passage, operation);
    if (!operation.bodies) return proceed(pipeline, passage, call);
  } catch (error) {
    return send(pipeline, passage, fail(pipeline, passage, error));
  }
  const go = (): Response | Promise<Response> => {
    if (pipeline.forStrangers) refuseKnown(pipeline, passage, operation);
    attachByBody(pipeline, passage, operation);
    return resumed(pipeline, passage, () => proceed(pipeline, passage, call));
  };
  const reading = readBody(pipeline, passage);
  return reading ? reading.then(go) : go();
}

/** Goes on after a wait. */
function resumed<T>(pipeline: Pipeline, passage: Passage, go: () => T | Promise<T>): T | Promise<T> {
  const held = resume(pipeline, passage);
  return held ? held.then(go) : go();
}

/** @throws {WorldNeeded} for a caller with valid credentials, in the world of strangers. */
function refuseKnown(pipeline: Pipeline, passage: Passage, operation: OperationSpec): void {
  if (callerOf(pipeline, passage, operation)) throw new WorldNeeded(false, passage.text);
}

function proceed(pipeline: Pipeline, passage: Passage, call: KnownCall): Response | Promise<Response> {
  const { scenarios, entry } = passage;
  try {
    if (scenarios) {
      scenarios.look(entry, passage.body);
      const arrival = scenarios.onArrival();
      if (arrival) return answerStruck(pipeline, passage, arrival, () => perform(pipeline, passage, call));
    }
    const result = perform(pipeline, passage, call);
    if (!(result instanceof Promise)) return send(pipeline, passage, finish(pipeline, passage, result));
    // A result that is posted before the response may take its receiver seconds.
    if (passage.scenarios?.struck) watchClient(pipeline, passage);
    return result.then(
      (value) => resumed(pipeline, passage, () => send(pipeline, passage, finish(pipeline, passage, value))),
      (error: unknown) => resumed(pipeline, passage, () => send(pipeline, passage, fail(pipeline, passage, error))),
    );
  } catch (error) {
    return send(pipeline, passage, fail(pipeline, passage, error));
  }
}

/** The caller. A scenario may invalidate the credentials first; they are then refused like any others. */
function authenticate(pipeline: Pipeline, { header, at, scenarios }: Passage, { version }: OperationSpec): Channel {
  const channel = pipeline.authenticate(header, version, at);
  const strike = scenarios?.onCredentials();
  if (!strike) return channel;
  const { tokens } = pipeline.engine.store;
  const { effect } = strike.scenario;
  if (effect.kind === 'change' && effect.change === 'token-expired') tokens.expire(pipeline.tokenOf(header)!, at);
  else tokens.revokeChannel(channel.name);
  strike.apply();
  return pipeline.authenticate(header, version, at);
}

/** Answers a request that scenarios strike as a whole: before anything is done with it, or on its response. */
async function answerStruck(
  pipeline: Pipeline,
  passage: Passage,
  { before, response }: Arrival,
  run: () => Answer | Promise<Answer>,
): Promise<Response> {
  const scenarios = passage.scenarios!;
  let respond: () => Response;
  let lost = false;
  try {
    passage.entry.unread = true;
    for (const strike of before) {
      strike.apply();
      await wait(pipeline, passage, strike.delay);
      passage.now = pipeline.engine.now();
      const held = resume(pipeline, passage);
      if (!held) continue;
      await held;
      passage.now = pipeline.engine.now();
    }
    delete passage.entry.unread;
    const result = await run();
    const held = resume(pipeline, passage);
    if (held) await held;
    scenarios.onAnswer();
    respond = () => succeed(pipeline, passage, result);
  } catch (error) {
    lost = error instanceof ConnectionLost;
    respond = () => fail(pipeline, passage, error);
  }
  // A refusal stays a refusal, but its response can still be late or lost on the network.
  if (!lost) for (const strike of response) strike.apply();
  const caller = scenarios.seen.caller();
  if (caller) passage.channel = caller;
  return send(pipeline, passage, respond());
}

/** The response to a request whose work is done, unless a scenario refuses it after that. */
function finish(pipeline: Pipeline, passage: Passage, value: Answer): Response {
  try {
    passage.scenarios?.onAnswer();
    return succeed(pipeline, passage, value);
  } catch (error) {
    return fail(pipeline, passage, error);
  }
}

/** Sends the response when the changes are kept; a scenario may delay or break it. */
function send(pipeline: Pipeline, passage: Passage, response: Response): Response | Promise<Response> {
  const { scenarios, kept } = passage;
  if (kept) return whenKept(pipeline, passage, response).then((one) => send(pipeline, passage, one));
  return scenarios?.struck ? sendStruck(pipeline, passage, scenarios, response) : response;
}

/** The response when everything that it shows is kept; a 503 with the reason if that fails. */
async function whenKept(pipeline: Pipeline, passage: Passage, response: Response): Promise<Response> {
  const { kept, scenarios } = passage;
  passage.kept = undefined;
  try {
    await kept;
    if (!scenarios?.struck) settleSent(pipeline, passage);
    return response;
  } catch (error) {
    if (response.type === 'error') return response;
    const { respondNotKept } = await import('./broken-answer.js');
    return respondNotKept(pipeline, passage, error);
  }
}

async function sendStruck(
  pipeline: Pipeline,
  passage: Passage,
  { fault, lateBy }: RequestScenarios,
  response: Response,
): Promise<Response> {
  if (lateBy > 0) await wait(pipeline, passage, lateBy);
  if (fault) {
    // Loaded on demand, so that pages without such faults do not load it.
    const { breakAnswer } = await import('./broken-answer.js');
    return breakAnswer(pipeline, passage, fault.fault, fault.delay, response);
  }
  settleSent(pipeline, passage);
  return response;
}

/** Answers a request that no operation takes. */
export function refuse(pipeline: Pipeline, incoming: Incoming, refusal: Refusal): Response | Promise<Response> {
  const passage = openPassage(pipeline, undefined, incoming);
  return send(pipeline, passage, fail(pipeline, passage, refusal));
}

/** Authenticates, limits and validates the request, and runs the route of the operation. */
function perform(pipeline: Pipeline, passage: Passage, call: KnownCall): Answer | Promise<Answer> {
  const { requestId, request, scenarios, hints } = passage;
  const { operation, route } = call.served;
  if (operation.auth) {
    passage.channel = authenticate(pipeline, passage, operation);
    pipeline.limitRate?.(passage.channel, passage.at);
  }
  const params = parametersOf(passage, call);
  if (passage.flaw) throw passage.flaw.error;
  return route({
    engine: new EngineAt(pipeline.engine, passage.now),
    channel: passage.channel as Channel,
    params: params as never,
    body: passage.body,
    url: hints.url ?? request.url,
    requestId,
    reach: hints,
    strikes: scenarios && ((moment, ready) => scenarios.onStep(moment, ready)),
  });
}

/** The parameters of a request, which are read once for each URL. What the caller may have meant is told each time. */
function parametersOf({ request, entry, at }: Passage, call: KnownCall): Readonly<Record<string, unknown>> {
  const { operation, readParameters } = call.served;
  const tell = (strays: readonly string[]): void => warn(entry, strayWarnings(strays, operation));
  if (!call.read) call.read = readParameters(request.url, call.path, tell);
  else if (call.read.strays.length > 0) tell(call.read.strays);
  const { params } = call.read;
  warn(entry, pastWarnings(operation, params, at));
  return params;
}

function succeed(pipeline: Pipeline, passage: Passage, value: Answer): Response {
  const status = ('status' in value && value.status) || 200;
  const extra = 'headers' in value ? value.headers : undefined;
  return respond(pipeline, passage, status, successBody(value), passage.operation!.rule, extra);
}

function fail(pipeline: Pipeline, passage: Passage, error: unknown): Response {
  if (error instanceof Misfit) return respondMisfit(pipeline, passage, error);
  if (error instanceof ConnectionLost) {
    passage.scenarios?.ended('the connection was lost before');
    recorded(pipeline, passage);
    return Response.error();
  }
  if (!(error instanceof Refusal)) return respondInternalError(pipeline, passage, error);
  const { code, rule, info } = error;
  passage.scenarios?.ended(`the request was refused before, by rule ${rule}`);
  const { answers } = pipeline.engine;
  if (info.empty !== undefined && isEmptyAnswer(pipeline.engine.answers, code)) {
    return respond(pipeline, passage, 200, successBody({ data: info.empty }), rule);
  }
  const words = refusalWords(code, info.words);
  const why = code === 'invalid' || code === 'linked-tee-times' ? `${words} (rule ${rule}).` : words;
  const fails = failsCreation(error, passage.operation, answers);
  const [told, message]: [RefusalCode, string] = fails ? ['unprocessable', unprocessableWords(why)] : [code, why];
  const body = failureBody(answers, told, message);
  return respond(pipeline, passage, refusalStatus(told, answers), body, rule, info.headers, info.detail ?? words);
}
