import { jsonPieces } from '../state/json-pieces.js';
import type { AdminHost } from './route.js';

/** Plain JSON that nothing changes any more, written in pieces as its reader takes them, while requests are answered. */
export function streamed(
  value: unknown,
  { pause }: Pick<AdminHost, 'pause'>,
  more: Record<string, string> = {},
): Response {
  const init = { headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...more } };
  const pieces = jsonPieces(value);
  let next = pieces.next();
  const first = next.value as string;
  next = pieces.next();
  // Most have one piece, whose length is known.
  if (next.done) return new Response(first, init);
  const encoder = new TextEncoder();
  let text: string | undefined = first;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (text === undefined) {
        await pause();
        if (next.done) return controller.close();
        text = next.value;
        next = pieces.next();
      }
      controller.enqueue(encoder.encode(text));
      text = undefined;
    },
  });
  return new Response(body, init);
}
