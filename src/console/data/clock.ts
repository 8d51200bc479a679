import { computed, signal } from '@preact/signals';
import { call, perform, type AdminType } from './api.js';
import { followJournal } from './journal.js';
import { liveState } from './live.js';

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

function take(clock: AdminType<'Clock'>): void {
  seen.value = { ...clock, at: performance.now() };
  tick.value = performance.now();
}

/** Reads the clock again, as after a move. */
export async function readClock(): Promise<void> {
  take(await perform(call('GET', 'clock')));
}

const READ_MS = 15_000;

/** Keeps the clock going while the page is visible and the server is there. The events of the journal tell its moves. */
export function startClock(): void {
  const read = () => void readClock().catch(() => {});
  const isVisible = () => document.visibilityState === 'visible';
  followJournal({ clock: take, opened: read, stale: read });
  read();
  setInterval(() => isVisible() && liveState.value !== 'lost' && (tick.value = performance.now()), 1000);
  // As long as no events come, such as when too many pages follow them.
  setInterval(() => isVisible() && liveState.value !== 'live' && read(), READ_MS);
}
