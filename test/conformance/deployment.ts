import { checkBy } from '../../src/conformance/run/check.js';
import type { CheckOptions, RunOptions } from '../../src/conformance/run/check-options.js';
import { MemoryReceiver } from '../../src/conformance/client/receiver.js';
import type { Host, Report, RuleResult } from '../../src/conformance/client/types.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/engine/library.js';
import { NOW } from '../support/client.js';

/** What a layer before the deployment does to a request: answers itself, or lets it through and alters the answer. */
export type Layer = (request: Request, through: (request: Request) => Promise<Response>) => Promise<Response>;

/** A deployment for the suite to judge: the sandbox in this process, and the requests that reached it. */
export interface Deployment {
  readonly sandbox: Sandbox;
  readonly options: CheckOptions;
  /** Method, path and query of each request, in order. */
  readonly sent: readonly string[];
  /** Runs work when the clock of the deployment has come so far. */
  later(work: () => void, milliseconds: number): void;
  check(changes?: Partial<RunOptions>): Promise<Report>;
}

/** A result on its way to a callback address. */
export interface Posted {
  method: string;
  readonly headers: Headers;
  text: string;
}

/** Takes a result to its address and gives back the status that it answers; `gone` hangs up. */
type Deliver = (posted: Posted, gone?: AbortSignal) => Promise<number>;
/** What the way to a callback address does to a result; gives back the status that the deployment sees. */
export type Delivery = (posted: Posted, deliver: Deliver) => Promise<number>;

/** Milliseconds at a time, so that what falls due meanwhile happens at its own instant. */
export const STEP = 250;

export const BASE_URL = 'http://deployment.test';

/** Time that passes when it is told to, for the run and for a deployment alike. */
export function timeOf(tick: (milliseconds: number) => void) {
  const timers = new Set<{ readonly due: number; readonly work: () => void }>();
  let waited = 0;
  const now = (): number => Date.parse(NOW) + waited;
  const advance = (milliseconds: number): void => {
    for (let left = milliseconds; left > 0; left -= STEP) {
      const step = Math.min(left, STEP);
      waited += step;
      tick(step);
      for (const timer of timers) if (timer.due <= now() && timers.delete(timer)) timer.work();
    }
  };
  // What takes a moment takes it; what takes seconds waits until the clock has come so far.
  const schedule = (work: () => void, delay: number): (() => void) => {
    if (delay < STEP) {
      const timer = setTimeout(work, delay);
      return () => clearTimeout(timer);
    }
    const timer = { due: now() + delay, work };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return { now, advance, schedule };
}

/** A correct deployment, with a layer that breaks something before it. */
export async function deploy(
  settings: SandboxOptions = {},
  layer: Layer = (request, go) => go(request),
  delivery: Delivery = (posted, deliver) => deliver(posted),
): Promise<Deployment> {
  const sent: string[] = [];
  let chance = 0;
  const { now, advance, schedule } = timeOf((milliseconds) => sandbox.clock.advance(milliseconds));
  const inbox = new MemoryReceiver('http://inbox.test', {
    now,
    async sleep(milliseconds, signal) {
      const busy = (): boolean => sandbox.callbacks.deliveries.some(({ state }) => state === 'pending');
      await settle(busy, signal);
      if (signal?.aborted) return;
      advance(milliseconds);
      await settle(busy, signal);
    },
  });
  const sandbox: Sandbox = await createSandbox({
    now: NOW,
    pure: true,
    allowCallback: 'any',
    schedule,
    fetch: async (url, { method = 'GET', headers, body, signal }) => {
      const gone = signal ?? undefined;
      const posted = { method, headers: new Headers(headers), text: String(body) };
      const status = await delivery(posted, async (one, hurry = gone) => inbox.accept(url, one, hurry));
      signal?.throwIfAborted();
      return new Response(null, { status });
    },
    ...settings,
  });
  const host: Host = {
    async fetch(request) {
      sent.push(`${request.method} ${request.url.slice(BASE_URL.length)}`);
      return layer(request, async (one) => sandbox.fetch(one));
    },
    now,
    sleep: async (milliseconds) => advance(milliseconds),
    schedule,
    random: () => (chance = (chance * 7 + 0.31) % 1),
  };
  const [first, second] = sandbox.channels.map(({ username, password }) => ({ basic: { username, password } }));
  const options = { baseUrl: BASE_URL, first: first!, second: second!, host, receiver: inbox };
  return { sandbox, options, sent, later: schedule, check: (changes) => checkBy({ ...options, ...changes }) };
}

/** Lets what is under way in this process come to its end; the clock of the deployment stands meanwhile. */
export async function settle(busy: () => boolean, signal?: AbortSignal): Promise<void> {
  for (let turn = 0; turn < 5 || (busy() && turn < 100); turn += 1) {
    if (signal?.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Alters the JSON of successful answers whose path fits. */
export function altering(path: RegExp, alter: (body: any, url: URL) => void): Layer {
  return async (request, through) => {
    const response = await through(request);
    const url = new URL(request.url);
    if (!path.test(url.pathname) || !response.ok) return response;
    const body = await response.json();
    alter(body, url);
    return Response.json(body, { status: response.status });
  };
}

/** The result of a rule. */
export function resultOf({ rules }: Report, id: string): RuleResult {
  const found = rules.find((rule) => rule.id === id);
  if (!found) throw new Error(`No rule ${id} was judged.`);
  return found;
}

/** Ids of the rules that find something wrong, or stumble. */
export function loudIn(report: Report): string[] {
  return (['fail', 'warn', 'error'] as const).flatMap((verdict) => idsWith(report, verdict));
}

/** Ids of the rules with a verdict. */
export function idsWith({ rules }: Report, verdict: RuleResult['verdict']): string[] {
  return rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
}
