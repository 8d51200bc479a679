import { altering, type Layer } from '../deployment.js';
import type { Mutant } from './mutant.js';

const REFRESH = /\/token\/refreshToken$/;
const isRefresh = (request: Request): boolean => REFRESH.test(new URL(request.url).pathname);
const refusal = (status = 401): Response => Response.json({ success: false, data: null }, { status });

/** Deals with refreshes; everything else goes through. */
const refreshing =
  (deal: Layer): Layer =>
  (request, through) =>
    isRefresh(request) ? deal(request, through) : through(request);

const tokenIn = async (request: Request): Promise<unknown> => {
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
function guarding(refused: (token: string, issued: readonly string[]) => boolean): Layer {
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

/** Mistakes of the life of tokens. */
export const tokenMutants: readonly Mutant[] = [
  { rule: 'tokens.refresh', defect: 'a refresh takes no POST', layer: refreshing(async () => refusal(405)) },
  {
    rule: 'tokens.refresh.without-access',
    defect: 'a refresh needs credentials',
    layer: refreshing(async (request, through) =>
      request.headers.has('authorization') ? through(request) : refusal(),
    ),
  },
  {
    rule: 'tokens.rotation',
    defect: 'a refresh gives the old access token again',
    layer: altering(REFRESH, ({ data }) => (data.access_token = 'always-the-same')),
  },
  {
    rule: 'tokens.latest-refresh',
    defect: 'only the first refresh token of a channel is good',
    layer: (() => {
      const first = new Set<unknown>();
      return refreshing(async (request, through) => {
        const token = await tokenIn(request);
        if (first.size > 0 && !first.has(token)) return refusal();
        first.add(token);
        return through(request);
      });
    })(),
  },
  { rule: 'tokens.refresh.body', defect: 'a refresh needs no token', layer: waving((token) => token === undefined) },
  {
    rule: 'tokens.refresh.body',
    defect: 'an access token refreshes too',
    layer: waving((token) => String(token).startsWith('7eeb0acc')),
  },
  { rule: 'tokens.single-use', defect: 'the last token is good again', layer: replaying((age) => age === 0) },
  {
    rule: 'tokens.old-refresh-invalid',
    defect: 'only the last token is remembered as spent',
    layer: replaying((age) => age > 1),
  },
  {
    rule: 'tokens.old-access',
    defect: 'a refresh revokes the access token before it',
    layer: guarding((token, issued) => issued.includes(token) && token !== issued.at(-1)),
  },
  {
    rule: 'tokens.expires-in',
    defect: 'a token set is issued for no time',
    layer: altering(REFRESH, ({ data }) => (data.expires_in = 0)),
  },
  {
    rule: 'tokens.expiry',
    defect: 'an access token is good for ever',
    layer: everlasting(),
    settings: { expiresIn: 5 },
  },
  {
    rule: 'tokens.version',
    defect: 'v1 serves no refresh',
    layer: (request, go) => (/\/v1\/token/.test(request.url) ? Promise.resolve(refusal(404)) : go(request)),
  },
  {
    rule: 'tokens.reuse',
    defect: 'a reuse costs the channel its tokens',
    layer: revoking(),
  },
];
