import { basicCredentials } from '../../src/engine/model/world.js';
import type { DialectCard } from '../../src/engine/state/dialect.js';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/engine/library.js';

/** What came back, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Bodies are judged by the tests that read them.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  /** The rule id of `Teebox-Rule`, without its basis. */
  readonly rule: string | undefined;
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  /** Text, bytes and streams are sent as they are; an object is sent as JSON. */
  readonly body?: unknown;
}

export const ORIGIN = 'http://sandbox.test';

/** Calls the sandbox as one channel, with Basic credentials unless a header says otherwise. */
export class Client {
  constructor(
    readonly sandbox: Sandbox,
    readonly channel: string,
  ) {}

  async send(method: string, path: string, { headers = {}, body }: CallOptions = {}): Promise<Reply> {
    const channel = this.sandbox.channels.find(({ name }) => name === this.channel)!;
    const all = new Headers({ authorization: basicCredentials(channel), ...headers });
    if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json');
    const isRaw = body === undefined || body instanceof Uint8Array || body instanceof ReadableStream;
    const sent = isRaw || typeof body === 'string' ? (body as BodyInit | undefined) : JSON.stringify(body);
    const init = { method, headers: all, ...(sent === undefined ? {} : { body: sent, duplex: 'half' }) };
    return this.deliver(new Request(ORIGIN + path, init));
  }

  /** How a request gets there. */
  async deliver(request: Request): Promise<Reply> {
    return readReply(await this.sandbox.fetch(request));
  }

  get(path: string, options?: CallOptions): Promise<Reply> {
    return this.send('GET', path, options);
  }

  post(path: string, body: unknown, options?: CallOptions): Promise<Reply> {
    return this.send('POST', path, { ...options, body });
  }
}

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const rule = response.headers.get('teebox-rule')?.split(';')[0];
  let body: { readonly value: unknown } | undefined;
  return {
    status: response.status,
    headers: response.headers,
    text,
    // Parsed when it is read: many answers are long, and judged by their status or their text alone.
    get body() {
      return (body ??= { value: parsed(text) }).value;
    },
    rule,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The instant at which the sandboxes of the tests stand: a Monday morning in early summer. */
export const NOW = '2026-06-01T08:00:00Z';

/** The usual client of a sandbox that answers open questions this way. */
export async function openWith(answers: NonNullable<DialectCard['answers']>): Promise<Client> {
  return (await open({ dialect: { answers } })).fairway;
}

/** A sandbox of its own for one test, and a client for each channel. */
export async function open(options: SandboxOptions = {}): Promise<{
  readonly sandbox: Sandbox;
  readonly fairway: Client;
  readonly links: Client;
  readonly caddie: Client;
}> {
  const sandbox = await createSandbox(options.clock ? options : { now: NOW, ...options });
  return {
    sandbox,
    fairway: new Client(sandbox, 'fairway'),
    links: new Client(sandbox, 'links'),
    caddie: new Client(sandbox, 'caddie'),
  };
}
