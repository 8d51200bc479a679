/** A small client, written from the API specification alone. It has no retries: what fails is an error of the caller. */

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Headers;
}

export interface ClientSettings {
  readonly baseUrl: string;
  readonly refreshToken: string;
  readonly fetch: typeof fetch;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The tokens, which a suite may share among its clients. */
export class TokenStore {
  access: string | undefined;
  renewing: Promise<void> | undefined;

  constructor(public refresh: string) {}
}

export class GolfClient {
  constructor(
    readonly settings: ClientSettings,
    readonly tokens: TokenStore,
  ) {}

  /** One request, whatever its answer. */
  async raw(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await this.settings.fetch(this.settings.baseUrl + path, {
      method,
      headers: { ...json, ...this.settings.headers, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { status, headers: received } = response;
    return { status, headers: received, body: JSON.parse(await response.text()) as Json };
  }

  /** A request with the access token; one that has expired is renewed. */
  async call(method: string, path: string, body?: unknown): Promise<Reply> {
    if (this.tokens.access === undefined) await this.renew();
    const used = this.tokens.access!;
    const reply = await this.raw(method, path, body, { authorization: `Bearer ${used}` });
    if (reply.status !== 401) return reply;
    if (this.tokens.access === used) await this.renew();
    return this.raw(method, path, body, { authorization: `Bearer ${this.tokens.access}` });
  }

  /** The payload of a request that must succeed. */
  async data(method: string, path: string, body?: unknown): Promise<Json> {
    const { status, body: answer } = await this.call(method, path, body);
    if (status >= 300 || answer.success !== true) throw new Error(`${method} ${path.split('?')[0]}: ${status}`);
    return answer.data;
  }

  /** One refresh at a time. */
  renew(): Promise<void> {
    return (this.tokens.renewing ??= this.#renew().finally(() => (this.tokens.renewing = undefined)));
  }

  async #renew(): Promise<void> {
    const sent = { refresh_token: this.tokens.refresh };
    const { status, body } = await this.raw('POST', '/api/v5/token/refreshToken', sent);
    if (status >= 300) throw new Error(`refresh: ${status}`);
    this.tokens.access = body.data.access_token;
    this.tokens.refresh = body.data.refresh_token;
  }
}
