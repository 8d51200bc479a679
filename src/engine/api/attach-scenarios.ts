import type { JsonObject } from '../../common/index.js';
import type { Channel } from '../model/world.js';
import type { OperationSpec } from '../../contract/index.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import { sentParameters } from './parameters.js';
import type { Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { bodiesIn, RequestScenarios } from './request-scenarios.js';

/** Attaches what scenarios do to the request, unless none can strike it on arrival: most requests pay nothing. */
export function attachScenarios(pipeline: Pipeline, passage: Passage, operation: OperationSpec): void {
  const asked = passage.header('teebox-scenario');
  if (asked !== undefined || pipeline.scenarios.armed) attach(pipeline, passage, operation, asked);
}

/** Attaches what scenarios do to the request if its body asks for one, or plans were armed while it came. */
export function attachByBody(pipeline: Pipeline, passage: Passage, operation: OperationSpec): void {
  const { scenarios } = pipeline;
  if (passage.scenarios) return;
  if (scenarios.armed || areNamed(scenarios, operation, bodiesIn(passage.body))) attach(pipeline, passage, operation);
}

/** Whether bookings switch a scenario on, or almost. What is wrong with one is told when the request looks at it. */
function areNamed(scenarios: Scenarios, { name }: OperationSpec, bookings: readonly JsonObject[]): boolean {
  try {
    return scenarios.nearNames(name, bookings).length > 0 || scenarios.magic(name, bookings).length > 0;
  } catch {
    return true;
  }
}

function attach(pipeline: Pipeline, passage: Passage, operation: OperationSpec, asked?: string): void {
  const { scenarios, tokenOf } = pipeline;
  const { header, requestId, at, request, path } = passage;
  const seen = {
    operation,
    requestId,
    at,
    caller: () => callerOf(pipeline, passage, operation),
    token: () => tokenOf(header),
    sent: () => sentParameters(request.url, path),
  };
  passage.scenarios = new RequestScenarios(scenarios, seen, asked);
}

/** The caller as far as its credentials, which may not have been looked at yet, are valid. */
export function callerOf(pipeline: Pipeline, passage: Passage, { auth, version }: OperationSpec): Channel | undefined {
  const { channel, header, at, body } = passage;
  if (channel) return channel;
  if (!auth) {
    const token = (body as { refresh_token?: unknown } | null | undefined)?.refresh_token;
    return typeof token === 'string' ? pipeline.engine.store.tokens.ownerOf(token) : undefined;
  }
  try {
    return pipeline.authenticate(header, version, at);
  } catch {
    return undefined;
  }
}
