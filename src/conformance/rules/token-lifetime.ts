import type { Reply } from '../client/exchange.js';
import { eventually } from '../journeys/changing-answers.js';
import { callPerVersion } from '../journeys/read-calls.js';
import { bearerRead, readWith, refresh, twoRefreshes } from '../journeys/tokens.js';
import { Inconclusive } from '../client/outcome.js';
import { resource } from '../client/resource.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';

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

async function judgeShortLife({ session, expect }: RuleContext): Promise<void> {
  const { first } = await twoRefreshes(session);
  const { expiresIn } = first.pair;
  const isShort = expiresIn <= MONTH_SECONDS && !areMilliseconds(expiresIn);
  expect.that(isShort, '`expires_in` is no short lifetime in seconds.', { expected: 'seconds', actual: expiresIn });
}

async function judgeLifetime({ session, expect }: RuleContext): Promise<void> {
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
  if (first.pair.expiresIn * 1000 <= WAIT) {
    const { early } = await shortLife(session);
    expect.succeeds(early, 'An access token is refused before its lifetime is over.');
  }
}

/** What becomes of an access token with a short lifetime: an answer before its end, and one after. */
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
  // Each version may look at the time by itself.
  for (const one of await callPerVersion(session)) late.push(await readWith(session, one, pair.accessToken));
  return { early, late };
});

/** Waits until an access token expires, if that is soon. */
async function judgeExpiry({ session, expect }: RuleContext): Promise<void> {
  const { tokenOwner: who } = await twoRefreshes(session);
  const { call } = await bearerRead(session, who);
  const { late } = await shortLife(session);
  for (const reply of late) expect.refused(reply, `${reply.what} accepts an expired access token.`);
  const { reply, pair: next } = await refresh(session, who);
  expect.succeeds(reply, 'A refresh is refused after the access token has expired.');
  if (next) expect.succeeds(await readWith(session, call, next.accessToken), 'The new access token is refused.');
}

const needs = ['tokens'] as const;

/** Rules of how long an access token is valid. */
export const tokenLifetimeRules: readonly RuleSpec[] = [
  defineRule({ id: 'tokens.short-lived', needs, run: judgeShortLife }),
  defineRule({ id: 'tokens.expires-in', needs, run: judgeLifetime }),
  defineRule({ id: 'tokens.expiry', needs, run: judgeExpiry }),
];
