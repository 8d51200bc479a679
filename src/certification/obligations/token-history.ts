import { isObject } from '../../common/index.js';
import { keepNewest } from './bounded.js';
import type { Exhibit } from './obligation.js';
import { endOf, isRefusal, isSuccess } from './operations.js';
import { answerOf, type ClientCall, requestJson } from './traffic.js';

/** A pair of tokens that the client received in this session. */
export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
  /** The refresh that gave them. */
  readonly by: Exhibit;
  readonly issuedAt: number;
  /** Milliseconds that the access token is valid; undefined where the answer does not say. */
  readonly life: number | undefined;
  /** Calls with the access token. */
  uses: number;
  /** The first call that was refused because the access token had expired. */
  refused?: ClientCall;
}

/** A refresh that succeeded, as far as the client could see. */
export interface Exchanged {
  readonly call: ClientCall;
  readonly next: IssuedTokens;
}

/** One request of the token refresh. */
export interface Refresh {
  readonly call: ClientCall;
  readonly token: string;
  /** The pair of which this is the refresh token, if the client received it in this session. */
  readonly from: IssuedTokens | undefined;
  /** The earlier exchange of the same token. */
  readonly before: Exchanged | undefined;
  /** What it gave. */
  readonly next: IssuedTokens | undefined;
}

/** Pairs of tokens that are remembered in a session. */
const MOST = 200;

/** Which tokens a client received, and what it did with them. */
export class TokenHistory {
  readonly #byRefresh = new Map<string, IssuedTokens>();
  readonly #byAccess = new Map<string, IssuedTokens>();
  readonly #exchanged = new Map<string, Exchanged>();

  /** Takes a call: the refresh that it is, or the pair whose access token it carries. */
  take(call: ClientCall): { readonly refresh?: Refresh; readonly used?: IssuedTokens } {
    if (call.operation === 'refreshToken') {
      const refresh = this.#refresh(call);
      return refresh ? { refresh } : {};
    }
    const used = this.#usedBy(call);
    if (!used) return {};
    used.uses += 1;
    if (isExpired(used, call) && isOfToken(call)) used.refused ??= call;
    // It works on, and was refused for another reason.
    if (used.refused && isSuccess(call) && call.at >= endOf(used.refused)) delete used.refused;
    return { used };
  }

  #refresh(call: ClientCall): Refresh | undefined {
    const sent = requestJson(call);
    const token = isObject(sent) ? sent['refresh_token'] : undefined;
    if (typeof token !== 'string') return undefined;
    const before = this.#exchanged.get(token);
    const from = this.#byRefresh.get(token);
    const next = issuedBy(call);
    if (next) {
      keepNewest(this.#exchanged, token, { call, next }, MOST);
      keepNewest(this.#byRefresh, next.refresh, next, MOST);
      keepNewest(this.#byAccess, next.access, next, MOST);
    }
    return { call, token, from, before, next };
  }

  #usedBy({ headers }: ClientCall): IssuedTokens | undefined {
    for (const [, value] of headers) {
      const used = this.#byAccess.get(value.replace(/^bearer\s+/i, ''));
      if (used) return used;
    }
    return undefined;
  }
}

function issuedBy(call: ClientCall): IssuedTokens | undefined {
  const { ok, data } = answerOf(call);
  if (!ok || !isObject(data)) return undefined;
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = data;
  if (typeof access !== 'string' || typeof refresh !== 'string') return undefined;
  const life = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
  return { access, refresh, by: { id: call.id }, issuedAt: call.answeredAt ?? call.at, life, uses: 0 };
}

/** Statuses by which a service refuses something else than a token. */
const OTHERWISE: readonly number[] = [404, 405, 410, 415];

/** Whether a call can have been refused for its token. */
export function isOfToken(call: ClientCall): boolean {
  return isRefusal(call) && !OTHERWISE.includes(call.status);
}

function isExpired({ issuedAt, life = Infinity }: IssuedTokens, { at, struck }: ClientCall): boolean {
  return struck?.scenario === 'token-expired' || at > issuedAt + life;
}
