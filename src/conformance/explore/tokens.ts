import type { Reply } from '../client/exchange.js';
import { pairOf } from '../client/credentials.js';
import { Inconclusive } from '../client/outcome.js';
import { operationIn } from '../client/operations.js';
import type { ListVersion } from '../journeys/booking-lists.js';
import { owner, refresh, refreshCall, type Refreshed } from '../journeys/tokens.js';
import { Contradiction, GivenUp } from './found.js';
import type { Walker } from './walker.js';
import type { Outcome } from './walker.js';

/** A refresh, perhaps sent several times at once: at most one of them may be accepted. */
export async function refreshed(walker: Walker, copies = 1): Promise<readonly Reply[]> {
  const { session, ground } = walker;
  if (!ground.can.refreshes) return [];
  const who = owner(session);
  const replies: Reply[] = [];
  const send = async (token: string): Promise<Reply> => {
    if (copies === 1) return walker.patiently(() => session.run.transport.refresh(token));
    ground.hasReused = true;
    const all = await Promise.allSettled(Array.from({ length: copies }, () => sendAgain(walker, token)));
    replies.push(...all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const best = replies.findLast((reply) => pairOf(reply)) ?? replies[0];
    if (!best) throw new Inconclusive('network', 'an answer to one of several concurrent refreshes');
    return best;
  };
  const done = await refresh(session, who, send).catch((error: unknown) => {
    if (error instanceof Inconclusive) stopRefreshing(walker);
    throw error;
  });
  if (copies === 1) replies.push(done.reply);
  expectOneWinner(walker, replies);
  expectNewTokens(walker, done);
  await expectAccess(walker, done);
  return replies;
}

/** A refresh without a response has perhaps spent the token: nobody knows its successor. */
function stopRefreshing({ ground }: Walker): void {
  ground.can = { ...ground.can, refreshes: false, reuses: false };
}

/** The version of the refresh that was accepted last. */
const served = new WeakMap<object, string>();

function sendAgain({ session }: Walker, token: string): Promise<Reply> {
  const version = served.get(session.run.transport);
  const call = version === undefined ? refreshCall(session, token) : refreshCall(session, token, version as 'v5');
  return session.send({ ...call, breaking: 'tokens.single-use' });
}

function expectOneWinner(walker: Walker, replies: readonly Reply[]): void {
  const winners = replies.filter(({ ok }) => ok);
  if (winners.length < 2) return;
  const message = `A refresh token is accepted ${winners.length} times when it is sent ${replies.length} times at once.`;
  walker.contradict({
    fact: 'tokens',
    message,
    expected: 1,
    actual: winners.length,
    shownBy: winners[1]!.id,
    operation: 'refreshToken',
  });
}

function expectNewTokens(walker: Walker, { reply, pair, spent }: Refreshed): void {
  const { ground, session } = walker;
  const about = { shownBy: reply.id, operation: 'refreshToken' } as const;
  if (!pair) {
    // A service may revoke all tokens after a reuse (token.reuse), and then nothing more can be seen.
    stopRefreshing(walker);
    if (reply.status >= 500 || (reply.ok && reply.json === undefined))
      throw new GivenUp(`A refresh is answered ${reply.status}.`);
    if (ground.hasReused) return void ground.habits.learn('after a reused refresh token', 'all are revoked');
    return walker.contradict({
      fact: 'tokens',
      message: 'The newest refresh token is refused.',
      actual: reply.status,
      ...about,
    });
  }
  served.set(session.run.transport, /\/api\/(v\d+)\//.exec(reply.what)?.[1] ?? 'v5');
  const isOld =
    [pair.accessToken, pair.refreshToken].some((token) => ground.tokens.has(token)) || pair.refreshToken === spent;
  for (const token of [pair.accessToken, pair.refreshToken]) ground.tokens.add(token);
  if (isOld)
    walker.contradict({ fact: 'tokens', message: 'A refresh issues a token that was issued before.', ...about });
}

/** The new access token is accepted where one was accepted before. */
async function expectAccess(walker: Walker, { pair }: Refreshed): Promise<void> {
  const { session, ground } = walker;
  if (!pair || !ground.bearer) return;
  const { version, as } = ground.bearer;
  const call = { operation: operationIn('listBookings', version as ListVersion), as, scheme: 'bearer' } as const;
  const first = await session.send(call);
  const reply = first.ok ? first : await session.send(call);
  if (reply.ok) return;
  const message = 'The access token of a refresh is refused.';
  walker.contradict({ fact: 'access', message, expected: 'a success', actual: reply.status, shownBy: reply.id });
}

/** A refresh, and the spent token once more if the step says so. */
export async function refreshStep(walker: Walker, again: boolean): Promise<Outcome> {
  const { session, ground } = walker;
  if (!ground.can.refreshes || (again && !ground.can.reuses)) return 'skipped';
  const before = await session.run.transport.channels[owner(session)]!.refreshToken();
  const [reply] = await refreshed(walker);
  if (!reply?.ok || !again || before === undefined) return reply?.ok ? 'accepted' : 'refused';
  ground.hasReused = true;
  const reuse = await sendAgain(walker, before);
  if (reuse.ok && ground.judges) {
    throw new Contradiction({
      fact: 'tokens',
      message: 'A refresh token is accepted a second time.',
      expected: 'a refusal',
      actual: reuse.status,
      shownBy: reuse.id,
      operation: 'refreshToken',
    });
  }
  return 'accepted';
}
