/** One server-sent event. */
export interface StreamEvent {
  /** `message` if the server gave none. */
  readonly name: string;
  readonly data: string;
  /** What to send as `Last-Event-ID`; absent if the event has none. */
  readonly id?: string;
}

/** Splits server-sent events from a text that arrives in pieces. Comments are left out. */
export class EventParser {
  #text = '';

  /** The events that are complete with this piece. */
  read(piece: string): StreamEvent[] {
    const blocks = (this.#text + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.#text = blocks.pop()!;
    return blocks.map(eventOf).filter((event) => event !== undefined);
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const data = fields.get('data');
  const id = fields.get('id');
  if (data === undefined) return undefined;
  return { name: fields.get('event') ?? 'message', data, ...(id === undefined ? {} : { id }) };
}

export interface StreamFollower {
  readonly event: (event: StreamEvent) => void;
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
    const parser = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      for (const event of parser.read(piece.value)) {
        last = event.id ?? last;
        if (!signal.aborted) follower.event(event);
      }
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
