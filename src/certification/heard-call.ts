import { type Effect, type OperationId, operations, type Scenario } from '../contract/index.js';
import { type EntryScenario, type JournalEntry, rawPathOf } from '../engine/index.js';
import { type ClientCall, placed, testOf } from './obligations/traffic.js';

/** A call on its way through the recorder. */
export interface HeardCall {
  readonly turn: number;
  readonly at: number;
  readonly request: Request;
  readonly headers: Headers;
  readonly url: string;
  body?: string;
  /** What the journal says of it. */
  entry?: JournalEntry;
  /** An answer that arrives in pieces. */
  pieces?: {
    readonly status: number;
    readonly headers: Headers;
    readonly reader: ReadableStreamDefaultReader<Uint8Array>;
    text: string;
  };
}

interface Heard {
  readonly status?: number;
  readonly headers?: Headers;
  readonly text?: string;
}

export interface CallContext {
  readonly now: number;
  readonly idPrefix: string;
  /** The prefix of every path of the sandbox. */
  readonly prefix: string | undefined;
  readonly scenarios: readonly Scenario[];
  /** The number of calls that have arrived. */
  readonly arrived: number;
}

/** A call with what the client got of its answer. */
export function callOf(
  { turn, at, request, headers, url, body, entry }: HeardCall,
  answer: Heard,
  { now, idPrefix, prefix, scenarios, arrived }: CallContext,
): ClientCall {
  const { requestId, scenario, channel } = entry!;
  const struck = scenario?.struck ? struckBy(entry!, scenario, scenarios) : undefined;
  const path = rawPathOf(url, prefix);
  return {
    id: idPrefix + requestId,
    world: idPrefix,
    turn,
    at,
    ...(answer.status === undefined ? {} : { answeredAt: now }),
    endedAt: now,
    method: request.method,
    path,
    headers,
    body,
    ...placeOf(entry!, path),
    status: answer.status ?? 0,
    responseHeaders: answer.headers ?? new Headers(),
    responseBody: answer.text,
    arrived,
    ...testOf(headers),
    ...(struck ? { struck } : {}),
    ...(channel === undefined ? {} : { channel }),
  };
}

/** Operations that change nothing. */
const READS = /\.(list|find)|Details$|Countries$/;

/** Whether the change was made although the client was not told so. */
function isCommitted(
  { state, operation, responseBody }: JournalEntry,
  { phase }: EntryScenario,
  effect?: Effect,
): boolean {
  if (phase !== 'after-commit' || READS.test(operation ?? '')) return false;
  if (effect?.kind === 'refusal') return true;
  const isLate = effect?.kind !== 'network' || effect.fault === 'slow' || effect.fault === 'slow-body';
  if (isLate && state !== 'cut') return false;
  return typeof responseBody === 'string' && responseBody.startsWith('{"success":true');
}

function struckBy(entry: JournalEntry, scenario: EntryScenario, all: readonly Scenario[]): ClientCall['struck'] {
  const effect = all.find(({ id }) => id === scenario.id)?.effect;
  return { scenario: scenario.id, committed: isCommitted(entry, scenario, effect) };
}

const documented = new Set<string>(operations.map(({ id }) => id));

/** The operation that answered, which may have another path in a dialect, and the parameters of the request. */
function placeOf(
  { method, operation }: JournalEntry,
  path: string,
): Pick<ClientCall, 'operation' | 'undocumented' | 'params'> {
  const place = placed(method, path);
  if (operation === undefined) return place;
  return documented.has(operation)
    ? { ...place, operation: operation as OperationId }
    : { ...place, undocumented: operation };
}
