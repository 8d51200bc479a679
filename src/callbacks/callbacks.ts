import { invalid, Refusal } from '../domain/refusal.js';
import type { Agenda, Appointment, Work } from '../domain/agenda.js';
import type { Schedule } from '../domain/clock.js';
import type { Channel } from '../domain/world.js';
import type { Answers } from '../generated/questions.js';
import { maskAddress } from '../journal/mask.js';
import type { CallbackQueue } from '../routes/call.js';
import { type CallbackAttempt, type CallbackFault, changedBody, isTaken, postResult } from './delivery.js';
import { type CallbackTarget, isWebAddress, targetOf, whyRefused } from './targets.js';

/** One result to be posted to a caller's address (section "Events"). */
export interface CallbackDelivery {
  readonly id: string;
  readonly requestId: string;
  readonly channel: string;
  /** The address without secrets. */
  readonly url: string;
  /** `withheld`: a scenario prevents the delivery. */
  state: 'pending' | 'delivered' | 'failed' | 'withheld';
  /** The body as it was posted, or null before the first attempt. */
  body: string | null;
  readonly attempts: CallbackAttempt[];
  /** The scenario that acts on the delivery. */
  readonly fault?: CallbackFault;
}

export interface CallbackHost {
  readonly answers: Answers;
  readonly allowed: readonly string[] | 'any';
  /** The prefix of every path of the sandbox. */
  readonly prefix: string;
  readonly version: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs `work` after `delay` milliseconds; the returned function cancels it. */
  readonly schedule: Schedule;
  /** What waits for the sandbox's clock. */
  readonly agenda: Agenda<DueCallback>;
  /** Called after each attempt, and for a delivery that is withheld. */
  readonly tried: (delivery: CallbackDelivery) => void;
}

/** What a delivery needs beside what is shown of it. */
interface CallbackJob {
  readonly target: CallbackTarget;
  /** Makes the body, before the first attempt. */
  readonly body: (at: number) => string;
}

type Enqueued = Parameters<CallbackQueue['enqueue']>[0];

/** An attempt that waits for the sandbox's clock. */
export interface DueCallback extends Work {
  readonly delivery: CallbackDelivery;
  /** Whether an attempt was made before. */
  readonly retried: boolean;
}

/** Maximum number of deliveries and of characters in their bodies (the largest has 55 million). Old ones are evicted. */
const REMEMBERED = 1000;
const REMEMBERED_TEXT = 64_000_000;
/** Milliseconds before the first attempt, so that the acknowledgement is sent first. */
const AFTER_ANSWER = 10;
const FIRST_RETRY = 1000;
/** Maximum number of recorded attempts of one delivery, which can be posted again without limit. */
const REMEMBERED_ATTEMPTS = 100;

/** Posts results after their acknowledgement and records failed attempts. */
export class Callbacks implements CallbackQueue {
  readonly deliveries: CallbackDelivery[] = [];
  #counter = 0;
  #open = 0;
  #closed = false;
  readonly #flights = new Set<AbortController>();
  readonly #timers = new Set<() => void>();
  readonly #waiting: (() => void)[] = [];
  /** The next attempts of deliveries that have none under way. */
  readonly #due = new Map<CallbackDelivery, Appointment>();
  readonly #jobs = new WeakMap<CallbackDelivery, CallbackJob>();

  constructor(readonly host: CallbackHost) {}

  enqueue({ url, requestId, channel, reach, body, strikes }: Enqueued): Promise<void> | undefined {
    if (!isWebAddress(url)) {
      const got = URL.canParse(url) ? targetOf(url, reach).shown : maskAddress(url);
      throw invalid('search.query.callbackUrl', 'callbackUrl', 'must be an absolute http or https address', got);
    }
    const refused = whyRefused(url, reach, this.host);
    if (refused) throw new Refusal('callback-target', 'search.query.callbackUrl', { words: `${refused}.` });
    const [strike] = strikes();
    const effect = strike?.scenario.effect;
    const fault = effect?.kind === 'callback' ? effect.fault : undefined;
    strike?.apply();
    const id = `callback-${++this.#counter}`;
    const target = targetOf(url, reach, { 'teebox-callback': id, 'user-agent': `teebox/${this.host.version}` });
    const delivery: CallbackDelivery = {
      id,
      requestId,
      channel: channel.name,
      url: target.shown,
      state: 'pending',
      body: null,
      attempts: [],
      ...(fault ? { fault } : {}),
    };
    this.#jobs.set(delivery, { target, body: (at) => changedBody(body(at), fault) });
    this.deliveries.push(delivery);
    this.#forgetOld();
    this.#open += 1;
    return this.#send(delivery, channel, strike?.delay ?? 0);
  }

  /** Posts a delivery when it is due; a scenario may postpone or withhold it. */
  #send(delivery: CallbackDelivery, channel: Channel, delay: number): Promise<void> | undefined {
    const { fault } = delivery;
    const now = this.host.agenda.clock.now();
    if (fault === 'before-response') return this.#attempt(delivery, channel, now);
    if (fault === 'never') this.#close(delivery, 'withheld');
    // The delay of a scenario is over in real time, or as soon as the clock was moved by as much.
    else if (fault === 'late' || fault === 'out-of-order') this.#postAt(delivery, channel, now + delay, delay);
    else this.#postAt(delivery, channel, now, AFTER_ANSWER);
    return undefined;
  }

  /** Posts a delivery that is not pending one more time, without retries. */
  async redeliver(delivery: CallbackDelivery, channel: Channel): Promise<void> {
    delivery.state = 'pending';
    this.#open += 1;
    const attempt = await this.#post(delivery, channel, this.host.agenda.clock.now());
    if (delivery.attempts.length > REMEMBERED_ATTEMPTS) delivery.attempts.shift();
    if (!this.#closed) this.#close(delivery, isTaken(attempt) ? 'delivered' : 'failed');
  }

  /** Drops pending deliveries and aborts open connections, for a reset or a restore. */
  close(): void {
    this.#closed = true;
    for (const flight of this.#flights) flight.abort();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    for (const { cancel } of this.#due.values()) cancel();
    this.#due.clear();
    this.#open = 0;
    this.#release();
  }

  /** Resolves when no delivery is pending. */
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

  /** Makes an attempt, which belongs to the instant `at`, and plans the next one if it fails. */
  async #attempt(delivery: CallbackDelivery, channel: Channel, at: number): Promise<void> {
    const { agenda, answers } = this.host;
    const start = agenda.clock.now();
    const attempt = await this.#post(delivery, channel, at);
    if (this.#closed) return;
    // A post takes no time of a frozen clock.
    const end = agenda.clock.mode === 'standing' ? at : at + agenda.clock.now() - start;
    const taken = delivery.attempts.filter(isTaken).length;
    if (isTaken(attempt)) {
      if (delivery.fault === 'duplicate' && taken === 1) return this.#attempt(delivery, channel, end);
      return this.#close(delivery, 'delivered');
    }
    const failed = delivery.attempts.length - taken;
    if (failed > answers['callback.retries']) return this.#close(delivery, 'failed');
    this.#postAt(delivery, channel, end + FIRST_RETRY * 2 ** (failed - 1));
    this.host.tried(delivery);
  }

  #postAt(delivery: CallbackDelivery, channel: Channel, due: number, within?: number): void {
    const run = (at: number): Promise<void> => {
      this.#due.delete(delivery);
      return this.#attempt(delivery, channel, at);
    };
    const retried = delivery.attempts.length > 0;
    const work = { delivery, due, retried, run, ...(within === undefined ? {} : { within }) };
    this.#due.set(delivery, this.host.agenda.add(work));
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

  async #post(delivery: CallbackDelivery, channel: Channel, at: number): Promise<CallbackAttempt> {
    const { target, body } = this.#jobs.get(delivery)!;
    delivery.body ??= body(at);
    this.#forgetOld();
    const { answers, fetch } = this.host;
    const controller = new AbortController();
    this.#flights.add(controller);
    const host = { answers, fetch, at, later: (work: () => void, delay: number) => this.#later(work, delay) };
    const attempt = await postResult(host, { target, body: delivery.body }, channel, controller);
    this.#flights.delete(controller);
    delivery.attempts.push(attempt);
    return attempt;
  }

  #close(delivery: CallbackDelivery, state: 'delivered' | 'failed' | 'withheld'): void {
    delivery.state = state;
    this.#open -= 1;
    this.host.tried(delivery);
    if (state === 'delivered') this.#overtake(delivery);
    this.#release();
  }

  /** Posts a result that a scenario held back until another one had overtaken it. */
  #overtake(delivery: CallbackDelivery): void {
    const later = this.deliveries.indexOf(delivery);
    for (const [held, appointment] of this.#due) {
      const overtaken = held.fault === 'out-of-order' && this.deliveries.indexOf(held) < later;
      if (overtaken && held.attempts.length === 0) appointment.start();
    }
  }

  #release(): void {
    if (this.#open === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
