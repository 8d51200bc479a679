import { setImmediate as turn } from 'node:timers/promises';

/** Pieces that are made in one turn of the event loop; each takes one or two milliseconds. */
const SLICE = 8;

/** A text that is made as its reader takes it; `whole` is called with all of it. */
export function textStream(pieces: Iterable<string>, whole: ((text: string) => void) | undefined): ReadableStream {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  const parts: string[] = [];
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const slice: string[] = [];
    let next = iterator.next();
    for (; !next.done && slice.push(next.value) < SLICE; next = iterator.next());
    const text = slice.join('');
    if (whole) parts.push(text);
    if (text !== '') controller.enqueue(encoder.encode(text));
    if (next.done) {
      controller.close();
      whole?.(parts.join(''));
    }
    // A reader that takes everything at once would hold up all other requests.
    await turn();
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
