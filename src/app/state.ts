import type { Clock } from '../domain/clock.js';
import type { Scenarios, ScenariosState } from '../scenarios/scenarios.js';
import { Misfit } from '../scenarios/spec.js';
import type { StoreState } from '../store/state.js';
import { check, createUnique, epoch, list, number, object, oneOf, readList } from '../store/state-fields.js';
import { readRow, StateMisfit, text, whole } from '../store/state-fields.js';
import type { Store } from '../store/store.js';
import { MAX_FACILITIES } from '../store/world.js';
import { type Dialect, type DialectCard, parseDialectCard } from './dialect.js';

/**
 * A sandbox as data, a plain JSON value: what its answers hang on, but for the counts of a rate limit. The journal,
 * callbacks and the inbox tell of the past and are not in it.
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
  /** How many requests were counted. */
  readonly requests: number;
}

export interface ClockState {
  readonly mode: Clock['mode'];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Milliseconds that a running clock is ahead of its source; 0 for one that stands. */
  readonly ahead: number;
}

/** What a state is taken of, and given to. */
export interface StateHost {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly scenarios: Scenarios;
  readonly clock: Clock;
  /** What the clock can run with. */
  readonly source?: (() => number) | undefined;
}

const FORMAT = 'teebox-state';
const VERSION = 1;
const count = whole(0);
const fields = {
  format: oneOf(FORMAT),
  version: oneOf(VERSION),
  seed: count,
  facilities: whole(1, MAX_FACILITIES),
  clock: object,
  dialect: object,
  store: object,
  scenarios: object,
  requests: count,
};
const planFields = {
  id: {
    due: 'the id of a plan, such as "plan-1"',
    fits: (id: unknown) => typeof id === 'string' && /^plan-[1-9]\d{0,14}$/.test(id),
  },
  scenario: text,
  options: object,
  armedAt: epoch,
  matched: count,
  struck: count,
};

/** The state as it is, in a value that shares nothing with the sandbox. */
export function exportState({ store, dialect, scenarios, clock, source }: StateHost, requests: number): State {
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
    requests,
  };
}

/**
 * The world that a state was taken from.
 *
 * @throws {StateMisfit} for a value that is no state.
 */
export function worldOf(value: unknown): { readonly seed: number; readonly facilities: number } {
  if (object.fits(value)) {
    const { format, version } = value as { readonly format?: unknown; readonly version?: unknown };
    check(format, 'format', fields.format);
    check(version, 'version', fields.version);
  }
  const { seed, facilities } = readRow(value, '', fields) as unknown as State;
  return { seed, facilities };
}

/**
 * Puts a state in place of the one that is, in one step. Gives back how many requests were counted.
 *
 * @throws {StateMisfit} naming the first field that does not fit, and what would; nothing has changed then.
 */
export function takeState(host: StateHost, value: unknown): number {
  const { store, dialect, scenarios, clock, source } = host;
  const state = readState(host, value);
  const parts = store.read(state.store, 'store');
  try {
    scenarios.import(structuredClone(state.scenarios));
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw new StateMisfit(`\`scenarios.plans\` must be plans of this sandbox. ${error.message}`);
  }
  dialect.replace(state.dialect);
  store.replace(parts);
  if (state.clock.mode === 'standing') clock.freeze();
  else if (source) clock.resume();
  clock.set(state.clock.now);
  return state.requests;
}

/** A state in which all fits but what the store and the plans say. */
function readState({ store, scenarios, source }: StateHost, value: unknown): State {
  const { world } = store;
  const made = worldOf(value);
  const same = (name: 'seed' | 'facilities', here: number): void => {
    if (made[name] === here) return;
    const why = 'A state fits only a world of the seed and size that it was taken from.';
    throw new StateMisfit(`\`${name}\` must be ${here}, as it is here; got ${made[name]}. ${why}`);
  };
  same('seed', world.seed);
  same('facilities', world.size);
  const state = value as State;
  readRow(state.clock, 'clock', { mode: oneOf('standing', 'running'), now: epoch, ahead: number });
  if (state.clock.mode === 'running' && !source) {
    throw new StateMisfit('`clock.mode` must be "standing": this sandbox has no `clock` to run with.');
  }
  try {
    scenarios.check(parseDialectCard(state.dialect).scenarios ?? []);
  } catch (error) {
    throw new StateMisfit(`\`dialect\` must be a dialect card. ${(error as Error).message}`);
  }
  checkPlans(state.scenarios);
  return state;
}

function checkPlans(value: unknown): void {
  const { armed, plans } = readRow(value, 'scenarios', { armed: count, drawn: count, plans: list });
  const unique = createUnique();
  readList(plans, 'scenarios.plans', (item, path) => {
    const id = readRow(item, path, planFields)['id'] as string;
    unique(id, `${path}.id`);
    if (Number(id.slice('plan-'.length)) <= (armed as number)) return;
    throw new StateMisfit(
      `\`${path}.id\` must be at most plan-${armed as number}, as \`scenarios.armed\` says; got ${id}.`,
    );
  });
}

/** The options that go before a state. */
interface Given {
  readonly now?: unknown;
  readonly dialect?: DialectCard;
  readonly scenarios?: readonly string[];
}

/**
 * The state to start from. What an option says goes before it; a running clock is as far ahead of its source as it was.
 *
 * @throws {StateMisfit} for a value that is no state.
 */
export function startingState(host: StateHost, value: unknown, given: Given): unknown {
  worldOf(value);
  const state = value as State;
  const own = exportState(host, state.requests);
  const { mode, ahead } = state.clock;
  const kept = mode === 'running' && host.source ? { ...state.clock, now: host.source() + ahead } : state.clock;
  return {
    ...state,
    clock: given.now === undefined ? kept : own.clock,
    dialect: given.dialect === undefined ? state.dialect : own.dialect,
    scenarios: (given.scenarios ?? given.dialect?.scenarios) === undefined ? state.scenarios : own.scenarios,
  };
}
