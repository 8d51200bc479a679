import { MemoryReceiver } from '../../../src/conformance/client/receiver.js';
import { type Host, permissions, type Report } from '../../../src/conformance/client/types.js';
import { check } from '../../../src/conformance/run/check.js';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { BASE_URL, settle, timeOf } from '../deployment.js';
import { channels, type Message, type Surroundings } from './desk.js';
import { Service } from './service.js';

/** Replaces steps of the deployment. */
export type Change = (service: Service) => void;

/** An independent deployment in this process, and a run against it. */
export interface Trial {
  readonly service: Service;
  /** Method, path and query of each request, in order. */
  readonly sent: readonly string[];
  check(options?: Partial<CheckOptions>): Promise<Report>;
}

/** Permission for everything, and all credentials of both channels. */
export const all: Partial<CheckOptions> = {
  allow: permissions,
  callbackTimeout: 20_000,
  ...credentials('refreshToken'),
};

function credentials(more?: 'refreshToken'): Pick<CheckOptions, 'first' | 'second'> {
  const [first, second] = channels.map(({ name, password, refreshToken }) => {
    return { basic: { username: name, password }, ...(more ? { refreshToken } : {}) };
  });
  return { first: first!, second: second! };
}

export function deployIndependent(...changes: readonly Change[]): Trial {
  return deployMade((around) => new Service(around), ...changes);
}

export function deployMade(make: (around: Surroundings) => Service, ...changes: readonly Change[]): Trial {
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
  const service = make({ now, schedule, post });
  for (const change of changes) change(service);
  let chance = 0;
  const host: Host = {
    fetch(request) {
      sent.push(`${request.method} ${request.url.slice(BASE_URL.length)}`);
      return service.handle(request);
    },
    now,
    sleep: async (milliseconds) => advance(milliseconds),
    schedule,
    random: () => (chance = (chance * 7 + 0.31) % 1),
  };
  const options: CheckOptions = { baseUrl: BASE_URL, ...credentials(), host, receiver: inbox };
  return { service, sent, check: (changed) => check({ ...options, ...changed }) };
}
