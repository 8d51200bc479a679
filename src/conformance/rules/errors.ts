import { isObject, type Reply } from '../exchange.js';
import { bodyFor, booking } from '../journeys/bookings.js';
import { race } from '../journeys/effects.js';
import { madeUpToken } from '../journeys/tokens.js';
import { plainTwin, probeTarget } from '../journeys/booking-probes.js';
import { teeSheet } from '../journeys/tee-sheets.js';
import { UNKNOWN_ID } from '../journeys/unknown-id.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** Statuses that tell of the booking itself, and not of the caller or of the load. */
const inCart: readonly number[] = [200, 400, 404, 409, 410, 422];
const authStatuses = [401, 400, 403] as const;

/** All texts in a body, wherever they stand. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** A sentence, and no code or identifier. */
const isSentence = (text: string): boolean => /\S\s+\S/.test(text);

/** Where the message of a refusal stands; undefined for another place. */
function placeOf({ json }: Reply): 'message' | 'error' | 'errors' | 'data' | undefined {
  if (!isObject(json)) return undefined;
  const { data, message, error, errors } = json;
  if (typeof message === 'string') return 'message';
  if (typeof error === 'string') return 'error';
  if (Array.isArray(errors) && typeof errors[0]?.message === 'string') return 'errors';
  return isObject(data) && typeof data['message'] === 'string' ? 'data' : undefined;
}

/** A refusal that costs nothing: a list that lacks what it must have. */
async function plainRefusal({ probe }: RuleContext): Promise<Reply> {
  const reply = await probe({ operation: 'v2.listFacilities', params: { connected: true } });
  if (reply.ok || reply.status >= 500 || !isObject(reply.json)) {
    throw new Inconclusive('precondition', `a refusal in JSON of ${reply.what} (it was ${reply.status})`);
  }
  return reply;
}

/** The answer to a well-formed v5 booking of a tee time that does not exist. */
function failedCreation(context: RuleContext): Promise<Reply> {
  const breaking = context.rule.id as RuleSpec['id'];
  return context.session.once('failed creation', async (session) => {
    const { reply: twin } = await plainTwin(session, 'v5');
    const { facilityId, teeTime } = await probeTarget(session);
    const body = { ...bodyFor(session, 'v5', { facilityId, teeTime }), teeId: UNKNOWN_ID };
    const reply = await session.send({ operation: 'v5.createBooking', body, breaking });
    session.exchanges.add(twin.id);
    if (reply.ok) throw new Inconclusive('precondition', `a refusal of ${reply.what} for an unknown tee time`);
    return reply;
  });
}

const asksForNewCart = (reply: Reply): boolean =>
  textsIn(reply.json).some((text) => /search/i.test(text) && /book/i.test(text));
/** The gist of the messages for other conditions: a deployment may see one of them. */
const isOtherCondition = (reply: Reply): boolean =>
  textsIn(reply.json).some((text) =>
    /unresponsive|creation has failed|\(?\bP[IV]\b\)?.* failed|could not be processed/i.test(text),
  );

/** More players than the tee time of a booking made before has left: a problem of the cart beyond doubt. */
async function soldOut({ session, probe }: RuleContext): Promise<Reply> {
  const { sheet, teeTimes, reply: twin } = await booking(session, 'v5');
  const { facilityId } = sheet;
  const body = { ...bodyFor(session, 'v5', { facilityId, teeTime: teeTimes[0]! }), players: 4 };
  session.exchanges.add(twin.id);
  const reply = await probe({ operation: 'v5.createBooking', body });
  if (reply.ok) throw new Inconclusive('precondition', 'a refusal of more players than there are free slots');
  return reply;
}

/** The one outcome of calls without valid credentials, as a question knows it. */
function authStatus(replies: readonly Reply[]): 401 | 400 | 403 | 200 | undefined {
  const found = new Set(
    replies.map(({ ok, status, json }) =>
      !ok && status === 200 && isObject(json) ? 200 : authStatuses.find((one) => one === status),
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Calls without credentials and with a token that nobody issued; wrong passwords might lock the channel out. */
async function withoutCredentials({ session, probe }: RuleContext): Promise<readonly Reply[]> {
  const { bearerHeader } = session.run.transport.options;
  const operation = 'v2.listCountries';
  const headers = { [bearerHeader]: `Bearer ${await madeUpToken(session)}` };
  return [await probe({ operation, as: 'nobody', headers: {} }), await probe({ operation, as: 'nobody', headers })];
}

/** The answer to a refresh with a token that nobody issued, by the first version that has the operation. */
async function refusedRefresh({ session, probe }: RuleContext): Promise<readonly Reply[]> {
  for (const version of ['v5', 'v4', 'v3', 'v2', 'v1']) {
    const body = { refresh_token: session.uuid() };
    const reply = await probe({ operation: 'refreshToken', params: { version }, body, as: 'nobody' });
    if (reply.status !== 404 && reply.status !== 405) return [reply];
  }
  return [];
}

async function malformed({ session, probe }: RuleContext): Promise<Reply> {
  const { facilityId, day, holes } = await teeSheet(session);
  const params = { facilityId, bookingDate: day.query, players: 5, holes };
  return probe({ operation: 'v2.listTeeTimes', params });
}

/** Rules of failed answers. */
export const errorRules: readonly RuleSpec[] = [
  defineRule({
    id: 'errors.create.status',
    needs: ['bookings'],
    async run(context) {
      const { status } = await failedCreation(context);
      context.expect.equal(status, 400, 'A booking of an unknown tee time fails with another status than 400.');
      const { replies } = await race(context.session);
      for (const reply of replies.filter((one) => !one.ok && inCart.includes(one.status))) {
        context.session.exchanges.add(reply.id);
        const what = `${reply.what} fails with another status than 400 where the places are gone.`;
        context.expect.equal(reply.status, 400, what);
      }
    },
  }),
  defineRule({
    id: 'errors.create.message',
    needs: ['bookings'],
    async run(context) {
      const { json, text } = await failedCreation(context);
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
      let reply = await failedCreation(context);
      if (!asksForNewCart(reply)) reply = await soldOut(context);
      if (isOtherCondition(reply)) throw new Inconclusive('no-data', 'a failure that is taken for a cart problem');
      context.expect.that(asksForNewCart(reply), 'A tee time that is full is not told as a problem of the cart.', {
        expected: 'a message that asks to search and book the tee times again',
        actual: reply.text.slice(0, 200),
      });
    },
  }),
  defineRule({
    id: 'errors.body',
    async run(context) {
      const place = placeOf(await plainRefusal(context));
      if (place) context.observe('error.body', place);
    },
  }),
  defineRule({
    id: 'errors.code',
    async run(context) {
      const { json } = await plainRefusal(context);
      context.observe('error.code', isObject(json) && typeof json['code'] === 'string' ? 'code' : 'none');
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
      if (!ok && (status === 400 || status === 422)) context.observe('error.validation', status);
    },
  }),
];
