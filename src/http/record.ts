import { LONGEST_BODY } from '../journal/journal.js';
import type { Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';

export interface Outcome {
  readonly status: number;
  readonly rule: string;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Records the response. The entry stays open if a scenario may still change the response. */
export function record(pipeline: Pipeline, passage: Passage, outcome: Outcome): void {
  const { entry, scenarios } = passage;
  const { body, detail } = outcome;
  entry.state = 'answered';
  entry.status = outcome.status;
  entry.rule = outcome.rule;
  entry.responseHeaders = outcome.headers;
  entry.responseLength = body.length;
  if (body.length <= LONGEST_BODY) entry.responseBody = body;
  if (detail !== undefined) entry.detail = detail;
  if (!scenarios?.struck) complete(pipeline, passage);
}

/** Completes the journal entry of the request and notifies listeners. */
export function complete({ journal, onExchange }: Pipeline, { entry, channel, hints, scenarios }: Passage): void {
  const met = scenarios?.journalled;
  if (met) entry.scenario = met;
  if (channel) entry.channel = channel.name;
  if (hints.elapsed) entry.durationMs = hints.elapsed();
  journal.complete(entry);
  onExchange?.(entry);
}
