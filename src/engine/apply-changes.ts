import type { Change } from './state/change.js';
import type { State } from './state/state.js';

/**
 * The state after changes, in order, as the option `changes` received them. Both may come from a file.
 *
 * @throws {Misfit} naming the first change that does not fit.
 * @example
 * const sandbox = await createSandbox({ state: await applyChanges(snapshot, changes) });
 */
export async function applyChanges(state: State, changes: Iterable<Change>): Promise<State> {
  // It is large, and few need it.
  const { applyChanges: apply } = await import('./state/apply-changes.js');
  return apply(state, changes);
}
