import { type Answers, rules as catalogue, type RuleId } from '../../../contract/index.js';
import type { Reply } from '../../client/exchange.js';
import { forms, isOf, newestOf, newestWith, operationIn, productBooking } from '../../client/operations.js';
import { booking, group } from '../../journeys/bookings.js';
import {
  bulk,
  type BulkVersion,
  bulkVersions,
  isConditional,
  isDue,
  isMissing,
  listedBeforePayments,
  type OwnPayment,
  type Paid,
  paid,
  paidBulk,
  paidOfGroup,
  pay,
  payment,
  type PaymentMethod,
  type PaymentTarget,
  type PayVersion,
  payVersions,
  upcomingBookings,
} from '../../journeys/payments.js';
import { contentOf, type ListedBooking, otherChannel } from '../../journeys/booking-lists.js';
import { canceledBooking } from '../../journeys/booking-variants.js';
import { type FindingDetail, Inconclusive, Refused, unlessInconclusive, unlessOutside } from '../../client/outcome.js';
import { defineRule, type Need, type RuleContext, type RuleSpec } from '../rule.js';
import { lastOf, type Session } from '../../client/session.js';
import { unknownAnswer, textsIn } from '../answers.js';

/** The payments that were confirmed, without paused ones. */
async function confirmed(session: Session): Promise<readonly OwnPayment[]> {
  const made: OwnPayment[] = [];
  for (const pay of [
    ...forms.payment.toReversed().map((version) => () => paid(session, version)),
    ...bulkVersions.map((version) => () => paidBulk(session, version)),
    async () => (await paidOfGroup(session, newestPayment)).at(-1),
  ]) {
    const one = await pay().catch(unlessInconclusive);
    if (one?.reply.ok) made.push(one);
  }
  return made;
}

/** Another booking of the same contact and tee time, which came with the payments and which the run has not made. */
function likeOf(
  { run }: Session,
  item: ListedBooking,
  now: readonly ListedBooking[],
  before: readonly ListedBooking[],
): ListedBooking | undefined {
  const own = run.transport.budget.leftovers.map(({ bookingId }) => bookingId);
  const known = new Set<unknown>([item['bookingId'], ...own, ...before.map(({ bookingId }) => bookingId)]);
  const isSame = (one: ListedBooking): boolean => one['teeId'] === item['teeId'] && contentOf(one) === contentOf(item);
  return now.find((one) => !known.has(one['bookingId']) && isSame(one));
}

/** What a payment leaves as it is. */
const unpaid = ['createdAt', 'teetime', 'teeId', 'players', 'contactEmail'];

/** A paid booking is in the list as it was before: active, and once. */
async function keepsBookings({ session, expect }: RuleContext): Promise<void> {
  const payments = await confirmed(session);
  const before = await listedBeforePayments(session);
  const now = await upcomingBookings(session);
  for (const { bookingIds, reply, slots } of payments) {
    for (const { before, after, shownBy } of slots) {
      expect.about(shownBy);
      const released = `The slots of a booking are free again after ${reply.what}.`;
      expect.that(after <= before, released, { expected: before, actual: after });
    }
    expect.about(lastOf(session, operationIn('listBookings', newestWith.bookingList)));
    for (const bookingId of bookingIds) {
      const shown = now.find((item) => item['bookingId'] === bookingId);
      const wasListed = before.some((item) => item['bookingId'] === bookingId);
      const gone = `The booking ${bookingId} is no longer listed after ${reply.what}.`;
      if (wasListed) expect.that(shown !== undefined, gone);
      if (!shown) continue;
      const { status } = shown;
      const was = before.find((item) => item['bookingId'] === bookingId);
      for (const field of was ? unpaid : []) {
        const what = `The \`${field}\` of the booking ${bookingId} is another one after ${reply.what}.`;
        expect.equal(shown[field], was![field], what);
      }
      const canceled = `The booking ${bookingId} is canceled after ${reply.what}.`;
      expect.that(!/^\s*cancel/i.test(String(status)), canceled, { expected: 'BOOKED', actual: status });
      const paid = `The booking ${bookingId} is no longer BOOKED after ${reply.what}.`;
      if (was?.['status'] === 'BOOKED') expect.equal(status, 'BOOKED', paid);
      const other = likeOf(session, shown, now, before);
      expect.that(other === undefined, `Another booking is listed after ${reply.what}.`, { actual: other });
    }
  }
  if (expect.held === 0) throw new Inconclusive('precondition', 'a listed booking whose payment was confirmed');
}

/** Rules of what a payment does to bookings; after all payments of the run. */
export const paymentEffectRules: readonly RuleSpec[] = [
  defineRule({ id: 'payments.keeps-booking', needs: ['bookings', 'payments'], run: keepsBookings }),
];

const { pausedPayment, payment: newestPayment } = newestWith;
/** The newest version that confirms groups and single bookings. */
const newestBulkPayment = bulkVersions.find((version) => isOf('payment', version))!;

const needs: readonly Need[] = ['bookings', 'payments'];

const says = /paus|suspend/i;
/** The part of a response that has a message. In a header, only its words tell it from other headers. */
function messagePlace({ json, data, headers }: Reply): Answers['payment.v5.paused-message'] | undefined {
  if (textsIn(data).length > 0) return 'data';
  if (textsIn(json).length > 0) return 'message';
  return [...headers].some(([, value]) => says.test(value)) ? 'header' : undefined;
}

/** The place of the message of a paused payment. The specification does not give its words, so any will do. */
async function pausedPlace(session: Session): Promise<ReturnType<typeof messagePlace>> {
  const { reply } = await succeeded(paid(session, pausedPayment));
  const usual = await paid(session, newestPayment).catch(unlessInconclusive);
  const known = textsIn(usual?.reply.json);
  const isNew = textsIn(reply.json).some((text) => !known.includes(text));
  const place = messagePlace(reply);
  return place === 'header' || isNew ? place : undefined;
}

/** A rule of payments for each row of the API specification, which names its versions. */
function rowsOf<V extends string>(
  prefix: string,
  versions: readonly V[],
  check: (context: RuleContext, version: V) => Promise<void>,
): readonly RuleSpec[] {
  const rows = catalogue.filter(({ id }) => id.startsWith(`${prefix}.v`));
  return rows.map((row) =>
    defineRule({
      id: row.id as RuleId,
      needs,
      async run(context) {
        for (const version of versions) if (row.versions.includes(version)) await check(context, version);
      },
    }),
  );
}

async function confirms(context: RuleContext, version: PayVersion): Promise<void> {
  const { session, expect } = context;
  const made = await paid(session, version);
  // A paused payment succeeds all the same (section "Confirm booking payment").
  if (!isOf('pausedPayment', version)) await somethingIsDue(session, made);
  expect.succeeds(made.reply, `The payment of an own booking is refused in ${version}.`, ofUnknown(made));
  if (version === newestPayment) await confirmsOfGroup(context, version);
}

/** A booking of a group has an identifier like any other, by which its payment is confirmed. */
async function confirmsOfGroup({ session, expect }: RuleContext, version: PayVersion): Promise<void> {
  const last = (await paidOfGroup(session, version).catch(unlessInconclusive))?.at(-1);
  if (!last || (isConditional(last.reply) && (await isDue(session, last.facilityId)) === false)) return;
  expect.succeeds(last.reply, `The payment of a booking of a group is refused in ${version}.`, ofUnknown(last));
}

async function confirmsBulk({ session, expect }: RuleContext, version: BulkVersion): Promise<void> {
  const made = await paidBulk(session, version);
  await somethingIsDue(session, made);
  expect.succeeds(made.reply, `The payment of an own bulk booking is refused in ${version}.`, ofUnknown(made));
}

/** A payment that is not found may follow from the id that the creation has returned. */
const ofUnknown = ({ reply }: Paid): FindingDetail => (reply.status === 404 ? { concern: 'agreement' } : {});

/** A payment may be refused if the payment rule of the facility says that nothing is due yet. */
async function somethingIsDue(session: Session, { reply, facilityId }: OwnPayment): Promise<void> {
  if (isConditional(reply) && (await isDue(session, facilityId)) === false) {
    throw new Inconclusive('no-data', 'a facility that is paid when it is booked');
  }
}

/** A payment that succeeded. */
async function succeeded(made: Promise<Paid>): Promise<Paid> {
  const one = await made;
  if (!one.reply.ok) throw new Refused(one.reply);
  return one;
}

/** The methods that a payment accepts, tried with a payment that is already confirmed. */
async function methodOf(session: Session, target: PaymentTarget): Promise<'both' | PaymentMethod | undefined> {
  const taken: PaymentMethod[] = [];
  for (const method of ['get', 'post'] as const) {
    if (!isMissing(await session.send(payment(target, method)))) taken.push(method);
  }
  return taken.length === 2 ? 'both' : taken[0];
}

async function methods({ session, observeVersion }: RuleContext): Promise<void> {
  for (const version of session.served('confirmPayment', payVersions)) {
    const answer = await methodOf(session, (await paid(session, version)).target);
    if (answer) observeVersion('payment.method', version, answer);
  }
  for (const version of session.served('confirmBulkPayment', bulkVersions)) {
    const answer = await methodOf(session, (await paidBulk(session, version)).target);
    if (answer) observeVersion('bulk-payment.method', version, answer);
  }
}

/**
 * Payments that the second channel must not confirm: those of the first channel's bookings. Only that of a single booking
 * is paused in a version.
 */
async function foreignTargets(session: Session): Promise<PaymentTarget[]> {
  // Payments take the composite form of ids; older versions may have short ones.
  const { bookingIds } = await booking(session, productBooking);
  const bulkBookingId = await bulk(session).catch(unlessOutside);
  const single = session.served('confirmPayment', payVersions).filter((version) => !isOf('pausedPayment', version));
  const ofGroups = bulkBookingId === undefined ? [] : session.served('confirmBulkPayment', bulkVersions);
  return [
    ...single.toReversed().map((version): PaymentTarget => ({ version, bookingId: bookingIds[0]! })),
    ...ofGroups.toReversed().map((version): PaymentTarget => ({ version, bulkBookingId: bulkBookingId! })),
  ];
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
    // Some deployments confirm payments of unknown bookings too: success then proves nothing.
    const unknown = 'bulkBookingId' in target ? { bulkBookingId: 2_147_483_646 } : { bookingId: 'no-such-booking' };
    const other = await pay(session, { ...target, ...unknown } as PaymentTarget, 'second');
    const what = `${target.version} confirms the payment of a booking that another channel has made.`;
    expect.about(reply.id);
    if (!other.reply.ok) expect.that(false, what, { expected: 'a refusal', actual: reply.text });
  }
}

const open = (id: RuleId, run: RuleSpec['run']): RuleSpec => defineRule({ id, needs, run });

export const paymentRules: readonly RuleSpec[] = [
  // First, while nothing is paid: the refusal of a payment that was already confirmed proves nothing.
  defineRule({ id: 'payments.channel-scope', needs: [...needs, 'second-channel'], run: channelScope }),
  ...rowsOf('payments.confirm', payVersions, confirms),
  ...rowsOf('payments.confirm-bulk', bulkVersions, confirmsBulk),
  defineRule({
    id: 'payments.path.serviceBookingId',
    needs,
    async run(context) {
      for (const version of context.session.served('confirmPayment', payVersions)) {
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
      for (const version of context.session.served('confirmBulkPayment', bulkVersions)) {
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
      const place = await pausedPlace(session);
      const { reply } = await paid(session, pausedPayment);
      const what = `The ${pausedPayment} confirmation does not say that confirming payments is paused.`;
      expect.that(place !== undefined, what, { expected: 'a message', actual: reply.text });
    },
  }),
  open('payments.paused.place', async ({ session, observe }) => {
    const found = await pausedPlace(session);
    if (found) observe('payment.v5.paused-message', found);
  }),
  open('payments.method', methods),
  open('payments.sample-path', async ({ session, observe, probe }) => {
    const { method, target, reply } = await succeeded(paid(session, newestPayment));
    const { bookingId } = target as { bookingId: string };
    const path = `/api/v2/bookings/payment/${encodeURIComponent(bookingId)}`;
    // The path may accept the credentials of either version.
    for (const scheme of session.run.transport.channels.first.schemes) {
      const older = await probe({ method: method.toUpperCase(), path, scheme });
      if (isMissing(older)) return observe('payment.v4.v2-path', 'absent');
      const again = older.ok ? reply : (await pay(session, target)).reply;
      if (older.status === again.status && older.ok === again.ok) return observe('payment.v4.v2-path', 'accepted');
    }
  }),
  open('payments.confirm-bulk.state', async ({ session, observe }) => {
    const { reply } = await succeeded(paidBulk(session, newestOf('confirmBulkPayment')));
    const isPaused = says.test(reply.text) || messagePlace(reply) === 'header';
    observe('bulk-payment.v5.state', isPaused ? 'paused' : 'confirmed');
  }),
  open('payments.confirm-bulk.group-ids', async ({ session, observe }) => {
    await succeeded(paidBulk(session, newestBulkPayment));
    const { groupId } = await group(session, productBooking);
    if (groupId === undefined)
      throw new Inconclusive('precondition', `a \`groupId\` of a ${productBooking.version} group`);
    const { reply } = await pay(session, { version: newestBulkPayment, bulkBookingId: groupId });
    const unknown = await pay(session, { version: newestBulkPayment, bulkBookingId: 2_147_483_646 });
    // If unknown groups are confirmed too, the answer says nothing about this group.
    if (unknown.reply.ok) throw new Inconclusive('no-data', 'a refusal of groups that are unknown');
    observe('bulk-payment.group-ids', reply.ok ? 'any' : 'v3-only');
  }),
  open('payments.booking-unknown', async ({ session, observe, probe }) => {
    const { method } = await succeeded(paid(session, newestPayment));
    const reply = await probe(payment({ version: newestPayment, bookingId: 'no-such-booking' }, method));
    const answer = unknownAnswer(reply);
    if (answer !== undefined) observe('booking.unknown', answer);
  }),
  open('payments.repeat', async ({ session, observe }) => {
    const { target } = await succeeded(paid(session, newestPayment));
    const { reply } = await pay(session, target);
    observe('payment.repeat', reply.ok ? 'success' : 'refused');
  }),
  open('payments.canceled', async ({ session, observe }) => {
    // Only a booking of the run: the payment of another one is none of its business.
    const bookingId = await canceledByRun(session);
    const { method } = await succeeded(paid(session, newestPayment));
    const reply = await session.send(payment({ version: newestPayment, bookingId }, method));
    observe('payment.canceled', reply.ok ? 'success' : 'refused');
  }),
];

async function canceledByRun(session: Session): Promise<string> {
  const { bookingId, shown } = await canceledBooking(session);
  if (shown !== 'CANCELED')
    throw new Inconclusive('no-data', 'a cancelled booking of the run: the deployment does not cancel by DELETE');
  return bookingId;
}
