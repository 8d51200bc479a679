import { OPERATOR_TOKEN, type Workerd } from './workerd.js';

/** A world as its owner knows it. */
export interface MadeWorld {
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
}

/** Limits that no test reaches by accident. */
const limits = { requestsPerMinute: 1_000_000, bookings: 1_000_000, callbacksPerDay: 1_000_000 };

/** Makes a world as the operator does. */
export async function makeWorld({ url }: Pick<Workerd, 'url'>, settings: Record<string, unknown>): Promise<MadeWorld> {
  const response = await fetch(`${url}/worlds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limits, ...settings }),
  });
  if (response.status !== 201) throw new Error(`POST /worlds: ${response.status} ${await response.text()}`);
  return (await response.json()) as MadeWorld;
}

/** Asks the admin API of a world as its owner. */
export async function admin({ baseUrl, token }: MadeWorld, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${baseUrl}/__admin/${path}`, { method, headers, ...init });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
