import { check } from '../../src/conformance/check.js';
import type { CheckOptions } from '../../src/conformance/check-options.js';
import { Inbox } from '../../src/conformance/receiver.js';
import type { Host, Report, RuleResult } from '../../src/conformance/types.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.js';
import { NOW } from '../support/client.js';

/** What a layer before the deployment does to a request: answers itself, or lets it through and alters the answer. */
export type Layer = (request: Request, through: (request: Request) => Promise<Response>) => Promise<Response>;

/** A deployment for the suite to judge: the sandbox in this process, and the requests that reached it. */
export interface Deployment {
  readonly sandbox: Sandbox;
  readonly options: CheckOptions;
  /** Method, path and query of each request, in order. */
  readonly sent: readonly string[];
  check(changes?: Partial<CheckOptions>): Promise<Report>;
}

export const BASE_URL = 'http://deployment.test';

/** A correct deployment, with a layer that breaks something before it. */
export async function deploy(
  settings: SandboxOptions = {},
  layer: Layer = (request, go) => go(request),
  delivery: (body: string) => string = (body) => body,
): Promise<Deployment> {
  const sent: string[] = [];
  let waited = 0;
  const now = () => Date.parse(NOW) + waited;
  let chance = 0;
  const advance = (milliseconds: number): void => {
    waited += milliseconds;
    sandbox.clock.advance(milliseconds);
  };
  const inbox = new Inbox('http://inbox.test', {
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
    fetch: async (url, { method = 'GET', headers, body }) => {
      const text = delivery(String(body));
      return new Response(null, { status: inbox.accept(url, { method, headers: new Headers(headers), text }) });
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
    random: () => (chance = (chance * 7 + 0.31) % 1),
  };
  const [first, second] = sandbox.channels.map(({ username, password }) => ({ basic: { username, password } }));
  const options = { baseUrl: BASE_URL, first: first!, second: second!, host, receiver: inbox };
  return { sandbox, options, sent, check: (changes) => check({ ...options, ...changes }) };
}

/** Lets what is under way in this process come to its end; the clock of the deployment stands meanwhile. */
async function settle(busy: () => boolean, signal?: AbortSignal): Promise<void> {
  for (let turn = 0; turn < 5 || (busy() && turn < 100); turn += 1) {
    if (signal?.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Real time, so that a callback can arrive, but no more of it than a callback in this process takes. */
export function patience(_: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 2000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Alters the JSON of successful answers whose path fits. */
export function altering(path: RegExp, alter: (body: any) => void): Layer {
  return async (request, through) => {
    const response = await through(request);
    if (!path.test(new URL(request.url).pathname) || !response.ok) return response;
    const body = await response.json();
    alter(body);
    return Response.json(body, { status: response.status });
  };
}

/** The result of a rule. */
export function resultOf({ rules }: Report, id: string): RuleResult {
  const found = rules.find((rule) => rule.id === id);
  if (!found) throw new Error(`No rule ${id} was judged.`);
  return found;
}

/** Ids of the rules with a verdict. */
export function idsWith({ rules }: Report, verdict: RuleResult['verdict']): string[] {
  return rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
}
