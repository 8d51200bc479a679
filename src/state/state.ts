import { type Clock, isOnClock } from '../domain/clock.js';
import type { Scenarios, ScenariosState } from '../scenarios/scenarios.js';
import { fit } from '../input/fit.js';
import { checkNesting } from '../input/nesting.js';
import { createUnique, Misfit, misfit } from '../input/misfit.js';
import type { StoreState } from '../store/state.js';
import type { Rivals, RivalsState } from '../store/rivals.js';
import type { Store } from '../store/store.js';
import { type Dialect, type DialectCard, parseDialectCard } from './dialect.js';

/**
 * The state of a sandbox as plain JSON: everything that decides its responses, except the counters of rate limits. The
 * journal, callbacks and the inbox are not part of it.
 */
export interface State {
  readonly format: 'teebox-state';
  readonly version: 1;
  readonly seed: number;
  readonly facilities: number;
  readonly clock: ClockState;
  readonly dialect: DialectCard;
  readonly store: StoreState;
  readonly scenarios: ScenariosState;
  readonly rivals?: RivalsState;
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
  readonly rivals: Rivals;
  readonly clock: Clock;
  /** What the clock can run with. */
  readonly source?: (() => number) | undefined;
}

const FORMAT = 'teebox-state';
const VERSION = 1;
/** The current state, as a value that shares nothing with the sandbox. */
export function exportState({ store, dialect, scenarios, rivals, clock, source }: StateHost, requests: number): State {
  const rivalsState = rivals.export();
  const now = clock.now();
  const { mode } = clock;
  return {
    format: FORMAT,
    version: VERSION,
    seed: store.world.seed,
    facilities: store.world.size,
    clock: { mode, now, ahead: mode === 'running' ? now - source!() : 0 },
    dialect: structuredClone(dialect.card),
    store: store.export(),
    scenarios: structuredClone(scenarios.export()),
    ...(rivalsState ? { rivals: structuredClone(rivalsState) } : {}),
    requests,
  };
}

/**
 * Checks a value against the schema of a state, but not against a world.
 *
 * @throws {Misfit} for a value that is not a state.
 */
export async function parseState(value: unknown): Promise<State> {
  // Loaded on demand, because it is large and only restores need it.
  const schemas = await import('../generated/built/state-validators.js');
  return ofState(() => {
    fit(schemas.StateFormat, value, { whole: '`state`' });
    const state = fit(schemas.State, value, { whole: '`state`' }) as unknown as State;
    // The only part with members of any form: the conditions of plans.
    checkNesting(state.scenarios, '`scenarios`');
    return state;
  });
}

/** Marks a misfit as one of the state, to distinguish it from those of other options. */
function ofState<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Misfit) error.input = 'state';
    throw error;
  }
}

/**
 * Replaces the state in one step. Returns the number of counted requests.
 *
 * @throws {Misfit} naming the first field that does not fit this sandbox. Then nothing has changed.
 */
export function takeState(host: StateHost, state: State): number {
  const { store, dialect, scenarios, rivals, clock, source } = host;
  const parts = ofState(() => {
    checkWorld(host, state);
    const read = store.read(state.store, 'store');
    within('`scenarios.plans` must be plans of this sandbox.', () =>
      scenarios.import(structuredClone(state.scenarios)),
    );
    return read;
  });
  dialect.replace(state.dialect);
  store.replace(parts);
  if (state.clock.mode === 'standing') clock.freeze();
  else if (source) clock.resume();
  clock.set(state.clock.now);
  rivals.import(state.rivals);
  return state.requests;
}

/** Adds to an error the part of the state it is about. */
function within<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Misfit(`${what} ${(error as Error).message}`, error instanceof Misfit ? error.fits : []);
  }
}

/** Checks what a schema cannot express, outside of the store. */
function checkWorld({ store, scenarios, source }: StateHost, state: State): void {
  const { seed, size: facilities } = store.world;
  for (const [name, here] of Object.entries({ seed, facilities }) as ['seed' | 'facilities', number][]) {
    if (state[name] === here) continue;
    const why = 'A state fits only a world of the seed and size that it was taken from.';
    throw new Misfit(`\`${name}\` must be ${here}, as in this sandbox; got ${state[name]}. ${why}`, [String(here)]);
  }
  if (state.clock.mode === 'running' && !source) {
    throw new Misfit('`clock.mode` must be "standing": this sandbox has no `clock` to run with.', ['standing']);
  }
  within('`dialect` must be a dialect card.', () => scenarios.check(parseDialectCard(state.dialect).scenarios ?? []));
  const { armed, plans } = state.scenarios;
  const unique = createUnique();
  for (const [index, { id }] of plans.entries()) {
    const path = `scenarios.plans[${index}].id`;
    unique(id, path);
    if (Number(id.slice('plan-'.length)) <= armed) continue;
    throw misfit(path, `at most plan-${armed}, as \`scenarios.armed\` says`, id);
  }
}

/** The options that override a state. */
interface StateOverrides {
  readonly now?: unknown;
  readonly dialect?: DialectCard;
  readonly scenarios?: readonly string[];
  readonly chaos?: unknown;
  readonly rivals?: unknown;
}

/**
 * The state to start from. Options override it. A running clock is as far ahead of its source as it was.
 */
export function startingState(host: StateHost, state: State, given: StateOverrides): State {
  const own = exportState(host, state.requests);
  const kept = given.now === undefined ? clockToday(host, state.clock) : own.clock;
  const { rivals: saved, ...rest } = state;
  const rivals = given.rivals === undefined ? saved : own.rivals;
  return {
    ...rest,
    ...(rivals ? { rivals } : {}),
    clock: kept,
    dialect: given.dialect === undefined ? state.dialect : own.dialect,
    scenarios: startingScenarios(state.scenarios, own.scenarios, given),
  };
}

/** The clock of a state at the time of its source, which has gone on since. */
function clockToday({ source }: StateHost, clock: ClockState): ClockState {
  if (clock.mode === 'standing' || !source) return clock;
  const now = source() + clock.ahead;
  if (isOnClock(now)) return { ...clock, now };
  const due = 'milliseconds that lead from the present time to one from 2000 to 2199';
  return ofState(() => {
    throw misfit('clock.ahead', due, clock.ahead);
  });
}

function startingScenarios(saved: ScenariosState, own: ScenariosState, given: StateOverrides): ScenariosState {
  const base = (given.scenarios ?? given.dialect?.scenarios) === undefined ? saved : own;
  const { chaos } = given.chaos === undefined ? saved : own;
  const { chaos: _, ...rest } = base;
  return chaos ? { ...rest, chaos } : rest;
}
