import { isObject } from '../../common/index.js';
import type { Answers } from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import {
  bearerRead,
  credentials,
  owner,
  readWith,
  refresh,
  refreshCall,
  refreshesByVersion,
  refreshRace,
  type TokenOwner,
  twoRefreshes,
} from '../journeys/tokens.js';
import { Finding, Inconclusive, Refused, unlessInconclusive } from '../client/outcome.js';
import { eventually } from '../journeys/changing-answers.js';
import { readCalls } from '../journeys/read-calls.js';
import { resource } from '../client/resource.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import { versions } from '../client/operations.js';
import type { Session } from '../client/session.js';

const TOKEN_LOST = 'The newest refresh token is refused after a refresh of another channel.';

/** The channel whose tokens are used up, if the first one has tokens too and is another channel. */
async function otherOwner(session: Session): Promise<TokenOwner> {
  const { tokenOwner: who } = await twoRefreshes(session);
  const { options, schemes } = credentials(session, 'first');
  const { basic } = credentials(session, who).options;
  const isSame = basic !== undefined && basic.username === options.basic?.username;
  if (who === 'first' || isSame || !schemes.includes('bearer')) {
    throw new Inconclusive('not-given', 'refresh tokens of two channels (--refresh-token, --second-refresh-token)');
  }
  return who;
}

/** A refresh of one channel leaves the tokens of the other as good as they were. */
async function checkOtherChannel({ session, expect }: RuleContext): Promise<void> {
  const who = await otherOwner(session);
  const { call } = await bearerRead(session, who);
  const { latest } = credentials(session, 'first');
  const own = await refresh(session, 'first');
  // A token that was never accepted may be a wrong one.
  if (latest) expect.succeeds(own.reply, TOKEN_LOST);
  if (!own.pair) throw new Inconclusive('precondition', 'an accepted refresh of the first channel');
  const before = await readWith(session, call, own.pair.accessToken);
  if (!before.ok) throw new Refused(before, 'control-failed');
  const { pair } = await refresh(session, who);
  if (!pair) throw new Inconclusive('precondition', 'another accepted refresh');
  const after = await readWith(session, call, own.pair.accessToken);
  expect.succeeds(after, 'An access token is refused after a refresh of another channel.');
  const { reply } = await refresh(session, 'first');
  expect.succeeds(reply, TOKEN_LOST);
}

/** Rules of the tokens of several channels. */
const tokenChannelRules: readonly RuleSpec[] = [
  defineRule({ id: 'tokens.own-channel', needs: ['tokens', 'second-channel'], run: checkOtherChannel }),
];

type ServedVersion = Answers['token.versions'][number];

const absent = ({ status }: Reply): boolean => status === 404 || status === 405;

/** Statuses of a path that does not exist. A service may answer an unknown token with 404 too. */
async function checkRefresh(context: RuleContext): Promise<void> {
  const { session, expect, probe } = context;
  try {
    const { first } = await twoRefreshes(session);
    return expect.succeeds(first.reply, 'A token is not refreshed.');
  } catch (error) {
    const replies = session.run.transport.replies.filter(({ operation }) => operation === 'refreshToken');
    if (!(error instanceof Inconclusive) || replies.length === 0 || !replies.every(absent)) throw error;
    const body = { refresh_token: session.uuid() };
    const stranger = await probe({
      method: 'POST',
      path: `/api/${versions.at(-1)}/token/no-such-path`,
      body,
      as: 'nobody',
    });
    const last = replies.at(-1)!;
    if (last.status === 404 && plain(stranger) !== plain(last)) throw error;
    const what = 'No version serves POST /api/{version}/token/refreshToken.';
    throw new Finding(what, 'a token set', { status: last.status }, { shownBy: last.id });
  }
}

/** An answer without the values that differ in every answer. */
function plain({ status, text }: Reply): string {
  return `${status} ${text.replace(/\/api\/[^\s"'`]*/g, '').replace(/[\d-]+/g, '0')}`;
}

async function checkBody(context: RuleContext): Promise<void> {
  const { session } = context;
  const { first, tokenOwner: who } = await twoRefreshes(session);
  const bodies: readonly (readonly [body: unknown, what: string])[] = [
    [{}, 'A refresh without a token is accepted.'],
    [[], 'A refresh with a list as its body is accepted.'],
    ['null', 'A refresh with null as its body is accepted.'],
    ['{', 'A refresh with a body that is not JSON is accepted.'],
    [{ refresh_token: '' }, 'An empty refresh token is accepted.'],
    [{ refresh_token: 7 }, 'A number is accepted as a refresh token.'],
    [{ refresh_token: session.uuid() }, 'A refresh token that was never issued is accepted.'],
    [
      { refresh_token: await credentials(session, who).accessToken() },
      'An access token is accepted as a refresh token.',
    ],
  ];
  for (const [body, what] of bodies) await context.refuses({ ...refreshCall(session, ''), body }, first.reply, what);
  for (const version of versions) {
    const reply = await context.probe(refreshCall(session, session.uuid(), version));
    context.expect.refused(reply, `${version} accepts a refresh token that was never issued.`);
  }
}

/** A made-up or missing token is refused, and nothing else changes: the newest tokens are as good as before. */
async function checkRefused({ session, expect, probe }: RuleContext): Promise<void> {
  const { second, tokenOwner: who } = await twoRefreshes(session);
  if (!second.pair) throw new Inconclusive('precondition', 'a second accepted refresh in a row');
  const bearer = await bearerRead(session, who).catch(unlessInconclusive);
  const bodies: readonly (readonly [body: unknown, how: string])[] = [
    [{ refresh_token: session.uuid() }, 'with a made-up token'],
    [{}, 'without a token'],
    [{ refresh_token: '' }, 'with an empty token'],
  ];
  for (const [body, how] of bodies) {
    const refused = await probe({ ...refreshCall(session, ''), body });
    if (refused.ok) throw new Inconclusive('precondition', `a refusal of a refresh ${how} (see tokens.refresh.body)`);
    if (bearer) {
      const reply = await readWith(session, bearer.call, await credentials(session, who).accessToken());
      expect.succeeds(reply, `An access token is refused after a refresh ${how}.`);
    }
    const { reply } = await refresh(session, who);
    if (reply.status === 429)
      throw new Inconclusive('not-enough-time', 'a deployment that takes more refreshes in a row');
    expect.succeeds(reply, `The newest refresh token is refused after a refresh ${how}.`);
  }
}

/** If a refresh without credentials is refused, a refresh with them shows whether they were the reason. */
async function checkWithoutAccess({ session, expect }: RuleContext): Promise<void> {
  const who = owner(session);
  try {
    const { first } = await twoRefreshes(session);
    expect.succeeds(first.reply, 'A refresh needs more than the refresh token.');
  } catch (error) {
    if (!(error instanceof Inconclusive) || !credentials(session, who).options.basic) throw error;
    const { pair } = await refresh(session, who, (token) =>
      session.send({ ...refreshCall(session, token), as: who, scheme: 'basic' }),
    );
    if (!pair) throw error;
    throw new Finding('A refresh is refused without credentials and accepted with them.', 'a token set', 'a refusal');
  }
}

async function checkOldAccess({ session, observe }: RuleContext): Promise<void> {
  const { first, second, tokenOwner: who } = await twoRefreshes(session);
  const { call } = await bearerRead(session, who);
  const reply = await readWith(session, call, first.pair.accessToken);
  if (!second.pair) throw new Inconclusive('precondition', 'a second refresh');
  if (reply.at < first.pair.at + first.pair.expiresIn * 1000)
    observe('token.old-access', reply.ok ? 'valid' : 'revoked');
}

async function checkVersions({ session, observe, probe, expect }: RuleContext): Promise<void> {
  const { first } = await twoRefreshes(session);
  const used = versions.find((version) => first.reply.what.includes(`/${version}/`));
  const body = { refresh_token: session.uuid() };
  const stranger = await probe({ method: 'POST', path: `/api/${used}/token/no-such-path`, body, as: 'nobody' });
  const served: ServedVersion[] = [];
  let isClear = false;
  for (const version of versions) {
    // A made-up token uses up no real one, and only a path that does not exist is answered with 404.
    const reply = await probe(refreshCall(session, session.uuid(), version));
    const isStrange = plain(reply) === plain(stranger);
    if (!absent(reply) && !isStrange) served.push(version);
    if (version === used) isClear = !isStrange;
  }
  if (used && served.includes(used)) observe('token.versions', served);
  // Where every path is closed without credentials, a made-up token cannot tell which of them exist.
  else
    expect.that(
      used === undefined || !isClear,
      'The version that refreshes tokens refuses a made-up one as if it were absent.',
    );
}

async function checkReuse({ session, observe }: RuleContext): Promise<void> {
  const { again, older, elsewhere, winners, after } = await refreshRace(session);
  if ([again, older, ...elsewhere].some(({ ok }) => ok) || winners.length !== 1) {
    throw new Inconclusive('precondition', 'a reuse that is refused (see tokens.single-use)');
  }
  observe('token.reuse', after.pair ? 'refused' : 'family-revoked');
}

/** The longest lifetime of an access token, in milliseconds, that a run waits for. */
const WAIT = 20_000;
/** The share of its lifetime after which a token must still be accepted. */
const MOST_OF_IT = 0.8;
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;
const MONTH_SECONDS = 30 * DAY_SECONDS;
const MINUTE_MILLISECONDS = 60_000;

/** Whether a lifetime looks like milliseconds: longer than a week, and whole minutes only if read as milliseconds. */
function areMilliseconds(lifetime: number): boolean {
  return lifetime > WEEK_SECONDS && lifetime % MINUTE_MILLISECONDS === 0 && lifetime % DAY_SECONDS !== 0;
}

async function checkShortLife({ session, expect }: RuleContext): Promise<void> {
  const { first } = await twoRefreshes(session);
  const { expiresIn } = first.pair;
  const isShort = expiresIn <= MONTH_SECONDS && !areMilliseconds(expiresIn);
  expect.that(isShort, '`expires_in` is no short lifetime in seconds.', { expected: 'seconds', actual: expiresIn });
}

async function checkLifetime({ session, expect }: RuleContext): Promise<void> {
  const { first, tokenOwner: who } = await twoRefreshes(session);
  expect.that(first.pair.expiresIn > 0, 'An access token is issued with a lifetime of zero or less.', {
    actual: first.pair.expiresIn,
  });
  const { call, reply } = await bearerRead(session, who);
  expect.succeeds(reply, 'A new access token is refused.');
  const fresh = await refresh(session, who);
  if (fresh.pair) {
    const { accessToken } = fresh.pair;
    // Other servers of the deployment may learn of a new token a moment later.
    const look = (): Promise<Reply> => readWith(session, call, accessToken);
    const soon = await eventually(session, fresh.reply, look, ({ ok }) => ok);
    expect.succeeds(soon, 'An access token is refused right after it was issued.');
  }
  for (const { version, read } of await refreshesByVersion(session))
    if (read) expect.succeeds(read, `An access token that ${version} has issued is refused.`);
  if (first.pair.expiresIn * 1000 <= WAIT) {
    const { early } = await shortLife(session);
    expect.succeeds(early, 'An access token is refused before its lifetime is over.');
  }
}

/** What becomes of an access token with a short lifetime: an answer before its end, and one of each read after it. */
const shortLife = resource('expiry of a token', async (session) => {
  const { tokenOwner: who } = await twoRefreshes(session);
  const { call } = await bearerRead(session, who);
  const { pair } = await refresh(session, who);
  if (!pair) throw new Inconclusive('precondition', 'a refresh token that the deployment accepts');
  const { host } = session.run;
  const lacking = new Inconclusive('not-enough-time', `access tokens with a lifetime of ${WAIT / 1000} s or less`);
  const lifetime = pair.expiresIn * 1000;
  if (lifetime > WAIT) throw lacking;
  await host.sleep(Math.max(0, pair.at + lifetime * MOST_OF_IT - host.now()));
  const early = await readWith(session, call, pair.accessToken);
  await host.sleep(Math.max(0, pair.at + lifetime - host.now()) + 1000);
  if (host.now() <= pair.at + lifetime) throw lacking;
  const late: Reply[] = [];
  // Each operation may look at the time by itself.
  for (const one of await readCalls(session)) late.push(await readWith(session, one, pair.accessToken));
  return { early, late };
});

/** Waits until an access token expires, if that is soon. */
async function checkExpiry({ session, expect }: RuleContext): Promise<void> {
  const { tokenOwner: who } = await twoRefreshes(session);
  const { call } = await bearerRead(session, who);
  const { late } = await shortLife(session);
  for (const reply of late) expect.refused(reply, `${reply.what} accepts an expired access token.`);
  const { reply, pair: next } = await refresh(session, who);
  expect.succeeds(reply, 'A refresh is refused after the access token has expired.');
  if (next) expect.succeeds(await readWith(session, call, next.accessToken), 'The new access token is refused.');
}

const needs = ['tokens'] as const;
/** Rules that reuse a token run after all others, with a token that may be lost. */
const reuses = ['tokens', 'lockout'] as const;

export const tokenRules: readonly RuleSpec[] = [
  defineRule({ id: 'tokens.refresh', needs, run: checkRefresh }),
  defineRule({ id: 'tokens.refresh.without-access', needs, run: checkWithoutAccess }),
  // Before the rules that send several made-up tokens, so that one token alone is the cause.
  defineRule({ id: 'tokens.refresh.refused', needs, run: checkRefused }),
  ...tokenChannelRules,
  defineRule({ id: 'tokens.old-access', needs, run: checkOldAccess }),
  defineRule({ id: 'tokens.short-lived', needs, run: checkShortLife }),
  defineRule({ id: 'tokens.expiry', needs, run: checkExpiry }),
  // After the rules that need a valid token: a version may refuse the newest one, and issue none that is valid.
  defineRule({ id: 'tokens.expires-in', needs, run: checkLifetime }),
  defineRule({
    id: 'tokens.rotation',
    needs,
    async run({ session, expect }) {
      const { options, latest } = credentials(session);
      const isSame = latest !== undefined && latest.refreshToken === options.refreshToken;
      expect.about(session.run.transport.replies.find(({ operation }) => operation === 'refreshToken')?.id);
      expect.that(!isSame, 'A refresh returns the refresh token that it was sent.');
      expect.about(undefined);
      const { first, second } = await twoRefreshes(session);
      const all = [first, second].flatMap(({ pair }) => (pair ? [pair] : []));
      const refreshTokens = [first.spent, ...all.map(({ refreshToken }) => refreshToken)];
      const accessTokens = all.map(({ accessToken }) => accessToken);
      expect.equal(
        new Set(refreshTokens).size,
        refreshTokens.length,
        'A refresh returns a refresh token that was used before.',
      );
      expect.equal(
        new Set(accessTokens).size,
        accessTokens.length,
        'A refresh returns an access token that was used before.',
      );
      for (const { version, first: one, second: next } of await refreshesByVersion(session)) {
        const issued = [one.spent, one.pair.refreshToken, ...(next.pair ? [next.pair.refreshToken] : [])];
        expect.about(one.reply.id);
        expect.equal(new Set(issued).size, issued.length, `${version} returns a refresh token that was used before.`);
      }
    },
  }),
  defineRule({
    id: 'tokens.latest-refresh',
    needs,
    async run({ session, expect }) {
      const { second } = await twoRefreshes(session).catch((error: unknown) => {
        const isIssued = credentials(session).latest !== undefined;
        if (!isIssued || !(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
        throw new Finding('The newest refresh token is refused.', 'a token set', error.missing);
      });
      expect.succeeds(second.reply, 'The newest refresh token is refused.');
      expect.that(isObject(second.reply.data), 'A refresh with the newest refresh token returns no token set.');
      for (const { version, second: next } of await refreshesByVersion(session))
        expect.succeeds(next.reply, `${version} refuses the refresh token that it has issued.`);
    },
  }),
  defineRule({ id: 'tokens.version', needs, run: checkVersions }),
  defineRule({ id: 'tokens.refresh.body', needs, run: checkBody }),
  defineRule({
    id: 'tokens.single-use',
    needs: reuses,
    async run({ session, expect }) {
      const { winners, again, elsewhere } = await refreshRace(session);
      expect.that(winners.length <= 1, 'Several refreshes at once with one token succeed.', {
        expected: 1,
        actual: winners.length,
      });
      expect.refused(again, 'A refresh token is accepted a second time.');
      for (const reply of elsewhere)
        expect.refused(reply, `${reply.what} accepts a refresh token that was used before.`);
    },
  }),
  defineRule({
    id: 'tokens.old-refresh-invalid',
    needs: reuses,
    async run({ session, expect }) {
      const { older } = await refreshRace(session);
      expect.refused(older, 'A refresh token is accepted although newer ones were issued.');
    },
  }),
  defineRule({ id: 'tokens.reuse', needs: reuses, run: checkReuse }),
];
