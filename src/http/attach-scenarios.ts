import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import { sentParameters } from './parameters.js';
import type { Incoming, Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { RequestScenarios } from './request-scenarios.js';

/** Attaches what scenarios do to the request, unless none can strike it: most requests pay nothing. */
export function attachScenarios(
  pipeline: Pipeline,
  passage: Passage,
  operation: OperationSpec,
  { request, path }: Incoming,
): void {
  const { scenarios, tokenOf } = pipeline;
  const { header, requestId, at } = passage;
  const asked = header('teebox-scenario');
  if (asked === undefined && !scenarios.armed && !operation.bodies) return;
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
