import { invalid, Refusal } from '../domain/refusal.js';
import type { Answers } from '../generated/questions.js';
import { RefreshRequest } from '../generated/request-validators.js';
import type { Call, Answer } from './call.js';

const words = {
  unknown: 'The refresh token is not known.',
  used: 'The refresh token was used before: each is good for one refresh. Please use the most recently issued one.',
  revoked: 'The refresh token was revoked, since an earlier one of its line was used twice.',
};

/** A 401 names the scheme that a good token leads to (RFC 9110, section 11.6.1); other statuses carry none. */
function challenge(answers: Answers): Record<string, string> {
  return answers['token.failure'] === 401 ? { 'www-authenticate': 'Bearer realm="teebox", error="invalid_token"' } : {};
}

/** Trades a refresh token for a new token set (section "Authentication", list 2 to 5). */
export function refreshToken({ engine, body, strike }: Call<{ readonly version: string }>): Answer {
  const { store, answers } = engine;
  if (!RefreshRequest(body)) {
    const given = (body as { refresh_token?: unknown } | null)?.refresh_token;
    throw invalid(
      'tokens.refresh.body',
      'refresh_token',
      'must be the refresh token, a string that is not empty',
      given,
    );
  }
  const refresh = () =>
    store.tokens.refresh(body.refresh_token, engine.now(), engine.expiresIn, {
      revokeAccessOnRefresh: answers['token.old-access'] === 'revoked',
      revokeFamilyOnReuse: answers['token.reuse'] === 'family-revoked',
    });
  const owner = store.tokens.ownerOf(body.refresh_token);
  const rival = owner && strike?.(() => {}, owner);
  if (rival) {
    refresh();
    rival.strike();
  }
  const outcome = refresh();
  if ('refused' in outcome) {
    const rule = outcome.refused === 'unknown' ? 'tokens.refresh.body' : 'tokens.single-use';
    throw new Refusal('token-refused', rule, { words: words[outcome.refused], headers: challenge(answers) });
  }
  const { accessToken, refreshToken: next, expiresIn } = outcome.set;
  return { data: { access_token: accessToken, refresh_token: next, expires_in: expiresIn } };
}
