import type { Inspector } from '../journal/inspector.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { Problem } from './problem.js';
import { readQuery } from './read.js';
import { numberOf, readRequestId } from './requests.js';
import type { AdminCall, AdminRoute } from './route.js';

/** Follows the journal with server-sent events. */
export const eventRoutes: readonly AdminRoute[] = [{ method: 'GET', path: 'events', answer: follow }];

const MOST_LISTENERS = 100;
const HEARTBEAT = 15_000;
/** Bytes buffered for a slow reader. Further events are dropped and counted. */
const KEPT_BYTES = 262_144;

async function follow({ host: { inspector }, request }: AdminCall): Promise<Response> {
  const { since } = await readQuery(request, 'followEventsQuery');
  const last = request.headers.get('last-event-id') ?? '';
  const after =
    since !== undefined ? readRequestId('since', since) : last === '' ? Infinity : readRequestId('Last-Event-ID', last);
  if (inspector.journal.listening >= MOST_LISTENERS) {
    throw new Problem(409, `${MOST_LISTENERS} listeners follow the journal already; close one and try again.`);
  }
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  // The response to a HEAD is never read, so nothing would end its stream.
  return new Response(request.method === 'HEAD' ? null : streamOf(inspector, after), { headers });
}

/** The events of the journal after a request, then live events until the reader disconnects. */
function streamOf(inspector: Inspector, after: number): ReadableStream<Uint8Array> {
  const { journal, schedule } = inspector;
  const encoder = new TextEncoder();
  let dropped = 0;
  let stop = (): void => {};
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const send = (text: string) => controller.enqueue(encoder.encode(text));
    const tell = (entry: JournalEntry): void => {
      if ((controller.desiredSize ?? 0) > 0) send(eventOf(inspector, entry));
      else dropped += 1;
    };
    const beat = (): void => {
      if ((controller.desiredSize ?? 0) > 0) send(':\n\n');
      cancel = schedule(beat, HEARTBEAT);
    };
    let cancel = schedule(beat, HEARTBEAT);
    const unlisten = journal.listen(tell);
    stop = () => {
      unlisten();
      cancel();
    };
    send(': the journal of the sandbox\n\n');
    for (const entry of journal.entries) if (numberOf(entry) > after) tell(entry);
  };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (dropped === 0) return;
    controller.enqueue(encoder.encode(`event: dropped\ndata: ${JSON.stringify({ count: dropped })}\n\n`));
    dropped = 0;
  };
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: KEPT_BYTES });
  return new ReadableStream({ start, pull, cancel: () => stop() }, strategy);
}

/**
 * Only what is over has an id: a reader that comes back with it as `Last-Event-ID` is told again of a request whose
 * answer it missed.
 */
function eventOf(inspector: Inspector, entry: JournalEntry): string {
  const { state, requestId } = entry;
  const data = `data: ${JSON.stringify(inspector.summary(entry))}\n\n`;
  return state === 'open' ? `event: arrived\n${data}` : `id: ${requestId}\nevent: ${state}\n${data}`;
}
