import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import { type Variation, wrap } from '../vary.js';

const row = (name: string, change: Change, options?: Variation['options']): Variation => {
  return { name, change, ...(options ? { options } : {}) };
};

/** Only one scheme on some versions. */
const takes = (scheme: RegExp, versions: readonly number[]): Change =>
  wrap('identify', (before, service) => (headers, version) => {
    if (versions.includes(version) && !scheme.test(service.credentials(headers))) throw service.denied();
    return before(headers, version);
  });
const every = [1, 2, 3, 4, 5];
const basic = /^basic /i;
const bearer = /^bearer /i;

/** A reused token ends every pair that came from the same one. */
const families: Change = (service) => {
  const spent = new Map<string, (typeof service.channels)[number]>();
  const [spend, refresh] = [service.spend.bind(service), service.refreshToken.bind(service)];
  service.spend = (token) => {
    spent.set(token, service.refresh.get(token)!);
    spend(token);
  };
  service.refreshToken = (body, version) => {
    const token = (body as { refresh_token?: string } | null)?.refresh_token ?? '';
    const channel = spent.get(token);
    if (channel) {
      for (const map of [service.refresh, service.access] as Map<string, unknown>[]) {
        for (const [key, value] of map) {
          if (value === channel || (value as { channel?: unknown }).channel === channel) map.delete(key);
        }
      }
    }
    return refresh(body, version);
  };
};

/** One version refreshes tokens; the others refuse, whatever they are sent. */
const refreshedAlone = (only: number, status: number): Change =>
  wrap('refreshToken', (before) => (body, version) => {
    if (version !== only) throw new Refused(status, 'Not here.');
    return before(body, version);
  });

/** What the API specification leaves open about credentials. */
export const access: readonly Variation[] = [
  row('Basic alone', takes(basic, every)),
  row('bearer alone', takes(bearer, every)),
  row('bearer alone in v4 and v5', takes(bearer, [4, 5])),
  row('Basic alone in v1 and v2', takes(basic, [1, 2])),
  row('Basic alone in the old versions, bearer alone in v5', (service) => {
    takes(basic, [1, 2, 3, 4])(service);
    takes(bearer, [5])(service);
  }),
  row(
    'bearer tokens in another header',
    (service) => {
      service.credentials = (headers) => {
        const token = headers.get('x-access-token');
        return token
          ? `Bearer ${token.replace(/^bearer /i, '')}`
          : (headers.get('authorization')?.match(basic)?.input ?? '');
      };
    },
    { bearerHeader: 'X-Access-Token' },
  ),
  row('tokens of a minute', (service) => (service.lifetime = 60)),
  row('tokens of a day', (service) => (service.lifetime = 86_400)),
  row('tokens of fifty hours', (service) => (service.lifetime = 180_000)),
  row('tokens of fifteen seconds', (service) => (service.lifetime = 15)),
  row(
    'long tokens',
    wrap('newToken', (before) => (kind) => `eyJhbGciOiJI.${btoa(before(kind).repeat(9))}.sig_-`),
  ),
  row(
    'an access token ends with its pair',
    wrap('issue', (before, service) => (channel) => {
      for (const [token, known] of service.access) if (known.channel === channel) service.access.delete(token);
      return before(channel);
    }),
  ),
  row(
    'refreshed by v5 alone',
    wrap('refreshToken', (before, service) => (body, version) => {
      if (version !== 5) throw service.unknown('version');
      return before(body, version);
    }),
  ),
  row(
    'refreshed by v1 alone',
    wrap('refreshToken', (before, service) => (body, version) => {
      if (version !== 1) throw service.unknown('version');
      return before(body, version);
    }),
  ),
  row('refreshed by v1 alone, 401 elsewhere', refreshedAlone(1, 401)),
  row('refreshed by v2 alone, 400 elsewhere', refreshedAlone(2, 400)),
  row('refreshed by v3 alone, 405 elsewhere', refreshedAlone(3, 405)),
  row('reuse ends the family', families),
  row(
    'more fields of tokens',
    wrap('issue', (before) => (channel) => ({ ...before(channel), token_type: 'Bearer' })),
  ),
];
