import { curlCommand } from '../../../common/index.js';
import type { AdminType } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';

export type Sender = AdminType<'ChannelList'>['channels'][number];

/** A request of the journal as it can be sent again: the journal masks secrets, the channels have those of now. */
interface Resend {
  readonly method: string;
  readonly url: string;
  readonly user?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** What a client sets by itself, and what is masked. */
const own =
  /^(host|connection|content-length|accept-encoding|accept-language|transfer-encoding|keep-alive|origin|referer|user-agent|cookie|authorization|sec-.*|priority)$/i;
const MASKED = '***';

/** What is needed of a request to send it again. */
interface Resendable extends Pick<AdminType<'RequestView'>, 'method' | 'path'> {
  readonly request: Pick<AdminType<'RequestView'>['request'], 'headers' | 'body'>;
  readonly channel?: string | undefined;
}

/** Prepares a request of the journal for being sent again. */
export function resendOf(view: Resendable, channels: readonly Sender[]): Resend {
  const { method, path, request, channel: name } = view;
  const channel = channels.find((one) => one.name === name);
  const entries = Object.entries(request.headers);
  const headers = entries.filter(([header, value]) => !own.test(header) && !value.includes(MASKED));
  const hadSecret = entries.some(([, value]) => value.includes(MASKED));
  const body = bodyOf(request.body, channel);
  return {
    method,
    url: `${baseUrl}${path}`,
    ...(hadSecret && channel ? { user: `${channel.username}:${channel.password}` } : {}),
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf(body: unknown, channel: Sender | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return body;
  const token = channel?.refreshToken;
  const filled = (name: string, value: unknown) =>
    value === MASKED && token && /refresh_?token/i.test(name) ? token : value;
  return JSON.stringify(body, filled);
}

/** The command of a shell that sends it. */
export function commandOf({ method, url, user, headers, body }: Resend): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return curlCommand({ method, url, headers: lines, ...(user && { user }), ...(body !== undefined && { body }) });
}

/** Sends it. Gives back the status, and the id under which the journal has it. */
export async function sendAgain({ method, url, user, headers, body }: Resend): Promise<{ status: number; id: string }> {
  const all = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  if (user !== undefined) all.set('authorization', `Basic ${btoa(user)}`);
  const response = await fetch(url, { method, headers: all, cache: 'no-store', ...(body !== undefined && { body }) });
  return { status: response.status, id: response.headers.get('teebox-request-id') ?? '' };
}
