import type { State } from '../../engine/index.js';

/** Milliseconds by which the lead of a running clock may differ: its source is read twice. */
const TOLERANCE = 20;

/**
 * Whether a sandbox is in the state from which it was started, so that its changes fit behind that state. Flags may have
 * changed parts of it; the bookings are only counted.
 */
export function isSameState(loaded: State, present: State): boolean {
  return textOf(loaded) === textOf(present) && isSameClock(loaded.clock, present.clock);
}

/** A state without its clock and its bookings, which are many. */
function textOf({ store, ...rest }: State): string {
  const parts = { ...store, bookings: store.bookings.length };
  return JSON.stringify({ ...rest, clock: undefined, store: parts }, inOrder);
}

function isSameClock(loaded: State['clock'], present: State['clock']): boolean {
  if (loaded.mode !== present.mode) return false;
  if (loaded.mode === 'standing') return loaded.now === present.now;
  return Math.abs(loaded.ahead - present.ahead) < TOLERANCE;
}

/** Members in the order of their names. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
