import type { Answers } from '../../generated/questions.js';
import type { RuleId } from '../../generated/rule-basis.js';
import { isObject, type Reply } from '../exchange.js';
import { booking, group } from '../journeys/bookings.js';
import {
  bulk,
  bulkVersions,
  type BulkVersion,
  isMissing,
  type Method,
  type Paid,
  paid,
  paidBulk,
  pay,
  payment,
  payVersions,
  type PayVersion,
  type Target,
} from '../journeys/payments.js';
import { known } from '../journeys/booking-lists.js';
import { otherChannel } from '../journeys/channels.js';
import { canceled } from '../journeys/shapes.js';
import { teeSheet } from '../journeys/tee-sheets.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type Need, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../session.js';
import { unknownAnswer } from './answers.js';

const needs: readonly Need[] = ['bookings', 'payments'];

const says = /paus|suspend/i;
/** Where an answer says that payments are paused. */
function pausedPlace({ json, data, headers }: Reply): Answers['payment.v5.paused-message'] | undefined {
  if (says.test(JSON.stringify(data ?? ''))) return 'data';
  if (says.test(JSON.stringify(json ?? ''))) return 'message';
  return [...headers].some(([, value]) => says.test(value)) ? 'header' : undefined;
}

function confirms(version: PayVersion): RuleSpec {
  return defineRule({
    id: `payments.confirm.${version}`,
    needs,
    async run({ session, expect }) {
      const { reply } = await paid(session, version);
      // In v5 it is paused, and succeeds all the same (Confirm booking payment).
      if (version !== 'v5') await somethingIsDue(session, reply);
      expect.succeeds(reply, `The payment of an own booking is refused in ${version}.`);
    },
  });
}

function confirmsBulk(version: BulkVersion): RuleSpec {
  return defineRule({
    id: `payments.confirm-bulk.${version}`,
    needs,
    async run({ session, expect }) {
      const { reply } = await paidBulk(session, version);
      await somethingIsDue(session, reply);
      expect.succeeds(reply, `The payment of an own bulk booking is refused in ${version}.`);
    },
  });
}

/** A payment may be refused where nothing is due yet, as the payment rule of the facility tells. */
async function somethingIsDue(session: Session, reply: Reply): Promise<void> {
  if (reply.ok || reply.status >= 500 || isMissing(reply)) return;
  const { facilityId } = await teeSheet(session);
  const { data } = await session.read('v3.findFacility', { facilityId });
  const parts: readonly unknown[] = Array.isArray(data) ? data : [];
  const rule = parts.filter(isObject).find(({ paymentRule }) => isObject(paymentRule))?.['paymentRule'];
  if (!isObject(rule)) return;
  const due = (['first', 'last'] as const).filter(
    (part) => rule[`${part}PaymentConditionPercentage`] !== 0 && !/play/i.test(String(rule[`${part}PaymentCondition`])),
  );
  if (due.length === 0) throw new Inconclusive('no-data', 'a facility that is paid when it is booked');
}

/** A payment that succeeded. */
async function succeeded(made: Promise<Paid>): Promise<Paid> {
  const one = await made;
  if (!one.reply.ok) throw new Inconclusive('precondition', `a confirmed payment (it was ${one.reply.status})`);
  return one;
}

/** Which methods a payment takes, asked for one that was confirmed already. */
async function methodOf(session: Session, target: Target): Promise<'both' | Method | undefined> {
  const taken: Method[] = [];
  for (const method of ['get', 'post'] as const) {
    if (!isMissing(await session.send(payment(target, method)))) taken.push(method);
  }
  return taken.length === 2 ? 'both' : taken[0];
}

async function methods({ session, observe }: RuleContext): Promise<void> {
  for (const version of payVersions) {
    const answer = await methodOf(session, (await paid(session, version)).target);
    if (answer) observe(`payment.${version}.method`, answer);
  }
  for (const version of bulkVersions) {
    const answer = await methodOf(session, (await paidBulk(session, version)).target);
    if (answer) observe(`bulk-payment.${version}.method`, answer);
  }
}

/** What another channel must not confirm: bookings of the first one. A paused payment confirms nothing. */
async function foreignTargets(session: Session): Promise<Target[]> {
  const { bookingIds } = await booking(session, 'v2');
  const bulkBookingId = await bulk(session);
  const single = (['v1', 'v3', 'v4'] as const).map((version): Target => ({ version, bookingId: bookingIds[0]! }));
  return [...single, ...(['v3', 'v4'] as const).map((version): Target => ({ version, bulkBookingId }))];
}

async function channelScope({ session, expect }: RuleContext): Promise<void> {
  await otherChannel(session);
  for (const target of await foreignTargets(session)) {
    const { reply } = await pay(session, target, 'second');
    if (!reply.ok) {
      const own = 'bulkBookingId' in target ? paidBulk(session, target.version) : paid(session, target.version);
      if ((await own).reply.ok) expect.refused(reply, 'A payment of another channel is answered with a fault.');
      continue;
    }
    // Some answer for what is unknown as if it were known: then success tells nothing.
    const unknown = 'bulkBookingId' in target ? { bulkBookingId: 2_147_483_646 } : { bookingId: 'no-such-booking' };
    const other = await pay(session, { ...target, ...unknown } as Target, 'second');
    const what = `${target.version} confirms the payment of a booking that another channel has made.`;
    if (!other.reply.ok) expect.that(false, what, { expected: 'a refusal', actual: reply.text });
  }
}

const open = (id: RuleId, run: RuleSpec['run']): RuleSpec => defineRule({ id, needs, run });

/** Rules of payments. */
export const paymentRules: readonly RuleSpec[] = [
  // First, while nothing is paid: a payment that is refused since it was made before proves nothing.
  defineRule({ id: 'payments.channel-scope', needs: [...needs, 'second-channel'], run: channelScope }),
  ...payVersions.map(confirms),
  ...bulkVersions.map(confirmsBulk),
  defineRule({
    id: 'payments.path.serviceBookingId',
    needs,
    async run(context) {
      for (const version of payVersions) {
        const { method, reply } = await paid(context.session, version);
        const probe = { method: method.toUpperCase(), path: `/api/${version}/bookings/payment/` };
        await context.refuses(probe, reply, `A payment that names no booking is confirmed in ${version}.`);
      }
    },
  }),
  defineRule({
    id: 'payments.path.bulkBookingId',
    needs,
    async run(context) {
      for (const version of bulkVersions) {
        const { method, reply, target } = await paidBulk(context.session, version);
        const { bulkBookingId } = target as { readonly bulkBookingId: number };
        const probe = payment({ version, bulkBookingId: `${bulkBookingId}abc` }, method);
        await context.refuses(probe, reply, `A bulk payment of a group that is no integer is confirmed in ${version}.`);
      }
    },
  }),
  defineRule({
    id: 'payments.paused.message',
    needs,
    async run({ session, expect }) {
      const { reply } = await succeeded(paid(session, 'v5'));
      const what = 'The v5 confirmation does not say that confirming payments is paused.';
      expect.that(pausedPlace(reply) !== undefined, what, { expected: 'a message', actual: reply.text });
    },
  }),
  open('payments.paused.place', async ({ session, observe }) => {
    const found = pausedPlace((await succeeded(paid(session, 'v5'))).reply);
    if (found) observe('payment.v5.paused-message', found);
  }),
  open('payments.method', methods),
  open('payments.sample-path', async ({ session, observe, probe }) => {
    const { method, target, reply } = await succeeded(paid(session, 'v4'));
    const { bookingId } = target as { bookingId: string };
    const path = `/api/v2/bookings/payment/${encodeURIComponent(bookingId)}`;
    // It may take the credentials of either version.
    for (const scheme of session.run.transport.channels.first.schemes) {
      const older = await probe({ method: method.toUpperCase(), path, scheme });
      if (isMissing(older)) return observe('payment.v4.v2-path', 'absent');
      const again = older.ok ? reply : (await pay(session, target)).reply;
      if (older.status === again.status && older.ok === again.ok) return observe('payment.v4.v2-path', 'accepted');
    }
  }),
  open('payments.confirm-bulk.state', async ({ session, observe }) => {
    const { reply } = await succeeded(paidBulk(session, 'v5'));
    observe('bulk-payment.v5.state', pausedPlace(reply) ? 'paused' : 'confirmed');
  }),
  open('payments.confirm-bulk.group-ids', async ({ session, observe }) => {
    await succeeded(paidBulk(session, 'v4'));
    const { groupId } = await group(session, 'v5');
    if (groupId === undefined) throw new Inconclusive('precondition', 'a `groupId` of a v5 group');
    const { reply } = await pay(session, { version: 'v4', bulkBookingId: groupId });
    const unknown = await pay(session, { version: 'v4', bulkBookingId: 2_147_483_646 });
    // Where an unknown group is answered as if it were known, nothing tells them apart.
    if (unknown.reply.ok) throw new Inconclusive('no-data', 'a refusal of groups that are unknown');
    observe('bulk-payment.group-ids', reply.ok ? 'any' : 'v3-only');
  }),
  open('payments.booking-unknown', async ({ session, observe, probe }) => {
    const { method } = await succeeded(paid(session, 'v4'));
    const reply = await probe(payment({ version: 'v4', bookingId: 'no-such-booking' }, method));
    const answer = unknownAnswer(reply);
    if (answer !== undefined) observe('booking.unknown', answer);
  }),
  open('payments.repeat', async ({ session, observe }) => {
    const { target } = await succeeded(paid(session, 'v4'));
    const { reply } = await pay(session, target);
    observe('payment.repeat', reply.ok ? 'success' : 'refused');
  }),
  open('payments.canceled', async ({ session, observe }) => {
    const found = (await known(session)).find(({ status }) => status === 'CANCELED');
    const bookingId = found?.bookingId ?? (await canceledByRun(session));
    const { method } = await succeeded(paid(session, 'v4'));
    const reply = await session.send(payment({ version: 'v4', bookingId }, method));
    observe('payment.canceled', reply.ok ? 'success' : 'refused');
  }),
];

async function canceledByRun(session: Session): Promise<string> {
  const { bookingId, shown } = await canceled(session);
  if (shown !== 'CANCELED') throw new Inconclusive('no-data', 'a cancelled booking of the channel');
  return bookingId;
}
