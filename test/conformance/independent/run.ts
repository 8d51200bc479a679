import { MemoryReceiver } from '../../../src/conformance/client/receiver.js';
import { type Host, permissions, type Report } from '../../../src/conformance/client/types.js';
import { check } from '../../../src/conformance/run/check.js';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { BASE_URL, settle, STEP, timeOf } from '../deployment.js';
import { type Channel, channels, type Message, type Surroundings } from './desk.js';
import { Service } from './service.js';

/** Replaces steps of the deployment. */
export type Change = (service: Service) => void;

/** A deployment in this process, and a run against it. */
export interface Trial {
  /** Method, path and query of each request, in order. */
  readonly sent: readonly string[];
  readonly options: CheckOptions;
  check(options?: Partial<CheckOptions>): Promise<Report>;
}

type Credentials = Pick<CheckOptions, 'first' | 'second'>;

/** Permission for everything, and all credentials of both channels. */
export const all: Partial<CheckOptions> = everything(channels);

/** Permission for everything, and all credentials of two channels. */
export function everything(of: readonly Channel[]): Partial<CheckOptions> {
  return { allow: permissions, callbackTimeout: 20_000, ...credentials(of, 'refreshToken') };
}

function credentials(of: readonly Channel[], more?: 'refreshToken'): Credentials {
  const [first, second] = of.map(({ name, password, refreshToken }) => {
    return { basic: { username: name, password }, ...(more ? { refreshToken } : {}) };
  });
  return { first: first!, second: second! };
}

export function deployIndependent(...changes: readonly Change[]): Trial & { readonly service: Service } {
  return deployMade((around) => new Service(around), ...changes);
}

export function deployMade(
  make: (around: Surroundings) => Service,
  ...changes: readonly Change[]
): Trial & { readonly service: Service } {
  let service: Service | undefined;
  const trial = trialOf((around) => {
    service = make(around);
    for (const change of changes) change(service);
    return service;
  }, channels);
  return { service: service!, ...trial };
}

/** What a request costs: without it, all answers of a run would have the same time. Milliseconds. */
const COST = 3;

/** A run against a deployment that is made for it. */
export function trialOf(
  make: (around: Surroundings) => { handle(request: Request): Promise<Response> },
  of: readonly Channel[],
  /** Where the random numbers of the run begin, from 0 to 1. */
  seed = 0,
): Trial {
  const sent: string[] = [];
  const { now, advance, schedule } = timeOf(() => undefined);
  let posting = 0;
  const inbox = new MemoryReceiver('http://inbox.test', {
    now,
    async sleep(milliseconds, signal) {
      await settle(() => posting > 0, signal);
      if (signal?.aborted) return;
      advance(milliseconds);
      await settle(() => posting > 0, signal);
    },
  });
  const post = async (url: string, { method, headers, body }: Message): Promise<number> => {
    const hurry = new AbortController();
    schedule(() => hurry.abort(), 10_000);
    posting += 1;
    const status = await inbox.accept(url, { method, headers: new Headers(headers), text: body }, hurry.signal);
    posting -= 1;
    return status;
  };
  /** Work that is about to begin is under way, as a post is. */
  const soon = (work: () => void, milliseconds: number): void => {
    posting += 1;
    schedule(() => {
      posting -= 1;
      work();
    }, milliseconds);
  };
  const deployment = make({ now, schedule: (work, later) => (later < STEP ? soon : schedule)(work, later), post });
  let chance = seed;
  const host: Host = {
    fetch(request) {
      sent.push(`${request.method} ${request.url.slice(BASE_URL.length)}`);
      advance(COST);
      return deployment.handle(request);
    },
    now,
    sleep: async (milliseconds) => advance(milliseconds),
    schedule,
    random: () => (chance = (chance * 7 + 0.31) % 1),
  };
  const options: CheckOptions = { baseUrl: BASE_URL, ...credentials(of), host, receiver: inbox };
  return { sent, options, check: (changed) => check({ ...options, ...changed }) };
}
