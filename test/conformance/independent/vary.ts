import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import type { Change } from './run.js';
import type { Service } from './service.js';

/** A deployment that differs from the usual one in one thing. */
export interface Variation {
  readonly name: string;
  readonly change: Change;
  /** What the run must be told about it. */
  readonly options?: Partial<CheckOptions>;
}

type Methods = { [K in keyof Service as Service[K] extends (...args: never[]) => unknown ? K : never]: Service[K] };

/** Replaces a step; the new one gets the old one. */
export function wrap<K extends keyof Methods>(
  name: K,
  make: (before: Service[K], service: Service) => Service[K],
): Change {
  return (service) => {
    const before = (service[name] as (...args: never[]) => unknown).bind(service) as Service[K];
    (service as Pick<Service, K>)[name] = make(before, service);
  };
}

/** Several changes, one after another. */
export const both =
  (...changes: readonly Change[]): Change =>
  (service) => {
    for (const change of changes) change(service);
  };

const pathOf = (request: Request): string => new URL(request.url).pathname;

// The tables alter whatever is there.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Loose = any;

/** Alters what is sent as JSON, in place. */
export function sending(path: RegExp, alter: (body: Loose, request: Request) => void, when = isFine): Change {
  const altered = (body: Loose, request: Request): unknown => {
    alter(body, request);
    return body;
  };
  return rewriting(path, altered, when);
}

/** Sends another body. */
export function rewriting(path: RegExp, write: (body: Loose, request: Request) => unknown, when = isFine): Change {
  return wrap('handle', (before) => async (request) => {
    const response = await before(request);
    if (!path.test(pathOf(request)) || !when(response)) return response;
    const body = write(await response.json(), request);
    return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
  });
}

const isFine = ({ ok }: Response): boolean => ok;
export const isRefusal = ({ ok }: Response): boolean => !ok;

/** Alters the status or headers of answers, or puts another in their place. */
export function replying(
  path: RegExp,
  alter: (response: Response, request: Request) => Response | Promise<Response>,
): Change {
  return wrap('handle', (before) => async (request) => {
    const response = await before(request);
    return path.test(pathOf(request)) ? alter(response, request) : response;
  });
}

/** The same answer with another status. */
export function withStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: response.headers });
}

/** Alters the address of requests. */
export function asking(path: RegExp, alter: (url: URL) => void): Change {
  return wrap('handle', (before) => async (request) => {
    const url = new URL(request.url);
    if (!path.test(url.pathname)) return before(request);
    alter(url);
    return before(new Request(url, request));
  });
}

/** Alters the JSON bodies of requests, in place. */
export function receiving(path: RegExp, alter: (body: Loose) => void): Change {
  return wrap('readBody', (before) => async (request) => {
    const body = await before(request);
    if (path.test(pathOf(request))) alter(body);
    return body;
  });
}

/** Every object in a value, from the outside in. */
export function eachObject(value: unknown, visit: (object: Record<string, Loose>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, Loose>);
  for (const item of Object.values(value)) eachObject(item, visit);
}

/** Removes fields wherever they are. */
export function without(path: RegExp, ...names: readonly string[]): Change {
  return sending(path, (body) => {
    eachObject(body.data, (object) => {
      for (const name of names) delete object[name];
    });
  });
}

/** Gives fields another value wherever they are. */
export function setting(
  path: RegExp,
  name: string,
  write: (value: Loose, object: Record<string, Loose>) => unknown,
): Change {
  return sending(path, (body) => {
    eachObject(body.data, (object) => {
      if (name in object) object[name] = write(object[name], object);
    });
  });
}
