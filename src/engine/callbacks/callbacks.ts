import { Refusal } from '../model/refusal.js';
import type { Agenda, Appointment, Work } from '../model/agenda.js';
import type { Channel } from '../model/world.js';
import type { CallbackQueue, CallbackReach, ResultQuery } from '../api/routes/call.js';
import { type CallbackAttempt, type CallbackDelivery, isTaken, postResult } from './delivery.js';
import { idOf, numberOf, type PendingCallback } from './pending.js';
import { ResultBody } from './result-body.js';
import { type CallbackTarget, refuseTarget, targetOf, type TargetRules, whyRefused } from './targets.js';
import type { CallbackTraffic, TrafficLane } from './traffic.js';
import type { Schedule } from '../model/clock.js';
import type { Answers } from '../../contract/index.js';

/** What callbacks need of the sandbox around them. */
export interface CallbackHost extends TargetRules {
  readonly answers: Answers;
  readonly version: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs `work` after `delay` milliseconds; the returned function cancels it. */
  readonly schedule: Schedule;
  /** What waits for the sandbox's clock. */
  readonly agenda: Agenda<DueCallback>;
  /** The callbacks of all worlds. */
  readonly traffic: CallbackTraffic;
  /** Whether `fetch` can send a body while it is made. */
  readonly streams: boolean;
  /** Called after each attempt, and for a delivery that is withheld. */
  readonly tried: (delivery: CallbackDelivery) => void;
  /** Called when an attempt of a delivery is planned, and without a moment when it is over. */
  readonly changed: ((delivery: CallbackDelivery, job: CallbackJob, next: DueMoment | undefined) => void) | undefined;
}

/** What a delivery needs besides what is shown of it. */
export interface CallbackJob {
  readonly target: CallbackTarget;
  readonly query: ResultQuery;
  readonly result: ResultBody;
}

/** When an attempt is due. */
export type DueMoment = Pick<Work, 'due' | 'within'>;

/** An attempt that waits for the sandbox's clock. */
export interface DueCallback extends Work {
  readonly delivery: CallbackDelivery;
  /** Whether an attempt was made before. */
  readonly retried: boolean;
}

type Enqueued = Parameters<CallbackQueue['enqueue']>[0];

/** Maximum number of deliveries. Old ones are evicted. */
const REMEMBERED = 1000;
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
  readonly #flights = new Map<AbortController, CallbackDelivery>();
  readonly #timers = new Set<() => void>();
  readonly #waiting: (() => void)[] = [];
  /** The next attempts of deliveries that have none under way. */
  readonly #due = new Map<CallbackDelivery, Appointment>();
  readonly #jobs = new WeakMap<CallbackDelivery, CallbackJob>();
  readonly #lane: TrafficLane;

  constructor(readonly host: CallbackHost) {
    this.#lane = host.traffic.lane();
  }

  enqueue({ url, requestId, channel, reach, query, body, size, triggered }: Enqueued): Promise<void> | undefined {
    refuseTarget(url, reach, this.host);
    if (!this.#lane.accepts(size)) {
      const headers = { 'retry-after': String(this.host.answers['callback.timeout-seconds']) };
      throw new Refusal('callback-backlog', 'limits.rate', { headers });
    }
    const [trigger] = triggered();
    const effect = trigger?.scenario.effect;
    const fault = effect?.kind === 'callback' ? effect.fault : undefined;
    trigger?.apply();
    const id = idOf(++this.#counter);
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
    const stream = this.host.streams ? reach.caller?.stream : undefined;
    this.#add(delivery, { target, query, result: new ResultBody({ pieces: body, size, fault, stream }) });
    return this.#send(delivery, channel, trigger?.delay ?? 0);
  }

  /** The number of deliveries that are not over. */
  get open(): number {
    return this.#open;
  }

  /** Whether a delivery is being posted to the sandbox itself. */
  isPosting(id: string | null): boolean {
    for (const delivery of this.#flights.values()) {
      if (delivery.id === id) return this.#jobs.get(delivery)!.target.own !== undefined;
    }
    return false;
  }

  /** Goes on after the ids of an earlier process. */
  issue(number: number): void {
    this.#counter = number;
  }

  /** Why callbacks may not go to an address, or null if they may. */
  whyRefused(address: string, reach: CallbackReach): string | null {
    return whyRefused(address, reach, this.host);
  }

  /** Goes on with a delivery of an earlier process: from an instant on, or not at all for a reason. */
  adopt(
    delivery: CallbackDelivery,
    { target, query, size, at, body }: PendingCallback,
    pieces: Enqueued['body'],
    channel: Channel,
    next: DueMoment | string,
  ): void {
    const { fault } = delivery;
    this.#add(delivery, { target, query, result: new ResultBody({ pieces, size, fault, stream: undefined }, at) });
    if (body !== undefined) this.#lane.keep(delivery, body);
    if (typeof next !== 'string') return void this.#plan(delivery, channel, next.due, next.within);
    delivery.attempts.push({ at: new Date(this.host.agenda.clock.now()).toISOString(), status: null, error: next });
    this.#close(delivery, 'failed');
  }

  #add(delivery: CallbackDelivery, job: CallbackJob): void {
    this.#jobs.set(delivery, job);
    this.deliveries.push(delivery);
    const old = this.deliveries.splice(0, this.deliveries.length - REMEMBERED);
    for (const one of old) this.#lane.forget(one);
    this.#open += 1;
    this.#lane.count(1, job.result.size);
  }

  /** Posts a delivery when it is due; a scenario may postpone or withhold it. */
  #send(delivery: CallbackDelivery, channel: Channel, delay: number): Promise<void> | undefined {
    const { fault } = delivery;
    const now = this.host.agenda.clock.now();
    if (fault === 'before-response') {
      this.#record(delivery, { due: now });
      return this.#attempt(delivery, channel, now);
    }
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
    this.#lane.count(1, this.#jobs.get(delivery)!.result.size);
    const attempt = await this.#post(delivery, channel, this.host.agenda.clock.now());
    if (delivery.attempts.length > REMEMBERED_ATTEMPTS) delivery.attempts.shift();
    if (!this.#closed) this.#close(delivery, isTaken(attempt) ? 'delivered' : 'failed');
  }

  /** Drops pending deliveries and aborts open connections, for a reset or a restore. */
  close(): void {
    this.#closed = true;
    for (const flight of this.#flights.keys()) flight.abort();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    for (const { cancel } of this.#due.values()) cancel();
    this.#due.clear();
    this.#lane.end();
    this.#open = 0;
    this.#release();
  }

  /** Resolves when no delivery is pending. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
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
      if (delivery.fault === 'duplicate' && taken === 1) {
        this.#record(delivery, { due: end });
        return this.#attempt(delivery, channel, end);
      }
      return this.#close(delivery, 'delivered');
    }
    const failed = delivery.attempts.length - taken;
    if (failed > answers['callback.retries']) return this.#close(delivery, 'failed');
    this.#postAt(delivery, channel, end + FIRST_RETRY * 2 ** (failed - 1));
    this.host.tried(delivery);
  }

  #postAt(delivery: CallbackDelivery, channel: Channel, due: number, within?: number): void {
    this.#record(delivery, this.#plan(delivery, channel, due, within));
  }

  #plan(delivery: CallbackDelivery, channel: Channel, due: number, within: number | undefined): DueCallback {
    const run = (at: number): Promise<void> => {
      this.#due.delete(delivery);
      return this.#attempt(delivery, channel, at);
    };
    const retried = delivery.attempts.length > 0;
    const order = numberOf(delivery.id);
    const work = { delivery, due, order, retried, run, ...(within === undefined ? {} : { within }) };
    this.#due.set(delivery, this.host.agenda.add(work));
    return work;
  }

  /** Lets the host keep what is pending, or that it is not. */
  #record(delivery: CallbackDelivery, next?: DueMoment): void {
    this.host.changed?.(delivery, this.#jobs.get(delivery)!, next);
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

  /** Posts a result when others have made room for it. */
  async #post(delivery: CallbackDelivery, channel: Channel, at: number): Promise<CallbackAttempt> {
    const { target, result } = this.#jobs.get(delivery)!;
    const { answers, fetch } = this.host;
    const making = result.begin(at, delivery.body !== null || answers['callback.signature'] !== 'none');
    await this.#lane.enter(making.held);
    const controller = new AbortController();
    if (this.#closed) controller.abort();
    this.#flights.set(controller, delivery);
    const host = { answers, fetch, at, later: (work: () => void, delay: number) => this.#later(work, delay) };
    const keep = (text: string) => this.#lane.keep(delivery, text);
    const body = async (read: () => void) => delivery.body ?? making.body(keep, controller.signal, read);
    const attempt = await postResult(host, { target, body }, channel, controller);
    this.#flights.delete(controller);
    this.#lane.leave(making.held);
    delivery.attempts.push(attempt);
    return attempt;
  }

  #close(delivery: CallbackDelivery, state: 'delivered' | 'failed' | 'withheld'): void {
    delivery.state = state;
    this.#open -= 1;
    this.#lane.count(-1, this.#jobs.get(delivery)!.result.size);
    this.#record(delivery);
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
