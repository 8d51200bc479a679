import type { CallbackChange } from '../callbacks/pending.js';
import type { ScenariosChange } from '../scenarios/scenarios.js';
import type { StoreChange } from '../store/store.js';
import type { DialectCard } from './dialect.js';
import type { ClockState, State } from './state.js';

/**
 * One change of the state as plain JSON. Its size does not depend on the size of the state, except for `state`. A state
 * and the changes since then make the present state; see `applyChanges`.
 */
export type Change =
  | StoreChange
  | ScenariosChange
  | { readonly kind: 'clock'; readonly clock: ClockState }
  | { readonly kind: 'dialect'; readonly dialect: DialectCard }
  /** Of a callback, which is no part of a state: see `PendingCallbacks`. */
  | CallbackChange
  /** The number of counted requests. It follows the other changes of a request. */
  | { readonly kind: 'requests'; readonly requests: number }
  /** Replaces everything, after a reset or a restore. */
  | { readonly kind: 'state'; readonly state: State };

/**
 * Receives what changes in the state, in order, so that it can be kept elsewhere. It begins with what `snapshot` gives when
 * the sandbox was created: options that override a state are part of that, and no changes.
 */
export interface ChangeSink {
  /**
   * Takes a change, which is never altered afterwards. It is called synchronously, in the request that makes the change,
   * and must not throw.
   */
  append(change: Change): void;
  /** Called after a request without changes: its number may be kept when there is time. */
  counted?(requests: number): void;
  /**
   * Resolves when everything taken so far is kept; undefined if it is already. No response leaves before. If it rejects,
   * the response is a 503 with the reason.
   */
  kept(): Promise<void> | undefined;
}
