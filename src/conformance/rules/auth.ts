import { type OperationId, operations } from '../../generated/operations.js';
import { basicHeader, type Credentials, type Scheme } from '../credentials.js';
import type { Reply } from '../exchange.js';
import { booking, bookings, group } from '../journeys/bookings.js';
import { callPerVersion, newestFirst, type ReadCall, readCalls, versionOf } from '../journeys/calls.js';
import { accepted } from '../journeys/searches.js';
import { spread } from '../journeys/steady.js';
import { madeUpToken } from '../journeys/tokens.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import { defineRule, type Probe, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';

type Headers = Readonly<Record<string, string>>;

const otherHeaders = ['X-Access-Token', 'X-Auth-Token', 'X-Authorization'];
const MISSING_TOKEN = 'a refresh token (--refresh-token)';

/** A call that succeeded with credentials, as it can be sent with others. */
interface Right {
  readonly probe: Probe;
  readonly reply: Reply;
}

async function rightReads(session: Session, calls: readonly ReadCall[]): Promise<readonly Right[]> {
  const right: Right[] = [];
  for (const call of calls) {
    const reply = await session.read(call.operation, call.params);
    if (reply.ok) right.push({ probe: call, reply });
  }
  return right;
}

/** One call of every operation that does more than read, which this run may send and which has succeeded. */
async function rightWrites(session: Session): Promise<readonly Right[]> {
  const { transport } = session.run;
  const right: Right[] = [];
  if (transport.allows('callbacks')) {
    const search = await accepted(session).catch(unlessInconclusive);
    if (search) right.push({ probe: { operation: 'v5.searchTeeTimes', params: search.params }, reply: search.reply });
  }
  if (!transport.allows('bookings')) return right;
  for (const version of ['v2', 'v3', 'v5'] as const) {
    const made = await booking(session, version).catch(unlessInconclusive);
    if (!made) continue;
    const operation = version === 'v3' ? 'v3.createBulkBooking' : (`${version}.createBooking` as const);
    const body = version === 'v3' ? made.items : made.items[0];
    right.push({ probe: { operation, body }, reply: made.reply });
  }
  if (transport.allows('payments')) right.push(...(await rightPayments(session)));
  return right;
}

/** Payments confirmed once more, by the first of the two methods that is taken. */
async function rightPayments(session: Session): Promise<readonly Right[]> {
  const serviceBookingId = (await booking(session, 'v5').catch(unlessInconclusive))?.bookingIds[0];
  const bulkBookingId = (await group(session, 'v5').catch(unlessInconclusive))?.groupId;
  const right: Right[] = [];
  for (const { id, name, method } of operations) {
    const single = name === 'confirmPayment';
    if (method !== 'GET' || !(single || name === 'confirmBulkPayment')) continue;
    const params = single ? { serviceBookingId } : { bulkBookingId };
    if (Object.values(params).includes(undefined)) continue;
    for (const operation of [id, `${id}.post`] as OperationId[]) {
      const reply = await session.send({ operation, params });
      if (reply.ok) right.push({ probe: { operation, params }, reply });
      if (reply.ok) break;
    }
  }
  return right;
}

/** Every call must be refused when it is sent with these headers in place of credentials. */
async function refusedWith(
  context: RuleContext,
  calls: readonly Right[],
  headers: Headers,
  what: string,
): Promise<void> {
  for (const { probe, reply } of calls) {
    await context.refuses({ ...probe, as: 'nobody', headers }, reply, `${reply.what.split('?')[0]} ${what}`);
  }
}

const channel = (session: Session): Credentials => session.run.transport.channels.first;

/** The answers by a bearer token to every call that reads, or up to the first that takes it where requests are few. */
function bearerReplies(session: Session): Promise<readonly { readonly call: ReadCall; readonly reply: Reply }[]> {
  return session.once('bearer replies', async (session) => {
    const { schemes } = channel(session);
    if (!schemes.includes('bearer')) throw new Inconclusive('not-given', MISSING_TOKEN);
    const replies: { call: ReadCall; reply: Reply }[] = [];
    const { limited } = session.run.transport;
    for (const call of await (limited ? newestFirst : readCalls)(session)) {
      const { operation, params } = call;
      const only = schemes.length === 1;
      const reply = await (only ? session.read(operation, params) : session.send({ ...call, scheme: 'bearer' }));
      replies.push({ call, reply });
      if (limited && reply.ok) break;
    }
    return replies;
  });
}

/** A token that differs in one letter: of the signature, where it has one. */
function tampered(token: string): string {
  const at = token.includes('.') ? token.lastIndexOf('.') + 1 : token.length >> 1;
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
}

/** What carries a bearer token, under the name that the run was told. */
function bearer({ run }: Session, token: string): Headers {
  return { [run.transport.options.bearerHeader]: `Bearer ${token}` };
}

async function judgeBearer(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const { limited } = session.run.transport;
  // Where requests are few, the one that was tampered with has to do.
  if (!limited) {
    const madeUp = bearer(session, await madeUpToken(session));
    const some = await rightReads(session, await callPerVersion(session));
    await refusedWith(context, some, madeUp, 'takes a bearer token that was made up.');
  }
  const replies = await bearerReplies(session);
  const takenBy = new Set(replies.filter(({ reply }) => reply.ok).map(({ call }) => versionOf(call)));
  if (takenBy.size === 0) {
    throw new Inconclusive(
      'control-failed',
      'a version that takes a bearer token; perhaps in another header (--bearer-header)',
    );
  }
  for (const { call, reply } of replies) {
    if (!takenBy.has(versionOf(call)) || !(await session.read(call.operation, call.params)).ok) continue;
    expect.succeeds(reply, `${call.operation} refuses the token that other paths of its version take.`);
  }
  const calls = limited
    ? replies.filter(({ reply }) => reply.ok).map(({ call }) => call)
    : await callPerVersion(session);
  const some = await rightReads(session, calls);
  const token = await channel(session).accessToken();
  await refusedWith(context, some, bearer(session, tampered(token)), 'takes an access token that was tampered with.');
  const other = await channel(session).refreshToken();
  if (other === undefined || other === token) return;
  await refusedWith(context, some.slice(0, 1), bearer(session, other), 'takes a refresh token for an access token.');
}

/** The header that bearer tokens are taken in: where it is not the usual one, some others that are in use are tried. */
function headerTaken(session: Session): Promise<string | undefined> {
  return session.once('bearer header', async (session) => {
    const replies = await bearerReplies(session);
    if (replies.some(({ reply }) => reply.ok)) return session.run.transport.options.bearerHeader;
    const value = `Bearer ${await channel(session).accessToken()}`;
    const calls = await newestFirst(session);
    for (const name of otherHeaders) {
      for (const call of spread(session, calls)) {
        const headers = { [name]: value };
        const { ok } = await session.send({ ...call, as: 'nobody', headers, breaking: 'auth.bearer-header' });
        if (ok) return name;
      }
    }
    return undefined;
  });
}

async function judgeHeader({ session, observe }: RuleContext): Promise<void> {
  const name = await headerTaken(session);
  if (name !== undefined) observe('auth.bearer-header', name);
}

/** Which of the schemes are taken; undefined where none is. */
function schemesTaken(taken: ReadonlySet<Scheme>): 'both' | Scheme | undefined {
  return taken.size === 2 ? 'both' : [...taken][0];
}

async function judgeBasic({ session, observe, probe, expect }: RuleContext): Promise<void> {
  const { basic } = channel(session).options;
  if (!basic) throw new Inconclusive('not-given', 'user name and password (--basic)');
  const calls = await callPerVersion(session);
  const [{ probe: call }] = expect.some(await rightReads(session, calls), 'an answer to a read') as [Right];
  // Once only, since a service may lock a channel out that is wrong too often.
  const wrong = { authorization: basicHeader({ ...basic, password: session.uuid() }) };
  expect.refused(await probe({ ...call, as: 'nobody', headers: wrong }), 'A wrong password is taken.');
  if (!channel(session).schemes.includes('bearer')) throw new Inconclusive('not-given', MISSING_TOKEN);
  const header = await headerTaken(session);
  for (const call of calls) {
    const taken = new Set<Scheme>();
    if ((await session.send({ ...call, scheme: 'basic' })).ok) taken.add('basic');
    const token = { [header ?? 'Authorization']: `Bearer ${await channel(session).accessToken()}` };
    if ((await probe({ ...call, as: 'nobody', headers: token })).ok) taken.add('bearer');
    const answer = schemesTaken(taken);
    if (answer) observe(`auth.${versionOf(call) as 'v1'}.schemes`, answer);
  }
}

/** No booking of one channel stands in a list of the other. */
async function judgeLists({ session, expect }: RuleContext): Promise<void> {
  for (const version of ['v1', 'v2', 'v4'] as const) {
    const range = { from: session.longAgo };
    const own = (await bookings(session, version, range)).map(({ bookingId }) => bookingId);
    const others = await bookings(session, version, range, 'second');
    const strange = (id: string): boolean => !own.includes(id);
    expect.every(
      others.map(({ bookingId }) => bookingId),
      strange,
      `The list of ${version} shows one channel a booking that it shows another one too.`,
    );
  }
}

async function judgeScope(context: RuleContext): Promise<void> {
  const { session } = context;
  const calls = await (session.run.transport.limited ? somePerVersion : everyCall)(session);
  const nobody = { authorization: basicHeader({ username: session.uuid(), password: session.uuid() }) };
  await refusedWith(context, calls, nobody, 'acts for a channel whose user name and password were made up.');
  const { first, second } = session.run.transport.channels;
  const [one, other] = [first.options.basic, second?.options.basic];
  if (one && other && one.username !== other.username && one.password !== other.password) {
    const mixed = { authorization: basicHeader({ username: one.username, password: other.password }) };
    await refusedWith(context, calls.slice(0, 1), mixed, 'acts for a channel by the password of another one.');
  }
  // The same channel given twice shows its bookings twice, rightly.
  if (second && !(one && one.username === other?.username)) await judgeLists(context);
}

/** A call of every operation. Made once in a run. */
const everyCall = (session: Session): Promise<readonly Right[]> =>
  session.once('every call', async (session) => [
    ...(await rightReads(session, await readCalls(session))),
    ...(await rightWrites(session)),
  ]);

const somePerVersion = async (session: Session): Promise<readonly Right[]> =>
  rightReads(session, spread(session, await callPerVersion(session)));

/** Rules of authentication: on every path, and by every scheme that the run has credentials for. */
export const authRules: readonly RuleSpec[] = [
  defineRule({
    id: 'auth.required',
    // Among the last: a payment is confirmed once more, which must not disturb the rules of payments.
    phase: 'last',
    async run(context) {
      await refusedWith(context, await everyCall(context.session), {}, 'is answered without credentials.');
    },
  }),
  defineRule({ id: 'auth.bearer', run: judgeBearer }),
  defineRule({ id: 'auth.bearer-header', run: judgeHeader }),
  defineRule({ id: 'auth.basic', run: judgeBasic }),
  defineRule({ id: 'auth.channel-scope', phase: 'last', run: judgeScope }),
];
