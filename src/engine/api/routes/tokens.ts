import { invalid, Refusal } from '../../model/refusal.js';
import { type Answers, RefreshRequest } from '../../../contract/index.js';
import type { Answer, Call, Schemas } from './call.js';

const wayOut =
  'In this sandbox, `GET /__admin/channels` shows the newest token, and `POST /__admin/reset` restores the initial one.';

const words = {
  unknown: `The refresh token is unknown. ${wayOut}`,
  used: `The refresh token was already used. Each token is valid for one refresh. ${wayOut}`,
  revoked: `The refresh token was revoked because an earlier token of its family was used twice. ${wayOut}`,
  'channel-revoked': 'The credentials of this channel were revoked. Please contact the operator.',
};

/** A 401 names the authentication scheme (RFC 9110, section 11.6.1); other statuses do not. */
function challenge(answers: Answers): Record<string, string> {
  return answers['token.failure'] === 401 ? { 'www-authenticate': 'Bearer realm="teebox", error="invalid_token"' } : {};
}

/** Exchanges a refresh token for a new token set (section "Authentication", list 2 to 5). */
export function refreshToken({
  engine,
  body,
  triggered,
}: Call<{ readonly version: string }>): Answer<Schemas['TokenSet']> {
  const { store, answers } = engine;
  if (!RefreshRequest(body)) {
    const given = (body as { refresh_token?: unknown } | null)?.refresh_token;
    throw invalid('tokens.refresh.body', 'refresh_token', 'must be the refresh token, a non-empty string', given);
  }
  const refresh = () =>
    store.tokens.refresh(body.refresh_token, engine.now(), engine.expiresIn, {
      revokeAccessOnRefresh: answers['token.old-access'] === 'revoked',
      revokeFamilyOnReuse: answers['token.reuse'] === 'family-revoked',
    });
  const valid = store.tokens.ownerOf(body.refresh_token) !== undefined;
  for (const trigger of valid ? (triggered?.('change', () => {}) ?? []) : []) {
    refresh();
    trigger.apply();
  }
  const outcome = refresh();
  if ('refused' in outcome) {
    const rule = outcome.refused === 'unknown' ? 'tokens.refresh.body' : 'tokens.single-use';
    throw new Refusal('token-refused', rule, { words: words[outcome.refused], headers: challenge(answers) });
  }
  const { accessToken, refreshToken: next, expiresIn } = outcome.set;
  return { data: { access_token: accessToken, refresh_token: next, expires_in: expiresIn } };
}
