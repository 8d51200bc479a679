import { type Channel, Refused } from './desk.js';
import { Prices } from './prices.js';

interface Access {
  readonly channel: Channel;
  readonly until: number;
}

/** Credentials. */
export class Tokens extends Prices {
  lifetime = 900;
  issued = 0;
  readonly access = new Map<string, Access>();
  readonly refresh = new Map<string, Channel>(this.channels.map((channel) => [channel.refreshToken, channel]));

  /** Exchanges a refresh token for a new pair. */
  refreshToken(body: unknown, _version: number): unknown {
    const token = (body as { refresh_token?: unknown } | null)?.refresh_token;
    if (typeof token !== 'string' || token === '') throw this.invalid('refresh_token', 'given');
    const channel = this.refresh.get(token);
    if (!channel) throw this.denied();
    this.spend(token);
    return this.issue(channel);
  }

  spend(token: string): void {
    this.refresh.delete(token);
  }

  issue(channel: Channel): Record<string, unknown> {
    const [access, refresh] = [this.newToken('a'), this.newToken('f')];
    this.access.set(access, { channel, until: this.around.now() + this.lifetime * 1000 });
    this.refresh.set(refresh, channel);
    return { access_token: access, refresh_token: refresh, expires_in: this.lifetime };
  }

  newToken(kind: string): string {
    this.issued += 1;
    return `${kind}0000000-1111-4222-8333-${String(this.issued).padStart(12, '0')}`;
  }

  denied(): Refused {
    return new Refused(401, 'The credentials are missing, wrong or no longer valid.');
  }

  /** The channel that a request comes from. */
  identify(headers: Headers, _version: number): Channel {
    const [, scheme, value] = /^(\w+) (.+)$/.exec(this.credentials(headers)) ?? [];
    const channel =
      scheme?.toLowerCase() === 'basic'
        ? this.byPassword(value!)
        : scheme?.toLowerCase() === 'bearer'
          ? this.byToken(value!)
          : undefined;
    if (!channel) throw this.denied();
    return channel;
  }

  credentials(headers: Headers): string {
    return headers.get('authorization') ?? '';
  }

  byPassword(value: string): Channel | undefined {
    return this.channels.find(({ name, password }) => btoa(`${name}:${password}`) === value);
  }

  byToken(value: string): Channel | undefined {
    const known = this.access.get(value);
    return known && this.around.now() < known.until ? known.channel : undefined;
  }
}
