import { channels, deploy } from './index.js';

export interface Reply {
  readonly status: number;
  /** The media type without parameters. */
  readonly type: string;
  // The evidence of a regression reads whatever the broken deployment sends.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends a request and returns the response. */
export interface Ask {
  /** `as` is the number of a channel, which sends its Basic credentials, or an access token. */
  (method: string, path: string, body?: unknown, as?: number | string): Promise<Reply>;
  /** The day on the clock of the deployment, in UTC, counted from 1970. */
  readonly today: number;
  /** The body of the next message to a callback address. */
  posted(): Promise<Reply['body']>;
}

/** A new deployment to talk to, whose clock stands still. */
export function conversation(clock: string, broken: ReadonlySet<string> = new Set()): Ask {
  const now = Date.parse(clock);
  const messages: string[] = [];
  let arrived: (() => void) | undefined;
  const deployment = deploy(
    {
      now: () => now,
      schedule: (work, milliseconds) => void setTimeout(work, milliseconds / 10),
      post: (_url, { body }) => {
        messages.push(body);
        arrived?.();
        return Promise.resolve(200);
      },
    },
    broken,
  );
  const ask = async (method: string, path: string, body?: unknown, as: number | string = 0): Promise<Reply> => {
    const channel = typeof as === 'number' ? channels[as] : undefined;
    const credential = channel === undefined ? `Bearer ${as}` : `Basic ${btoa(`${channel.name}:${channel.password}`)}`;
    const headers = { Authorization: credential, 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const request = new Request(`https://tee.example/api/${path}`, { method, headers, ...content });
    const response = await deployment.handle(request);
    const [type = ''] = (response.headers.get('Content-Type') ?? '').split(';');
    const text = await response.text();
    return { status: response.status, type, body: type.endsWith('json') ? JSON.parse(text) : text };
  };
  const posted = async () => {
    if (messages.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
    return JSON.parse(messages.shift() ?? 'null') as unknown;
  };
  return Object.assign(ask, { today: Math.floor(now / 86_400_000), posted });
}
