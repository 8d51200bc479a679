import type { Reply } from '../client/exchange.js';
import { pairOf } from '../client/credentials.js';
import { Inconclusive } from '../client/outcome.js';
import { operationIn, versions } from '../client/operations.js';
import type { ListVersion } from '../journeys/booking-lists.js';
import { credentials, owner, refresh, refreshCall, type Refreshed } from '../journeys/tokens.js';
import { GivenUp } from './found.js';
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

function sendAgain({ session }: Walker, token: string, version = served.get(session.run.transport)): Promise<Reply> {
  const call = version === undefined ? refreshCall(session, token) : refreshCall(session, token, version);
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
    const message = 'The newest refresh token is refused.';
    const difference = { fact: 'tokens', message, expected: 'a success', actual: reply.status, ...about } as const;
    if (!mayBeRefused(walker, reply)) return walker.contradict(difference);
    stopRefreshing(walker);
    if (!ground.hasReused) throw new GivenUp(`A refresh is answered ${reply.status}.`);
    return void ground.habits.learn('after a reused refresh token', 'all are revoked');
  }
  served.set(session.run.transport, /\/api\/(v\d+)\//.exec(reply.what)?.[1] ?? 'v5');
  const isOld =
    [pair.accessToken, pair.refreshToken].some((token) => ground.tokens.has(token)) || pair.refreshToken === spent;
  for (const token of [pair.accessToken, pair.refreshToken]) ground.tokens.add(token);
  if (isOld)
    walker.contradict({ fact: 'tokens', message: 'A refresh issues a token that was issued before.', ...about });
}

/**
 * Whether the newest refresh token is not sure to be accepted: a service may revoke all tokens after a reuse (`token.reuse`),
 * and a response that was lost may have held a newer one. A refresh token outlives its access token.
 */
function mayBeRefused({ session, ground }: Walker, { ok, status }: Reply): boolean {
  const { latest, mayBeSpent } = credentials(session);
  const isOld = !latest || ground.run.host.now() - latest.at > latest.expiresIn * 1000;
  return ok || status === 429 || status >= 500 || ground.hasReused || mayBeSpent || isOld;
}

/** The new access token is accepted where one was accepted before. */
async function expectAccess(walker: Walker, { pair }: Refreshed): Promise<void> {
  const { session, ground } = walker;
  const as = owner(session);
  const version = ground.bearers.get(as);
  if (!pair || version === undefined) return;
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
  const channel = credentials(session);
  const before = await channel.refreshToken();
  const [reply] = await refreshed(walker);
  if (!reply?.ok) return 'refused';
  if (again && before !== undefined) {
    await expectSpent(walker, before, 'A refresh token');
    const { firstSpent } = channel;
    if (firstSpent !== before) await expectSpent(walker, firstSpent!, 'The first refresh token of the run');
  } else {
    // A reuse may revoke access tokens, too.
    for (const [as, version] of ground.bearers) await walker.expect(() => walker.oracle.list(version, as, 'bearer'));
  }
  return 'accepted';
}

async function expectSpent(walker: Walker, token: string, what: string): Promise<void> {
  walker.ground.hasReused = true;
  let reply = await sendAgain(walker, token);
  // Each version may keep the spent tokens by itself.
  for (const version of versions) reply = reply.ok ? reply : await sendAgain(walker, token, version);
  const { ok, status, id } = reply;
  if (!ok) return;
  const message = `${what} is accepted a second time.`;
  const about = { shownBy: id, operation: 'refreshToken' } as const;
  walker.contradict({ fact: 'tokens', message, expected: 'a refusal', actual: status, ...about });
}
