import { signal } from '@preact/signals';
import { type AdminAsk, AdminError, createSend } from '../../bindings/index.js';
import type { adminComponents as components, adminPaths as paths } from '../../contract/index.js';
import { curlCommand } from '../../common/index.js';
import { baseUrl } from './base.js';
import { askForToken, token } from './token.js';
import { worldEnd } from './world-end.js';

/** A schema of the admin API by its name. */
export type AdminType<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A call of the admin API: it can be performed, and copied as a command. */
export interface AdminCommand<Result> extends AdminAsk {
  /** Never set: it ties the type of the response to the call. */
  readonly result?: Result;
}

type Verb = AdminAsk['method'];
type PathBelow = { [Path in keyof paths]: Path extends `/__admin/${infer Rest}` ? Rest : never }[keyof paths];
type OperationOf<V extends Verb, P extends PathBelow> = NonNullable<paths[`/__admin/${P}`][Lowercase<V>]>;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never;
type ResultOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201)]>
  : never;
type ParametersOf<Operation> = Operation extends { parameters: infer Parameters } ? Parameters : never;
type Given<Parameters, Name extends string> = Parameters extends { [Key in Name]: infer Value }
  ? { readonly [Key in Name]: Readonly<Value> }
  : Parameters extends { [Key in Name]?: infer Value }
    ? { readonly [Key in Name]?: Readonly<Exclude<Value, undefined>> | undefined }
    : unknown;
type BodyOf<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { readonly body: Body }
  : { readonly body?: undefined };
type PartsOf<Operation> = Given<ParametersOf<Operation>, 'path'> &
  Given<ParametersOf<Operation>, 'query'> &
  BodyOf<Operation>;

/**
 * A call of the admin API, typed by its document.
 *
 * @example
 * await perform(call('POST', 'bookings/{bookingId}/cancel', { path: { bookingId }, query: { force: 'true' } }));
 */
export function call<V extends Verb, P extends PathBelow>(
  method: V,
  path: P,
  parts: PartsOf<OperationOf<V, P>> = {} as PartsOf<OperationOf<V, P>>,
): AdminCommand<ResultOf<OperationOf<V, P>>> {
  const given = parts as { path?: Record<string, string | number>; query?: AdminAsk['query']; body?: unknown };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(given.path![name]!));
  const { query, body } = given;
  return { method, path: filled, ...(query && { query }), ...(body !== undefined && { body }) };
}

/** How many calls of this page have changed something. */
export const performed = signal(0);

/** Performs a call, of this world or at another base URL. It asks for the admin token if the server requires one. */
export async function perform<Result>(command: AdminCommand<Result>, at: string = baseUrl): Promise<Result> {
  for (;;) {
    if (worldEnd.value !== undefined && at === baseUrl) throw new Error(`This world has ended: ${worldEnd.value}`);
    const used = token.value;
    try {
      const result = await createSend(at, used === undefined ? {} : { token: used })<Result>(command);
      if (command.method !== 'GET') performed.value += 1;
      return result;
    } catch (error) {
      if (!(error instanceof AdminError) || error.status !== 401) throw error;
      await askForToken(used);
    }
  }
}

/** Opens a response of the admin API that is no JSON, such as a stream. It asks for the admin token as `perform` does. */
export async function openAdmin(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  for (;;) {
    const used = token.value;
    const bearer = used === undefined ? {} : { authorization: `Bearer ${used}` };
    const response = await fetch(`${baseUrl}/__admin/${path}`, { headers: { ...headers, ...bearer }, signal });
    if (response.status !== 401) return response;
    await askForToken(used);
  }
}

/** The address of a call, below the base URL of this sandbox. */
function urlOf({ path, query = {} }: AdminAsk): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `${baseUrl}/__admin/${path}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}

/** The command that does the same in a shell. A token is left to the environment. */
export function curlOf(command: AdminAsk): string {
  const { method, body } = command;
  const bearer = token.value === undefined ? [] : ['Authorization: Bearer $TEEBOX_ADMIN_TOKEN'];
  return curlCommand({
    method,
    url: urlOf(command),
    headers: [...bearer, ...(body === undefined ? [] : ['Content-Type: application/json'])],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** What a page says while nothing comes from the server. */
export const noServer = `The server at ${baseUrl} does not answer. Start it again, and this page goes on by itself.`;

/** What went wrong, for a person. */
export function reasonOf(error: unknown): string {
  if (error instanceof AdminError && error.status === 0) return noServer;
  return error instanceof Error ? error.message.replace(/^\w+ \S+ failed with (\d+): /, '') : String(error);
}
