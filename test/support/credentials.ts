import { type CallOptions, type Client, ORIGIN, type Reply } from './client.js';

/** A token in the form of a UUID that the sandbox never issued. */
export const UNKNOWN_TOKEN = '6f1c7a5e-0d2b-4c3d-8e4f-5a6b7c8d9e0f';

/** Sends a request with these headers and no others: no credentials of the channel. */
export async function bare(
  client: Client,
  method: string,
  path: string,
  { headers, body }: CallOptions = {},
): Promise<Reply> {
  const all = new Headers(headers);
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json');
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return client.deliver(new Request(ORIGIN + path, { method, headers: all, ...text }));
}

/** Posts a refresh token and nothing else. */
export function refreshWith(client: Client, token: unknown, version = 'v5'): Promise<Reply> {
  return bare(client, 'POST', `/api/${version}/token/refreshToken`, { body: { refresh_token: token } });
}

/** The refresh token that the channel was handed at the start. */
export function initialTokenOf({ sandbox, channel }: Client): string {
  return sandbox.channels.find(({ name }) => name === channel)!.refreshToken;
}

/** A fresh access token, for the initial refresh token of the channel. */
export async function accessTokenOf(client: Client): Promise<string> {
  const { body } = await refreshWith(client, initialTokenOf(client));
  return body.data.access_token;
}

/** The header that carries an access token. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The user name and password of a channel as a header. */
export function basic(username: string, password: string): { readonly authorization: string } {
  return { authorization: `Basic ${btoa(`${username}:${password}`)}` };
}

/** An operation that needs no parameter, to see whether credentials are good. */
export function knock(client: Client, headers: Record<string, string>): Promise<Reply> {
  return bare(client, 'GET', '/api/v3/countries', { headers });
}
