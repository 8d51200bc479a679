import type { Clock } from '../model/clock.js';
import type { Scenarios, ScenariosState } from '../scenarios/scenarios.js';
import type { StoreParts, StoreState } from '../store/store.js';
import type { Store } from '../store/store.js';
import type { Dialect, DialectCard } from './dialect.js';

/**
 * The state of a sandbox as plain JSON: everything that decides its responses, except the counters of rate limits. The
 * journal, callbacks and the inbox are not part of it.
 */
export interface State {
  readonly format: 'teebox-state';
  readonly version: 1;
  readonly seed: number;
  readonly facilities: number;
  /** The digest of the world file; missing for a generated world. */
  readonly world?: string;
  readonly clock: ClockState;
  readonly dialect: DialectCard;
  readonly store: StoreState;
  readonly scenarios: ScenariosState;
  /** The number of counted requests. */
  readonly requests: number;
}

export interface ClockState {
  readonly mode: Clock['mode'];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds by which a running clock is ahead of its source; 0 for a frozen clock. */
  readonly ahead: number;
}

/** The parts of a sandbox from which a state is exported, and to which it is applied. */
export interface StateHost {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly scenarios: Scenarios;
  readonly clock: Clock;
  /** What the clock can run with. */
  readonly source?: (() => number) | undefined;
}

/** A state without its bookings, which can be derived from the present ones. It takes little time. */
export interface SavePoint extends Pick<State, 'clock' | 'dialect' | 'scenarios' | 'requests'> {
  readonly store: StoreParts;
}

const FORMAT = 'teebox-state';
const VERSION = 1;

/** The current state. Its bookings are shared with other exports and never change; it shares nothing else. */
export function exportState(host: StateHost, requests: number): State {
  const { store } = host;
  const parts = savePointOf(host, requests);
  return {
    format: FORMAT,
    version: VERSION,
    seed: store.world.seed,
    facilities: store.world.size,
    ...(store.world.digest === undefined ? {} : { world: store.world.digest }),
    ...parts,
    store: { bookings: store.ledger.records(), ...parts.store },
  };
}

/** A clock as data. */
export function clockStateOf({ mode, now: read }: Clock, source: (() => number) | undefined): ClockState {
  const now = read();
  return { mode, now, ahead: mode === 'running' ? now - source!() : 0 };
}

/** The current state without its bookings. It shares nothing. */
export function savePointOf(host: StateHost, requests: number): SavePoint {
  const { store, dialect, scenarios, clock, source } = host;
  return {
    clock: clockStateOf(clock, source),
    dialect: structuredClone(dialect.card),
    store: store.exportParts(),
    scenarios: structuredClone(scenarios.export()),
    requests,
  };
}
