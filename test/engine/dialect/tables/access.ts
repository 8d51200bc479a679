import {
  basic,
  bare,
  bearer,
  initialTokenOf,
  knock,
  refreshWith,
  UNKNOWN_TOKEN,
} from '../../../support/credentials.js';
import { question, questionPerVersion, type QuestionTable, type Scene, times } from '../question.js';

const tokensOf = async ({ fairway }: Scene): Promise<Record<string, string>> =>
  (await refreshWith(fairway, initialTokenOf(fairway))).body.data;

const FAIRWAY = basic('fairway', 'not-a-secret-fairway');
const OFFER = { bearer: 'Bearer realm="teebox"', basic: 'Basic realm="teebox", charset="UTF-8"' };

const pathIn = {
  v1: '/api/v1/bookings',
  v2: '/api/v2/bookings',
  v3: '/api/v3/countries',
  v4: '/api/v4/bookings',
  v5: '/api/v5/price/insideDateRange?facilityIds=1001&fromDate=10-06-2026&toDate=10-06-2026',
} as const;

function schemes(version: keyof typeof pathIn): QuestionTable {
  return questionPerVersion('auth.schemes', version, {
    probe: async (scene) => {
      const bearerOnly = bearer((await tokensOf(scene))['access_token']!);
      const get = (path: string, headers = {}) => bare(scene.fairway, 'GET', path, { headers });
      const others = Object.entries(pathIn)
        .filter(([name]) => name !== version)
        .map(([, path]) => path);
      const elsewhere = others.flatMap((path) => [get(path, FAIRWAY), get(path, bearerOnly)]);
      return {
        basic: (await get(pathIn[version], FAIRWAY)).status,
        bearer: (await get(pathIn[version], bearerOnly)).status,
        challenge: (await get(pathIn[version])).headers.get('www-authenticate'),
        elsewhere: [...new Set((await Promise.all(elsewhere)).map(({ status }) => status))],
      };
    },
    rows: [
      ['both', { basic: 200, bearer: 200, challenge: `${OFFER.bearer}, ${OFFER.basic}`, elsewhere: [200] }],
      ['basic', { basic: 200, bearer: 401, challenge: OFFER.basic, elsewhere: [200] }],
      ['bearer', { basic: 401, bearer: 200, challenge: OFFER.bearer, elsewhere: [200] }],
    ],
  });
}

export const access: readonly QuestionTable[] = [
  question('auth.bearer-header', {
    rules: ['auth.bearer-header'],
    probe: async (scene) => {
      const token = (await tokensOf(scene))['access_token']!;
      const tried = [bearer(token), { 'x-access-token': token }, { token: `Bearer ${token}` }];
      return Promise.all(tried.map(async (headers) => (await knock(scene.fairway, headers)).status));
    },
    rows: [
      ['Authorization', [200, 401, 401]],
      ['X-Access-Token', [401, 200, 401]],
      ['token', [401, 401, 200]],
    ],
  }),

  schemes('v1'),
  schemes('v2'),
  schemes('v3'),
  schemes('v4'),
  schemes('v5'),

  question('auth.failure', {
    rules: ['errors.auth-status'],
    probe: async ({ fairway }) => {
      const tried = [{}, basic('fairway', 'wrong'), bearer(UNKNOWN_TOKEN)];
      const replies = await Promise.all(tried.map((headers) => knock(fairway, headers)));
      return replies.map(({ status, body, headers }) => [status, body.success, headers.has('www-authenticate')]);
    },
    rows: [
      [401, times(3, [401, false, true])],
      [400, times(3, [400, false, false])],
      [403, times(3, [403, false, false])],
      [200, times(3, [200, false, false])],
    ],
  }),

  question('token.failure', {
    rules: ['errors.token-status'],
    probe: async (scene) => {
      await tokensOf(scene);
      const replies = [
        await refreshWith(scene.fairway, UNKNOWN_TOKEN),
        await refreshWith(scene.fairway, initialTokenOf(scene.fairway)),
      ];
      const malformed = await refreshWith(scene.fairway, '');
      return [...replies, malformed, await knock(scene.fairway, {})].map(({ status, body }) => [status, body.success]);
    },
    rows: [
      [
        401,
        [
          [401, false],
          [401, false],
          [400, false],
          [401, false],
        ],
      ],
      [
        400,
        [
          [400, false],
          [400, false],
          [400, false],
          [401, false],
        ],
      ],
      [
        403,
        [
          [403, false],
          [403, false],
          [400, false],
          [401, false],
        ],
      ],
      [
        200,
        [
          [200, false],
          [200, false],
          [400, false],
          [401, false],
        ],
      ],
    ],
  }),

  question('token.versions', {
    probe: async ({ fairway }) => {
      const versions = ['v1', 'v2', 'v3', 'v4', 'v5', 'v6'];
      const replies = await Promise.all(versions.map((version) => refreshWith(fairway, UNKNOWN_TOKEN, version)));
      return replies.map(({ status }) => status);
    },
    rows: [
      [
        ['v1', 'v2', 'v3', 'v4', 'v5'],
        [401, 401, 401, 401, 401, 404],
      ],
      [
        ['v5', 'v1'],
        [401, 404, 404, 404, 401, 404],
      ],
      [['v3'], [404, 404, 401, 404, 404, 404]],
      [[], [404, 404, 404, 404, 404, 404]],
    ],
  }),

  question('token.old-access', {
    rules: ['tokens.old-access'],
    probe: async (scene) => {
      const first = await tokensOf(scene);
      await refreshWith(scene.fairway, first['refresh_token']);
      return (await knock(scene.fairway, bearer(first['access_token']!))).status;
    },
    rows: [
      ['valid', 200],
      ['revoked', 401],
    ],
  }),

  question('token.reuse', {
    rules: ['tokens.reuse'],
    probe: async (scene) => {
      const first = await tokensOf(scene);
      const again = await refreshWith(scene.fairway, initialTokenOf(scene.fairway));
      const access = await knock(scene.fairway, bearer(first['access_token']!));
      return [again.status, access.status, (await refreshWith(scene.fairway, first['refresh_token'])).status];
    },
    rows: [
      ['refused', [401, 200, 200]],
      ['family-revoked', [401, 401, 401]],
    ],
  }),
];
