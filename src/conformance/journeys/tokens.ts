import { type Credentials, pairOf, type TokenPair } from '../credentials.js';
import type { Caller, Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { callPerVersion, type ReadCall } from './calls.js';

export type Owner = Exclude<Caller, 'nobody'>;

/** One refresh as it went. */
export interface Refreshed {
  readonly spent: string;
  readonly reply: Reply;
  /** Absent where it was refused. */
  readonly pair?: TokenPair;
}

/** What the rules of tokens look at: two refreshes in a row. */
export interface Line {
  readonly owner: Owner;
  readonly first: Refreshed & { readonly pair: TokenPair };
  readonly second: Refreshed;
}

/** Whose tokens are spent: those of the second channel where it has some, since the first one is needed for more. */
export function owner({ run }: Session): Owner {
  return run.transport.channels.second?.schemes.includes('bearer') ? 'second' : 'first';
}

/** The credentials of the channel whose tokens are spent. */
export function credentials(session: Session, who = owner(session)): Credentials {
  return session.run.transport.channels[who]!;
}

/** Sends a refresh that may be refused. */
export type Send = (token: string) => Promise<Reply>;

/** Spends the newest refresh token, and tells also when it is refused. The journal knows before and after. */
export async function refresh(session: Session, who: Owner, send?: Send): Promise<Refreshed> {
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

/** Two refreshes in a row, made once in a run. */
export function line(session: Session): Promise<Line> {
  return session.once('token line', async (session) => {
    const who = owner(session);
    const first = await refresh(session, who);
    if (!first.pair) throw new Inconclusive('precondition', `a refresh token that is taken (${first.reply.status})`);
    const second = await refresh(session, who);
    return { owner: who, first: { ...first, pair: first.pair }, second };
  });
}

/** A race of several refreshes for one token, and what came after it. */
export interface Race {
  readonly winners: readonly Reply[];
  readonly losers: readonly Reply[];
  /** The token that was raced for, sent once more. */
  readonly again: Reply;
  /** The first token of the line, which came long before. */
  readonly older: Reply;
  /** A refresh with the newest token, after all those that were refused. */
  readonly after: Refreshed;
}

const RACERS = 5;

/**
 * A race, and every reuse of a token that the rules need. It comes after all other refreshes, since a service may
 * answer a reuse by revoking every token of the channel.
 */
export function race(session: Session): Promise<Race> {
  return session.once('token race', async (session) => {
    const { owner: who, first, second } = await line(session);
    if (!second.pair) throw new Inconclusive('precondition', 'a refresh token that is taken after another one');
    const replies: Reply[] = [];
    const start = await refresh(session, who, async (token) => {
      const all = await Promise.allSettled(Array.from({ length: RACERS }, () => send(session, token)));
      replies.push(...all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
      const best = replies.findLast((reply) => pairOf(reply)) ?? replies[0];
      if (!best) throw new Inconclusive('network', 'an answer to any of several refreshes at once');
      return best;
    });
    const again = await send(session, start.spent);
    const older = await send(session, first.spent);
    const after = await refresh(session, who);
    const winners = replies.filter(({ ok }) => ok);
    return { winners, losers: replies.filter(({ ok }) => !ok), again, older, after };
  });
}

/** Sends a refresh token that is spent, or about to be: breaking the rule of single use on purpose. */
function send(session: Session, token: string): Promise<Reply> {
  const breaking = 'tokens.single-use';
  return session.send({ ...refreshCall(session, token), breaking });
}

/** A refresh by the version that the deployment is known to serve it in. */
export function refreshCall(session: Session, token: unknown, version = servedVersion(session)) {
  return {
    operation: 'refreshToken',
    params: { version },
    body: { refresh_token: token },
    as: 'nobody',
  } as const;
}

/** The version of the last refresh that succeeded. */
function servedVersion({ run }: Session): string {
  const done = run.transport.replies.findLast(({ operation, ok }) => operation === 'refreshToken' && ok);
  return /\/api\/(v\d+)\//.exec(done?.what ?? '')?.[1] ?? 'v5';
}

/** A read that takes a bearer token of the channel, with its answer. */
export function bearerRead(session: Session, who: Owner): Promise<{ readonly call: ReadCall; readonly reply: Reply }> {
  return session.once(`bearer read ${who}`, async (session) => {
    for (const call of await callPerVersion(session)) {
      const reply = await session.send({ ...call, as: who, scheme: 'bearer' });
      if (reply.ok) return { call, reply };
    }
    throw new Inconclusive(
      'control-failed',
      'a version that takes a bearer token; perhaps in another header (--bearer-header)',
    );
  });
}

/** The answer to a read that carries this access token. */
export function readWith(session: Session, call: ReadCall, token: string): Promise<Reply> {
  const headers = { [session.run.transport.options.bearerHeader]: `Bearer ${token}` };
  return session.send({ ...call, as: 'nobody', headers, breaking: 'tokens.expiry' });
}

/** A bearer token that nobody has issued, the same one for all rules. */
export const madeUpToken = (session: Session): Promise<string> =>
  session.once('made-up token', async (session) => session.uuid());
