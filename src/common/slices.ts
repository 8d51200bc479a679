/** Lets other work of the process go on. */
export type Pause = () => Promise<void>;

/**
 * Does work for each item, in order, a few at a time. Other work of the process goes on in between, so it may change
 * things before the last item.
 */
export type InSlices = <T>(items: Iterable<T>, work: (item: T, index: number) => void) => Promise<void>;

/** Items of one slice. The most expensive ones are bookings that are read: these take a few milliseconds together. */
const SLICE = 200;

/** @param schedule Runs work after a delay in milliseconds. */
export function pauseBy(schedule: (work: () => void, delay: number) => unknown): Pause {
  return () => new Promise((resolve) => void schedule(resolve, 0));
}

/** Pauses after each slice, and not at all for fewer items than a slice has. */
export function slicesBy(pause: Pause): InSlices {
  return async (items, work) => {
    let index = 0;
    for (const item of items) {
      if (index > 0 && index % SLICE === 0) await pause();
      work(item, index++);
    }
  };
}
