import { type Credentials, pairOf, type TokenPair } from '../client/credentials.js';
import type { Caller, Reply } from '../client/exchange.js';
import { versions } from '../client/operations.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { resource, resourceOf } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { eventually } from './changing-answers.js';
import { callPerVersion, type ReadCall } from './read-calls.js';

export type TokenOwner = Exclude<Caller, 'nobody'>;

/** One refresh and its outcome. */
export interface Refreshed {
  readonly spent: string;
  readonly reply: Reply;
  /** Absent if it was refused. */
  readonly pair?: TokenPair;
}

/** Two refreshes in a row, which the rules of tokens look at. */
export interface TwoRefreshes {
  readonly tokenOwner: TokenOwner;
  readonly first: Refreshed & { readonly pair: TokenPair };
  readonly second: Refreshed;
}

/** The channel whose tokens are used up. */
export function owner({ run }: Session): TokenOwner {
  return run.transport.tokenOwner.name;
}

/** The credentials of the channel whose tokens are used up. */
export function credentials(session: Session, who = owner(session)): Credentials {
  return session.run.transport.channels[who]!;
}

/** Sends a refresh that may be refused. */
export type Send = (token: string) => Promise<Reply>;

/** Uses the newest refresh token and returns also a refusal. The token journal is written before and after. */
export async function refresh(session: Session, who: TokenOwner, send?: Send): Promise<Refreshed> {
  const { transport } = session.run;
  let sent: { readonly spent: string; readonly reply: Reply } | undefined;
  const spend: Send = async (spent) => {
    const reply = await (send ? send(spent) : transport.refresh(spent));
    session.exchanges.add(reply.id);
    sent = { spent, reply };
    return reply;
  };
  try {
    const { pair, reply, spent } = await credentials(session, who).rotate(spend);
    return { pair, reply, spent };
  } catch (error) {
    if (!(error instanceof Inconclusive) || !sent) throw error;
    return sent;
  }
}

/** Two refreshes in a row. */
export const twoRefreshes = resource('token line', async (session): Promise<TwoRefreshes> => {
  const who = owner(session);
  const first = await refresh(session, who);
  if (!first.pair)
    throw new Inconclusive('precondition', `an accepted refresh token (the status was ${first.reply.status})`);
  const second = await refresh(session, who);
  return { tokenOwner: who, first: { ...first, pair: first.pair }, second };
});

/** Two refreshes in a row by one version, and a read with the first access token. */
interface VersionRefreshes {
  readonly version: string;
  readonly first: Refreshed & { readonly pair: TokenPair };
  readonly second: Refreshed;
  /** Absent if no version is known to accept a bearer token. */
  readonly read: Reply | undefined;
}

/**
 * The refreshes of each version but the one that refreshes for the run, if it takes the newest token. Which versions serve
 * the operation is an open question. A broken version may lose the token, so one that is kept is not sent to it unless the
 * run may lose it.
 */
export const refreshesByVersion = resource('token lines', async (session): Promise<readonly VersionRefreshes[]> => {
  const { tokenOwner: who, second: latest } = await twoRefreshes(session);
  const bearer = await bearerRead(session, who).catch(unlessInconclusive);
  const usual = servedVersion(session);
  const all: VersionRefreshes[] = [];
  for (const version of latest.pair && session.run.transport.allows('lockout') ? versions : []) {
    if (version === usual) continue;
    const by: Send = (token) => session.send(refreshCall(session, token, version));
    const { pair, ...first } = await refresh(session, who, by);
    if (!pair) continue;
    const look = (): Promise<Reply> => readWith(session, bearer!.call, pair.accessToken);
    // Other servers of the deployment may learn of a new token a moment later.
    const read = bearer && (await eventually(session, first.reply, look, ({ ok }) => ok));
    all.push({ version, first: { ...first, pair }, second: await refresh(session, who, by), read });
  }
  return all;
});

/** Concurrent refreshes with one token, and the requests after them. */
export interface RefreshRace {
  readonly winners: readonly Reply[];
  /** A reuse of the same token. */
  readonly again: Reply;
  /** A reuse of the first token of {@link twoRefreshes}. */
  readonly older: Reply;
  /** The reuse in the other versions, each of which may keep the spent tokens by itself, and of their own tokens. */
  readonly elsewhere: readonly Reply[];
  /** A refresh with the newest token, after the refused ones. */
  readonly after: Refreshed;
}

const RACERS = 5;

/**
 * The race, and every reuse of a token that the rules need. Only rules that need the permission `lockout` may use it: a
 * service may revoke every token of the channel after a reuse.
 */
export const refreshRace = resource('token race', async (session): Promise<RefreshRace> => {
  const { tokenOwner: who, first, second } = await twoRefreshes(session);
  if (!second.pair) throw new Inconclusive('precondition', 'a second accepted refresh in a row');
  const replies: Reply[] = [];
  const start = await refresh(session, who, async (token) => {
    const all = await Promise.allSettled(Array.from({ length: RACERS }, () => send(session, token)));
    replies.push(...all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const best = replies.findLast((reply) => pairOf(reply)) ?? replies[0];
    if (!best) throw new Inconclusive('network', 'an answer to one of several concurrent refreshes');
    return best;
  });
  const again = await send(session, start.spent);
  const older = await send(session, first.spent);
  const elsewhere: Reply[] = [];
  for (const version of versions) {
    if (version !== servedVersion(session)) elsewhere.push(await send(session, start.spent, version));
  }
  for (const { version, first: own } of await refreshesByVersion(session))
    elsewhere.push(await send(session, own.spent, version));
  const after = await refresh(session, who);
  const winners = replies.filter(({ ok }) => ok);
  return { winners, again, older, elsewhere, after };
});

/** Sends a refresh token more than once: it breaks the rule of single use on purpose. */
function send(session: Session, token: string, version = servedVersion(session)): Promise<Reply> {
  const breaking = 'tokens.single-use';
  return session.send({ ...refreshCall(session, token, version), breaking });
}

/** A refresh with a version in which the deployment has already served one. */
export function refreshCall(session: Session, token: unknown, version = servedVersion(session)) {
  return {
    operation: 'refreshToken',
    params: { version },
    body: { refresh_token: token },
    as: 'nobody',
  } as const;
}

/** The version of the first refresh that succeeded; before any did, the newest one. */
function servedVersion({ run }: Session): string {
  const done = run.transport.replies.find(({ operation, ok }) => operation === 'refreshToken' && ok);
  return /\/api\/(v\d+)\//.exec(done?.what ?? '')?.[1] ?? versions.at(-1)!;
}

/** A read that accepts a bearer token of the channel, with its answer. */
export const bearerRead = resourceOf(
  'bearer read',
  async (session, who: TokenOwner): Promise<{ readonly call: ReadCall; readonly reply: Reply }> => {
    for (const call of await callPerVersion(session)) {
      const reply = await session.send({ ...call, as: who, scheme: 'bearer' });
      if (reply.ok) return { call, reply };
    }
    throw new Inconclusive(
      'control-failed',
      'a version that accepts bearer tokens (perhaps in another header: the setting bearer-header)',
    );
  },
);

/** The answer to a read with this access token. */
export function readWith(session: Session, call: ReadCall, token: string): Promise<Reply> {
  const headers = { [session.run.transport.options.bearerHeader]: `Bearer ${token}` };
  return session.send({ ...call, as: 'nobody', headers, breaking: 'tokens.expiry' });
}

/** A bearer token that was never issued, the same for all rules. */
export const madeUpToken = resource('made-up token', async (session) => session.uuid());
