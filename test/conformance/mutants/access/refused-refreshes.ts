import type { Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';
import { guarding, refreshing, refusal, tokenIn } from './tokens.js';

/** A version that keeps the spent tokens by itself: it answers one with the token set that another version gave. */
function forgetful(version: string): Layer {
  const given = new Map<unknown, object>();
  return refreshing(async (request, through) => {
    const token = await tokenIn(request);
    const known = given.get(token);
    if (known && request.url.includes(`/${version}/`)) return Response.json(known);
    const response = await through(request);
    if (response.ok) given.set(token, (await response.clone().json()) as object);
    return response;
  });
}

/** Revokes every token after a refresh that has none. */
function revokingWithout(fits: (token: unknown) => boolean): Layer {
  let revoked = false;
  return refreshing(async (request, through) => {
    revoked ||= fits(await tokenIn(request));
    return revoked ? refusal() : through(request);
  });
}

/** Mistakes about refreshes that are refused, and about those of other versions and channels. */
export const refusedRefreshMutants: readonly Mutant[] = [
  {
    rule: 'tokens.refresh.refused',
    defect: 'a refresh without a token revokes the valid refresh token',
    layer: revokingWithout((token) => token === undefined),
  },
  {
    rule: 'tokens.refresh.refused',
    defect: 'a refresh with an empty token revokes the valid refresh token',
    layer: revokingWithout((token) => token === ''),
  },
  {
    rule: 'tokens.own-channel',
    defect: 'a refresh revokes the access tokens of every channel',
    layer: guarding((token, issued) => issued.includes(token) && token !== issued.at(-1)),
  },
  {
    rule: 'tokens.refresh.body',
    defect: 'a list is accepted as the body of a refresh',
    layer: refreshing(async (request, through) => {
      const data = { access_token: 'a-new-access-token', refresh_token: 'a-new-refresh-token', expires_in: 3600 };
      return (await request.clone().text()) === '[]' ? Response.json({ success: true, data }) : through(request);
    }),
  },
  { rule: 'tokens.single-use', defect: 'v1 accepts a token that another version has spent', layer: forgetful('v1') },
  {
    rule: 'tokens.single-use',
    defect: 'v3 accepts again the tokens that it has refreshed',
    layer: (() => {
      const given = new Map<unknown, object>();
      return refreshing(async (request, through) => {
        const token = await tokenIn(request);
        const known = given.get(token);
        if (known) return Response.json(known);
        const response = await through(request);
        if (response.ok && request.url.includes('/v3/')) given.set(token, (await response.clone().json()) as object);
        return response;
      });
    })(),
  },
  {
    rule: 'tokens.rotation',
    defect: 'v4 returns the refresh token that it was sent',
    layer: refreshing(async (request, through) => {
      const token = await tokenIn(request);
      const response = await through(request);
      if (!response.ok || !request.url.includes('/v4/')) return response;
      const { data, ...rest } = (await response.json()) as { data: object };
      return Response.json({ ...rest, data: { ...data, refresh_token: token } });
    }),
  },
  ...(['refresh_token', 'access_token'] as const).map((name): Mutant => ({
    rule: name === 'refresh_token' ? 'tokens.latest-refresh' : 'tokens.expires-in',
    defect: `v2 returns another \`${name}\` than it stores`,
    layer: refreshing(async (request, through) => {
      const response = await through(request);
      if (!response.ok || !request.url.includes('/v2/')) return response;
      const { data, ...rest } = (await response.json()) as { data: Record<string, string> };
      return Response.json({ ...rest, data: { ...data, [name]: `${data[name]}x` } });
    }),
  })),
];
