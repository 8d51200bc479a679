import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../conformance/index.js';

/** Time, random numbers and network of this machine. */
export const nodeHost: Host = {
  fetch: (request) => fetch(request),
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}),
  schedule: (work, milliseconds) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
