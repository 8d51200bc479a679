import { curlCommand } from '../../common/index.js';

/** A request to this sandbox as a client sends it, by hand or again. */
export interface ClientRequest {
  readonly method: string;
  readonly url: string;
  /** The user and the password of Basic credentials, with a colon between them. */
  readonly user?: string | undefined;
  /** A bearer token, and how a command names it. */
  readonly bearer?: readonly [token: string, shown: string] | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** The command of a shell that sends it. */
export function commandOf({ method, url, user, bearer, headers, body }: ClientRequest): string {
  return curlCommand({
    method,
    url,
    ...(user !== undefined && { user }),
    headers: [
      ...(bearer ? [`Authorization: Bearer ${bearer[1]}`] : []),
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ],
    ...(body !== undefined && { body }),
  });
}

/** The header of Basic credentials, which may have any letters. */
export function basic(user: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(user)))}`;
}

/** Sends it. No cache may answer in place of the sandbox. */
export function sendAsClient(request: ClientRequest, signal: AbortSignal | null = null): Promise<Response> {
  const { method, url, user, bearer, headers, body } = request;
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (user !== undefined) all.set('authorization', basic(user));
  if (bearer) all.set('authorization', `Bearer ${bearer[0]}`);
  return fetch(url, { method, headers: all, signal, cache: 'no-store', ...(body !== undefined && { body }) });
}
