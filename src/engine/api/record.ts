import { NOT_KEPT } from '../record/journal-entry.js';
import type { Outcome, Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';

/** Records the response. The entry stays open if something may still delay or replace the response. */
export function record(pipeline: Pipeline, passage: Passage, outcome: Outcome): void {
  const { entry, scenarios } = passage;
  passage.outcome = outcome;
  // The recording has the response as it was made: a replay keeps nothing, so it cannot fail to.
  if (outcome.rule !== NOT_KEPT) recorded(pipeline, passage, outcome);
  // The client left while a scenario held the request back.
  if (entry.state !== 'open') describe(pipeline, passage, outcome);
  else if (!scenarios?.struck && !passage.kept) settleSent(pipeline, passage);
}

/** Notes that nothing more is done for a request than to send its response, if there is one. */
export function recorded({ recording, keep }: Pipeline, passage: Passage, outcome?: Outcome): void {
  if (passage.recorded) recording!.over(passage.recorded, outcome);
  if (keep) passage.kept = keep();
}

/** Notes that a request goes on after a wait. A replay may hold it until it is its turn. */
export function resume({ recording }: Pipeline, { recorded: one, now }: Passage): Promise<void> | undefined {
  return one && recording!.resume(one, now);
}

/** Ends a request whose response is complete. If the client has gone, nobody gets it. */
export function settleSent(pipeline: Pipeline, passage: Passage): void {
  settle(pipeline, passage, hasLeft(passage) ? 'cut' : 'answered');
}

/** Ends a request and notifies listeners. Only the first end of a request counts. */
export function settle(pipeline: Pipeline, passage: Passage, state: 'answered' | 'cut'): void {
  const { entry, outcome, begun } = passage;
  if (entry.state !== 'open') return;
  entry.state = state;
  if (outcome) {
    describe(pipeline, passage, outcome);
    if (state === 'answered' || begun) entry.status = outcome.status;
  }
  complete(pipeline, passage);
}

function describe({ journal }: Pipeline, { entry }: Passage, { rule, detail, headers, body }: Outcome): void {
  entry.rule = rule;
  entry.responseHeaders = headers;
  journal.keepResponse(entry, body);
  if (detail !== undefined) entry.detail = detail;
}

function hasLeft({ hints, request }: Passage): boolean {
  return hints.hasLeft ? hints.hasLeft() : request.signal.aborted;
}

function complete({ journal, onExchange }: Pipeline, { entry, channel, hints, scenarios }: Passage): void {
  const met = scenarios?.journalled;
  if (met) entry.scenario = met;
  if (channel) entry.channel = channel.name;
  if (hints.elapsed) entry.durationMs = hints.elapsed();
  journal.complete(entry);
  onExchange?.(entry);
}
