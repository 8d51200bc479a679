import { MASK } from '../../../common/index.js';
import type { AdminType } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { type ClientRequest, sendAsClient } from '../../data/client-request.js';

export type Sender = AdminType<'ChannelList'>['channels'][number];

/** What a client sets by itself, and what is masked. */
const own =
  /^(host|connection|content-length|accept-encoding|accept-language|transfer-encoding|keep-alive|origin|referer|user-agent|cookie|authorization|sec-.*|priority)$/i;

/** What is needed of a request to send it again. */
interface Resendable extends Pick<AdminType<'RequestView'>, 'method' | 'path'> {
  readonly request: Pick<AdminType<'RequestView'>['request'], 'headers' | 'body'>;
  readonly channel?: string | undefined;
}

/** A request of the journal as it can be sent again: the journal masks secrets, the channels have those of now. */
export function resendOf(view: Resendable, channels: readonly Sender[]): ClientRequest {
  const { method, path, request, channel: name } = view;
  const channel = channels.find((one) => one.name === name);
  const entries = Object.entries(request.headers);
  const headers = entries.filter(([header, value]) => !own.test(header) && !value.includes(MASK));
  const hadSecret = entries.some(([, value]) => value.includes(MASK));
  return {
    method,
    url: `${baseUrl}${path}`,
    user: hadSecret && channel ? `${channel.username}:${channel.password}` : undefined,
    headers,
    body: bodyOf(request.body, channel),
  };
}

function bodyOf(body: unknown, channel: Sender | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return body;
  const token = channel?.refreshToken;
  const filled = (name: string, value: unknown) =>
    value === MASK && token && /refresh_?token/i.test(name) ? token : value;
  return JSON.stringify(body, filled);
}

/** Sends it. Gives back the status, and the id under which the journal has it. */
export async function sendAgain(request: ClientRequest): Promise<{ status: number; id: string }> {
  const response = await sendAsClient(request);
  return { status: response.status, id: response.headers.get('teebox-request-id') ?? '' };
}
