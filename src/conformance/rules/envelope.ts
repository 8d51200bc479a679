import { isObject } from '../../common/index.js';
import { type RuleId, operationOf } from '../../contract/index.js';
import type { Reply } from '../client/exchange.js';
import { changedBooking, plainControl } from '../journeys/booking-probes.js';
import { isTaken, refusesBooking } from './bookings/probe.js';
import { Finding } from '../client/outcome.js';
import type { Probe } from '../client/request.js';
import { areOfJson } from './answers.js';
import { outcomeOf } from './expect.js';
import { defineRule, type RuleContext, type RuleSpec } from './rule.js';
import { operationIn } from '../client/operations.js';

type ReplyCheck = [
  concerns: (reply: Reply) => boolean,
  fits: (reply: Reply) => boolean,
  expected: string,
  shown?: (wrong: Reply) => unknown,
];

/** Checks all answers of the run and reports the first one that does not pass. */
function everyReply(
  { session, expect }: RuleContext,
  ...[concerns, fits, expected, shown = outcomeOf]: ReplyCheck
): void {
  const replies = session.run.transport.replies.filter(concerns);
  const wrong = replies.find((reply) => !fits(reply));
  if (wrong) {
    session.exchanges.add(wrong.id);
    throw new Finding(`The answer to ${wrong.what} is not as it must be.`, expected, shown(wrong));
  }
  for (const { id } of replies.slice(0, 5)) session.exchanges.add(id);
  if (replies.length > 0) expect.that(true, expected);
}

/** A rule of the answers that all other rules received. */
const ofEveryReply = (id: RuleId, ...check: ReplyCheck): RuleSpec =>
  defineRule({ id, phase: 'evidence', run: (context) => everyReply(context, ...check) });

const isEnvelope = ({ json }: Reply): boolean =>
  isObject(json) && typeof json['success'] === 'boolean' && 'data' in json;
const isJson = ({ json }: Reply): boolean => json !== undefined;
/**
 * A 404 or 405 to a path or method that may be none of the specification, so that a router answers in a form of its own: an
 * id in the path that is no integer, and a payment, whose method is an open question.
 */
const isOutside = ({ status, operation, asked }: Reply): boolean => {
  if (![404, 405].includes(status) || operation === undefined) return false;
  const { name, path } = operationOf(operation);
  if (payments.includes(name)) return true;
  const ids = [...path.matchAll(/\{(facilityId|courseId)\}/g)].map(([, id]) => String(asked?.params[id!]));
  return ids.some((id) => !/^\d+$/.test(id));
};
const payments = ['confirmPayment', 'confirmBulkPayment'];
const success = ({ json }: Reply): unknown => (isObject(json) ? json['success'] : undefined);
/**
 * What may tell of a failure in `data`: a text, or an object or a list with texts alone. The API specification shows no
 * error body.
 */
const isMessage = (data: unknown): boolean =>
  typeof data === 'string' ||
  (isObject(data) && 'message' in data) ||
  (Array.isArray(data) && data.every((one) => typeof one === 'string' || (isObject(one) && 'message' in one)));
/** The answer to a right request for countries, which are texts as messages are. */
const isCountries = ({ operation, asked, data }: Reply): boolean =>
  (operation ?? '').endsWith('.listCountries') && asked?.isRight === true && Array.isArray(data) && data.length > 1;
/** A 2xx with more than a message: it is a success, whatever `success` says. */
const hasPayload = (reply: Reply): boolean => {
  const { status, json, data } = reply;
  return (
    status < 300 && isObject(json) && 'success' in json && data !== null && (isCountries(reply) || !isMessage(data))
  );
};
/** Statuses that a proxy sends by itself: too many requests, no server available, timeout. */
const ofGateway: readonly number[] = [429, 502, 503, 504];
/** An operation of the contract. A proxy may answer other paths and methods. */
const listed = ({ operation, status }: Reply): boolean => operation !== undefined && !ofGateway.includes(status);

/** `data` of a refusal or of an answer without payload: null, or a message in some form if messages are in `data`. */
const lacksPayload = ({ status, ok, operation, json }: Reply): boolean =>
  isObject(json) &&
  'data' in json &&
  status < 500 &&
  (!ok || (operation !== undefined && withoutPayload.includes(operationOf(operation).name)));
const withoutPayload = ['searchTeeTimes', ...payments];
const isNullOrMessage = ({ data, ok }: Reply): boolean =>
  data === null ||
  typeof data === 'string' ||
  (Array.isArray(data) && !ok) ||
  (isObject(data) && Object.values(data).some((value) => typeof value === 'string'));

/** Bodies that are valid apart from their content type or a missing end. Few, since each may create a booking. */
async function checkBodies(context: RuleContext): Promise<void> {
  const { session } = context;
  for (const creation of session.creations('round', 'product')) {
    const { version } = creation;
    const control = await plainControl(session, creation);
    const written = async (write: (item: object) => string, type?: string): Promise<Probe> => {
      const { operation, body } = await changedBooking(session, creation, control, () => ({}));
      return { operation, body: write(body), ...(type === undefined ? {} : { headers: { 'content-type': type } }) };
    };
    const cut = await written((item) => JSON.stringify(item).slice(0, -1));
    await refusesBooking(context, cut, control.reply, `${version} accepts a body that is not JSON.`);
    const form = await written(formEncoded, 'application/x-www-form-urlencoded');
    await refusesBooking(context, form, control.reply, `${version} accepts a body that is form-encoded.`);
    const text = await written((item) => JSON.stringify(item), 'text/plain');
    context.observe('body.content-type', (await isTaken(context, text, control.reply)) ? 'read' : 'refused');
  }
}

function formEncoded(item: object): string {
  return String(new URLSearchParams(Object.entries(item).map(([name, value]) => [name, String(value)])));
}

/** Rules of the envelope. */
export const envelopeRules: readonly RuleSpec[] = [
  ofEveryReply('envelope.json', (reply) => listed(reply) && !isOutside(reply), isJson, 'a body of JSON'),
  ofEveryReply(
    'envelope.content-type',
    (reply) => listed(reply) && isJson(reply),
    ({ headers }) => areOfJson(headers),
    'Content-Type: application/json',
    ({ headers }) => headers.get('content-type') ?? 'no Content-Type',
  ),
  ofEveryReply(
    'envelope.encoding',
    (reply) => listed(reply) && isJson(reply) && reply.encoding !== undefined,
    ({ encoding }) => encoding === 'utf-8',
    'a body in UTF-8 without a byte order mark',
    ({ encoding }) => (encoding === 'invalid' ? 'bytes that are not UTF-8' : 'a byte order mark'),
  ),
  ofEveryReply(
    'envelope.shape',
    (reply) => listed(reply) && !isOutside(reply) && isJson(reply),
    isEnvelope,
    'a boolean `success` and `data`',
  ),
  defineRule({
    id: 'envelope.data-null',
    phase: 'evidence',
    async run(context) {
      const concerns = (reply: Reply): boolean => listed(reply) && lacksPayload(reply);
      const { replies } = context.session.run.transport;
      if (!replies.some(concerns)) await context.probe({ operation: operationIn('listCountries'), as: 'nobody' });
      everyReply(context, concerns, isNullOrMessage, '`data: null`');
    },
  }),
  defineRule({ id: 'envelope.json-body', needs: ['bookings'], run: checkBodies }),
  ofEveryReply('envelope.success-true', hasPayload, (reply) => success(reply) === true, '`success: true`'),
  ofEveryReply(
    'envelope.failure-false',
    (reply) => listed(reply) && !isOutside(reply) && reply.status >= 400 && isObject(reply.json),
    (reply) => success(reply) === false,
    '`success: false`',
  ),
];
