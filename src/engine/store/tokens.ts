import { hash32 } from '../model/hash.js';
import type { Channel } from '../model/world.js';

/** The result of a refresh (section "Token set"). */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export type RefreshOutcome =
  | { readonly set: TokenSet }
  | { readonly refused: 'unknown' | 'used' | 'revoked' | 'channel-revoked' };
export type AccessOutcome =
  | { readonly channel: Channel }
  | { readonly refused: 'unknown' | 'expired' | 'revoked' | 'channel-revoked' };

/** The token policy: two questions of the dialect. */
export interface TokenPolicy {
  readonly revokeAccessOnRefresh: boolean;
  readonly revokeFamilyOnReuse: boolean;
}

/** All tokens as data, in order of issue. */
export interface TokensState {
  /** The number of issued tokens. */
  readonly issued: number;
  readonly families: readonly FamilyState[];
  readonly refreshTokens: readonly { readonly token: string; readonly channel: string }[];
  readonly accessTokens: readonly AccessState[];
  /** The names of the channels whose credentials were revoked. */
  readonly revoked: readonly string[];
}

export interface FamilyState {
  readonly channel: string;
  readonly current: string | null;
}

export interface AccessState {
  readonly token: string;
  readonly channel: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly revoked: boolean;
}

/** The credentials of a channel as they work now. */
export interface ChannelCredentials extends Pick<Channel, 'name' | 'username' | 'password'> {
  /** The valid refresh token; null if it was revoked. */
  readonly refreshToken: string | null;
  /** Whether user name and password were revoked. */
  readonly revoked: boolean;
}

interface Family {
  readonly channel: Channel;
  /** The only valid refresh token, or null after the family was revoked. */
  current: string | null;
}

interface Access {
  readonly family: Family;
  expiresAt: number;
  revoked: boolean;
}

/** Maximum number of tokens; the oldest are evicted first, so that a long run does not grow without limit. */
export const REMEMBERED = 20_000;
const TOKEN_BYTES = 400;
const ACCESS_PREFIX = '7eeb0acc';
const REFRESH_PREFIX = '7eeb0ef5';

/**
 * Access and refresh tokens of all channels (Authentication, list 1 to 5). Tokens have the form of UUIDs. Their first
 * group marks them as tokens of the sandbox.
 */
export class TokenStore {
  readonly #families = new Map<string, Family>();
  readonly #access = new Map<string, Access>();
  readonly #initial: readonly Family[];
  readonly #revoked = new Set<string>();
  #counter = 0;

  constructor(
    readonly seed: number,
    channels: readonly Channel[],
    readonly changed: (change: TokenChange) => void = () => {},
  ) {
    this.#initial = channels.map((channel) => ({ channel, current: channel.refreshToken }));
    for (const family of this.#initial) this.#families.set(family.channel.refreshToken, family);
  }

  /** Exchanges a refresh token for a new pair, in one step, so that only one of two racing calls succeeds. */
  refresh(token: string, now: number, expiresIn: number, policy: TokenPolicy): RefreshOutcome {
    const family = this.#families.get(token);
    if (!family) return { refused: 'unknown' };
    if (this.isRevoked(family.channel.name)) return { refused: 'channel-revoked' };
    if (family.current === null) return { refused: 'revoked' };
    if (family.current !== token) {
      if (policy.revokeFamilyOnReuse) {
        this.#revoke(family);
        this.changed({ kind: 'revoked', channel: family.channel.name });
      }
      return { refused: 'used' };
    }
    const { revokeAccessOnRefresh: revokes } = policy;
    if (revokes) this.#revokeAccess(family);
    const accessToken = this.#mint('access');
    const refreshToken = this.#mint('refresh');
    family.current = refreshToken;
    remember(this.#families, refreshToken, family);
    const expiresAt = now + expiresIn * 1000;
    remember(this.#access, accessToken, { family, expiresAt, revoked: false });
    const made = { kind: 'refreshed', channel: family.channel.name, issued: this.#counter, expiresAt } as const;
    this.changed(revokes ? { ...made, revokes } : made);
    return { set: { accessToken, refreshToken, expiresIn } };
  }

  export(): TokensState {
    return {
      issued: this.#counter,
      families: this.#initial.map(({ channel, current }) => ({ channel: channel.name, current })),
      refreshTokens: [...this.#families].map(([token, { channel }]) => ({ token, channel: channel.name })),
      accessTokens: [...this.#access].map(([token, { family, expiresAt, revoked }]) => ({
        token,
        channel: family.channel.name,
        expiresAt,
        revoked,
      })),
      revoked: [...this.#revoked],
    };
  }

  /** Restores exported tokens of the same channels. */
  import({ issued, families, refreshTokens, accessTokens, revoked }: TokensState): void {
    const familyOf = (name: string) => this.#initial.find(({ channel }) => channel.name === name)!;
    for (const { channel, current } of families) familyOf(channel).current = current;
    this.#families.clear();
    for (const { token, channel } of refreshTokens) this.#families.set(token, familyOf(channel));
    this.#access.clear();
    for (const { token, channel, ...rest } of accessTokens)
      this.#access.set(token, { family: familyOf(channel), ...rest });
    this.#revoked.clear();
    for (const name of revoked) this.#revoked.add(name);
    this.#counter = issued;
  }

  /** Bytes of all tokens, estimated from above. */
  get bytes(): number {
    return (this.#families.size + this.#access.size) * TOKEN_BYTES;
  }

  /** The token that was or will be the n-th. */
  byNumber(kind: TokenKind, n: number): string {
    return mintToken(this.seed, kind, n);
  }

  authenticate(token: string, now: number): AccessOutcome {
    const access = this.#access.get(token);
    if (!access) return { refused: 'unknown' };
    if (this.isRevoked(access.family.channel.name)) return { refused: 'channel-revoked' };
    if (access.revoked) return { refused: 'revoked' };
    if (now >= access.expiresAt) return { refused: 'expired' };
    return { channel: access.family.channel };
  }

  /** The access tokens that expired after one instant and not later than another. */
  *expired(after: number, until: number): Iterable<{ readonly channel: Channel; readonly at: number }> {
    for (const { family, expiresAt: at, revoked } of this.#access.values()) {
      if (!revoked && after < at && at <= until) yield { channel: family.channel, at };
    }
  }

  expire(token: string, now: number): void {
    const access = this.#access.get(token);
    if (!access) return;
    const expiresAt = Math.min(access.expiresAt, now);
    access.expiresAt = expiresAt;
    this.changed({ kind: 'expired', token, expiresAt });
  }

  /** The channel of a refresh token, if the token is valid. */
  ownerOf(refreshToken: string): Channel | undefined {
    const family = this.#families.get(refreshToken);
    return family?.current === refreshToken ? family.channel : undefined;
  }

  /** Revokes all tokens of a channel and its password. */
  revokeChannel(name: string): void {
    this.#revoked.add(name);
    for (const family of new Set(this.#families.values())) if (family.channel.name === name) this.#revoke(family);
    this.changed({ kind: 'revoked', channel: name, password: true });
  }

  credentials(): ChannelCredentials[] {
    return this.#initial.map(({ channel: { name, username, password }, current: refreshToken }) => ({
      name,
      username,
      password,
      refreshToken,
      revoked: this.isRevoked(name),
    }));
  }

  /** Whether the password of the channel was revoked. */
  isRevoked(name: string): boolean {
    return this.#revoked.has(name);
  }

  #revoke(family: Family): void {
    family.current = null;
    this.#revokeAccess(family);
  }

  #revokeAccess(family: Family): void {
    for (const access of this.#access.values()) if (access.family === family) access.revoked = true;
  }

  #mint(kind: TokenKind): string {
    return mintToken(this.seed, kind, ++this.#counter);
  }
}

export type TokenKind = 'access' | 'refresh';

/** A token by its number. */
export function mintToken(seed: number, kind: TokenKind, n: number): string {
  const prefix = kind === 'access' ? ACCESS_PREFIX : REFRESH_PREFIX;
  const hex = [0, 1, 2].map((part) => hash32(seed, 0x70ce, n, part).toString(16).padStart(8, '0')).join('');
  return `${prefix}-${hex.slice(0, 4)}-4${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value!);
}

export type TokenChange = RefreshedChange | ExpiredChange | RevokedChange;

/** A channel got a new pair of tokens, which follow from the seed and their numbers. */
export interface RefreshedChange {
  readonly kind: 'refreshed';
  readonly channel: string;
  /** The number of tokens issued so far, with these. */
  readonly issued: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Whether the older access tokens of the channel were revoked. */
  readonly revokes?: true;
}

/** An access token expired early. */
export interface ExpiredChange {
  readonly kind: 'expired';
  readonly token: string;
  readonly expiresAt: number;
}

/** All tokens of a channel were revoked. */
export interface RevokedChange {
  readonly kind: 'revoked';
  readonly channel: string;
  /** Whether its password was revoked too. */
  readonly password?: true;
}
