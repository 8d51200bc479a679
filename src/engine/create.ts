import { refuseUnknownOptions, type Sandbox, type SandboxOptions, sandboxOptions } from './options.js';
import { createSandboxAt } from './sandbox.js';
import type { Change } from './state/change.js';
import type { State } from './state/state.js';
import { withDatabase } from './store/collections.js';
import { createServedWorlds, type ServedWorlds, type WorldsOptions } from './worlds.js';

/** The main world, and others that are created on their first request with valid credentials. */
export interface Worlds extends ServedWorlds {
  /** The sandbox at the origin. */
  readonly main: Sandbox;
}

/**
 * Creates a sandbox.
 *
 * @throws {Error} for an option that is unknown or does not fit, with the reason.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseUnknownOptions('createSandbox', options, sandboxOptions);
  return withDatabase(await createSandboxAt({}, options));
}

/**
 * Creates several sandboxes behind one address. Each world has its own state, clock, scenarios and counters, so that
 * parallel test runs can share a server and differ only in their base URL.
 *
 * @throws {Error} for an unknown or invalid option, with the reason.
 * @example
 * const worlds = await createWorlds({ maxWorlds: 10 });
 * const response = await worlds.fetch('http://sandbox.test/w/run-7/__admin/health');
 */
export async function createWorlds(options: WorldsOptions = {}): Promise<Worlds> {
  const worlds = await createServedWorlds(options);
  return { ...worlds, main: withDatabase(worlds.main) };
}

/**
 * The state after changes, in order, as the option `changes` received them. Both may come from a file.
 *
 * @throws {ValidationError} naming the first change that does not fit.
 * @example
 * const sandbox = await createSandbox({ state: await applyChanges(snapshot, changes) });
 */
export async function applyChanges(state: State, changes: Iterable<Change>): Promise<State> {
  // It is large, and few need it.
  const { applyChanges: apply } = await import('./state/apply-changes.js');
  return apply(state, changes);
}
