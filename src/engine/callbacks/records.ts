import type { Clock } from '../model/clock.js';
import type { Channel } from '../model/world.js';
import type { CallbackDelivery } from './delivery.js';
import type { CallbackJob, Callbacks, DueMoment } from './callbacks.js';
import type { CallbackChange, CallbacksState, PendingCallback } from './pending.js';
import { fit, Change as validate } from '../../contract/index.js';
import { ValidationError, validationError } from '../../common/index.js';
import type { CallbackTarget } from './targets.js';

/** Maximum number of characters of a body that a record has. */
const KEPT = 131_072;
/** Milliseconds before overdue attempts, so that the host can start. */
const AFTER_START = 10;

/** What another process needs to know of a delivery. */
export function changeOf(delivery: CallbackDelivery, job: CallbackJob, next: DueMoment | undefined): CallbackChange {
  return { kind: 'callback', id: delivery.id, pending: next ? recordOf(delivery, job, next) : null };
}

function recordOf(
  delivery: CallbackDelivery,
  { target, query, result }: CallbackJob,
  { due, within }: DueMoment,
): PendingCallback {
  const { id, requestId, channel, fault, attempts, body } = delivery;
  return {
    id,
    requestId,
    channel,
    target: atHome(target),
    query,
    size: result.size,
    ...(fault === undefined ? {} : { fault }),
    attempts: [...attempts],
    ...(result.at === undefined ? {} : { at: result.at }),
    ...(body === null || body.length > KEPT ? {} : { body }),
    due,
    ...(within === undefined ? {} : { within }),
  };
}

/**
 * Goes on with what an earlier process accepted.
 *
 * @param bodyOf Makes the body of one, for an instant.
 * @throws {ValidationError} if the value does not fit.
 */
export function resume(
  callbacks: Callbacks,
  value: unknown,
  channels: readonly Channel[],
  bodyOf: (pending: PendingCallback) => (at: number) => Iterable<string>,
): void {
  const { issued, pending } = readCallbacks(value);
  callbacks.issue(issued);
  for (const one of pending) {
    const { id, requestId, target, fault, attempts } = one;
    const channel = channels.find(({ name }) => name === one.channel);
    const delivery: CallbackDelivery = {
      id,
      requestId,
      channel: one.channel,
      url: target.shown,
      state: 'pending',
      body: null,
      attempts: [...attempts],
      ...(fault ? { fault } : {}),
    };
    const refused = channel ? whyNoLonger(target.url, callbacks) : `There is no channel ${one.channel}`;
    const next = refused === null ? nextOf(one, callbacks.host.agenda.clock) : `${refused}.`;
    callbacks.adopt(delivery, one, bodyOf(one), channel!, next);
  }
}

/** Why the address of an earlier process is not allowed in this one, or null if it is. */
function whyNoLonger(address: string, callbacks: Callbacks): string | null {
  const caller = {
    // Whoever could search from this machine could do so before.
    isLocal: true,
    ownOrigin: ({ origin }: URL) => (origin === HOME ? HOME : undefined),
    whyNot: () => 'The address is not one of an inbox',
    stream: () => new ReadableStream(),
  };
  return callbacks.whyRefused(address, { caller });
}

function nextOf(one: PendingCallback, clock: Clock): DueMoment {
  const { due } = one;
  const left = due > clock.now() ? restOf(one, clock) : AFTER_START;
  return { due, ...(left === undefined ? {} : { within: left }) };
}

/** What is left of the real time of an attempt, as far as the clock tells. */
function restOf({ due, within }: DueMoment, clock: Clock): number | undefined {
  return within === undefined || clock.mode === 'standing' ? within : Math.min(within, Math.max(0, due - clock.now()));
}

/** Milliseconds of real time after which a pending callback needs its sandbox; undefined if none does. */
export function delayOf({ host: { agenda, answers }, open }: Callbacks): number | undefined {
  const { clock } = agenda;
  const delays = [...agenda.waiting].map((work) => {
    if (clock.mode === 'standing') return work.within ?? Infinity;
    return restOf(work, clock) ?? Math.max(0, work.due - clock.now());
  });
  if (open > delays.length) delays.push(answers['callback.timeout-seconds'] * 1000);
  const first = Math.min(...delays);
  return Number.isFinite(first) ? first : undefined;
}

/**
 * Checks the callbacks of an earlier process.
 *
 * @throws {ValidationError} naming the first field that does not fit.
 */
export function readCallbacks(value: unknown): CallbacksState {
  try {
    const { issued, pending } = (value ?? {}) as Partial<CallbacksState>;
    if (!Number.isSafeInteger(issued)) throw validationError('issued', 'a whole number', issued);
    if (!Array.isArray(pending)) throw validationError('pending', 'a list', pending);
    for (const [index, one] of pending.entries()) {
      const change = { kind: 'callback', id: 'callback-1', pending: one as PendingCallback };
      fit(validate, change, { whole: 'A callback', at: `callbacks[${index}]` });
    }
    const numbers = pending.map(({ id }: PendingCallback) => Number(id.slice('callback-'.length)));
    return { issued: Math.max(issued!, ...numbers), pending };
  } catch (error) {
    if (error instanceof ValidationError) error.input = 'callbacks';
    throw error;
  }
}

/** The origin of the sandbox itself. Nothing on the network has it. */
export const HOME = 'http://sandbox.invalid';

/** A target for a process that may listen at another address. */
export function atHome(target: CallbackTarget): CallbackTarget {
  return target.own === undefined ? target : { ...target, url: HOME + target.own };
}

/** Posts what goes to the sandbox itself without the network. */
export function homeward<Init>(
  send: (url: string, init: Init) => Promise<Response>,
  own: (url: string, init: Init) => Promise<Response>,
): typeof send {
  return (url, init) => (url.startsWith(`${HOME}/`) ? own(url, init) : send(url, init));
}
