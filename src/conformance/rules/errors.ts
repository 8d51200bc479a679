import { isObject } from '../../common/index.js';
import { textsIn } from './answers.js';
import { type FailureCode, failures } from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import { bodyFor, booking } from '../journeys/bookings.js';
import { lastSlotsRaces } from '../journeys/last-slots.js';
import { madeUpToken } from '../journeys/tokens.js';
import { changedBooking, plainControl } from '../journeys/booking-probes.js';
import { probeTarget, UNKNOWN_ID } from '../journeys/material.js';
import { bookingsOfNextIds } from '../journeys/refused-bookings.js';
import { teeSheet } from '../journeys/tee-sheets.js';
import { Inconclusive } from '../client/outcome.js';
import { resource } from '../client/resource.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import { olderOf, operationIn, productBooking, versions, versionsOf } from '../client/operations.js';

/** Statuses that are about the booking itself, not about the caller or the load. */
const inCart: readonly number[] = [200, 400, 404, 409, 410, 422];
const authStatuses = [401, 400, 403] as const;

/** Whether a text is a sentence, not a code or an identifier. */
const isSentence = (text: string): boolean => /\S\s+\S/.test(text);

/** The field that holds the message of a refusal; undefined if there is none. */
function messageFieldOf({ json }: Reply): 'message' | 'error' | 'errors' | 'data' | undefined {
  if (!isObject(json)) return undefined;
  const { data, message, error, errors } = json;
  if (typeof message === 'string') return 'message';
  if (typeof error === 'string') return 'error';
  if (Array.isArray(errors) && typeof errors[0]?.message === 'string') return 'errors';
  const told = isObject(data) ? data['message'] : Array.isArray(data) ? data[0] : data;
  return typeof told === 'string' ? 'data' : undefined;
}

/** A refusal without side effects: a list without a required parameter. */
async function plainRefusal({ probe }: RuleContext): Promise<Reply> {
  const reply = await probe({
    operation: operationIn('listFacilities', olderOf('listFacilities').at(-1)),
    params: { connected: true },
  });
  if (reply.ok || reply.status >= 500 || !isObject(reply.json)) {
    throw new Inconclusive('precondition', `a refusal in JSON of ${reply.what} (the status was ${reply.status})`);
  }
  return reply;
}

/** The answer to a well-formed booking of a tee time that does not exist. */
const failedCreation = resource('failed creation', async (session): Promise<Reply> => {
  const { reply: control } = await plainControl(session, productBooking);
  const body = { ...bodyFor(session, productBooking, await probeTarget(session)), teeId: UNKNOWN_ID };
  const reply = await session.send({ operation: operationIn('createBooking'), body, breaking: 'errors.create.status' });
  session.exchanges.add(control.id);
  if (reply.ok) throw new Inconclusive('precondition', `a refusal of ${reply.what} for an unknown tee time`);
  return reply;
});

/** Characters of a message that are looked at. */
const MOST = 2000;
const messagesIn = ({ json }: Reply): readonly string[] => textsIn(json).map((text) => text.slice(0, MOST));

/** Whether a deployment reports this documented failure. */
const reports = (code: FailureCode, texts: readonly string[]): boolean => {
  const words = new RegExp(failures[code].accepts, 'i');
  return texts.some((text) => words.test(text));
};
const asksForNewCart = (reply: Reply): boolean => reports('cart-problem', textsIn(reply.json));
const asking = (Object.keys(failures) as FailureCode[]).filter((code) => failures[code].client === 'retry');
/** Other conditions, which a deployment may report instead. */
const isOtherCondition = (reply: Reply): boolean => asking.some((code) => reports(code, messagesIn(reply)));

const namesRequest = (reply: Reply): boolean => reports('transfer-failed', textsIn(reply.json));
const endsWithAdvice = (reply: Reply): boolean =>
  messagesIn(reply).some((text) => /(retry|again|later)/i.test(text) && /support[^.!?]*[.!?]?$/i.test(text.trimEnd()));

const saysUnprocessable = (reply: Reply): boolean => reports('unprocessable', textsIn(reply.json));

/** Whether a booking without an e-mail address fails as one that could not be made, or as any invalid request. */
async function invalidBody({ session, probe, observe }: RuleContext): Promise<void> {
  const version = productBooking;
  const control = await plainControl(session, version);
  const reply = await probe(await changedBooking(session, version, control, () => ({ contactEmail: undefined })));
  session.exchanges.add(control.reply.id);
  if (reply.ok || reply.status >= 500) {
    throw new Inconclusive('precondition', `a refusal of ${reply.what} without \`contactEmail\``);
  }
  const fails = reply.status === 400 && (saysUnprocessable(reply) || endsWithAdvice(reply));
  observe('booking.invalid-body', fails ? 'failed-creation' : 'invalid-request');
}

/** More players than the tee time has free slots, which is a cart problem. */
async function soldOut({ session, probe }: RuleContext): Promise<Reply> {
  const { places, reply: control } = await booking(session, productBooking);
  const body = { ...bodyFor(session, productBooking, places[0]!), players: 4 };
  session.exchanges.add(control.id);
  const reply = await probe({ operation: operationIn('createBooking'), body });
  if (reply.ok) throw new Inconclusive('precondition', 'a refusal of more players than there are free slots');
  return reply;
}

/** The common status of calls without valid credentials, as an answer to the open question. */
function authStatus(replies: readonly Reply[]): 401 | 400 | 403 | 200 | undefined {
  const found = new Set(
    replies.map(({ ok, status, json }) =>
      !ok && status === 200 && isObject(json) ? 200 : authStatuses.find((one) => one === status),
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Calls without credentials and with a made-up token. Wrong passwords might lock the channel. */
async function withoutCredentials({ session, probe }: RuleContext): Promise<readonly Reply[]> {
  const { bearerHeader } = session.run.transport.options;
  const operation = operationIn('listCountries', versionsOf('listCountries')[0]);
  const headers = { [bearerHeader]: `Bearer ${await madeUpToken(session)}` };
  return [await probe({ operation, as: 'nobody', headers: {} }), await probe({ operation, as: 'nobody', headers })];
}

/** The answer to a refresh with a made-up token, from the first version that has the operation. */
async function refusedRefresh({ session, probe }: RuleContext): Promise<readonly Reply[]> {
  for (const version of versions.toReversed()) {
    const body = { refresh_token: session.uuid() };
    const reply = await probe({ operation: 'refreshToken', params: { version }, body, as: 'nobody' });
    if (reply.status !== 404 && reply.status !== 405) return [reply];
  }
  return [];
}

async function malformed({ session, probe }: RuleContext): Promise<Reply> {
  const { facilityId, day, holes } = await teeSheet(session);
  const [version] = session.served('listTeeTimes', versionsOf('listTeeTimes'));
  return probe({
    operation: operationIn('listTeeTimes', version),
    params: { facilityId, bookingDate: day.query, players: 5, holes },
  });
}

/** Rules of error responses. */
export const errorRules: readonly RuleSpec[] = [
  defineRule({
    id: 'errors.create.status',
    needs: ['bookings'],
    async run(context) {
      const { status } = await failedCreation(context.session);
      context.expect.equal(status, 400, 'A booking of an unknown tee time fails with a status other than 400.');
      for (const reply of await bookingsOfNextIds(context.session)) {
        if (reply.ok) continue;
        context.expect.refused(reply, 'A booking of a `teeId` close to that of a tee time fails.');
      }
      const replies = (await lastSlotsRaces(context.session)).flatMap((race) => race.replies);
      for (const reply of replies.filter((one) => !one.ok && inCart.includes(one.status))) {
        context.session.exchanges.add(reply.id);
        context.expect.about(reply.id);
        const what = `${reply.what} fails with a status other than 400 when the slots are sold.`;
        context.expect.equal(reply.status, 400, what);
      }
    },
  }),
  defineRule({
    id: 'errors.create.message',
    needs: ['bookings'],
    async run(context) {
      const { json, text } = await failedCreation(context.session);
      context.expect.that(textsIn(json).some(isSentence), 'A booking fails without a message.', {
        expected: 'a sentence in the body',
        actual: text.slice(0, 200),
      });
    },
  }),
  defineRule({
    id: 'errors.create.cart-problem',
    needs: ['bookings'],
    async run(context) {
      let reply = await failedCreation(context.session);
      if (!asksForNewCart(reply)) reply = await soldOut(context);
      if (isOtherCondition(reply))
        throw new Inconclusive('no-data', 'a failure that the deployment reports as a cart problem');
      context.expect.that(asksForNewCart(reply), 'A full tee time is not reported as a cart problem.', {
        expected: 'a message that asks to search and book the tee times again',
        actual: reply.text.slice(0, 200),
      });
    },
  }),
  defineRule({
    id: 'errors.create.retry-hint',
    needs: ['bookings'],
    async run(context) {
      for (const reply of [await failedCreation(context.session), await soldOut(context)]) {
        const what = 'The message of a failed booking does not end with advice to retry and to contact support.';
        context.expect.that(asksForNewCart(reply) || namesRequest(reply) || endsWithAdvice(reply), what, {
          expected: 'a message about the cart, or one that asks to retry and to contact support',
          actual: reply.text.slice(0, 200),
        });
      }
    },
  }),
  defineRule({ id: 'errors.create.invalid-body', needs: ['bookings'], run: invalidBody }),
  defineRule({
    id: 'errors.body',
    async run(context) {
      const field = messageFieldOf(await plainRefusal(context));
      if (field) context.observe('error.body', field);
    },
  }),
  defineRule({
    id: 'errors.code',
    async run(context) {
      const { json, text } = await plainRefusal(context);
      if (isObject(json) && typeof json['code'] === 'string') return context.observe('error.code', 'code');
      // A code in another place, as in `error.code`, is none of the options. A `statusCode` only repeats the status.
      if (/"(?!status_?code")\w*code"\s*:/i.test(text))
        throw new Inconclusive('no-data', 'an error without a code, or with a `code` at the top level');
      context.observe('error.code', 'none');
    },
  }),
  defineRule({
    id: 'errors.auth-status',
    async run(context) {
      const status = authStatus(await withoutCredentials(context));
      if (status !== undefined) context.observe('auth.failure', status);
    },
  }),
  defineRule({
    id: 'errors.token-status',
    needs: ['tokens'],
    async run(context) {
      const status = authStatus(await refusedRefresh(context));
      if (status !== undefined) context.observe('token.failure', status);
    },
  }),
  defineRule({
    id: 'errors.validation-status',
    async run(context) {
      const { ok, status } = await malformed(context);
      if (!ok && (status === 400 || status === 422 || status === 200)) context.observe('error.validation', status);
    },
  }),
];
