import type { OperationSpec } from '../generated/operations.js';
import { type Exchange, LONGEST_BODY } from './journal.js';
import type { Incoming, Passage, Pipeline } from './passage.js';

/** A class, so that every exchange has the same shape from the start. */
class OpenExchange implements Exchange {
  state: Exchange['state'] = 'open';
  status = 0;

  constructor(
    readonly requestId: string,
    readonly method: string,
    readonly url: string,
    readonly at: number,
    readonly operation: string | undefined,
    readonly requestHeaders: Exchange['requestHeaders'],
  ) {}
}

/** A request that has just arrived, with its entry in the journal. */
export function openPassage(
  pipeline: Pipeline,
  operation: OperationSpec | undefined,
  { request, hints }: Incoming,
): Passage {
  const header = hints.header ?? ((name: string) => request.headers.get(name) ?? undefined);
  const at = pipeline.engine.now();
  const requestId = pipeline.nextRequestId();
  const headers = hints.headers ?? request.headers;
  const exchange = new OpenExchange(requestId, request.method, request.url, at, operation?.id, headers);
  pipeline.journal.arrive(exchange);
  return { operation, request, header, requestId, at, exchange, hints };
}

export interface Outcome {
  readonly status: number;
  readonly rule: string;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Writes down what was answered; a scenario that struck may yet do something to it on its way. */
export function record(pipeline: Pipeline, passage: Passage, outcome: Outcome): void {
  const { exchange, strikes } = passage;
  const { body, detail } = outcome;
  exchange.state = 'answered';
  exchange.status = outcome.status;
  exchange.rule = outcome.rule;
  exchange.responseHeaders = outcome.headers;
  exchange.responseLength = body.length;
  if (body.length <= LONGEST_BODY) exchange.responseBody = body;
  if (detail !== undefined) exchange.detail = detail;
  if (!strikes?.any) complete(pipeline, passage);
}

/** Completes what the journal has of the request, and tells of it. */
export function complete({ journal, onExchange }: Pipeline, { exchange, channel, hints, strikes }: Passage): void {
  const met = strikes?.met;
  if (met) exchange.scenario = met;
  if (channel) exchange.channel = channel.name;
  if (hints.elapsed) exchange.durationMs = hints.elapsed();
  journal.complete(exchange);
  onExchange?.(exchange);
}
