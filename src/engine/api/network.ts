import type { Schedule } from '../model/clock.js';
import type { Passage } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { settle } from './record.js';

/** Resolves after milliseconds, or as soon as the signal aborts. */
export function pause(schedule: Schedule, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    // The timer also prevents garbage collection: a signal holds its request only weakly.
    const stop = schedule(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

/** Resolves after milliseconds, or as soon as the client leaves, which ends its request in the journal. */
export async function wait(pipeline: Pipeline, passage: Passage, milliseconds: number): Promise<void> {
  const { signal } = passage.request;
  await pause(pipeline.schedule, milliseconds, signal);
  if (signal.aborted) settle(pipeline, passage, 'cut');
}

/** Ends the request in the journal if the client leaves before it is over. */
export function watchClient(pipeline: Pipeline, passage: Passage): void {
  passage.request.signal.addEventListener('abort', () => settle(pipeline, passage, 'cut'));
}
