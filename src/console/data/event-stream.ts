import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';

export interface StreamFollower {
  readonly event: (event: EventSourceMessage) => void;
  /** The stream is open. `again` after it was lost; `resumed` if the server was told what came last. */
  readonly opened: (how: { readonly again: boolean; readonly resumed: boolean }) => void;
  readonly lost: () => void;
}

const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/**
 * Follows server-sent events by `fetch`, which, unlike `EventSource`, can send a token. A stream that ends or fails is
 * opened again, from the last event on. Returns a function that stops it.
 */
export function followEvents(
  open: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>,
  follower: StreamFollower,
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let last: string | undefined;
  let wait = SHORTEST_WAIT;
  let again = false;
  const once = async (): Promise<void> => {
    const response = await open(last === undefined ? {} : { 'last-event-id': last }, signal);
    if (!response.ok || !response.body) throw new Error(`The events were answered with ${response.status}.`);
    follower.opened({ again, resumed: last !== undefined });
    wait = SHORTEST_WAIT;
    const text = response.body.pipeThrough(new TextDecoderStream());
    const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      last = next.value.id ?? last;
      if (!signal.aborted) follower.event(next.value);
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await once().catch(() => {});
      if (signal.aborted) return;
      again = true;
      follower.lost();
      await pause(wait, signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  };
  void run();
  return () => stopped.abort();
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
