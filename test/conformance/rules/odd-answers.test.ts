import { describe, expect, test } from 'vitest';
import { idsWith } from '../deployment.js';
import { all, deployIndependent } from '../independent/run.js';
import { wrap } from '../independent/vary.js';

/** Alters the text of successful answers. */
const writing = (path: RegExp, alter: (text: string) => string) =>
  wrap('handle', (before) => async (request) => {
    const response = await before(request);
    if (!path.test(new URL(request.url).pathname) || !response.ok) return response;
    return new Response(alter(await response.text()), { status: response.status, headers: response.headers });
  });

describe('members that objects of JavaScript have, too, are members like others', () => {
  test.each([
    ['__proto__', '{"id":1}'],
    ['__proto__', '"x"'],
    ['constructor', 'null'],
    ['hasOwnProperty', '1'],
    ['toString', '"x"'],
  ])('%s: %s', async (name, value) => {
    const odd = writing(/facilities/, (text) => text.replaceAll('"id":', `"${name}":${value},"id":`));
    const report = await deployIndependent(odd).check({ ...all, only: ['facilities.*'], depth: 'quick' });
    expect([report.exitCode, idsWith(report, 'error'), idsWith(report, 'fail')]).toEqual([0, [], []]);
  });
});

describe('a token that no header can carry', () => {
  const { first, second } = all;
  const token = { first: { refreshToken: first!.refreshToken! } };
  test.each([
    ['an access token with a newline', 'access_token', 'a\\n', ['tokens.item.access-token']],
    ['an access token beyond ASCII', 'access_token', '\u{1F3CC}', ['tokens.item.access-token']],
    ['a refresh token with a newline, which a body can carry', 'refresh_token', 'a\\n', []],
  ])('is a finding where it must: %s', async (_, name, start, broken) => {
    const odd = writing(/refreshToken/, (text) => text.replace(`"${name}":"`, `"${name}":"${start}`));
    for (const channels of [{ first, second }, token]) {
      const only = ['tokens.item.*', 'auth.*', 'countries.*'];
      const report = await deployIndependent(odd).check({ ...all, second: undefined, ...channels, only } as typeof all);
      expect([idsWith(report, 'error'), idsWith(report, 'fail')]).toEqual([[], broken]);
    }
  });
});

test('what became of the first access token is not concluded where the second refresh is refused', async () => {
  // The first of the three is the login.
  let refreshes = 0;
  const twice = wrap('handle', (before) => async (request) => {
    const isThird = request.url.endsWith('/refreshToken') && (refreshes += 1) > 2;
    return isThird
      ? Response.json({ success: false, data: null, message: 'Try again' }, { status: 401 })
      : before(request);
  });
  const only = ['tokens.old-access'];
  const { first } = all;
  const tell = async (...changes: (typeof twice)[]) => {
    const report = await deployIndependent(...changes).check({
      ...all,
      first: { refreshToken: first!.refreshToken! },
      only,
    } as typeof all);
    return [report.rules.find(({ id }) => id === only[0])!.verdict, report.dialect.answers['token.old-access']];
  };
  expect(await tell()).toEqual(['observed', expect.stringMatching(/^(valid|revoked)$/)]);
  expect(await tell(twice)).toEqual(['inconclusive', undefined]);
});

test.each<[body: object, code: string | undefined]>([
  [{ success: false, message: 'No country.' }, 'none'],
  [{ success: false, message: 'No country.', code: 'E1' }, 'code'],
  [{ success: false, error: { code: 'E1', message: 'No country.' } }, undefined],
  [{ success: false, message: 'No country.', errorCode: 7 }, undefined],
  [{ statusCode: 400, message: 'No country.' }, 'none'],
])('the code of an error is told where it is top-level or absent: %j', async (body, code) => {
  const refusing = wrap('handle', (before) => async (request) => {
    const response = await before(request);
    return response.status === 400 ? Response.json(body, { status: 400 }) : response;
  });
  const report = await deployIndependent(refusing).check({ ...all, only: ['errors.code'] });
  expect(report.dialect.answers['error.code']).toBe(code);
});

test('an object of which no text can be made is a wrong value like others', async () => {
  const odd = writing(/v[23]\/teetimes/, (text) =>
    text.replaceAll(/"players":"[^"]*"/g, '"players":{"toString":1,"valueOf":2}'),
  );
  const report = await deployIndependent(odd).check({ ...all, only: ['teetimes.*'], depth: 'quick' });
  expect(idsWith(report, 'error')).toEqual([]);
  expect(idsWith(report, 'fail').length).toBeGreaterThan(0);
});

test.each<[status: number, broken: string[]]>([
  [200, ['countries.connected-only']],
  [404, ['countries.connected-only']],
  [500, []],
])('a list of facilities that a country lacks is a finding, one that fails is none: %i', async (status, broken) => {
  const lacking = wrap('handle', (before) => async (request) => {
    const { pathname, searchParams: query } = new URL(request.url);
    if (!pathname.endsWith('/v3/facilities') || query.get('country') !== 'Spain') return before(request);
    return Response.json({ success: status === 200, data: status === 200 ? [] : null }, { status });
  });
  const report = await deployIndependent(lacking).check({ ...all, only: ['countries.connected-only'] });
  expect(idsWith(report, 'fail')).toEqual(broken);
});
