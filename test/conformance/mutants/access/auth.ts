import type { Layer } from '../../deployment.js';
import type { Mutant } from '../mutant.js';

/** Credentials that the sandbox takes, noted from the first request of the run. */
function remembering(
  onlyWhere: (path: string, request: Request) => boolean,
  learn: (request: Request) => unknown = () => {},
): Layer {
  let good: string | undefined;
  return async (request, through) => {
    const own = request.headers.get('authorization');
    const response = await through(request.clone() as Request);
    if (good === undefined && response.ok && own !== null) {
      good = own;
      learn(request);
    }
    if (response.status !== 401 || good === undefined || !onlyWhere(new URL(request.url).pathname, request))
      return response;
    const headers = new Headers(request.headers);
    headers.set('authorization', good);
    return through(new Request(request, { headers }));
  };
}

const sends = (scheme: RegExp) => (request: Request) => scheme.test(request.headers.get('authorization') ?? '');
/** The password of Basic credentials. */
const passwordIn = (request: Request): string | undefined => {
  const value = /^basic (.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  return value === undefined ? undefined : atob(value).split(/:(.*)/s)[1];
};
/** A password that is wrong, and like the right one, which is that of the first request. */
function nearly(isLike: (sent: string, right: string) => boolean): Layer {
  let right: string | undefined;
  return remembering(
    (_, request) => {
      const sent = passwordIn(request);
      return sent !== undefined && right !== undefined && isLike(sent, right);
    },
    (request) => (right ??= passwordIn(request)),
  );
}
const anonymous = (request: Request): boolean => !request.headers.has('authorization');

/** One path is served to everybody. */
const openPath = (path: RegExp): Layer => remembering((at, request) => path.test(at) && anonymous(request));

const openPaths: readonly (readonly [what: string, path: RegExp])[] = [
  ['the v1 facility list', /\/v1\/facilities$/],
  ['the v1 booking list', /\/v1\/bookings$/],
  ['the v2 booking', /\/v2\/bookings$/],
  ['the v2 details', /\/v2\/facilities\/details/],
  ['the v3 tee sheet', /\/v3\/teetimes/],
  ['the v4 booking list', /\/v4\/bookings$/],
  ['the price list', /\/v5\/price/],
  ['the search', /\/v5\/teetimes$/],
  ['the v3 bulk booking', /\/v3\/bulkbookings$/],
  ['the v4 payment', /\/v4\/bookings\/payment/],
  ['the v5 bulk payment', /\/v5\/bulkbookings\/payment/],
];

/** Mistakes of authentication. */
export const authMutants: readonly Mutant[] = [
  ...openPaths.map(([what, path]): Mutant => ({
    rule: 'auth.required',
    defect: `${what} can be requested without credentials`,
    layer: openPath(path),
  })),
  {
    rule: 'auth.invalid',
    defect: 'v2 accepts any bearer token',
    layer: remembering((path, request) => /\/v2\//.test(path) && sends(/^bearer /i)(request)),
  },
  {
    rule: 'auth.bearer',
    defect: 'the v3 details refuse bearer tokens that v3 accepts elsewhere',
    layer: async (request, through) =>
      /\/v3\/facilities\/details/.test(request.url) && sends(/^bearer /i)(request)
        ? Response.json({ success: false, data: null }, { status: 401 })
        : through(request),
  },
  {
    rule: 'auth.bearer-header',
    defect: 'the access token is expected in another header',
    layer: async (request, through) => {
      const headers = new Headers(request.headers);
      const token = headers.get('x-access-token');
      if (sends(/^bearer /i)(request)) headers.delete('authorization');
      if (token !== null) headers.set('authorization', token);
      return through(new Request(request, { headers }));
    },
  },
  {
    rule: 'auth.invalid',
    defect: 'the v4 booking list accepts any bearer token',
    layer: remembering((path, request) => path.endsWith('/v4/bookings') && sends(/^bearer /i)(request)),
  },
  {
    rule: 'auth.invalid',
    defect: 'a v2 booking accepts any bearer token',
    layer: remembering(
      (path, request) => request.method === 'POST' && path.endsWith('/v2/bookings') && sends(/^bearer /i)(request),
    ),
  },
  {
    rule: 'auth.basic',
    defect: 'v2 accepts only Basic credentials',
    layer: async (request, through) =>
      /\/v2\//.test(request.url) && sends(/^bearer /i)(request)
        ? Response.json({ success: false, data: null }, { status: 401 })
        : through(request),
  },
  {
    rule: 'auth.invalid',
    defect: 'v3 ignores the password',
    layer: remembering((path, request) => /\/v3\//.test(path) && sends(/^basic /i)(request)),
  },
  {
    rule: 'auth.invalid',
    defect: 'the password is ignored',
    layer: remembering((_, request) => sends(/^basic /i)(request)),
  },
  {
    rule: 'auth.invalid',
    defect: 'an empty password is accepted',
    layer: remembering((_, request) => passwordIn(request) === ''),
  },
  {
    rule: 'auth.invalid',
    defect: 'an access token is accepted with a letter more',
    layer: async (request, through) => {
      const headers = new Headers(request.headers);
      const [, token] = /^bearer (.{36}).$/i.exec(headers.get('authorization') ?? '') ?? [];
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return through(new Request(request, { headers }));
    },
  },
  {
    rule: 'auth.invalid',
    defect: 'a password is read up to a colon',
    layer: remembering((_, request) => /.:/.test(passwordIn(request) ?? '')),
  },
  {
    rule: 'auth.invalid',
    defect: 'the beginning of a password is accepted',
    layer: nearly((sent, right) => sent.length > 2 && right.startsWith(sent)),
  },
  {
    rule: 'auth.invalid',
    defect: 'only the first eight letters of a password are compared',
    layer: nearly((sent, right) => sent.slice(0, 8) === right.slice(0, 8)),
  },
  {
    rule: 'auth.invalid',
    defect: 'the capitals of a password do not matter',
    layer: nearly((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  },
  {
    rule: 'auth.invalid',
    defect: 'a password is accepted that only begins like the right one',
    layer: nearly((sent, right) => sent.startsWith(right)),
  },
  {
    rule: 'auth.channel-scope',
    defect: 'a bearer token lists the bookings of the first channel',
    layer: (() => {
      let first: string | null = null;
      return async (request, through) => {
        first ??= request.headers.get('authorization');
        const isList = new URL(request.url).pathname.endsWith('/bookings') && request.method === 'GET';
        if (!isList || !sends(/^bearer /i)(request) || !(await through(request.clone() as Request)).ok)
          return through(request);
        const headers = new Headers(request.headers);
        if (first !== null) headers.set('authorization', first);
        return through(new Request(request, { headers }));
      };
    })() as Layer,
  },
  {
    rule: 'auth.channel-scope',
    defect: 'v4 accepts unknown user names',
    layer: remembering((path, request) => /\/v4\//.test(path) && sends(/^basic /i)(request)),
  },
  {
    rule: 'auth.channel-scope',
    defect: 'the channel of the first request is used for all later ones',
    layer: (() => {
      let first: string | null = null;
      return async (request, through) => {
        first ??= request.headers.get('authorization');
        if (!new URL(request.url).pathname.endsWith('/bookings') || request.method !== 'GET') return through(request);
        const headers = new Headers(request.headers);
        if (headers.has('authorization') && first !== null) headers.set('authorization', first);
        return through(new Request(request, { headers }));
      };
    })() as Layer,
  },
];
