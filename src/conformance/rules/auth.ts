import { basicHeader, type Credentials, type Scheme } from '../client/credentials.js';
import type { Reply } from '../client/exchange.js';
import { bookings } from '../journeys/booking-lists.js';
import { creations, operationIn, productBooking, type VersionOf, versionsOf } from '../client/operations.js';
import { confirmDifferences } from '../journeys/changing-answers.js';
import { callPerVersion, newestFirst, type ReadCall, readCalls, versionOf } from '../journeys/read-calls.js';
import { madeUpToken } from '../journeys/tokens.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import { resource } from '../client/resource.js';
import { lastOf, type Session } from '../client/session.js';
import { type OperationId, operations } from '../../contract/index.js';
import type { OperationCall } from '../client/request.js';
import { bodyFor, bodyOf, booking, group } from '../journeys/bookings.js';
import { probeTarget } from '../journeys/material.js';
import { acceptedSearch } from '../journeys/searches.js';

/** A call that succeeded, to send again with other credentials. */
interface Right {
  readonly probe: Omit<OperationCall, 'breaking'>;
  readonly reply: Reply;
}

/** The calls that succeed. */
async function rightReads(session: Session, calls: readonly ReadCall[]): Promise<readonly Right[]> {
  const right: Right[] = [];
  for (const call of calls) {
    const reply = await session.read(call.operation, call.params);
    if (reply.ok) right.push({ probe: call, reply });
  }
  return right;
}

/** One successful call of every operation that writes, if the run has permission for it. */
async function rightWrites(session: Session): Promise<readonly Right[]> {
  const { transport } = session.run;
  const right: Right[] = [];
  if (transport.allows('callbacks')) {
    const search = await acceptedSearch(session).catch(unlessInconclusive);
    if (search)
      right.push({ probe: { operation: operationIn('searchTeeTimes'), params: search.params }, reply: search.reply });
  }
  if (!transport.allows('bookings')) return right;
  for (const creation of creations) {
    const made = await booking(session, creation).catch(unlessInconclusive);
    // With enough free slots, so that nothing but the credentials is a reason to refuse it.
    const target = made && (await probeTarget(session).catch(unlessInconclusive));
    if (!target) continue;
    const item = bodyFor(session, creation, target);
    right.push({ probe: { operation: creation.operation, body: bodyOf(creation, item) }, reply: made.reply });
  }
  if (transport.allows('payments')) right.push(...(await rightPayments(session)));
  return right;
}

/** Payments that are confirmed again, with the first of the two methods that is accepted. */
async function rightPayments(session: Session): Promise<readonly Right[]> {
  const serviceBookingId = (await booking(session, productBooking).catch(unlessInconclusive))?.bookingIds[0];
  const bulkBookingId = (await group(session, productBooking).catch(unlessInconclusive))?.groupId;
  const right: Right[] = [];
  for (const { id, name, method } of operations) {
    const single = name === 'confirmPayment';
    if (!session.run.transport.scope.has(id) || method !== 'GET' || !(single || name === 'confirmBulkPayment'))
      continue;
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

/** A call of every operation. */
const everyCall = resource('every call', async (session): Promise<readonly Right[]> => [
  ...(await rightReads(session, await readCalls(session))),
  ...(await rightWrites(session)),
]);

type Headers = Readonly<Record<string, string>>;

const otherHeaders = ['X-Access-Token', 'X-Auth-Token', 'X-Authorization'];
const MISSING_TOKEN = 'a refresh token (--refresh-token)';

/** Sends every call with these headers instead of credentials; each must be refused. */
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

/** The answers to every reading call with a bearer token. */
const bearerReplies = resource(
  'bearer replies',
  async (session): Promise<readonly { readonly call: ReadCall; readonly reply: Reply }[]> => {
    const { schemes } = channel(session);
    if (!schemes.includes('bearer')) throw new Inconclusive('not-given', MISSING_TOKEN);
    const replies: { call: ReadCall; reply: Reply }[] = [];
    for (const call of await readCalls(session)) {
      const { operation, params } = call;
      const only = schemes.length === 1;
      const reply = await (only ? session.read(operation, params) : session.send({ ...call, scheme: 'bearer' }));
      replies.push({ call, reply });
    }
    return replies;
  },
);

/** A token with one letter changed: a letter of its signature, if it has one. */
function tampered(token: string): string {
  const at = token.includes('.') ? token.lastIndexOf('.') + 1 : token.length >> 1;
  return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
}

/** The headers with a bearer token, under the configured name. */
function bearer({ run }: Session, token: string): Headers {
  return { [run.transport.options.bearerHeader]: `Bearer ${token}` };
}

async function checkBearer({ session, expect }: RuleContext): Promise<void> {
  const replies = await bearerReplies(session);
  const takenBy = new Set(replies.filter(({ reply }) => reply.ok).map(({ call }) => versionOf(call)));
  if (takenBy.size === 0) {
    throw new Inconclusive(
      'control-failed',
      'a version that accepts a bearer token; it may be sent in another header (the setting bearer-header)',
    );
  }
  for (const { call, reply } of replies) {
    if (!takenBy.has(versionOf(call)) || !(await session.read(call.operation, call.params)).ok) continue;
    expect.succeeds(reply, `${call.operation} refuses a token that other paths of its version accept.`);
  }
}

/** Credentials that look right and are not: made up, altered, of another kind, with a wrong password. */
async function checkInvalid(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const calls = expect.some(await everyCall(session), 'an answer to a read');
  const madeUp = bearer(session, await madeUpToken(session));
  await refusedWith(context, calls, madeUp, 'accepts a made-up bearer token.');
  const some = await rightReads(session, await callPerVersion(session));
  await checkWrongPassword(context, some);
  if (!channel(session).schemes.includes('bearer')) return;
  const token = await channel(session).accessToken();
  const accepted = (await bearerReplies(session)).filter(({ reply }) => reply.ok);
  const right = accepted.slice(0, some.length).map(({ call, reply }) => ({ probe: call, reply }));
  const altered = bearer(session, tampered(token));
  await refusedWith(context, right.length > 0 ? right : some, altered, 'accepts an access token that was altered.');
  // One that is not taken apart. What follows the signature of others may be left unread.
  const longer = token.includes('.') ? [] : right.slice(0, 1);
  await refusedWith(context, longer, bearer(session, `${token}a`), 'accepts an access token with a letter more.');
  const other = await channel(session).refreshToken();
  if (other === undefined || other === token) return;
  await refusedWith(context, some.slice(0, 1), bearer(session, other), 'accepts a refresh token as an access token.');
}

/** Passwords that are nearly the right one: none at all, with more behind it, without its end, and with other capitals. */
function nearly(password: string): readonly string[] {
  const capitals = password.toUpperCase();
  const others = capitals === password ? password.toLowerCase() : capitals;
  return ['', `${password}:a`, [...password].slice(0, -1).join(''), others];
}

/**
 * Passwords that are not the one of the channel. Each version gets one, and one call the others. The right password
 * follows each, since a service may lock a channel after several failures in a row.
 */
async function checkWrongPassword(context: RuleContext, calls: readonly Right[]): Promise<void> {
  const { session } = context;
  const { basic } = channel(session).options;
  if (!basic) return;
  const { password } = basic;
  const more = nearly(password).filter((one) => one !== password);
  const all = calls.map((right) => ({ right, password: session.uuid() }));
  for (const [index, wrong] of more.entries()) {
    const right = calls[index % Math.max(1, calls.length)];
    if (right) all.push({ right, password: wrong });
  }
  for (const { right, password } of all) {
    const how = password === '' ? 'an empty password' : 'a wrong password';
    const headers = { authorization: basicHeader({ ...basic, password }) };
    await refusedWith(context, [right], headers, `accepts ${how}.`);
    await session.send({ ...right.probe, scheme: 'basic' });
  }
}

/** The header in which bearer tokens are accepted. If it is not the configured one, other common headers are tried. */
const headerTaken = resource('bearer header', async (session): Promise<string | undefined> => {
  const replies = await bearerReplies(session);
  if (replies.some(({ reply }) => reply.ok)) return session.run.transport.options.bearerHeader;
  const value = `Bearer ${await channel(session).accessToken()}`;
  const calls = await newestFirst(session);
  for (const name of otherHeaders) {
    for (const call of calls) {
      const headers = { [name]: value };
      const { ok } = await session.send({ ...call, as: 'nobody', headers, breaking: 'auth.bearer-header' });
      if (ok) return name;
    }
  }
  return undefined;
});

async function checkHeader({ session, observe }: RuleContext): Promise<void> {
  const name = await headerTaken(session);
  if (name !== undefined) observe('auth.bearer-header', name);
}

async function checkBasic({ session, observeVersion, probe }: RuleContext): Promise<void> {
  const { basic } = channel(session).options;
  if (!basic) throw new Inconclusive('not-given', 'user name and password (--basic)');
  const calls = await callPerVersion(session);
  if (!channel(session).schemes.includes('bearer')) throw new Inconclusive('not-given', MISSING_TOKEN);
  const header = await headerTaken(session);
  for (const call of calls) {
    const taken = new Set<Scheme>();
    if ((await session.send({ ...call, scheme: 'basic' })).ok) taken.add('basic');
    const token = { [header ?? 'Authorization']: `Bearer ${await channel(session).accessToken()}` };
    if ((await probe({ ...call, as: 'nobody', headers: token })).ok) taken.add('bearer');
    const answer = taken.size === 2 ? 'both' : [...taken][0];
    if (answer) observeVersion('auth.schemes', versionOf(call), answer);
  }
}

/** No booking of one channel is in a list of the other, whichever credentials it sends. */
async function checkLists({ session, expect }: RuleContext): Promise<void> {
  for (const version of session.served('listBookings', versionsOf('listBookings'))) {
    const range = { from: session.longAgo };
    const own = (await bookings(session, version, range)).map(({ bookingId }) => bookingId);
    const lists = [await bookings(session, version, range, 'second'), await listedByBearer(session, version, 'second')];
    const strange = (id: string): boolean => !own.includes(id);
    expect.every(
      lists.flatMap((others) => others ?? []).map(({ bookingId }) => bookingId),
      strange,
      `The list of ${version} shows the same booking to both channels.`,
    );
  }
}

/** The bookings that a version lists for a bearer token, if it takes one; of a channel with other credentials too. */
async function listedByBearer(
  session: Session,
  version: VersionOf<'listBookings'>,
  as: 'first' | 'second',
): Promise<readonly { readonly bookingId: string }[] | undefined> {
  if ((session.run.transport.channels[as]?.schemes.length ?? 0) < 2) return undefined;
  const params = { fromDate: session.longAgo.query };
  const reply = await session.send({ operation: operationIn('listBookings', version), params, as, scheme: 'bearer' });
  return reply.ok && Array.isArray(reply.data) ? reply.data : undefined;
}

/** The token of a channel and its password show the same bookings. */
async function checkTokens({ session, expect }: RuleContext): Promise<void> {
  for (const as of ['first', 'second'] as const) {
    for (const version of session.served('listBookings', versionsOf('listBookings'))) {
      await confirmDifferences(session, async (session) => {
        const byToken = await listedByBearer(session, version, as);
        if (!byToken) return;
        const tokenReply = lastOf(session, operationIn('listBookings', version));
        const params = { fromDate: session.longAgo.query };
        const operation = operationIn('listBookings', version);
        const { ok, data } = await session.send({ operation, params, as, scheme: 'basic' });
        if (!ok || !Array.isArray(data)) return;
        const ids = (list: readonly { readonly bookingId: string }[]): string[] => list.map((one) => one.bookingId);
        const what = `The list of ${version} has other bookings for the access token of a channel than for its password.`;
        expect.about(tokenReply);
        expect.sameItems(ids(byToken), ids(data), what);
      });
    }
  }
}

async function checkScope(context: RuleContext): Promise<void> {
  const { session } = context;
  const calls = await everyCall(session);
  const nobody = { authorization: basicHeader({ username: session.uuid(), password: session.uuid() }) };
  await refusedWith(context, calls, nobody, 'accepts a made-up user name and password.');
  const { first, second } = session.run.transport.channels;
  const [one, other] = [first.options.basic, second?.options.basic];
  if (one && other && one.username !== other.username && one.password !== other.password) {
    const mixed = { authorization: basicHeader({ username: one.username, password: other.password }) };
    await refusedWith(
      context,
      calls.slice(0, 1),
      mixed,
      'accepts the user name of one channel with the password of another.',
    );
  }
  await checkTokens(context);
  // If both channels are the same one, equal lists are correct.
  if (second && !(one && one.username === other?.username)) await checkLists(context);
}

/** Rules of authentication, for every path and every scheme that the run has credentials for. */
export const authRules: readonly RuleSpec[] = [
  defineRule({
    id: 'auth.required',
    // One of the last: it confirms a payment again, which must not disturb the rules of payments.
    phase: 'last',
    async run(context) {
      await refusedWith(context, await everyCall(context.session), {}, 'is answered without credentials.');
    },
  }),
  defineRule({ id: 'auth.bearer', run: checkBearer }),
  defineRule({ id: 'auth.invalid', phase: 'last', run: checkInvalid }),
  defineRule({ id: 'auth.bearer-header', run: checkHeader }),
  defineRule({ id: 'auth.basic', run: checkBasic }),
  defineRule({ id: 'auth.channel-scope', phase: 'last', run: checkScope }),
];
