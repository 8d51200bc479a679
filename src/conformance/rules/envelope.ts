import { isObject, type Reply } from '../exchange.js';
import { booking } from '../journeys/bookings.js';
import { Finding } from '../outcome.js';
import { operationOf } from '../request.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** All answers of the run that hold to what is asked of them, or a finding about the first that does not. */
function everyReply(
  { session, expect }: RuleContext,
  concerns: (reply: Reply) => boolean,
  fits: (reply: Reply) => boolean,
  expected: string,
): void {
  const replies = session.run.transport.replies.filter(concerns);
  const wrong = replies.find((reply) => !fits(reply));
  if (wrong) {
    session.exchanges.add(wrong.id);
    throw new Finding(
      `The answer to ${wrong.what} is not as it must be.`,
      expected,
      `${wrong.status} ${wrong.text.slice(0, 200)}`,
    );
  }
  for (const { id } of replies.slice(0, 5)) session.exchanges.add(id);
  if (replies.length > 0) expect.that(true, expected);
}

const isEnvelope = ({ json }: Reply): boolean =>
  isObject(json) && typeof json['success'] === 'boolean' && 'data' in json;
const isJson = ({ json }: Reply): boolean => json !== undefined;
const success = ({ json }: Reply): unknown => (isObject(json) ? json['success'] : undefined);
/** A 2xx that brings more than a message: it reports success, whatever its `success` says. */
const hasPayload = ({ status, json, data }: Reply): boolean =>
  status < 300 && isObject(json) && 'success' in json && data !== null && !(isObject(data) && 'message' in data);
/** What stands before a service answers so by itself: too many requests, nobody there, too slow. */
const ofGateway: readonly number[] = [429, 502, 503, 504];
/** An operation of the contract; how paths and methods outside of it are answered, a proxy may decide. */
const listed = ({ operation, status }: Reply): boolean => operation !== undefined && !ofGateway.includes(status);

/** An answer that has no payload by the contract, or a refusal: `data` is null, or a message where those stand there. */
const lacksPayload = ({ status, ok, operation, json }: Reply): boolean =>
  isObject(json) &&
  'data' in json &&
  status < 500 &&
  (!ok || (operation !== undefined && withoutPayload.includes(operationOf(operation).name)));
const withoutPayload = ['searchTeeTimes', 'confirmPayment', 'confirmBulkPayment'];
const isNullOrMessage = ({ data }: Reply): boolean =>
  data === null || (isObject(data) && Object.values(data).some((value) => typeof value === 'string'));

/** Bodies that would be right if they were sent as JSON, or were whole. They may book once more, so they are few. */
async function judgeBodies(context: RuleContext): Promise<void> {
  for (const version of ['v2', 'v5'] as const) {
    const { items, reply } = await booking(context.session, version);
    const operation = `${version}.createBooking` as const;
    const whole = JSON.stringify(items[0]);
    const cut = { operation, body: whole.slice(0, -1) };
    await context.refuses(cut, reply, `${version} takes a body that is no JSON.`);
    const fields = Object.entries(items[0]!).map(([name, value]): [string, string] => [name, String(value)]);
    const body = String(new URLSearchParams(fields));
    const form = { operation, body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    await context.refuses(form, reply, `${version} takes the fields of a form.`);
    const text = { operation, body: whole, headers: { 'content-type': 'text/plain' } };
    await context.refuses(text, reply, `${version} takes a body that is sent as text/plain.`);
  }
}

/** Rules of the envelope; they judge what all other rules have fetched. */
export const envelopeRules: readonly RuleSpec[] = [
  defineRule({
    id: 'envelope.json',
    phase: 'evidence',
    run: (context) => everyReply(context, listed, isJson, 'a body of JSON'),
  }),
  defineRule({
    id: 'envelope.shape',
    phase: 'evidence',
    run: (context) =>
      everyReply(context, (reply) => listed(reply) && isJson(reply), isEnvelope, 'a boolean `success` and `data`'),
  }),
  defineRule({
    id: 'envelope.data-null',
    phase: 'evidence',
    async run(context) {
      const concerns = (reply: Reply): boolean => listed(reply) && lacksPayload(reply);
      const { replies } = context.session.run.transport;
      if (!replies.some(concerns)) await context.probe({ operation: 'v3.listCountries', as: 'nobody' });
      everyReply(context, concerns, isNullOrMessage, '`data: null`');
    },
  }),
  defineRule({ id: 'envelope.json-body', needs: ['bookings'], run: judgeBodies }),
  defineRule({
    id: 'envelope.success-true',
    phase: 'evidence',
    run: (context) => everyReply(context, hasPayload, (reply) => success(reply) === true, '`success: true`'),
  }),
  defineRule({
    id: 'envelope.failure-false',
    phase: 'evidence',
    run: (context) =>
      everyReply(
        context,
        (reply) => listed(reply) && reply.status >= 400 && isObject(reply.json),
        (reply) => success(reply) === false,
        '`success: false`',
      ),
  }),
];
