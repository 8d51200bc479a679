import { isObject, type Masker } from '../../common/index.js';
import type { Reply } from './exchange.js';
import { Inconclusive } from './outcome.js';
import { unforeseen } from './wire/read-ahead.js';
import type { Leftover } from './types.js';

export type Scheme = 'basic' | 'bearer';

/** The result of a refresh. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Epoch milliseconds at which it was received. */
  readonly at: number;
}

/** What a token journal knows. */
export interface TokenState {
  /** The newest refresh token that is known. */
  readonly refreshToken?: string;
  /** A refresh token that was about to be spent when the last run ended; it may or may not still be valid. */
  readonly pending?: string;
  readonly accessToken?: string;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

/**
 * Keeps tokens between runs. A refresh token is single use, so both calls resolve only after their argument is stored
 * durably: `intent` before a token is sent, `result` before the new pair is used.
 */
export interface TokenJournal {
  read(): Promise<TokenState>;
  intent(refreshToken: string): Promise<void>;
  result(pair: TokenPair): Promise<void>;
}

/** The credentials of a channel of the deployment under test. */
export interface ChannelOptions {
  readonly basic?: { readonly username: string; readonly password: string };
  readonly refreshToken?: string;
  /** Default: in memory, for deployments whose tokens nobody needs after the run. */
  readonly journal?: TokenJournal;
}

export function memoryJournal(refreshToken?: string): TokenJournal {
  let state: TokenState = refreshToken === undefined ? {} : { refreshToken };
  return {
    read: async () => state,
    intent: async (pending) => void (state = { ...state, pending }),
    async result({ accessToken, refreshToken: next, expiresIn, at }) {
      state = { refreshToken: next, accessToken, expiresAt: at + expiresIn * 1000 };
    },
  };
}

interface Needs {
  /** Refreshes with this token; always allowed, since it is how a channel logs in. */
  readonly refresh: (token: string) => Promise<Reply>;
  /** Throws at the request limit: a token that cannot be sent must not be journaled as spent. */
  readonly ready: () => void;
  readonly now: () => number;
  /** The exchange that was sent last. */
  readonly latest: () => string;
  readonly masker: Masker;
  /** The header of the bearer token; its name is an open question. */
  readonly bearerHeader: string;
}

/** Share of the lifetime after which an access token is renewed. */
const RENEW_AFTER = 0.7;

/** One channel's credentials, and the rotation of its tokens. */
export class Credentials {
  readonly #journal: TokenJournal | undefined;
  #pair: { readonly accessToken: string; readonly renewAt: number } | undefined;
  #latest: TokenPair | undefined;
  #firstSpent: string | undefined;
  #isLost = false;
  #refusal: Reply | undefined;
  #wasInterrupted: boolean | undefined;
  /** The exchange of the last refresh, unless it was answered with a pair. */
  #unanswered: string | undefined;
  #login: Promise<string> | undefined;
  /** The access token of an earlier run: not read yet, in use on trust, or settled. */
  #earlier: 'unread' | 'trusted' | 'settled' = 'unread';

  constructor(
    readonly name: 'first' | 'second',
    readonly options: ChannelOptions,
    readonly needs: Needs,
  ) {
    const { basic, refreshToken, journal } = options;
    this.#journal = journal ?? (refreshToken === undefined ? undefined : memoryJournal(refreshToken));
    if (basic) needs.masker.learnCredentials('authorization', basicHeader(basic));
    needs.masker.learn(basic?.password, refreshToken);
  }

  /** The schemes it has credentials for; Basic first, since it uses up no token. */
  get schemes(): readonly Scheme[] {
    return [...(this.options.basic ? (['basic'] as const) : []), ...(this.#journal ? (['bearer'] as const) : [])];
  }

  /** Whether its tokens are kept for after the run, so that they must not be lost. */
  get keepsTokens(): boolean {
    return this.options.journal !== undefined;
  }

  /** The newest pair of this run, after a refresh. */
  get latest(): TokenPair | undefined {
    return this.#latest;
  }

  /** The first refresh token that this run has spent. */
  get firstSpent(): string | undefined {
    return this.#firstSpent;
  }

  /** Whether a refresh had no response that tells, so that the newest known token may be spent. */
  get mayBeSpent(): boolean {
    return this.#isLost || this.wasInterrupted;
  }

  /** A refresh token that is perhaps spent: its last refresh was not answered with a pair. */
  get leftover(): Leftover | undefined {
    if (this.#unanswered === undefined) return undefined;
    const what = 'perhaps the exchange of the refresh token';
    return { kind: 'perhaps', channel: this.name, what, exchange: this.#unanswered };
  }

  /** The answer to the last refresh, if it was refused. */
  get refusal(): Reply | undefined {
    return this.#refusal;
  }

  /** Whether an earlier run ended after it had sent the first refresh token of this run, and before it stored the answer. */
  get wasInterrupted(): boolean {
    return this.#wasInterrupted === true;
  }

  /** The headers that identify the channel by one scheme; by a bearer token it logs in first. */
  async headers(scheme: Scheme): Promise<Record<string, string>> {
    const { basic } = this.options;
    if (scheme === 'basic') {
      if (!basic) throw new Inconclusive('not-given', `user name and password of the ${this.name} channel (--basic)`);
      return { authorization: basicHeader(basic) };
    }
    return { [this.needs.bearerHeader]: `Bearer ${await this.accessToken()}` };
  }

  /** Whether there is a valid access token. */
  get isLoggedIn(): boolean {
    return this.#pair !== undefined && this.needs.now() < this.#pair.renewAt;
  }

  /** A valid access token; refreshed, and journaled, when there is none. */
  async accessToken(): Promise<string> {
    if (this.#pair && this.isLoggedIn) return this.#pair.accessToken;
    this.#login ??= this.#logIn().finally(() => (this.#login = undefined));
    return this.#login;
  }

  async #logIn(): Promise<string> {
    const { accessToken, expiresAt } = (await this.#journal?.read()) ?? {};
    const now = this.needs.now();
    const unread = this.#earlier === 'unread' && !this.#pair;
    if (unread && accessToken !== undefined && expiresAt !== undefined && expiresAt - now > 60_000) {
      this.needs.masker.learn(accessToken);
      this.#earlier = 'trusted';
      this.#pair = { accessToken, renewAt: now + (expiresAt - now) * RENEW_AFTER };
      return accessToken;
    }
    return (await this.rotate()).pair.accessToken;
  }

  /**
   * Records whether the deployment accepted the access token. If it refuses the token of an earlier run, the token is
   * forgotten and the result is true: the channel logs in again.
   */
  forgets(refused: boolean): boolean {
    const forget = refused && this.#earlier === 'trusted';
    this.#earlier = 'settled';
    if (forget) this.#pair = undefined;
    return forget;
  }

  /** Forgets a refused access token, so that the channel logs in again, unless that could send a spent refresh token. */
  forgetAccess(): void {
    if (!this.mayBeSpent) this.#pair = undefined;
  }

  /**
   * Spends the newest refresh token for a new pair. The journal stores the intent before the request is sent and the
   * result before anybody sees it.
   *
   * @param spend Sends the token, for rules that do so in their own way.
   * @throws {Inconclusive} `not-given` without a refresh token, `precondition` when the refresh is refused.
   */
  async rotate(
    spend = this.needs.refresh,
  ): Promise<{ readonly pair: TokenPair; readonly reply: Reply; readonly spent: string }> {
    const state = await this.#journal?.read();
    const spent = state?.pending ?? state?.refreshToken;
    if (!this.#journal || spent === undefined) {
      throw new Inconclusive('not-given', `a refresh token of the ${this.name} channel (--refresh-token)`);
    }
    // The token is spent, and the next one cannot be read: sending it again would be a reuse.
    if (this.#refusal?.ok) throw this.#unreadable(this.#refusal);
    this.needs.ready();
    this.#wasInterrupted ??= state?.pending !== undefined;
    this.needs.masker.learn(spent);
    await this.#journal.intent(spent);
    const wasLost = this.#isLost;
    this.#isLost = true;
    const sending = spend(spent);
    const reply = await sending.finally(() => (this.#unanswered = this.needs.latest()));
    const pair = pairOf(reply);
    this.#isLost = !pair && (wasLost || reply.ok || reply.status >= 500);
    this.#refusal = pair ? undefined : reply;
    if (reply.ok && !pair) throw this.#unreadable(reply);
    if (!pair) {
      const lost = state?.pending === undefined ? '' : '; an earlier run began to spend it';
      throw new Inconclusive('precondition', `a refresh token that the deployment accepts (${reply.status}${lost})`);
    }
    this.needs.masker.learn(pair.accessToken, pair.refreshToken);
    await this.#journal.result(pair);
    this.#latest = pair;
    this.#unanswered = undefined;
    this.#firstSpent ??= spent;
    this.#pair = { accessToken: pair.accessToken, renewAt: pair.at + pair.expiresIn * 1000 * RENEW_AFTER };
    return { pair, reply, spent };
  }

  #unreadable({ what, status }: Reply): Inconclusive {
    return new Inconclusive('precondition', `a token set in the answer to ${what} (the status was ${status})`);
  }

  /** The newest refresh token, for rules about tokens. */
  async refreshToken(): Promise<string | undefined> {
    const state = await this.#journal?.read();
    const newest = state?.pending ?? state?.refreshToken;
    this.needs.masker.learn(newest);
    return newest;
  }
}

/** The credentials of a channel for a scout, which never spends a token: the run logs in, in its own time. */
export class ScoutCredentials extends Credentials {
  constructor(
    readonly of: Credentials,
    needs: Needs,
  ) {
    super(of.name, of.options, needs);
  }

  override get latest(): TokenPair | undefined {
    return this.of.latest;
  }

  override get firstSpent(): string | undefined {
    return this.of.firstSpent;
  }

  override async accessToken(): Promise<string> {
    if (!this.of.isLoggedIn) throw unforeseen();
    return this.of.accessToken();
  }

  override forgets(): boolean {
    return false;
  }

  override forgetAccess(): void {}

  override rotate(): never {
    throw unforeseen();
  }

  override refreshToken(): Promise<string | undefined> {
    return this.of.refreshToken();
  }
}

/** Visible ASCII, as a header has it (RFC 6750, section 2.1). */
const sendable = /^[!-~]+$/;

/** The pair in the answer to a refresh, if it has one. */
export function pairOf({ ok, data, at }: Pick<Reply, 'ok' | 'data' | 'at'>): TokenPair | undefined {
  if (!ok || !isObject(data)) return undefined;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = data;
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return undefined;
  // No header can carry it: the rule of the field reports it.
  if (!sendable.test(accessToken)) return undefined;
  return { accessToken, refreshToken, expiresIn: typeof expiresIn === 'number' ? expiresIn : 60, at };
}

/** Basic credentials as the header has them, in UTF-8 (RFC 7617). */
export function basicHeader({ username, password }: NonNullable<ChannelOptions['basic']>): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
