import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../conformance/types.js';

/** Time, chance and network of this machine. */
export const nodeHost: Host = {
  fetch: (request) => fetch(request),
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}),
  random: () => Math.random(),
};
