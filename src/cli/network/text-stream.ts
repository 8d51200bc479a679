import { setImmediate as nextTurn } from 'node:timers/promises';

/** Pieces that are made in one turn of the event loop; each takes one or two milliseconds. */
const SLICE = 4;

let turns: Promise<void> = Promise.resolve();

/** A turn of the event loop for one slice, of whichever stream: readers that take all at once would hold up the others. */
function turn(): Promise<void> {
  turns = turns.then(() => nextTurn());
  return turns;
}

/** A text that is made as its reader takes it; `whole` is called with all of it. */
export function textStream(pieces: Iterable<string>, whole: ((text: string) => void) | undefined): ReadableStream {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  const parts: string[] = [];
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    // A stream is not asked again before it has given something, and pieces may be empty.
    for (let text = ''; text === '';) {
      await turn();
      const slice: string[] = [];
      let next = iterator.next();
      for (; !next.done && slice.push(next.value) < SLICE; next = iterator.next());
      text = slice.join('');
      if (whole) parts.push(text);
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (!next.done) continue;
      controller.close();
      whole?.(parts.join(''));
      return;
    }
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
