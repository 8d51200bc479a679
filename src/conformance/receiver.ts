import type { Host } from './types.js';

/** One request that arrived at a callback address. */
export interface Delivery {
  readonly method: string;
  /** The address that it was posted to. */
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** An address that the deployment posts a result to, and what arrived there. */
export interface Address {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves when so many have arrived, or when the milliseconds are over, with whether they have. */
  wait(count: number, milliseconds: number): Promise<boolean>;
}

/** Receives what a deployment posts. Node's is in `src/node`; tests and browsers hand requests to {@link Inbox}. */
export interface CallbackReceiver {
  /** A new address; every search gets one of its own. `status` is what it answers with. */
  address(status?: number): Promise<Address>;
  /** Whether the deployment is known to reach it, so that silence is the deployment's fault. */
  readonly reachable: boolean;
}

interface Box {
  readonly status: number;
  readonly deliveries: Delivery[];
  readonly waiting: Set<() => void>;
}

/** A callback receiver without a network: whoever has one hands it the requests that arrive. */
export class Inbox implements CallbackReceiver {
  readonly #boxes = new Map<string, Box>();

  /** @param base The URL under which `accept` is reached, without a slash at its end. */
  constructor(
    readonly base: string,
    readonly host: Pick<Host, 'now' | 'sleep'>,
    readonly reachable = true,
  ) {}

  async address(status = 204): Promise<Address> {
    const name = String(this.#boxes.size + 1);
    const box: Box = { status, deliveries: [], waiting: new Set() };
    this.#boxes.set(name, box);
    const wait = async (count: number, milliseconds: number): Promise<boolean> => {
      const enough = new AbortController();
      const over = this.host.sleep(milliseconds, enough.signal).then(() => true);
      while (box.deliveries.length < count) {
        const arrived = new Promise<false>((resolve) => box.waiting.add(() => resolve(false)));
        if (await Promise.race([over, arrived])) break;
      }
      enough.abort();
      return box.deliveries.length >= count;
    };
    return { url: `${this.base}/${name}`, deliveries: box.deliveries, wait };
  }

  /** Takes what arrived below `base`; gives back the status to answer with, 404 for an address it never gave out. */
  accept(path: string, request: Omit<Delivery, 'at' | 'url'>): number {
    const name = path.split(/[/?#]/).findLast((part) => part !== '') ?? '';
    const box = this.#boxes.get(name);
    if (!box) return 404;
    box.deliveries.push({ ...request, url: `${this.base}/${name}`, at: this.host.now() });
    for (const wake of box.waiting) wake();
    box.waiting.clear();
    return box.status;
  }
}
