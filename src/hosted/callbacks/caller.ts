import { HOME, type RemoteCaller } from '../../engine/index.js';

/** Pieces that are made in one turn of the event loop; each takes one or two milliseconds. */
const SLICE = 4;

/** The caller of a hosted world: somewhere on the internet. The world reaches itself without the network. */
export function callerOf({ url }: Pick<Request, 'url'>): RemoteCaller {
  return {
    isLocal: false,
    ownOrigin: ({ origin }) => (origin === new URL(url).origin ? HOME : undefined),
    whyNot: (_, inbox) =>
      '`callbackUrl` names this deployment itself, where only the inbox of the same world takes callbacks: ' +
      `${inbox}NAME`,
    stream: textStream,
  };
}

/** A text that is made as its reader takes it; `whole` is called with all of it. */
function textStream(pieces: Iterable<string>, whole: ((text: string) => void) | undefined): ReadableStream {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  const parts: string[] = [];
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    await new Promise((resolve) => void setTimeout(resolve, 0));
    const slice: string[] = [];
    let next = iterator.next();
    for (; !next.done && slice.push(next.value) < SLICE; next = iterator.next());
    const text = slice.join('');
    if (whole) parts.push(text);
    // A stream is not asked again before it has given something, and pieces may be empty.
    if (text !== '') controller.enqueue(encoder.encode(text));
    else if (!next.done) return pull(controller);
    if (!next.done) return;
    controller.close();
    whole?.(parts.join(''));
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
