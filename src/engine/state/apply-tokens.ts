import { alternatives, Misfit, misfit } from '../../common/index.js';
import type { ExpiredChange, RefreshedChange, RevokedChange } from '../store/store-change.js';
import { type AccessState, mintToken, REMEMBERED, type TokensState } from '../store/tokens.js';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type DraftAccess = Mutable<AccessState>;

/** The tokens of a state, to which changes are applied. Of a list, the first entries may have been evicted. */
export class TokensDraft {
  #issued: number;
  /** The valid refresh token of each channel. */
  readonly #current: Map<string, string | null>;
  readonly #refresh: TokensState['refreshTokens'][number][];
  readonly #access: Map<string, DraftAccess>;
  /** The access tokens of each channel that are not revoked. Evicted ones may be among them. */
  readonly #valid = new Map<string, DraftAccess[]>();
  readonly #revoked: Set<string>;
  #evicted = 0;

  constructor(
    { issued, families, refreshTokens, accessTokens, revoked }: TokensState,
    readonly seed: number,
  ) {
    this.#issued = issued;
    this.#current = new Map(families.map(({ channel, current }) => [channel, current]));
    this.#refresh = [...refreshTokens];
    this.#access = new Map();
    for (const one of accessTokens) this.#add({ ...one });
    this.#revoked = new Set(revoked);
  }

  get state(): TokensState {
    return {
      issued: this.#issued,
      families: [...this.#current].map(([channel, current]) => ({ channel, current })),
      refreshTokens: this.#refresh.slice(this.#evicted),
      accessTokens: [...this.#access.values()].map((one) => ({ ...one })),
      revoked: [...this.#revoked],
    };
  }

  refresh({ channel, issued, expiresAt, revokes }: RefreshedChange, at: string): void {
    this.#check(channel, at);
    const due = this.#issued + 2;
    if (issued !== due) throw misfit(`${at}.issued`, `${due}, because a refresh issues two tokens`, issued);
    this.#issued = issued;
    if (revokes) this.#revokeAccess(channel);
    const token = mintToken(this.seed, 'refresh', issued);
    this.#current.set(channel, token);
    this.#refresh.push({ token, channel });
    if (this.#refresh.length - this.#evicted > REMEMBERED) this.#evicted += 1;
    this.#add({ token: mintToken(this.seed, 'access', issued - 1), channel, expiresAt, revoked: false });
    if (this.#access.size > REMEMBERED) this.#access.delete(this.#access.keys().next().value!);
  }

  expire({ token, expiresAt }: ExpiredChange, at: string): void {
    const access = this.#access.get(token);
    // A message must not show a token.
    if (!access) throw new Misfit(`\`${at}.token\` must be an access token of the state.`, ['an access token']);
    access.expiresAt = expiresAt;
  }

  revoke({ channel, password }: RevokedChange, at: string): void {
    this.#check(channel, at);
    this.#current.set(channel, null);
    this.#revokeAccess(channel);
    if (password) this.#revoked.add(channel);
  }

  #check(channel: string, at: string): void {
    const names = [...this.#current.keys()];
    if (!this.#current.has(channel)) throw misfit(`${at}.channel`, alternatives(names), channel, names);
  }

  #add(access: DraftAccess): void {
    this.#access.set(access.token, access);
    if (access.revoked) return;
    const valid = this.#valid.get(access.channel);
    if (valid) valid.push(access);
    else this.#valid.set(access.channel, [access]);
  }

  #revokeAccess(channel: string): void {
    for (const access of this.#valid.get(channel) ?? []) access.revoked = true;
    this.#valid.delete(channel);
  }
}
