import type { Channel } from '../model/world.js';
import type { OperationSpec } from '../../contract/index.js';
import { OpenEntry } from '../record/journal-entry.js';
import type { Recorded } from '../record/recording.js';
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
  /** What is wrong with the body; told after authentication. */
  flaw: { readonly error: unknown } | undefined;
  /** The path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
  channel: Channel | undefined;
  /** The scenarios of the request; undefined if none can strike it. */
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
export function openPassage(
  pipeline: Pipeline,
  operation: OperationSpec | undefined,
  { request, path, hints }: Incoming,
): Passage {
  const header = headerReaderOf(request, hints);
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
