/** Lets other work of the process go on. */
export type Pause = () => Promise<void>;

/**
 * Does work for each item, in order, a few at a time. Other work of the process goes on in between, so it may change
 * things before the last item.
 */
export type InSlices = <T>(items: Iterable<T>, work: (item: T, index: number) => void) => Promise<void>;

/** Usual items of one slice. The most expensive ones are bookings that are read: these take a few milliseconds together. */
const SLICE = 200;
/** Characters of a text, and elements of a list, that take as long as a usual item does. */
const [USUAL_TEXT, USUAL_LIST] = [4096, 20];

/** @param schedule Runs work after a delay in milliseconds. */
export function pauseBy(schedule: (work: () => void, delay: number) => unknown): Pause {
  return () => new Promise((resolve) => void schedule(resolve, 0));
}

/** Pauses after each slice, and not at all for fewer items than a slice has. One with long members counts as several. */
export function slicesBy(pause: Pause): InSlices {
  return async (items, work) => {
    let [index, weight] = [0, 0];
    for (const item of items) {
      if (weight >= SLICE) {
        await pause();
        weight = 0;
      }
      work(item, index++);
      weight += weightOf(item);
    }
  };
}

function weightOf(item: unknown): number {
  let weight = 1;
  if (typeof item !== 'object' || item === null) return weight;
  for (const member of Object.values(item) as unknown[]) {
    if (typeof member === 'string') weight += Math.floor(member.length / USUAL_TEXT);
    else if (Array.isArray(member)) weight += Math.floor(member.length / USUAL_LIST);
  }
  return weight;
}

/** Pieces of a text that are made between two pauses; each takes one or two milliseconds. */
const PIECES = 4;

/** Makes streams of texts that are made as their readers take them; `whole` is called with all of a text. */
export function textStreamBy(pause: Pause) {
  return (pieces: Iterable<string>, whole: ((text: string) => void) | undefined): ReadableStream => {
    const iterator = pieces[Symbol.iterator]();
    const encoder = new TextEncoder();
    const parts: string[] = [];
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      // A stream is not asked again before it has given something, and pieces may be empty.
      for (let text = ''; text === '';) {
        await pause();
        const slice: string[] = [];
        let next = iterator.next();
        for (; !next.done && slice.push(next.value) < PIECES; next = iterator.next());
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
  };
}
