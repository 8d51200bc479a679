import { altering, type Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';

const REFRESH = /\/token\/refreshToken$/;
const isRefresh = (request: Request): boolean => REFRESH.test(new URL(request.url).pathname);
export const refusal = (status = 401): Response => Response.json({ success: false, data: null }, { status });

/** Deals with refreshes; everything else goes through. */
export const refreshing =
  (deal: Layer): Layer =>
  (request, through) =>
    isRefresh(request) ? deal(request, through) : through(request);

export const tokenIn = async (request: Request): Promise<unknown> => {
  try {
    return ((await request.clone().json()) as { refresh_token?: unknown }).refresh_token;
  } catch {
    return undefined;
  }
};

/** Takes tokens that are spent: answers them with the token set that they gave before, where `fits`. */
function replaying(fits: (age: number) => boolean): Layer {
  const given = new Map<unknown, object>();
  return refreshing(async (request, through) => {
    const token = await tokenIn(request);
    const known = given.get(token);
    const age = given.size - 1 - [...given.keys()].indexOf(token);
    if (known && fits(age)) return Response.json(known);
    const response = await through(request);
    if (response.ok) given.set(token, (await response.clone().json()) as object);
    return response;
  });
}

/** Refuses access tokens by what is known of them. */
export function guarding(refused: (token: string, issued: readonly string[]) => boolean): Layer {
  const issued: string[] = [];
  return async (request, through) => {
    const token = /^bearer (.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token && refused(token, issued)) return refusal();
    const response = await through(request);
    if (isRefresh(request) && response.ok) issued.push(((await response.clone().json()) as any).data.access_token);
    return response;
  };
}

/** Answers a refused bearer token with what a good one got before. */
function everlasting(): Layer {
  const answers = new Map<string, Response>();
  return async (request, through) => {
    const response = await through(request);
    const path = new URL(request.url).pathname;
    if (request.method !== 'GET' || !/^bearer /i.test(request.headers.get('authorization') ?? '')) return response;
    if (response.ok) answers.set(path, response.clone());
    return response.status === 401 ? (answers.get(path)?.clone() ?? response) : response;
  };
}

/** Takes a token that was issued, and has expired since, at one path. */
function unexpiring(path: RegExp): Layer {
  const issued = new Set<string>();
  let good: string | undefined;
  return async (request, through) => {
    const own = request.headers.get('authorization');
    const response = await through(request.clone() as Request);
    if (isRefresh(request) && response.ok) issued.add(((await response.clone().json()) as any).data.access_token);
    if (response.ok && own !== null && /^basic /i.test(own)) good ??= own;
    const token = /^bearer (.*)$/i.exec(own ?? '')?.[1];
    const isOpen = path.test(new URL(request.url).pathname) && token !== undefined && issued.has(token);
    if (response.status !== 401 || !isOpen || good === undefined) return response;
    return through(new Request(request.url, { headers: { authorization: good } }));
  };
}

/** What stands in place of the real answer of a refresh that the service refuses. */
const waving = (fits: (token: unknown) => boolean): Layer =>
  refreshing(async (request, through) => {
    const token = await tokenIn(request);
    const response = await through(request);
    const data = { access_token: 'a-new-access-token', refresh_token: 'a-new-refresh-token', expires_in: 3600 };
    return response.ok || !fits(token) ? response : Response.json({ success: true, data });
  });

/** Refuses every refresh after one that was refused. */
function revoking(): Layer {
  let revoked = false;
  return refreshing(async (request, through) => {
    const response = revoked ? refusal() : await through(request);
    revoked ||= !response.ok;
    return response;
  });
}

/** Refuses the access tokens that were issued before a refused refresh. */
function forgetting(): Layer {
  const issued = new Set<string>();
  const revoked = new Set<string>();
  return async (request, through) => {
    const token = /^bearer (.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (token && revoked.has(token)) return refusal();
    const response = await through(request);
    if (isRefresh(request) && response.ok) issued.add(((await response.clone().json()) as any).data.access_token);
    if (isRefresh(request) && !response.ok) for (const one of issued) revoked.add(one);
    return response;
  };
}

/** Mistakes of the life of tokens. */
export const tokenMutants: readonly Mutant[] = [
  { rule: 'tokens.refresh', defect: 'a refresh does not accept POST', layer: refreshing(async () => refusal(405)) },
  {
    rule: 'tokens.refresh.without-access',
    defect: 'a refresh needs credentials',
    layer: refreshing(async (request, through) =>
      request.headers.has('authorization') ? through(request) : refusal(),
    ),
  },
  {
    rule: 'tokens.rotation',
    defect: 'every refresh returns the same access token',
    layer: altering(REFRESH, ({ data }) => (data.access_token = 'always-the-same')),
  },
  {
    rule: 'tokens.latest-refresh',
    defect: 'only the first refresh token of a channel is accepted',
    layer: (() => {
      const issued = new Set<unknown>();
      return refreshing(async (request, through) => {
        if (issued.has(await tokenIn(request))) return refusal();
        const response = await through(request);
        if (response.ok) issued.add(((await response.clone().json()) as any).data.refresh_token);
        return response;
      });
    })(),
  },
  {
    rule: 'tokens.refresh.body',
    defect: 'a refresh does not require a token',
    layer: waving((token) => token === undefined),
  },
  {
    rule: 'tokens.refresh.body',
    defect: 'an access token is accepted as a refresh token',
    layer: waving((token) => String(token).startsWith('7eeb0acc')),
  },
  {
    rule: 'tokens.single-use',
    defect: 'the last used refresh token is accepted again',
    layer: replaying((age) => age === 0),
  },
  {
    rule: 'tokens.old-refresh-invalid',
    defect: 'only the last used refresh token is refused',
    layer: replaying((age) => age > 1),
  },
  {
    rule: 'tokens.old-access',
    defect: 'a refresh revokes the previous access token',
    layer: guarding((token, issued) => issued.includes(token) && token !== issued.at(-1)),
  },
  {
    rule: 'tokens.expires-in',
    defect: 'expires_in is zero',
    layer: altering(REFRESH, ({ data }) => (data.expires_in = 0)),
  },
  {
    rule: 'tokens.expires-in',
    defect: 'an access token of ten seconds is refused after five',
    layer: altering(REFRESH, ({ data }) => (data.expires_in = 10)),
    settings: { expiresIn: 5 },
  },
  {
    rule: 'tokens.short-lived',
    defect: 'expires_in is in milliseconds',
    layer: altering(REFRESH, ({ data }) => (data.expires_in *= 1000)),
  },
  {
    rule: 'tokens.short-lived',
    defect: 'expires_in is the time at which the token expires',
    layer: altering(REFRESH, ({ data }) => (data.expires_in += 1_780_000_000)),
  },
  {
    rule: 'tokens.refresh.refused',
    defect: 'a refresh with a made-up token revokes the valid refresh token',
    layer: revoking(),
  },
  {
    rule: 'tokens.refresh.refused',
    defect: 'a refresh with a made-up token revokes the valid access tokens',
    layer: forgetting(),
  },
  {
    rule: 'tokens.rotation',
    defect: 'a refresh returns the refresh token that was sent',
    layer: refreshing(async (request, through) => {
      const token = await tokenIn(request);
      return altering(REFRESH, ({ data }) => (data.refresh_token = token))(request, through);
    }),
  },
  {
    rule: 'tokens.refresh.body',
    defect: 'v2 accepts any refresh token',
    layer: (request, through) =>
      request.url.includes('/v2/') ? waving((token) => token !== undefined)(request, through) : through(request),
  },
  {
    rule: 'tokens.expiry',
    defect: 'an access token never expires',
    layer: everlasting(),
    settings: { expiresIn: 5 },
  },
  ...[
    ['the v2 booking list', /\/v2\/bookings$/] as const,
    ['the v4 tee sheet', /\/v4\/teetimes\//] as const,
    ['the price list', /\/v5\/price\//] as const,
  ].map(([what, path]): Mutant => ({
    rule: 'tokens.expiry',
    defect: `${what} accepts an access token that has expired`,
    layer: unexpiring(path),
    settings: { expiresIn: 5 },
  })),
  {
    rule: 'tokens.version',
    defect: 'v1 has no token refresh',
    layer: (request, go) => (/\/v1\/token/.test(request.url) ? Promise.resolve(refusal(404)) : go(request)),
  },
  {
    rule: 'tokens.reuse',
    defect: 'the reuse of a refresh token revokes all tokens of the channel',
    layer: revoking(),
  },
];
