import type { Schedule } from '../../../src/engine/model/clock.js';

/** Timers of which the long ones wait for the test, and the others run at once. */
export interface HeldTimers {
  readonly schedule: Schedule;
  /** What every timer was set to, in milliseconds. */
  readonly delays: readonly number[];
  /** Resolves when a long timer is held that was not there before. */
  held(): Promise<void>;
  /** How many are held, neither run nor called off. */
  readonly count: number;
  /** Runs what is held. */
  release(): void;
}

const LONG = 1000;

export function heldTimers(): HeldTimers {
  const held = new Set<() => void>();
  const delays: number[] = [];
  let seen = 0;
  let told = 0;
  const waiting: (() => void)[] = [];
  const schedule: Schedule = (work, delay) => {
    delays.push(delay);
    if (delay < LONG) {
      const timer = setTimeout(work, 0);
      return () => clearTimeout(timer);
    }
    held.add(work);
    seen += 1;
    for (const resolve of waiting.splice(0)) resolve();
    return () => void held.delete(work);
  };
  return {
    schedule,
    delays,
    async held() {
      if (seen === told) await new Promise<void>((resolve) => waiting.push(resolve));
      told += 1;
    },
    get count() {
      return held.size;
    },
    release() {
      const due = [...held];
      held.clear();
      for (const work of due) work();
    },
  };
}
