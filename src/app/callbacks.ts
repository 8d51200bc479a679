import { invalid, Refusal } from '../domain/refusal.js';
import type { Channel } from '../domain/world.js';
import type { Answers } from '../generated/questions.js';
import type { CallbackQueue } from '../routes/call.js';
import { basicCredentials } from './authenticate.js';
import { isWebAddress, whyRefused } from './callback-targets.js';

/** One try to post a result. */
export interface CallbackAttempt {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Status of the receiver's answer, or null when there was none. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly error?: string;
}

/** One result to be posted to a caller's address (section "Events"). */
export interface CallbackDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly channel: string;
  readonly url: string;
  state: 'pending' | 'delivered' | 'failed';
  /** The body as it was posted, or null before the first attempt. */
  body: string | null;
  readonly attempts: CallbackAttempt[];
}

export type Schedule = (work: () => void, delay: number) => () => void;

export interface CallbackHost {
  readonly answers: Answers;
  readonly allowed: readonly string[] | 'any';
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs `work` after `delay` milliseconds, unless the function it gives back is called before. */
  readonly schedule: Schedule;
  now(): number;
}

/** Deliveries remembered, and characters of their bodies (the largest has 55 million); older ones are forgotten. */
const REMEMBERED = 1000;
const REMEMBERED_TEXT = 64_000_000;
/** Long enough for the acknowledgement to leave first, short enough not to be felt. */
const AFTER_ANSWER = 10;
const FIRST_RETRY = 1000;
/** Attempts remembered of one delivery, which can be posted again without end. */
const REMEMBERED_ATTEMPTS = 100;

/** Posts results after their acknowledgement; a receiver that fails is recorded and does no harm. */
export class Callbacks implements CallbackQueue {
  readonly deliveries: CallbackDelivery[] = [];
  #counter = 0;
  #open = 0;
  #closed = false;
  readonly #flights = new Set<AbortController>();
  readonly #timers = new Set<() => void>();
  readonly #waiting: (() => void)[] = [];
  readonly #retries = new Map<CallbackDelivery, { readonly due: number; readonly start: () => void }>();

  constructor(readonly host: CallbackHost) {}

  enqueue({ url, requestId, channel, anyTarget, body }: Parameters<CallbackQueue['enqueue']>[0]): void {
    if (!isWebAddress(url)) {
      throw invalid('search.query.callbackUrl', 'callbackUrl', 'must be an absolute http or https address', url);
    }
    const refused = whyRefused(url, anyTarget ? 'any' : this.host.allowed);
    if (refused) throw new Refusal('callback-target', 'search.query.callbackUrl', { words: `${refused}.` });
    const id = `callback-${++this.#counter}`;
    const delivery: CallbackDelivery = {
      id,
      requestId,
      channel: channel.name,
      url,
      state: 'pending',
      body: null,
      attempts: [],
    };
    this.deliveries.push(delivery);
    this.#forgetOld();
    this.#open += 1;
    this.#later(() => {
      delivery.body = body();
      this.#forgetOld();
      void this.#attempt(delivery, channel);
    }, AFTER_ANSWER);
  }

  /** Posts a delivery that is not pending once more, without retries. */
  async redeliver(delivery: CallbackDelivery, channel: Channel): Promise<void> {
    delivery.state = 'pending';
    this.#open += 1;
    const attempt = await this.#post(delivery, channel);
    if (delivery.attempts.length === REMEMBERED_ATTEMPTS) delivery.attempts.shift();
    delivery.attempts.push(attempt);
    if (!this.#closed) this.#close(delivery, isTaken(attempt) ? 'delivered' : 'failed');
  }

  /** Starts the retries that are due at an instant of the sandbox's clock, which may have been moved; tells which. */
  retryDue(now: number): { readonly delivery: CallbackDelivery; readonly due: number }[] {
    const reached = [...this.#retries].filter(([, { due }]) => due <= now);
    for (const [, { start }] of reached) start();
    return reached.map(([delivery, { due }]) => ({ delivery, due }));
  }

  /** Drops what is to be posted and hangs up on receivers; used when the world goes back to its baseline. */
  close(): void {
    this.#closed = true;
    for (const flight of this.#flights) flight.abort();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.#retries.clear();
    this.#open = 0;
    this.#release();
  }

  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #forgetOld(): void {
    let first = this.deliveries.length - 1;
    let text = this.deliveries[first]?.body?.length ?? 0;
    while (first > 0 && this.deliveries.length - first < REMEMBERED) {
      text += this.deliveries[first - 1]!.body?.length ?? 0;
      if (text > REMEMBERED_TEXT) break;
      first -= 1;
    }
    this.deliveries.splice(0, first);
  }

  async #attempt(delivery: CallbackDelivery, channel: Channel): Promise<void> {
    const attempt = await this.#post(delivery, channel);
    delivery.attempts.push(attempt);
    if (this.#closed) return;
    if (isTaken(attempt)) return this.#close(delivery, 'delivered');
    const retries = delivery.attempts.length - 1;
    if (retries >= this.host.answers['callback.retries']) return this.#close(delivery, 'failed');
    this.#retryLater(delivery, channel, FIRST_RETRY * 2 ** retries);
  }

  #retryLater(delivery: CallbackDelivery, channel: Channel, delay: number): void {
    const retry = () => {
      this.#retries.delete(delivery);
      void this.#attempt(delivery, channel);
    };
    const cancel = this.#later(retry, delay);
    const start = () => {
      cancel();
      retry();
    };
    this.#retries.set(delivery, { due: this.host.now() + delay, start });
  }

  #later(work: () => void, delay: number): () => void {
    const cancel = this.host.schedule(() => {
      this.#timers.delete(cancel);
      if (!this.#closed) work();
    }, delay);
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }

  async #post({ url, body }: CallbackDelivery, channel: Channel): Promise<CallbackAttempt> {
    const at = new Date(this.host.now()).toISOString();
    const seconds = this.host.answers['callback.timeout-seconds'];
    const controller = new AbortController();
    this.#flights.add(controller);
    let late = false;
    const cancel = this.#later(() => {
      late = true;
      controller.abort();
    }, seconds * 1000);
    try {
      const response = await this.host.fetch(url, {
        method: 'POST',
        headers: await this.#headers(body!, channel),
        body: body!,
        redirect: 'manual',
        signal: controller.signal,
      });
      await response.body?.cancel();
      return { at, status: response.status };
    } catch (error) {
      return { at, status: null, error: late ? `no answer within ${seconds} s` : reason(error) };
    } finally {
      cancel();
      this.#flights.delete(controller);
    }
  }

  async #headers(body: string, channel: Channel): Promise<Record<string, string>> {
    const { answers } = this.host;
    return {
      'content-type': 'application/json',
      ...(answers['callback.auth'] === 'basic' ? { authorization: basicCredentials(channel) } : {}),
      ...(answers['callback.signature'] === 'hmac-sha256' ? { 'x-signature': await sign(body, channel.password) } : {}),
    };
  }

  #close(delivery: CallbackDelivery, state: 'delivered' | 'failed'): void {
    delivery.state = state;
    this.#open -= 1;
    this.#release();
  }

  #release(): void {
    if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** `sha256=` and the HMAC-SHA256 of the body in hex, keyed by the channel's password. */
async function sign(body: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body)));
  return `sha256=${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function isTaken({ status }: CallbackAttempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Node puts what went wrong on the wire (`ECONNREFUSED`) into the cause. */
function reason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
