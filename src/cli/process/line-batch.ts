/** Milliseconds that a line may wait, and characters that wait at most: a write takes as long as an answer. */
const LONGEST_WAIT = 5;
const MOST_WAITING = 65_536;

/** Lines that are written together, in their order. */
export interface LineBatch {
  add(line: string): void;
  /** Writes what waits, before another line goes another way or the process ends. */
  flush(): void;
}

/** Writes lines some milliseconds later, and what is left when the process ends. */
export function lineBatch(write: (lines: string) => void): LineBatch {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    write(lines);
  };
  process.on('exit', flush);
  return {
    flush,
    add(line) {
      waiting = waiting === '' ? line : `${waiting}\n${line}`;
      if (waiting.length > MOST_WAITING) flush();
      // A process with nothing else to do ends, and its end writes the rest.
      else timer ??= setTimeout(flush, LONGEST_WAIT).unref();
    },
  };
}
