/** How the admin client sends: the address, the token, and the error that an answer becomes. */
import { parsedJson } from '../../common/index.js';
import { AdminError } from './admin-error.js';

export interface AdminClientOptions {
  /** The token that the server requires, if any. */
  readonly token?: string;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A call of the admin API. */
export interface AdminAsk {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `__admin/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** Sends a call and gives back its JSON. */
export type AdminSend = <T>(ask: AdminAsk) => Promise<T>;

/** The sender for one base URL. */
export function createSend(
  baseUrl: string,
  { token, fetch: send = (url, init) => fetch(url, init) }: AdminClientOptions,
): AdminSend {
  const base = `${baseUrl.replace(/\/+$/, '')}/__admin`;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return async <T>({ method, path, query = {}, body }: AdminAsk): Promise<T> => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const url = `${base}/${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await send(url, { method, headers, ...json }).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    const text = await response.text().catch((error: unknown) => {
      const why = `the answer with ${response.status} broke off: ${reasonOf(error)}`;
      throw new AdminError(`${method} ${url} failed: ${why}. Check the base URL.`, response.status, [], {
        cause: error,
      });
    });
    if (!response.ok) throw refusal(`${method} ${url}`, response.status, text);
    return readAnswer(`${method} ${url}`, response.status, text) as T;
  };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  return cause?.code ?? cause?.message ?? message;
}

function unreachable(base: string, error: unknown): AdminError {
  const why = reasonOf(error);
  // Browsers and the `fetch` of Node do not connect to ports of other protocols.
  const advice =
    why === 'bad port'
      ? '`fetch` refuses this port: start the sandbox on another one.'
      : 'Start the sandbox with `teebox serve`, or correct the base URL.';
  return new AdminError(`Failed to reach the admin API at ${base}: ${why}. ${advice}`, 0, [], { cause: error });
}

function refusal(call: string, status: number, text: string): AdminError {
  const { detail, fits } = (parsedJson(text) ?? {}) as { readonly detail?: unknown; readonly fits?: readonly string[] };
  if (typeof detail === 'string') return new AdminError(`${call} failed with ${status}: ${detail}`, status, fits);
  return new AdminError(`${call} failed with ${status}, not as a sandbox does. Check the base URL.`, status);
}

function readAnswer(call: string, status: number, text: string): unknown {
  const value = parsedJson(text);
  if (value !== undefined) return value;
  throw new AdminError(`${call} was answered with ${status}, but not with JSON. Check the base URL.`, status);
}
