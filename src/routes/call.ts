import type { Answers } from '../generated/questions.js';
import type { Effect, Phase } from '../generated/scenarios.js';
import type { Channel } from '../domain/world.js';
import type { Store } from '../store/store.js';

/** Posts results to the addresses that callers give; see `app/callbacks.ts`. */
export interface CallbackQueue {
  /**
   * Accepts a delivery to be posted after the answer to the request that asked for it; what is given back, if
   * anything, is to be waited for before that answer.
   *
   * @throws {Refusal} `callback-target` when the address is not one this sandbox may reach.
   */
  enqueue(delivery: {
    readonly url: string;
    readonly requestId: string;
    readonly channel: Channel;
    readonly anyTarget: boolean;
    /** Makes the body at the time of delivery, from the state that holds then. */
    readonly body: () => string;
    /** What a scenario does to it; asked once it is accepted. */
    readonly strike: () => PendingStrike | undefined;
  }): Promise<void> | undefined;
}

/** What a route may use: the state, the dialect in force, the clock and the callbacks. */
export interface Engine {
  readonly store: Store;
  readonly answers: Answers;
  /** Lifetime of an access token in seconds. */
  readonly expiresIn: number;
  readonly callbacks: CallbackQueue;
  /** Epoch milliseconds. */
  now(): number;
}

/** A scenario that strikes a request: before what it asks for is done, or when it is. */
export interface PendingStrike {
  readonly phase: Phase;
  /** Which booking of a group it strikes, counted from 1; null for the group as it stands. */
  readonly item: number | null;
  readonly effect: Effect;
  /** Milliseconds that it takes. */
  readonly delay: number;
  /** Strikes: it counts from then on. Throws what ends the request, where the scenario ends it here. */
  strike(): void;
}

/** One request after authentication and validation. */
export interface Call<Params = unknown> {
  readonly engine: Engine;
  readonly channel: Channel;
  readonly params: Params;
  /** The parsed JSON body; undefined for operations without one. */
  readonly body: unknown;
  /** The address of the request. */
  readonly url: string;
  readonly requestId: string;
  readonly anyCallbackTarget: boolean;
  /**
   * Asked when what a request is for can be done; `ready` says so, or throws what comes before a scenario. `channel` is
   * whom it is for where the request itself does not authenticate.
   */
  strike?(ready: () => void, channel?: Channel): PendingStrike | undefined;
}

/** What a route answers; the envelope is put round it by `app/envelope.ts`. */
export type Answer =
  | {
      readonly data: unknown;
      readonly status?: number;
      readonly message?: string;
      readonly headers?: Record<string, string>;
    }
  /** The payload as JSON text that was kept. */
  | { readonly json: string; readonly status?: number }
  /** The whole body, envelope included, that was kept. */
  | { readonly body: Uint8Array };

export type Route<Params = never> = (call: Call<Params>) => Answer | Promise<Answer>;

/** Bytes of a whole success body. */
export function encodeSuccess(json: string): Uint8Array {
  return encoder.encode(`{"success":true,"data":${json}}`);
}

const encoder = new TextEncoder();
