import type { Answers } from '../../generated/questions.js';
import { isObject, type Reply } from '../exchange.js';
import { eventually } from '../journeys/effects.js';
import { bearerRead, credentials, line, owner, race, readWith, refresh, refreshCall } from '../journeys/tokens.js';
import { Finding, Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

type Version = Answers['token.versions'][number];

const versions: readonly Version[] = ['v1', 'v2', 'v3', 'v4', 'v5'];
/** Milliseconds of life of an access token that a run waits for, at most. */
const WAIT = 20_000;
const absent = ({ status }: Reply): boolean => status === 404 || status === 405;

/** A path that is not there; a service may well answer a token that it does not know in another way with a 404. */
async function judgeRefresh(context: RuleContext): Promise<void> {
  const { session, expect, probe } = context;
  try {
    const { first } = await line(session);
    return expect.succeeds(first.reply, 'A token is not refreshed.');
  } catch (error) {
    const replies = session.run.transport.replies.filter(({ operation }) => operation === 'refreshToken');
    if (!(error instanceof Inconclusive) || replies.length === 0 || !replies.every(absent)) throw error;
    const body = { refresh_token: session.uuid() };
    const stranger = await probe({ method: 'POST', path: '/api/v5/token/no-such-path', body, as: 'nobody' });
    const last = replies.at(-1)!;
    if (last.status === 404 && plain(stranger) !== plain(last)) throw error;
    throw new Finding('No version serves POST /api/{version}/token/refreshToken.', 'a token set', String(last.status));
  }
}

/** An answer without what differs from one to the next. */
function plain({ status, text }: Reply): string {
  return `${status} ${text.replace(/\/api\/[^\s"'`]*/g, '').replace(/[\d-]+/g, '0')}`;
}

async function judgeBody(context: RuleContext): Promise<void> {
  const { session } = context;
  const { first, owner: who } = await line(session);
  const bodies: readonly (readonly [body: unknown, what: string])[] = [
    [{}, 'A refresh without a token is taken.'],
    [{ refresh_token: '' }, 'An empty refresh token is taken.'],
    [{ refresh_token: 7 }, 'A number is taken for a refresh token.'],
    [{ refresh_token: session.uuid() }, 'A refresh token that was never issued is taken.'],
    [{ refresh_token: await credentials(session, who).accessToken() }, 'An access token is taken for a refresh.'],
  ];
  for (const [body, what] of bodies) await context.refuses({ ...refreshCall(session, ''), body }, first.reply, what);
}

/** Where a bare refresh is refused, one that carries credentials beside the token tells whether that was why. */
async function judgeWithoutAccess({ session, expect }: RuleContext): Promise<void> {
  const who = owner(session);
  try {
    const { first } = await line(session);
    expect.succeeds(first.reply, 'A refresh needs more than the refresh token.');
  } catch (error) {
    if (!(error instanceof Inconclusive) || !credentials(session, who).options.basic) throw error;
    const { pair } = await refresh(session, who, (token) =>
      session.send({ ...refreshCall(session, token), as: who, scheme: 'basic' }),
    );
    if (!pair) throw error;
    throw new Finding('A refresh is refused without credentials and taken with them.', 'a token set', 'a refusal');
  }
}

async function judgeLifetime({ session, expect }: RuleContext): Promise<void> {
  const { first, owner: who } = await line(session);
  expect.that(first.pair.expiresIn > 0, 'An access token is issued for no time.', { actual: first.pair.expiresIn });
  const { call, reply } = await bearerRead(session, who);
  expect.succeeds(reply, 'A new access token is refused.');
  const fresh = await refresh(session, who);
  if (fresh.pair) {
    const { accessToken } = fresh.pair;
    // What one server has issued, another one may hear of a moment later.
    const look = (): Promise<Reply> => readWith(session, call, accessToken);
    const soon = await eventually(session, fresh.reply, look, ({ ok }) => ok);
    expect.succeeds(soon, 'An access token is refused right after it was issued.');
  }
}

/** Waits for the end of an access token, where that is near. */
async function judgeExpiry({ session, expect }: RuleContext): Promise<void> {
  const { owner: who } = await line(session);
  const { call } = await bearerRead(session, who);
  const { pair } = await refresh(session, who);
  if (!pair) throw new Inconclusive('precondition', 'a refresh token that is taken');
  const { host } = session.run;
  const lacking = new Inconclusive('not-enough-time', `access tokens that live ${WAIT / 1000} s or less`);
  if (pair.expiresIn * 1000 > WAIT) throw lacking;
  const end = pair.at + pair.expiresIn * 1000;
  await host.sleep(Math.max(0, end - host.now()) + 1000);
  if (host.now() <= end) throw lacking;
  const late = await readWith(session, call, pair.accessToken);
  expect.refused(late, 'An access token is taken after its life time is over.');
  const { reply, pair: next } = await refresh(session, who);
  expect.succeeds(reply, 'A refresh is refused after the access token has expired.');
  if (next) expect.succeeds(await readWith(session, call, next.accessToken), 'The access token after it is refused.');
}

async function judgeOldAccess({ session, observe }: RuleContext): Promise<void> {
  const { first, second, owner: who } = await line(session);
  const { call } = await bearerRead(session, who);
  const reply = await readWith(session, call, first.pair.accessToken);
  if (!second.pair) throw new Inconclusive('precondition', 'a second refresh');
  if (reply.at < first.pair.at + first.pair.expiresIn * 1000)
    observe('token.old-access', reply.ok ? 'valid' : 'revoked');
}

async function judgeVersions({ session, observe, probe, expect }: RuleContext): Promise<void> {
  const { first } = await line(session);
  const served: Version[] = [];
  for (const version of versions) {
    // A token that was never issued burns none; only a path that is not there answers with a 404 then.
    const reply = await probe(refreshCall(session, session.uuid(), version));
    expect.refused(reply, `${version} takes a refresh token that was never issued.`);
    if (!absent(reply)) served.push(version);
  }
  const used = versions.find((version) => first.reply.what.includes(`/${version}/`));
  if (used && served.includes(used)) observe('token.versions', served);
}

async function judgeReuse({ session, observe }: RuleContext): Promise<void> {
  const { again, older, winners, after } = await race(session);
  if (again.ok || older.ok || winners.length !== 1) {
    throw new Inconclusive('precondition', 'a reuse that is refused (see tokens.single-use)');
  }
  observe('token.reuse', after.pair ? 'refused' : 'family-revoked');
}

const needs = ['tokens'] as const;

/** Rules of tokens. Those that send a token again come last, as that may cost the channel its tokens. */
export const tokenRules: readonly RuleSpec[] = [
  defineRule({ id: 'tokens.refresh', needs, run: judgeRefresh }),
  defineRule({ id: 'tokens.refresh.without-access', needs, run: judgeWithoutAccess }),
  defineRule({
    id: 'tokens.rotation',
    needs,
    async run({ session, expect }) {
      const { first, second } = await line(session);
      const all = [first, second].flatMap(({ pair }) => (pair ? [pair] : []));
      const refreshTokens = [first.spent, ...all.map(({ refreshToken }) => refreshToken)];
      const accessTokens = all.map(({ accessToken }) => accessToken);
      expect.equal(
        new Set(refreshTokens).size,
        refreshTokens.length,
        'A refresh gives a refresh token that is not new.',
      );
      expect.equal(new Set(accessTokens).size, accessTokens.length, 'A refresh gives an access token that is not new.');
    },
  }),
  defineRule({
    id: 'tokens.latest-refresh',
    needs,
    async run({ session, expect }) {
      const { second } = await line(session);
      expect.succeeds(second.reply, 'The most recently issued refresh token is refused.');
      expect.that(isObject(second.reply.data), 'The most recently issued refresh token gives no token set.');
    },
  }),
  defineRule({ id: 'tokens.old-access', needs, run: judgeOldAccess }),
  defineRule({ id: 'tokens.expires-in', needs, run: judgeLifetime }),
  defineRule({ id: 'tokens.expiry', needs, run: judgeExpiry }),
  defineRule({ id: 'tokens.version', needs, run: judgeVersions }),
  defineRule({ id: 'tokens.refresh.body', needs, run: judgeBody }),
  defineRule({
    id: 'tokens.single-use',
    needs,
    async run({ session, expect }) {
      const { winners, again } = await race(session);
      expect.that(winners.length <= 1, 'Several refreshes at once with one token succeed.', {
        expected: 1,
        actual: winners.length,
      });
      expect.refused(again, 'A refresh token is taken a second time.');
    },
  }),
  defineRule({
    id: 'tokens.old-refresh-invalid',
    needs,
    async run({ session, expect }) {
      const { older } = await race(session);
      expect.refused(older, 'A refresh token is taken although later ones were issued.');
    },
  }),
  defineRule({ id: 'tokens.reuse', needs, run: judgeReuse }),
];
