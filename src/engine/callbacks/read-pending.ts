import { fit, Change as validate } from '../../contract/index.js';
import { Misfit, misfit } from '../../common/index.js';
import type { CallbacksState, PendingCallback } from './pending.js';

/**
 * Checks the callbacks of an earlier process.
 *
 * @throws {Misfit} naming the first field that does not fit.
 */
export function readCallbacks(value: unknown): CallbacksState {
  try {
    const { issued, pending } = (value ?? {}) as Partial<CallbacksState>;
    if (!Number.isSafeInteger(issued)) throw misfit('issued', 'a whole number', issued);
    if (!Array.isArray(pending)) throw misfit('pending', 'a list', pending);
    for (const [index, one] of pending.entries()) {
      const change = { kind: 'callback', id: 'callback-1', pending: one as PendingCallback };
      fit(validate, change, { whole: 'A callback', at: `callbacks[${index}]` });
    }
    const numbers = pending.map(({ id }: PendingCallback) => Number(id.slice('callback-'.length)));
    return { issued: Math.max(issued!, ...numbers), pending };
  } catch (error) {
    if (error instanceof Misfit) error.input = 'callbacks';
    throw error;
  }
}
