import { computed, signal } from '@preact/signals';
import { call, perform, type AdminType } from './api.js';

const seen = signal<(AdminType<'Clock'> & { readonly at: number }) | undefined>(undefined);
const tick = signal(performance.now());

/** The clock of the sandbox as it goes on: an epoch in milliseconds, and whether it runs. */
export const sandboxClock = computed(() => {
  if (!seen.value) return undefined;
  const { now, mode, at } = seen.value;
  const passed = mode === 'running' ? Math.max(0, tick.value - at) : 0;
  return { now: Date.parse(now) + passed, mode };
});

/** The begun minute of the clock of the sandbox, for what need not change every second. */
export const minute = computed(() => Math.floor((sandboxClock.value?.now ?? 0) / 60_000) * 60_000);

/** Reads the clock again, as after a move. */
export async function readClock(): Promise<void> {
  const clock = await perform(call('GET', 'clock'));
  seen.value = { ...clock, at: performance.now() };
  tick.value = performance.now();
}

const READ_MS = 15_000;

/** Keeps the clock going while the page is visible. */
export function startClock(): void {
  const read = () => void readClock().catch(() => {});
  read();
  setInterval(() => document.visibilityState === 'visible' && (tick.value = performance.now()), 1000);
  setInterval(() => document.visibilityState === 'visible' && read(), READ_MS);
}
