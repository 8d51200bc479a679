import type { ResultQuery } from '../api/routes/call.js';
import type { CallbackAttempt, CallbackFault } from './delivery.js';
import type { CallbackTarget } from './targets.js';

/**
 * An acknowledged result that is not delivered yet, as plain JSON: everything that is needed to post it from another
 * process. It holds the credentials of its address.
 */
export interface PendingCallback {
  readonly id: string;
  readonly requestId: string;
  readonly channel: string;
  readonly target: CallbackTarget;
  /** Makes the body. */
  readonly query: ResultQuery;
  /** The estimated number of characters of the body. */
  readonly size: number;
  readonly fault?: CallbackFault;
  readonly attempts: readonly CallbackAttempt[];
  /** The instant of the result, from the first attempt on. */
  readonly at?: number;
  /** The body of the first attempt, if it is small. A larger one is made again for the same instant. */
  readonly body?: string;
  /** When the next attempt is due, in epoch milliseconds of the sandbox's clock. */
  readonly due: number;
  /** Milliseconds of real time after which it is due even if the clock is frozen. */
  readonly within?: number;
}

/** A change of one callback. The last change of an id holds. */
export interface CallbackChange {
  readonly kind: 'callback';
  readonly id: string;
  /** Null when it is over. */
  readonly pending: PendingCallback | null;
}

/** What a sandbox needs to go on with the callbacks of an earlier process. */
export interface CallbacksState {
  /** The number of the newest id. */
  readonly issued: number;
  readonly pending: readonly PendingCallback[];
}

/** What is pending after changes, for whoever keeps them. */
export class PendingCallbacks {
  #issued: number;
  readonly #pending: Map<string, PendingCallback>;

  constructor({ issued, pending }: CallbacksState = { issued: 0, pending: [] }) {
    this.#issued = issued;
    this.#pending = new Map(pending.map((one) => [one.id, one]));
  }

  /** Takes a change of any kind. A reset or a restore drops what is pending. */
  apply(change: CallbackChange | { readonly kind: string }): void {
    if (change.kind === 'state') {
      this.#issued = 0;
      this.#pending.clear();
    } else if (isCallbackChange(change)) {
      const { id, pending } = change;
      this.#issued = Math.max(this.#issued, numberOf(id));
      if (pending) this.#pending.set(id, pending);
      else this.#pending.delete(id);
    }
  }

  get state(): CallbacksState {
    return { issued: this.#issued, pending: [...this.#pending.values()] };
  }

  /**
   * The changes that lead here from nothing.
   *
   * @param goesOn Whether the ids go on even if nothing is pending. Otherwise there are no changes then.
   */
  changes(goesOn = false): CallbackChange[] {
    const last = idOf(this.#issued);
    const changes = [...this.#pending].map(([id, pending]) => ({ kind: 'callback', id, pending }) as const);
    if (changes.length === 0 && (!goesOn || this.#issued === 0)) return [];
    return this.#pending.has(last) ? changes : [...changes, { kind: 'callback', id: last, pending: null }];
  }
}

function isCallbackChange(change: { readonly kind: string }): change is CallbackChange {
  return change.kind === 'callback';
}

/** The number in an id: 7 of `callback-7`. */
export function numberOf(id: string): number {
  return Number(id.slice('callback-'.length));
}

export function idOf(number: number): string {
  return `callback-${number}`;
}
