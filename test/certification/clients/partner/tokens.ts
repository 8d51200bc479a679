import { messageOf, ServiceFailure } from './failure.js';
import type { Agreement, PartnerAccess, PartnerHost } from './host.js';

interface TokenSet {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Seconds before its end at which an access token is not used any more. */
const MARGIN = 10;
const ATTEMPTS = 4;

/** Keeps the newest pair of tokens (section "Authentication", list 2 to 5). */
export class Tokens {
  /** The newest refresh token; a program would write it to its disk. */
  newest: string;
  access: string | undefined;
  expiresAt = 0;
  #refreshing: Promise<void> | undefined;

  constructor(
    readonly host: PartnerHost,
    readonly account: PartnerAccess,
    readonly agreement: Agreement,
  ) {
    this.newest = account.refreshToken;
  }

  /** The access token to use now. */
  async current(): Promise<string> {
    if (this.isDue()) await this.renew();
    return this.access!;
  }

  isDue(): boolean {
    return this.access === undefined || this.host.now() >= this.expiresAt;
  }

  /** Forgets an access token that the service did not accept, unless it was replaced in the meantime. */
  reject(token: string): void {
    if (this.access === token) this.access = undefined;
  }

  /** Refreshes, once for all who ask at the same time: the token works one time. */
  renew(): Promise<void> {
    this.#refreshing ??= this.refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async refresh(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.keep(await this.exchange(this.newest));
      } catch (error) {
        // If only the answer was lost, nothing but another attempt tells us whether the token was used.
        const isWorthIt = error instanceof ServiceFailure && (error.isUncertain || error.kind === 'limited');
        if (!isWorthIt || attempt === ATTEMPTS) throw error;
        await this.host.sleep(error.retryAfter ?? 1000 * 2 ** attempt);
      }
    }
  }

  keep(set: TokenSet): void {
    this.newest = set.refresh_token;
    this.access = set.access_token;
    const margin = Math.min(MARGIN, set.expires_in / 10);
    this.expiresAt = this.host.now() + (set.expires_in - margin) * 1000;
  }

  requestFor(token: string): Request {
    const url = `${this.account.baseUrl}/api/${this.agreement.tokenVersion}/token/refreshToken`;
    const headers = { 'content-type': 'application/json' };
    return new Request(url, { method: 'POST', headers, body: JSON.stringify({ refresh_token: token }) });
  }

  async exchange(token: string): Promise<TokenSet> {
    const { status, body, retryAfter } = await readAnswer(this.host, this.requestFor(token));
    const { success, data } = (body ?? {}) as { success?: boolean; data?: TokenSet };
    if (success === true && data) return data;
    const kind = status === 429 ? 'limited' : status >= 500 ? 'unavailable' : 'unauthorized';
    throw new ServiceFailure(kind, messageOf(body), status, retryAfter);
  }
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
  /** Milliseconds. */
  readonly retryAfter: number | undefined;
}

const PATIENCE = 30_000;

/** Sends one request, and reads its answer; a `lost` failure if there is none within 30 seconds, or none in JSON. */
export async function readAnswer(host: PartnerHost, request: Request): Promise<Answer> {
  const { signal, off } = host.deadline(PATIENCE);
  try {
    const response = await host.fetch(new Request(request, { signal }));
    const text = await response.text();
    const retryAfter = waitOf(response.headers.get('retry-after'), host.now());
    return { status: response.status, headers: response.headers, text, body: parse(text, response.status), retryAfter };
  } catch (error) {
    throw error instanceof ServiceFailure
      ? error
      : new ServiceFailure('lost', `No answer: ${(error as Error).message}`);
  } finally {
    off();
  }
}

/** Seconds or a date (RFC 9110, section 10.2.3), in milliseconds from now. */
export function waitOf(after: string | null, now: number): number | undefined {
  if (after === null) return undefined;
  return /^\d+$/.test(after) ? Number(after) * 1000 : Math.max(0, (Date.parse(after) || now) - now);
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway's error page is no JSON, and its status still tells what it means.
    if (status >= 400) return undefined;
    throw new ServiceFailure('lost', 'The answer is no JSON.', status);
  }
}
