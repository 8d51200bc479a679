import { describe, expect, test } from 'vitest';
import {
  type ChannelOptions,
  memoryJournal,
  type TokenJournal,
  type TokenState,
} from '../../../src/conformance/client/credentials.js';
import { permissions, type Report } from '../../../src/conformance/client/types.js';
import { versionsWith } from '../../support/operations.js';
import { altering, deploy, idsWith, loudIn, resultOf } from '../deployment.js';

const REFRESH = 'POST /api/v5/token/refreshToken';
/** The first request of a run: the newest list of countries. */
const COUNTRIES = `GET /api/${versionsWith('listCountries').at(-1)}/countries`;

/** A journal that tells what it is asked, in the order of `log`. */
function logged(log: string[], state: TokenState, fails?: 'intent'): TokenJournal {
  let now = state;
  return {
    read: async () => now,
    async intent(pending) {
      log.push('intent');
      if (fails) throw new Error('The disk is full.');
      now = { ...now, pending };
    },
    async result({ refreshToken, accessToken }) {
      log.push('result');
      now = { refreshToken, accessToken };
    },
  };
}

describe('a channel that has nothing but a refresh token', () => {
  const logsInOnce = async (only: readonly string[]): Promise<void> => {
    const { sandbox, sent, check } = await deploy();
    const log = sent as string[];
    const { refreshToken } = sandbox.channels[0]!;
    const journal = logged(log, { refreshToken });
    const report = await check({ first: { journal }, only, depth: 'quick' });
    expect(report.exitCode).toBe(0);
    expect(log.slice(0, 4)).toEqual(['intent', REFRESH, 'result', COUNTRIES]);
    expect(log.filter((line) => line === REFRESH)).toHaveLength(1);
    expect(idsWith(report, 'pass')).toContain('tokens.item.access-token');
    expect((await journal.read()).refreshToken).not.toBe(refreshToken);
  };

  test('logs in once, journaled before and after, and leaves the tokens alone otherwise', () =>
    logsInOnce(['tokens.*', 'auth.*', 'countries.*']));

  test('leaves the tokens alone whatever is read', { tags: ['slow'] }, () => logsInOnce(['*']));

  test('takes up the token that an earlier run was about to spend', async () => {
    const { sandbox, check } = await deploy();
    const journal = logged([], { refreshToken: 'older', pending: sandbox.channels[0]!.refreshToken });
    expect(await check({ first: { journal }, only: ['countries.*'] })).toMatchObject({ exitCode: 0 });
  });

  test('spends no token while the access token of an earlier run is good', async () => {
    const { sandbox, sent, check, options } = await deploy();
    const journal = memoryJournal(sandbox.channels[0]!.refreshToken);
    await check({ first: { journal }, only: ['tokens.*', 'countries.*'] });
    const before = sent.filter((line) => line === REFRESH).length;
    const { expiresAt } = await journal.read();
    expect(expiresAt).toBe(options.host.now() + 3_600_000);
    await check({ first: { journal }, only: ['tokens.*', 'countries.*'], depth: 'quick' });
    expect(sent.filter((line) => line === REFRESH)).toHaveLength(before);
  });

  test('logs in anew where the access token of an earlier run is refused', async () => {
    const { sandbox, sent, check, options } = await deploy();
    const { refreshToken } = sandbox.channels[0]!;
    const state = { refreshToken, accessToken: sandbox.channels[1]!.refreshToken };
    const expiresAt = options.host.now() + 3_600_000;
    const report = await check({ first: { journal: logged([], { ...state, expiresAt }) }, only: ['countries.*'] });
    expect(report).toMatchObject({ exitCode: 0, counts: { fail: 0 } });
    expect(sent.slice(0, 3)).toEqual([COUNTRIES, REFRESH, COUNTRIES]);
    expect(sent.filter((line) => line === REFRESH)).toHaveLength(1);
  });

  test('is refused where its token is', async () => {
    const { check } = await deploy();
    expect(await check({ first: { refreshToken: 'no-such-token' } })).toMatchObject({
      exitCode: 3,
      verdict: 'refused',
    });
  });

  test.each([
    ['as an option', {}, /refresh token \(--refresh-token\) is refused: POST .*refreshToken returns 401/],
    ['and tokens may be used', { allow: permissions, only: ['tokens.*'] }, /--refresh-token/],
    ['and no rule needs it', { only: ['countries.*'] }, undefined],
  ])('is refused where its token is, although Basic is accepted: %s', async (_, changes, message) => {
    const { options, check } = await deploy();
    const report = await check({ first: { ...options.first, refreshToken: 'no-such-token' }, ...changes });
    expect(report.exitCode).toBe(message ? 3 : 0);
    if (message) expect(report.message).toMatch(message);
  });

  test('keeps the password of a base URL to itself', async () => {
    const { check } = await deploy();
    const report = await check({ baseUrl: 'http://fairway:hidden-word@deployment.test' });
    expect(report.exitCode).toBe(3);
    expect(JSON.stringify(report)).not.toContain('hidden-word');
  });

  test.each([
    ['v1', 400],
    ['v2', 401],
    ['v3', 405],
    ['v4', 410],
  ])('logs in by %s where the other versions answer %s', async (served, status) => {
    const { sandbox, sent, check } = await deploy({}, async (request, through) => {
      const version = /\/api\/(v\d)\/token/.exec(request.url)?.[1];
      if (version === undefined || version === served) return through(request);
      return Response.json({ success: false, data: null }, { status });
    });
    const report = await check({ first: { refreshToken: sandbox.channels[0]!.refreshToken }, only: ['countries.*'] });
    expect(report).toMatchObject({ exitCode: 0, counts: { fail: 0 } });
    expect(sent.filter((line) => line.includes(`/${served}/token`))).toHaveLength(1);
  });

  test('sends a refused token to each version one time', async () => {
    const { sent, check, options } = await deploy();
    const first = { ...options.first, refreshToken: 'no-such-token' };
    await check({ first, allow: permissions, only: ['auth.*'] });
    const refreshes = sent.filter((line) => line.includes('/token/'));
    for (const version of ['v1', 'v2', 'v3', 'v4']) {
      expect(refreshes.filter((line) => line.includes(`/${version}/`))).toHaveLength(1);
    }
  });

  const camelCase = altering(/refreshToken$/, (body) => {
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = body.data;
    body.data = { accessToken, refreshToken, expiresIn };
  });
  test.each([
    ['with a password', true],
    ['without one', false],
  ])('finds the fields that a token set lacks, and sends no token twice: %s', async (_, hasPassword) => {
    const { sandbox, sent, check, options } = await deploy({}, camelCase);
    const { refreshToken } = sandbox.channels[0]!;
    const first = { ...(hasPassword ? options.first : {}), refreshToken };
    const report = await check({ first, allow: ['tokens'], only: ['tokens.*', 'countries.*'] });
    expect(report.exitCode).toBe(1);
    expect(resultOf(report, 'tokens.item.access-token').verdict).toBe('fail');
    expect(idsWith(report, 'error')).toEqual([]);
    expect(sent.filter((line) => line === REFRESH)).toHaveLength(1);
  });

  test('sends nothing when the intent cannot be kept', async () => {
    const { sandbox, sent, check } = await deploy();
    const journal = logged([], { refreshToken: sandbox.channels[0]!.refreshToken }, 'intent');
    await expect(check({ first: { journal } })).rejects.toThrow('The disk is full.');
    expect(sent).toEqual([]);
  });
});

describe('the scheme of a version is found out', () => {
  const answers = { 'auth.schemes': { v3: 'bearer', v4: 'basic' } } as const;
  const readsAll = async (only: readonly string[]): Promise<Report> => {
    const { sandbox, check } = await deploy({ dialect: { answers } });
    const { username, password, refreshToken } = sandbox.channels[0]!;
    const first: ChannelOptions = { basic: { username, password }, refreshToken };
    const report = await check({ first, only, depth: 'quick' });
    expect(loudIn(report)).toEqual([]);
    return report;
  };

  test('where both are given', async () => {
    const { counts } = await readsAll(['countries.list', 'facilities.list', 'bookings.list', 'auth.*']);
    expect(counts.pass).toBeGreaterThan(5);
  });

  test('where both are given, for every rule', { tags: ['slow'] }, async () => {
    expect((await readsAll(['*'])).counts.pass).toBeGreaterThan(150);
  });

  test('and the header of the token can be told', async () => {
    const { sandbox, check } = await deploy({ dialect: { answers: { 'auth.bearer-header': 'X-Access' } } });
    const first = { refreshToken: sandbox.channels[0]!.refreshToken };
    const only = ['countries.*', 'auth.*'];
    expect(await check({ first, bearerHeader: 'X-Access', only, depth: 'quick' })).toMatchObject({ exitCode: 0 });
  });
});

test('a refused second channel is reported as missing', async () => {
  const { check } = await deploy();
  const report = await check({
    second: { basic: { username: 'links', password: 'wrong-password' } },
    only: ['bookings.list.*'],
  });
  expect(resultOf(report, 'bookings.list.channel-scope')).toMatchObject({
    verdict: 'inconclusive',
    missing: 'accepted credentials for the second channel (--second-basic; the status was 401)',
  });
});

test('a rule without permission is not run, also where only some of its operations need permission', async () => {
  const { check } = await deploy();
  const report = await check({ only: ['payments.*'] });
  for (const id of ['payments.confirm', 'payments.confirm-bulk', 'payments.paused']) {
    expect(resultOf(report, id), id).toMatchObject({ verdict: 'not-run', reason: 'not-allowed' });
  }
});
