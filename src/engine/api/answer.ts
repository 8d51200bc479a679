import { Refusal, type RefusalCode } from '../model/refusal.js';
import type { Channel } from '../model/world.js';
import type { OperationSpec } from '../../contract/index.js';
import { type Answer, EngineAt } from './routes/call.js';
import { type JsonObject, ValidationError } from '../../common/index.js';
import { readBody } from './body.js';
import { mayBeEmpty, whyEmpty } from './empty-lists.js';
import type { HostHints } from './host-hints.js';
import {
  failureBody,
  type Incoming,
  openRequest,
  type RequestContext,
  type RequestServices,
  recorded,
  respond,
  respondInternalError,
  respondInvalid,
  resume,
  settleSent,
  successBody,
  wait,
  watchClient,
} from './request-context.js';
import { failsCreation, isEmptyAnswer, refusalStatus, refusalWords, unprocessableWords } from './refusals.js';
import { WorldNeeded } from './authenticate.js';
import { type Arrival, ConnectionLost, RequestScenarios } from './request-scenarios.js';
import { bodiesIn, type Scenarios } from '../scenarios/scenarios.js';
import type { TriggeredScenario } from '../scenarios/triggered-scenario.js';
import { type KnownCall, sentParameters } from './parameters.js';
import { bodyWarnings, pastWarnings, strayWarnings } from './warnings.js';
import type { JournalEntry } from '../record/journal.js';

/**
 * Answers one request of one operation. Only what has to wait is waited for: without a body, or with one that the host
 * has read, the response is there at once, and nothing else is answered in between.
 */
export function answer(
  services: RequestServices,
  call: KnownCall,
  request: Request,
  hints: HostHints,
): Response | Promise<Response> {
  return run(respondTo(services, call, { request, path: call.path, hints }));
}

/** Answers a request that no operation takes. */
export function refuse(services: RequestServices, incoming: Incoming, refusal: Refusal): Response | Promise<Response> {
  const context = openRequest(services, undefined, incoming);
  return run(send(services, context, fail(services, context, refusal)));
}

/** The way of a request: scenarios on arrival, body, the operation, scenarios on the response, envelope. */
function* respondTo(services: RequestServices, call: KnownCall, incoming: Incoming): Steps<Response> {
  const { operation } = call.served;
  const context = openRequest(services, operation, incoming);
  if (services.forStrangers) refuseKnown(services, context, operation);
  try {
    attachScenarios(services, context, operation);
  } catch (error) {
    return yield* send(services, context, fail(services, context, error));
  }
  if (operation.bodies) {
    yield* settled(readBody(services, context));
    if (services.forStrangers) refuseKnown(services, context, operation);
    attachByBody(services, context, operation);
    yield* settled(resume(services, context));
  }
  const { scenarios } = context;
  let arrival: Arrival | undefined;
  let isLost = false;
  let envelope: () => Response;
  try {
    scenarios?.look(context.entry, context.body);
    arrival = scenarios?.onArrival();
    if (arrival) yield* trigger(services, context, arrival.before);
    const work = perform(services, context, call);
    const result = arrival || work instanceof Promise ? yield* whenDone(services, context, work, arrival) : work;
    scenarios?.onAnswer();
    const body = successBody(result);
    warnOfEmpty(services, context, call, body);
    envelope = () => succeed(services, context, result, body);
  } catch (error) {
    isLost = error instanceof ConnectionLost;
    envelope = () => fail(services, context, error);
  }
  if (arrival) {
    // A refusal stays a refusal, but its response can still be late or lost on the network.
    if (!isLost) for (const one of arrival.response) one.apply();
    context.channel = scenarios!.seen.caller() ?? context.channel;
  }
  const response = envelope();
  return context.kept || scenarios?.triggered ? yield* send(services, context, response) : response;
}

/** @throws {WorldNeeded} for a caller with valid credentials, in the world of strangers. */
function refuseKnown(services: RequestServices, context: RequestContext, operation: OperationSpec): void {
  if (callerOf(services, context, operation)) throw new WorldNeeded(false, context.text);
}

/** Applies the scenarios that trigger before anything is done with the request. */
function* trigger(
  services: RequestServices,
  context: RequestContext,
  before: readonly TriggeredScenario[],
): Steps<void> {
  context.entry.unread = true;
  for (const one of before) {
    one.apply();
    yield* settled(wait(services, context, one.delay));
    context.now = services.engine.now();
    const held = resume(services, context);
    if (!held) continue;
    yield* settled(held);
    context.now = services.engine.now();
  }
  delete context.entry.unread;
}

/** Authenticates, limits and validates the request, and runs the route of the operation. */
function perform(services: RequestServices, context: RequestContext, call: KnownCall): Answer | Promise<Answer> {
  const { requestId, request, scenarios, hints } = context;
  const { operation, route } = call.served;
  if (operation.auth) {
    context.channel = authenticate(services, context, operation);
    services.limitRate?.(context.channel, context.at);
  }
  const params = parametersOf(context, call);
  if (context.flaw) throw context.flaw.error;
  if (operation.bodies) warn(context.entry, bodyWarnings(operation, context));
  return route({
    engine: new EngineAt(services.engine, context.now),
    channel: context.channel as Channel,
    params: params as never,
    body: context.body,
    url: hints.url ?? request.url,
    requestId,
    reach: hints,
    triggered: scenarios && ((moment, ready) => scenarios.onStep(moment, ready)),
  });
}

/** What a route returns after a wait. A result that is posted before the response may take its receiver seconds. */
function* whenDone(
  services: RequestServices,
  context: RequestContext,
  work: Answer | Promise<Answer>,
  arrival: Arrival | undefined,
): Steps<Answer> {
  if (!arrival && context.scenarios?.triggered) watchClient(services, context);
  try {
    return yield* settled(work);
  } finally {
    yield* settled(resume(services, context));
  }
}

/** The caller. A scenario may invalidate the credentials first; they are then refused like any others. */
function authenticate(
  services: RequestServices,
  { header, at, scenarios }: RequestContext,
  { version }: OperationSpec,
): Channel {
  const channel = services.authenticate(header, version, at);
  const trigger = scenarios?.onCredentials();
  if (!trigger) return channel;
  const { tokens } = services.engine.store;
  const { effect } = trigger.scenario;
  if (effect.kind === 'change' && effect.change === 'token-expired') tokens.expire(services.tokenOf(header)!, at);
  else tokens.revokeChannel(channel.name);
  trigger.apply();
  return services.authenticate(header, version, at);
}

/** Sends the response when the changes that it shows are kept; a scenario may delay or break it. */
function* send(services: RequestServices, context: RequestContext, made: Response): Steps<Response> {
  const response = context.kept ? yield* whenKept(services, context, made) : made;
  const { scenarios } = context;
  if (!scenarios?.triggered) return response;
  const { fault, lateBy } = scenarios;
  if (lateBy > 0) yield* settled(wait(services, context, lateBy));
  if (fault) {
    // Loaded on demand, so that pages without such faults do not load it.
    const { breakAnswer } = yield* settled(import('./broken-answer.js'));
    return yield* settled(breakAnswer(services, context, fault.fault, fault.delay, response));
  }
  settleSent(services, context);
  return response;
}

/** The response when everything that it shows is kept; a 503 with the reason if that fails. */
function* whenKept(services: RequestServices, context: RequestContext, response: Response): Steps<Response> {
  const { kept, scenarios } = context;
  context.kept = undefined;
  try {
    yield* settled(kept);
    if (!scenarios?.triggered) settleSent(services, context);
    return response;
  } catch (error) {
    if (response.type === 'error') return response;
    const { respondNotKept } = yield* settled(import('./broken-answer.js'));
    return respondNotKept(services, context, error);
  }
}

/** Work that reads like an `async` function, but waits only for promises: `yield* settled(x)` instead of `await x`. */
type Steps<T> = Generator<Promise<unknown>, T>;

function* settled<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs steps up to the first promise at once, and the rest when it is settled. */
function run<T>(steps: Steps<T>): T | Promise<T> {
  const first = steps.next();
  return first.done ? first.value : runOn(steps, first.value);
}

async function runOn<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  for (let promise = first; ;) {
    const next = await promise.then(
      (value) => steps.next(value),
      (error: unknown) => steps.throw(error),
    );
    if (next.done) return next.value;
    promise = next.value;
  }
}

/** The parameters of a request, which are read once for each URL. What the caller may have meant is noted each time. */
function parametersOf({ request, entry, at }: RequestContext, call: KnownCall): Readonly<Record<string, unknown>> {
  const { operation, readParameters } = call.served;
  const tell = (strays: readonly string[]): void => warn(entry, strayWarnings(strays, operation));
  if (!call.read) call.read = readParameters(request.url, call.path, tell);
  else if (call.read.strays.length > 0) tell(call.read.strays);
  const { params } = call.read;
  warn(entry, pastWarnings(operation, params, at));
  return params;
}

function succeed(
  services: RequestServices,
  context: RequestContext,
  value: Answer,
  body: string | Uint8Array,
): Response {
  const status = ('status' in value && value.status) || 200;
  const extra = 'headers' in value ? value.headers : undefined;
  return respond(services, context, status, body, context.operation!.rule, extra);
}

function fail(services: RequestServices, context: RequestContext, error: unknown): Response {
  if (error instanceof ValidationError) return respondInvalid(services, context, error);
  if (error instanceof ConnectionLost) {
    context.scenarios?.ended('the connection was lost before');
    recorded(services, context);
    return Response.error();
  }
  if (!(error instanceof Refusal)) return respondInternalError(services, context, error);
  const { code, rule, info } = error;
  context.scenarios?.ended(`the request was refused before, by rule ${rule}`);
  const { answers } = services.engine;
  if (info.empty !== undefined && isEmptyAnswer(services.engine.answers, code)) {
    if (info.words !== undefined) warn(context.entry, [info.words]);
    return respond(services, context, 200, successBody({ data: info.empty }), rule);
  }
  const words = refusalWords(code, info.words);
  const why = code === 'invalid' || code === 'linked-tee-times' ? `${words} (rule ${rule}).` : words;
  const fails = failsCreation(error, context.operation, answers);
  const [told, message]: [RefusalCode, string] = fails ? ['unprocessable', unprocessableWords(why)] : [code, why];
  const body = failureBody(answers, told, message);
  return respond(services, context, refusalStatus(told, answers), body, rule, info.headers, info.detail ?? words);
}

/** Attaches what scenarios do to the request, unless none can apply on arrival: most requests pay nothing. */
export function attachScenarios(services: RequestServices, context: RequestContext, operation: OperationSpec): void {
  const asked = context.header('teebox-scenario');
  if (asked !== undefined || services.scenarios.armed) attach(services, context, operation, asked);
}

/** Attaches what scenarios do to the request if its body asks for one, or plans were armed while it came. */
function attachByBody(services: RequestServices, context: RequestContext, operation: OperationSpec): void {
  const { scenarios } = services;
  if (context.scenarios) return;
  if (scenarios.armed || areNamed(scenarios, operation, bodiesIn(context.body))) attach(services, context, operation);
}

/** Whether bookings switch a scenario on, or almost. What is wrong with one is reported when the request looks at it. */
function areNamed(scenarios: Scenarios, { name }: OperationSpec, bookings: readonly JsonObject[]): boolean {
  try {
    return scenarios.nearNames(name, bookings).length > 0 || scenarios.magic(name, bookings).length > 0;
  } catch {
    return true;
  }
}

function attach(services: RequestServices, context: RequestContext, operation: OperationSpec, asked?: string): void {
  const { scenarios, tokenOf } = services;
  const { header, requestId, at, request, path } = context;
  const seen = {
    operation,
    requestId,
    at,
    caller: () => callerOf(services, context, operation),
    token: () => tokenOf(header),
    sent: () => sentParameters(request.url, path),
  };
  context.scenarios = new RequestScenarios(scenarios, seen, asked);
}

/** The caller as far as its credentials, which may not have been looked at yet, are valid. */
function callerOf(
  services: RequestServices,
  context: RequestContext,
  { auth, version }: OperationSpec,
): Channel | undefined {
  const { channel, header, at, body } = context;
  if (channel) return channel;
  if (!auth) {
    const token = (body as { refresh_token?: unknown } | null | undefined)?.refresh_token;
    return typeof token === 'string' ? services.engine.store.tokens.ownerOf(token) : undefined;
  }
  try {
    return services.authenticate(header, version, at);
  } catch {
    return undefined;
  }
}

/** Adds to what log and journal tell about a request that is answered all the same. */
function warn(entry: JournalEntry, warnings: readonly string[]): void {
  if (warnings.length > 0) entry.warnings = [...(entry.warnings ?? []), ...warnings];
}

/** Says why a list is empty, and why the elements of a result will be. Of a day that is past, that is said already. */
function warnOfEmpty(
  { engine }: RequestServices,
  { entry, channel, now }: RequestContext,
  { served: { operation }, read }: KnownCall,
  body: string | Uint8Array,
): void {
  if (!read || !channel || !mayBeEmpty(operation.name, body)) return;
  if (pastWarnings(operation, read.params, now).length > 0) return;
  warn(entry, whyEmpty(new EngineAt(engine, now), operation.name, channel.name, read.params));
}
