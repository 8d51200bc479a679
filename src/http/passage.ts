import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import { OpenEntry } from '../journal/journal-entry.js';
import type { Recorded } from '../journal/recording.js';
import type { HeaderReader } from './authenticate.js';
import type { HostHints } from './host-hints.js';
import type { Pipeline } from './pipeline.js';
import type { RequestScenarios } from './request-scenarios.js';

/** The response to a request. */
export interface Outcome {
  readonly status: number;
  readonly rule: string;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** One request in the pipeline, with what is known about it so far. */
export interface Passage {
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
  readonly hints: HostHints;
  channel?: Channel;
  /** The scenarios of the request; missing if none can strike it. */
  scenarios?: RequestScenarios;
  /** The response, which a scenario may still delay or break. */
  outcome: Outcome | undefined;
  /** Whether the status and headers of the response were sent before its body. */
  begun: boolean;
}

/** A request from the host, with its path parameters. */
export interface Incoming {
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
}

/** Opens a request on arrival, with its journal entry. */
export function openPassage(
  pipeline: Pipeline,
  operation: OperationSpec | undefined,
  { request, hints }: Incoming,
): Passage {
  const header = hints.header ?? ((name: string) => request.headers.get(name) ?? undefined);
  const at = pipeline.engine.now();
  const requestId = pipeline.nextRequestId();
  const headers = hints.headers ?? request.headers;
  const entry = new OpenEntry(requestId, request.method, request.url, at, operation?.id, headers);
  pipeline.journal.arrive(entry);
  return {
    operation,
    request,
    header,
    requestId,
    at,
    now: at,
    entry,
    recorded: pipeline.recording?.arrive(entry, hints.url, hints.anyCallbackTarget === true),
    hints,
    body: undefined,
    text: undefined,
    outcome: undefined,
    begun: false,
  };
}
