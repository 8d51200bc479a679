import type { OperationId } from '../generated/operations.js';
import { check } from './check.js';
import type { CheckOptions } from './check-options.js';
import { Contract } from './contract.js';
import type { Caller, Exchange } from './exchange.js';
import { type Effect, effectOf } from './permission.js';
import { Inbox } from './receiver.js';
import { type Call, operationOf } from './request.js';

/** Requests of one kind that a run would send. */
export interface PlannedRequest {
  readonly method: string;
  /** With its parameters; those that a deployment tells stand in braces. */
  readonly path: string;
  readonly effect: Effect;
  readonly caller: Caller;
  readonly count: number;
}

/**
 * What a run would send, and nothing is: the rules are rehearsed against the examples of the contract. A deployment
 * with other data leads to a few requests more or less.
 */
export async function plan(options: CheckOptions): Promise<readonly PlannedRequest[]> {
  const contract = new Contract();
  const sent: Exchange[] = [];
  const { first, second } = options;
  // A rehearsal must not touch a token journal.
  const pretend = ({ basic, refreshToken, journal }: CheckOptions['first']): CheckOptions['first'] => ({
    ...(basic ? { basic } : {}),
    ...((refreshToken ?? journal) ? { refreshToken: 'rehearsed-token' } : {}),
  });
  await check({
    ...options,
    first: pretend(first),
    ...(second ? { second: pretend(second) } : {}),
    host: { ...options.host, sleep: async () => {} },
    rps: 0,
    receiver: new Inbox('http://127.0.0.1/planned', { now: options.host.now, sleep: async () => {} }),
    rehearse: (call) => rehearsed(contract, call),
    onEvent: (event) =>
      void (event.type === 'exchange' && event.exchange.caller !== 'deployment' && sent.push(event.exchange)),
  });
  return grouped(sent, options.baseUrl.replace(/\/+$/, ''));
}

function rehearsed(contract: Contract, call: Call): Response {
  const refused = { success: false, data: null, message: 'rehearsed' };
  if (call.breaking !== undefined || !('operation' in call)) return Response.json(refused, { status: 400 });
  return Response.json(plentiful(contract.answer(call.operation).example), { status: 200 });
}

const PLENTY = 12;

/** An example with as many tee times as journeys need: the contract shows one. */
function plentiful(example: unknown): unknown {
  const { data } = example as { data?: { teeTimeV3?: readonly { readonly teeid: number }[] } };
  const [first] = data?.teeTimeV3 ?? [];
  if (!first) return example;
  const teeTimeV3 = Array.from({ length: PLENTY }, (_, index) => ({ ...first, teeid: first.teeid + index }));
  return { success: true, data: { ...data, teeTimeV3 } };
}

/** One line for each kind of request, in the order of their first one. */
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
