import type { Host } from './types.js';

/** One request that arrived at a callback address. */
export interface Delivery {
  readonly method: string;
  /** The address that it was posted to. */
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
  /** Why the text is not the whole body. */
  readonly failure?: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** How an address answers: with a status at once, or not before it is released. */
export type ReceiverAnswer = number | 'held';

/** An address that the deployment posts a result to, and what arrived there. */
export interface CallbackAddress {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves when so many have arrived, or when the milliseconds are over, with whether they have. */
  wait(count: number, milliseconds: number): Promise<boolean>;
  /**
   * Resolves when the deployment has hung up on an address that holds its answer, with the milliseconds that this
   * took; undefined when they are over before. Then whatever was held is answered.
   */
  hungUp(milliseconds: number): Promise<number | undefined>;
}

/** Receives what a deployment posts. Node's is in `src/cli`; tests and browsers pass requests to {@link MemoryReceiver}. */
export interface CallbackReceiver {
  /**
   * A new address, one for each search. It answers 200 by default.
   *
   * @param folder A segment of its path, escaped, which deliveries show as it arrived.
   */
  address(answer?: ReceiverAnswer, folder?: string): Promise<CallbackAddress>;
  /** Whether the deployment is known to reach it, so that a missing delivery is the deployment's fault. */
  readonly reachable: boolean;
}

interface Box {
  readonly answer: ReceiverAnswer;
  readonly hasFolder: boolean;
  readonly deliveries: Delivery[];
  /** Milliseconds after which each caller that was held hung up. */
  readonly hangUps: number[];
  /** Answers the callers that are held. */
  readonly held: Set<() => void>;
  readonly waiting: Set<() => void>;
}

const TAKEN = 200;
const TOO_MANY = 429;
/** Deliveries that an address keeps: one is due, and a few more show that there are too many. */
const MOST_DELIVERIES = 100;

/** A callback receiver without a network: its owner passes it the requests that arrive. */
export class MemoryReceiver implements CallbackReceiver {
  readonly #boxes = new Map<string, Box>();

  /** @param base The URL under which `accept` is reached, without a slash at its end. */
  constructor(
    readonly base: string,
    readonly host: Pick<Host, 'now' | 'sleep'>,
    readonly reachable = true,
  ) {}

  async address(answer: ReceiverAnswer = TAKEN, folder?: string): Promise<CallbackAddress> {
    const name = String(this.#boxes.size + 1);
    const hasFolder = folder !== undefined;
    const box: Box = { answer, hasFolder, deliveries: [], hangUps: [], held: new Set(), waiting: new Set() };
    this.#boxes.set(name, box);
    const wait = (count: number, milliseconds: number): Promise<boolean> =>
      this.#until(box, () => box.deliveries.length >= count, milliseconds);
    const hungUp = async (milliseconds: number): Promise<number | undefined> => {
      await this.#until(box, () => box.hangUps.length > 0, milliseconds);
      for (const release of box.held) release();
      return box.hangUps[0];
    };
    const place = hasFolder ? `${folder}/${name}` : name;
    return { url: `${this.base}/${place}`, deliveries: box.deliveries, wait, hungUp };
  }

  /**
   * Accepts a request below `base` and returns the status to answer with, 404 for an unknown address. An address that
   * holds its answer returns it later; `gone` signals that the caller has hung up.
   */
  accept(path: string, request: Omit<Delivery, 'at' | 'url'>, gone?: AbortSignal): number | Promise<number> {
    const [place = '', query] = path.split(/\?(.*)/s);
    const segments = place.split('/').filter((part) => part !== '');
    const name = segments.at(-1) ?? '';
    const box = this.#boxes.get(name);
    if (!box) return 404;
    if (box.deliveries.length >= MOST_DELIVERIES) return TOO_MANY;
    const at = this.host.now();
    const search = query === undefined ? '' : `?${query}`;
    const own = segments.slice(box.hasFolder ? -2 : -1).join('/');
    box.deliveries.push({ ...request, url: `${this.base}/${own}${search}`, at });
    wake(box);
    return box.answer === 'held' ? this.#hold(box, at, gone) : box.answer;
  }

  #hold(box: Box, since: number, gone?: AbortSignal): Promise<number> {
    return new Promise((resolve) => {
      const release = (): void => {
        box.held.delete(release);
        resolve(TAKEN);
      };
      box.held.add(release);
      gone?.addEventListener('abort', () => {
        if (!box.held.has(release)) return;
        box.hangUps.push(this.host.now() - since);
        release();
        wake(box);
      });
    });
  }

  async #until(box: Box, done: () => boolean, milliseconds: number): Promise<boolean> {
    const enough = new AbortController();
    const over = this.host.sleep(milliseconds, enough.signal).then(() => true);
    while (!done()) {
      const arrived = new Promise<false>((resolve) => box.waiting.add(() => resolve(false)));
      if (await Promise.race([over, arrived])) break;
    }
    enough.abort();
    return done();
  }
}

function wake(box: Box): void {
  for (const one of box.waiting) one();
  box.waiting.clear();
}
