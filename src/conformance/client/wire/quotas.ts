import { Inconclusive, NotAllowed } from '../outcome.js';
import type { RequestCall } from '../request.js';
import type { Host } from '../types.js';
import { nameOf } from './health.js';
import { LONGEST_PAUSE } from './pace.js';

/** Requests in a row, of more than one operation, after which a deployment is taken to refuse every one. */
const MOST_IN_VAIN = 3;

/** What a rule lacks whose request was refused for its pace to the last attempt. */
export function limited(): Inconclusive {
  return new Inconclusive('rate-limited', 'a slower pace (--rps)');
}

/** What one request knows about the quota of its operation. */
interface Quota {
  /** Whether the operation was refused for as long as the run waits: it is then asked once at a time. */
  readonly isSpent: boolean;
  /** @throws {Inconclusive} until the deployment takes requests again, by its own word. */
  guard(): void;
  /**
   * The request was refused to the last attempt.
   *
   * @param pause The milliseconds that the last answer asked to wait for; 0 where it did not.
   */
  refused(pause: number): void;
  /** The request got another answer. */
  accepted(): void;
}

/**
 * The quotas of a deployment that are used up. Without them a run would wait for each request as long as for the first, and
 * send what the deployment has asked it not to send.
 */
export class Quotas {
  /** By operation: when it may be asked again, in epoch milliseconds. */
  readonly #spent = new Map<string, number>();
  /** The operations of the requests that were refused since the last one that was not. */
  #vain: string[] = [];

  constructor(readonly host: Pick<Host, 'now'>) {}

  /** The quota of a request that the contract allows. */
  of(call: RequestCall): Quota {
    const name = nameOf(call);
    return {
      isSpent: this.#spent.has(name),
      guard: () => {
        if ((this.#spent.get(name) ?? 0) > this.host.now()) throw limited();
      },
      refused: (pause) => {
        // A shorter one was waited for.
        this.#spent.set(name, pause > LONGEST_PAUSE ? this.host.now() + pause : 0);
        this.#vain.push(name);
      },
      accepted: () => {
        this.#spent.delete(name);
        this.#vain = [];
      },
    };
  }

  /** @throws {NotAllowed} when the deployment refuses every request. */
  readonly ready = (): void => {
    if (this.#vain.length < MOST_IN_VAIN || new Set(this.#vain).size === 1) return;
    throw new NotAllowed(
      'rate-limited',
      'a quota that is not used up: the deployment refused every request (429), whatever the pause between them',
    );
  };
}
