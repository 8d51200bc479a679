import type { OperationId } from '../../contract/index.js';
import { check } from './check.js';
import type { CheckOptions } from './check-options.js';
import { memoryJournal } from '../client/credentials.js';
import type { Caller, Exchange } from '../client/exchange.js';
import { type Effect, effectOf } from '../client/permission.js';
import { MemoryReceiver } from '../client/receiver.js';
import { operationOf } from '../client/request.js';
import { Rehearsal } from './plan/rehearsal.js';

/** Requests of one kind that a run would send. */
export interface PlannedRequest {
  readonly method: string;
  /** The path with its parameters; values that come from the deployment are in braces. */
  readonly path: string;
  readonly effect: Effect;
  readonly caller: Caller;
  readonly count: number;
}

/**
 * The requests that a run would send. Nothing is sent: the rules run against a deployment that has plenty of everything.
 * One with other data gets a few more or fewer requests.
 */
export async function plan(options: CheckOptions): Promise<readonly PlannedRequest[]> {
  const rehearsal = new Rehearsal();
  const sent: Exchange[] = [];
  const { first, second } = options;
  // A rehearsal must not touch a token journal.
  const pretend = ({ basic, refreshToken, journal }: CheckOptions['first']): CheckOptions['first'] => ({
    ...(basic ? { basic } : {}),
    ...(journal ? { journal: memoryJournal('rehearsed-token') } : {}),
    ...(refreshToken && !journal ? { refreshToken: 'rehearsed-token' } : {}),
  });
  await check({
    ...options,
    first: pretend(first),
    ...(second ? { second: pretend(second) } : {}),
    host: { ...options.host, sleep: async () => {} },
    rps: 0,
    deadline: 0,
    maxEvidence: Infinity,
    receiver: new MemoryReceiver('http://127.0.0.1/planned', { now: options.host.now, sleep: async () => {} }),
    rehearse: (call) => rehearsal.answer(call),
    onEvent: (event) =>
      void (event.type === 'exchange' && event.exchange.caller !== 'deployment' && sent.push(event.exchange)),
  });
  return grouped(sent, options.baseUrl.replace(/\/+$/, ''));
}

/** One line for each kind of request, in the order of first use. */
function grouped(sent: readonly Exchange[], base: string): PlannedRequest[] {
  const kinds = new Map<string, PlannedRequest>();
  for (const { request, operation, caller } of sent) {
    const path = planned(operation, request.url.slice(base.length));
    const key = `${request.method} ${path} ${caller}`;
    const count = (kinds.get(key)?.count ?? 0) + 1;
    const effect = effectOf(request.method, path);
    kinds.set(key, { method: request.method, path, effect, caller: caller as Caller, count });
  }
  return [...kinds.values()];
}

/** Parameters whose values come from the deployment. */
const told = /^(country|facilityIds|callbackUrl)$/;

function planned(operation: OperationId | undefined, path: string): string {
  const at = path.indexOf('?');
  const bare = at < 0 ? path : path.slice(0, at);
  const query = at < 0 ? [] : [...new URLSearchParams(path.slice(at + 1))];
  const shown = query.map(([name, value]) => `${name}=${told.test(name) ? `{${name}}` : value}`).join('&');
  const place = operation === undefined ? bare : operationOf(operation).path;
  return shown === '' ? place : `${place}?${shown}`;
}
