import type { BookingState } from '../model/booking.js';
import { isOnClock } from '../model/clock.js';
import { BookingState as BookingSchema, fit, StateFormat, State as StateSchema } from '../../contract/index.js';
import {
  checkNesting,
  createUnique,
  ValidationError,
  validationError,
  type Pause,
  slicesBy,
} from '../../common/index.js';
import type { ScenariosState } from '../scenarios/scenarios.js';
import { readStoreState } from '../store/state.js';
import type { ReadStore } from '../store/store.js';
import { type DialectCard, parseDialectCard } from './dialect.js';
import { type ClockState, exportState, type State, type StateHost } from './state.js';

/**
 * Checks a value against the schema of a state, except its bookings, and not against a world. The result shares nothing
 * with it but the bookings.
 *
 * @throws {ValidationError} for a value that is not a state.
 */
export function parseState(value: unknown): State {
  try {
    refuseNewer(value);
    fit(StateFormat, value, { whole: '`state`' });
    const { bookings, rest } = apart(value as State);
    const state = fit(StateSchema, rest, { whole: '`state`' }) as unknown as State;
    // The only part with members of any form: the conditions of plans.
    checkNesting(state.scenarios, '`scenarios`');
    const { store, ...others } = structuredClone(state);
    return { ...others, store: { ...store, bookings } };
  } catch (error) {
    throw ofState(error);
  }
}

/** What this version writes and reads. It grows when an older version could not read what is written. */
const VERSION = 1;

function refuseNewer(value: unknown): void {
  const { format, version } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (format !== 'teebox-state' || typeof version !== 'number' || version <= VERSION) return;
  const way = 'Use that Teebox, or begin with another file.';
  throw new ValidationError(
    `The state has version ${version}, from a newer Teebox; this one reads ${VERSION}. ${way}`,
    [String(VERSION)],
  );
}

/** The bookings, which may be many, and a state without them. A state file has a checksum, too, which is no part of it. */
function apart(value: State): { readonly bookings: readonly BookingState[]; readonly rest: unknown } {
  const { crc32: _, ...state } = value as Partial<State> & { readonly crc32?: unknown };
  const bookings: unknown = state.store?.bookings;
  if (!Array.isArray(bookings)) return { bookings: [], rest: state };
  return { bookings, rest: { ...state, store: { ...state.store, bookings: [] } } };
}

/** Marks a validation error as one of the state, to distinguish it from those of other options. */
function ofState(error: unknown): unknown {
  if (error instanceof ValidationError) error.input = 'state';
  return error;
}

/**
 * Reads a state that was parsed. The function that it gives back replaces the present state in one synchronous step, and
 * returns the number of counted requests.
 *
 * @throws {ValidationError} naming the first field that does not fit this sandbox. Then nothing has changed.
 */
export async function readState(host: StateHost, state: State, pause: Pause): Promise<() => number> {
  const checkBooking = (booking: unknown, at: string) => fit(BookingSchema, booking, { whole: `\`${at}\``, at });
  try {
    checkWorld(host, state);
    const { base: world, zones } = host.store;
    const store = await readStoreState(state.store, {
      world,
      zones,
      path: 'store',
      checkBooking,
      inSlices: slicesBy(pause),
    });
    return () => takeState(host, state, store);
  } catch (error) {
    throw ofState(error);
  }
}

function takeState({ store, dialect, scenarios, clock, source }: StateHost, state: State, read: ReadStore): number {
  try {
    within('`scenarios.plans` must be plans of this sandbox.', () => scenarios.import(state.scenarios));
  } catch (error) {
    throw ofState(error);
  }
  dialect.replace(state.dialect);
  store.replace(read);
  if (state.clock.mode === 'standing') clock.freeze();
  else if (source) clock.resume();
  clock.set(state.clock.now);
  return state.requests;
}

/** Adds to an error the part of the state it is about. */
function within<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ValidationError(
      `${what} ${(error as Error).message}`,
      error instanceof ValidationError ? error.fits : [],
    );
  }
}

/** Checks what a schema cannot express, outside of the store. */
function checkWorld({ store, scenarios, source }: StateHost, state: State): void {
  const { seed, size: facilities, digest } = store.world;
  if (state.world !== digest) {
    const [its, own] = [state.world, digest].map((one) =>
      one === undefined ? 'a generated world' : `the world ${one}`,
    );
    const remedy = 'Start the sandbox with the world file that it was taken from.';
    throw new ValidationError(
      `The state is of ${its}, and this sandbox has ${own}. ${remedy}`,
      digest === undefined ? [] : [digest],
    );
  }
  for (const [name, here] of Object.entries({ seed, facilities }) as ['seed' | 'facilities', number][]) {
    if (state[name] === here) continue;
    const why = 'A state fits only a world of the seed and size that it was taken from.';
    throw new ValidationError(`\`${name}\` must be ${here}, as in this sandbox; got ${state[name]}. ${why}`, [
      String(here),
    ]);
  }
  if (state.clock.mode === 'running' && !source) {
    throw new ValidationError('`clock.mode` must be "standing": this sandbox has no `clock` to run with.', [
      'standing',
    ]);
  }
  within('`dialect` must be a dialect card.', () => scenarios.check(parseDialectCard(state.dialect).scenarios ?? []));
  const { armed, plans } = state.scenarios;
  const unique = createUnique();
  for (const [index, { id }] of plans.entries()) {
    const path = `scenarios.plans[${index}].id`;
    unique(id, path);
    if (Number(id.slice('plan-'.length)) <= armed) continue;
    throw validationError(path, `at most plan-${armed}, as \`scenarios.armed\` says`, id);
  }
}

/** The options that override a state. */
interface StateOverrides {
  readonly now?: unknown;
  readonly dialect?: DialectCard;
  readonly scenarios?: readonly string[];
  readonly chaos?: unknown;
}

/**
 * The state to start from. Options override it. A running clock is as far ahead of its source as it was.
 */
export function startingState(host: StateHost, state: State, given: StateOverrides): State {
  const own = exportState(host, state.requests);
  const kept = given.now === undefined ? clockToday(host, state.clock) : own.clock;
  return {
    ...state,
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
  throw ofState(validationError('clock.ahead', due, clock.ahead));
}

function startingScenarios(saved: ScenariosState, own: ScenariosState, given: StateOverrides): ScenariosState {
  const base = (given.scenarios ?? given.dialect?.scenarios) === undefined ? saved : own;
  const { chaos } = given.chaos === undefined ? saved : own;
  const { chaos: _, ...rest } = base;
  return chaos ? { ...rest, chaos } : rest;
}
