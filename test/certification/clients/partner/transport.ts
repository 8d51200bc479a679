import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../../../src/contract/generated/types.js';
import { messageOf, ServiceFailure } from './failure.js';
import type { Agreement, PartnerAccess, PartnerHost, Version } from './host.js';
import { type Answer, readAnswer, Tokens, waitOf } from './tokens.js';

const READ_ATTEMPTS = 4;
const WAITS = 6;

export interface Enveloped<T> {
  readonly data?: { readonly success: true; readonly data?: T };
  readonly error?: unknown;
  readonly response: Response;
}

/** Sends requests with credentials, and repeats those that can be repeated without harm. */
export class Transport {
  readonly tokens: Tokens;
  /** Calls by path, typed by the contract. */
  readonly call: Client<paths>;

  constructor(
    readonly host: PartnerHost,
    readonly account: PartnerAccess,
    readonly agreement: Agreement,
  ) {
    this.tokens = new Tokens(host, account, agreement);
    this.call = createClient<paths>({ baseUrl: account.baseUrl, fetch: (request) => this.send(request) });
  }

  /** The payload of a call, or a failure. */
  async data<T>(asked: Promise<Enveloped<T>>): Promise<T> {
    const { data, error, response } = await asked;
    if (data?.success === true) return data.data!;
    const body: unknown = data ?? error;
    const after = waitOf(response.headers.get('retry-after'), this.host.now());
    throw new ServiceFailure(kindOf(response.status), messageOf(body), response.status, after);
  }

  async send(request: Request): Promise<Response> {
    let refreshed = false;
    for (let attempt = 1; ; attempt += 1) {
      const { answer, failure, token } = await this.attempt(request.clone());
      if (answer && token !== undefined && !refreshed && this.isTokenRefused(answer)) {
        refreshed = true;
        this.tokens.reject(token);
        continue;
      }
      const pause = this.pauseBefore(attempt, request, answer, failure);
      if (pause !== undefined) {
        await this.host.sleep(pause);
        continue;
      }
      if (failure) throw failure;
      return new Response(answer!.text, { status: answer!.status, headers: answer!.headers });
    }
  }

  async attempt(request: Request): Promise<{ answer?: Answer; failure?: ServiceFailure; token?: string | undefined }> {
    const token = await this.authorize(request);
    try {
      return { answer: await readAnswer(this.host, request), token };
    } catch (error) {
      if (error instanceof ServiceFailure) return { failure: error, token };
      throw error;
    }
  }

  /** Adds the credentials; returns the access token if it is one. */
  async authorize(request: Request): Promise<string | undefined> {
    const version = /\/api\/(v\d)\//.exec(request.url)?.[1] as Version;
    if (this.agreement.basicVersions.includes(version)) {
      const { username, password } = this.account;
      request.headers.set('authorization', `Basic ${btoa(`${username}:${password}`)}`);
      return undefined;
    }
    const token = await this.tokens.current();
    request.headers.set(this.agreement.bearerHeader, `Bearer ${token}`);
    return token;
  }

  /**
   * The API specification does not show how the service refuses a token, so its words decide where the status does not.
   */
  isTokenRefused({ status, body }: Answer): boolean {
    if (status === 401) return true;
    const isFailure = (body as { success?: boolean } | undefined)?.success === false;
    return isFailure && [200, 400, 403].includes(status) && /token|credential|authori[sz]/i.test(messageOf(body));
  }

  /** Milliseconds to wait before the same request goes out again; undefined if it must not. */
  pauseBefore(attempt: number, request: Request, answer?: Answer, failure?: ServiceFailure): number | undefined {
    const backOff = 1000 * 2 ** (attempt - 1);
    // Nothing was done, whatever was asked for.
    if (answer?.status === 429) return attempt > WAITS ? undefined : (answer.retryAfter ?? backOff);
    const isUncertain = failure !== undefined || answer!.status >= 500;
    if (!isUncertain || !this.isRepeatable(request) || attempt >= READ_ATTEMPTS) return undefined;
    return answer?.retryAfter ?? backOff;
  }

  /** Whether a second request does no more than the first: the reads, and no payment. */
  isRepeatable({ method, url }: Request): boolean {
    return method === 'GET' && !url.includes('/payment/');
  }
}

function kindOf(status: number): ServiceFailure['kind'] {
  if (status === 429) return 'limited';
  if (status === 401) return 'unauthorized';
  return status >= 500 ? 'unavailable' : 'refused';
}
