import { placeIn, HEARTBEAT, streamHeaders } from './events.js';
import { Problem } from './problem.js';
import type { AdminCall, AdminRoute, CertificationHost } from './route.js';

/** The certification that `teebox certify --serve` runs. */
export const certificationRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'certification', answer: (call) => hostOf(call).now },
  { method: 'GET', path: 'certification/events', answer: follow },
];

/** The shortest time between two events: a client may send many calls a second. */
const TOGETHER = 250;

function hostOf({ host: { place } }: AdminCall): CertificationHost {
  if (place.certification) return place.certification;
  throw new Problem(
    404,
    'This server certifies no client. Run `npx --no-install teebox certify --serve`, and ask there.',
  );
}

/** The progress at once, and again after each change. */
function follow(call: AdminCall): Response {
  const certification = hostOf(call);
  const { journal, schedule } = call.host.inspector;
  // The response to a HEAD is never read, so nothing would end its stream.
  if (call.request.method === 'HEAD') return new Response(null, { headers: streamHeaders });
  const leave = placeIn(journal);
  const encoder = new TextEncoder();
  let stop = (): void => {};
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const send = (text: string): void => controller.enqueue(encoder.encode(text));
    const tell = (): void => send(`event: progress\ndata: ${JSON.stringify(certification.now)}\n\n`);
    let waiting: (() => void) | undefined;
    const changed = (): void => {
      waiting ??= schedule(() => {
        waiting = undefined;
        // A slow reader gets the latest progress when it has read the one before.
        if ((controller.desiredSize ?? 0) > 0) tell();
        else changed();
      }, TOGETHER);
    };
    const beat = (): void => {
      if ((controller.desiredSize ?? 0) > 0) send(':\n\n');
      cancelBeat = schedule(beat, HEARTBEAT);
    };
    let cancelBeat = schedule(beat, HEARTBEAT);
    const unfollow = certification.follow(changed);
    tell();
    stop = () => {
      unfollow();
      waiting?.();
      cancelBeat();
      leave();
    };
  };
  return new Response(new ReadableStream({ start, cancel: () => stop() }), { headers: streamHeaders });
}
