import type { BookingState } from '../model/booking.js';
import type { State } from '../state/state.js';
import type { StoreState } from '../store/store.js';
import type { CapsuleState } from './capsule.js';

/** Whether two plain JSON values are written alike. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What of a state differs from a baseline, without the clock; undefined for nothing. */
export function differenceOf(state: State, baseline: State): CapsuleState | undefined {
  const found: Record<string, unknown> = changedMembers(state, baseline, ['dialect', 'scenarios', 'requests']);
  const store = storeDifference(state.store, baseline.store);
  if (Object.keys(store).length > 0) found['store'] = store;
  return Object.keys(found).length > 0 ? (found as CapsuleState) : undefined;
}

function storeDifference(own: StoreState, base: StoreState): Record<string, unknown> {
  const found = changedMembers(own, base, ['sequence', 'groups', 'bulks', 'tokens', 'amendments']);
  const planted = bySequence(base.bookings);
  const bookings = own.bookings.filter((one) => {
    const other = planted.get(one.sequence);
    return !other || !isSame(one, other);
  });
  const kept = bySequence(own.bookings);
  const without = [...planted.keys()].filter((sequence) => !kept.has(sequence));
  return { ...found, ...(bookings.length > 0 ? { bookings } : {}), ...(without.length > 0 ? { without } : {}) };
}

function changedMembers<T extends object>(own: T, base: T, names: readonly (keyof T & string)[]) {
  return Object.fromEntries(
    names.filter((name) => !isSame(own[name], base[name])).map((name) => [name, own[name] as unknown]),
  );
}

function bySequence(bookings: readonly BookingState[]): Map<number, BookingState> {
  return new Map(bookings.map((one) => [one.sequence, one]));
}

/** The state that differs so from a baseline. */
export function stateOf(difference: CapsuleState, baseline: State): State {
  const { store: ownStore = {}, ...own } = difference;
  const { bookings = [], without = [], ...store } = ownStore;
  const all = bySequence(baseline.store.bookings);
  for (const sequence of without) all.delete(sequence);
  for (const booking of bookings) all.set(booking.sequence, booking);
  return {
    ...baseline,
    ...own,
    store: {
      ...baseline.store,
      ...store,
      bookings: [...all.values()].sort((one, other) => one.sequence - other.sequence),
    },
  };
}
