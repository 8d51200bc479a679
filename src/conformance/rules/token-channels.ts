import { Inconclusive, Refused } from '../client/outcome.js';
import type { Session } from '../client/session.js';
import { bearerRead, credentials, readWith, refresh, type TokenOwner, twoRefreshes } from '../journeys/tokens.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';

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
async function judgeOtherChannel({ session, expect }: RuleContext): Promise<void> {
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
export const tokenChannelRules: readonly RuleSpec[] = [
  defineRule({ id: 'tokens.own-channel', needs: ['tokens', 'second-channel'], run: judgeOtherChannel }),
];
