import type { Inspector } from '../record/inspector.js';
import { Crowded, type Journal, type JournalEntry, numberOf } from '../record/journal.js';
import type { Clock } from '../model/clock.js';
import { shownClock } from './clock.js';
import { Problem } from './problem.js';
import { readQuery } from './read.js';
import { readRequestId } from './requests.js';
import type { AdminCall, AdminRoute } from './route.js';

/** Follows the journal with server-sent events. */
export const eventRoutes: readonly AdminRoute[] = [{ method: 'GET', path: 'events', answer: follow }];

export const HEARTBEAT = 15_000;
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};
/** Bytes buffered for a slow reader. Further events are dropped and counted. */
const KEPT_BYTES = 262_144;

async function follow({ host: { inspector, clock }, request }: AdminCall): Promise<Response> {
  const { since } = await readQuery(request, 'followEventsQuery');
  const last = request.headers.get('last-event-id') ?? '';
  const { journal } = inspector;
  const after =
    since !== undefined
      ? { number: readRequestId('since', since), generation: journal.generation }
      : last !== ''
        ? readEventId(last)
        : undefined;
  // The response to a HEAD is never read, so nothing would end its stream.
  if (request.method === 'HEAD') return new Response(null, { headers: streamHeaders });
  return new Response(streamOf(inspector, clock, after, placeIn(journal)), { headers: streamHeaders });
}

/** @throws {Problem} if too many streams are open. */
export function placeIn(journal: Journal): () => void {
  try {
    return journal.take('streams');
  } catch (error) {
    throw error instanceof Crowded ? new Problem(409, `${error.message} Close one and try again.`) : error;
  }
}

/** An event by its id: `req-17`, or `req-17@2` after two resets. */
interface EventId {
  readonly number: number;
  readonly generation: number;
}

function readEventId(text: string): EventId {
  const [, id = text, generation = '0'] = /^(.*)@(\d{1,15})$/.exec(text) ?? [];
  return { number: readRequestId('Last-Event-ID', id), generation: Number(generation) };
}

/** Whether an event is one of an earlier journal, so that its number says nothing about this one. */
function isFormer({ number, generation }: EventId, journal: Journal): boolean {
  const { newest } = journal;
  return generation !== journal.generation || number > (newest ? numberOf(newest) : 0);
}

/** The events of the journal after another one, then live events until the reader disconnects or the sandbox ends. */
function streamOf(
  inspector: Inspector,
  clock: Clock,
  after: EventId | undefined,
  leave: () => void,
): ReadableStream<Uint8Array> {
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
    const begun = () => send(resetOf(journal));
    const beat = (): void => {
      if ((controller.desiredSize ?? 0) > 0) send(':\n\n');
      cancel = schedule(beat, HEARTBEAT);
    };
    let cancel = schedule(beat, HEARTBEAT);
    const ended = (reason: string): void => {
      cancel();
      leave();
      send(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
      controller.close();
    };
    send(': the journal of the sandbox\n\n');
    const former = after !== undefined && isFormer(after, journal);
    if (former) begun();
    const from = former ? 0 : (after?.number ?? Infinity);
    for (const entry of journal.entries) if (numberOf(entry) > from) tell(entry);
    const moved = () => send(`event: clock\ndata: ${JSON.stringify(shownClock(clock))}\n\n`);
    const changed = (what: string): void => {
      if ((controller.desiredSize ?? 0) > 0) send(`event: changed\ndata: ${JSON.stringify({ what })}\n\n`);
      else dropped += 1;
    };
    const unfollow = journal.follow({ entry: tell, begun, ended, moved, changed });
    stop = () => {
      unfollow();
      cancel();
      leave();
    };
  };
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (dropped === 0) return;
    controller.enqueue(encoder.encode(`event: dropped\ndata: ${JSON.stringify({ count: dropped })}\n\n`));
    dropped = 0;
  };
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: KEPT_BYTES });
  return new ReadableStream({ start, pull, cancel: () => stop() }, strategy);
}

/** The end of an id; none before the first reset. */
function suffixOf({ generation }: Journal): string {
  return generation === 0 ? '' : `@${generation}`;
}

/** What a reader knows of before is no longer there. */
function resetOf(journal: Journal): string {
  const data = JSON.stringify({ reason: journal.beginning });
  return `id: req-0${suffixOf(journal)}\nevent: reset\ndata: ${data}\n\n`;
}

/**
 * Only what is over has an id: a reader that comes back with it as `Last-Event-ID` gets a request again whose
 * answer it missed.
 */
function eventOf(inspector: Inspector, entry: JournalEntry): string {
  const { state, requestId } = entry;
  const data = `data: ${JSON.stringify(inspector.summary(entry))}\n\n`;
  if (state === 'open') return `event: arrived\n${data}`;
  return `id: ${requestId}${suffixOf(inspector.journal)}\nevent: ${state}\n${data}`;
}
