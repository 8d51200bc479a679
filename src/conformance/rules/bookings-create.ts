import type { Reply } from '../exchange.js';
import { booking, type Booked, freshBookings, group } from '../journeys/bookings.js';
import { type Listed } from '../journeys/booking-lists.js';
import { idsIn } from '../journeys/effects.js';
import { halfBooked, idleBody, idleTeeTime } from '../journeys/refusals.js';
import { canceled, withDetails } from '../journeys/shapes.js';
import { offsetHours, todaysTeeTimes } from '../journeys/time-zones.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

const operation = 'v5.createBooking' as const;

/**
 * A shape of the body is taken: a booking made in it. Where it is refused and the same as a single booking is not, the
 * shape is at fault; a deployment that takes no more bookings at all has reasons of its own.
 */
async function taken({ session, expect }: RuleContext, make: () => Promise<Booked>, shape: string): Promise<Booked> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    await booking(session, 'v5');
    const item = await idleBody(session);
    const body = shape === 'an array' ? [item] : { details: [item] };
    const again = await session.send({ operation, body });
    if (!again.ok && !(await session.send({ operation, body: item })).ok) throw error;
    expect.succeeds(again, `A v5 booking is refused as ${shape}.`);
    if (idsIn(again).length > 0) throw error;
    expect.that(false, `A v5 booking as ${shape} is answered without its identifiers.`, { actual: again.text });
    throw error;
  }
}

/** A group as it must be answered: a number, and each booking of the request once. */
function isGroup({ expect }: RuleContext, { reply, items }: Booked): void {
  const { groupId, bookingIds } = reply.data as { groupId?: unknown; bookingIds?: readonly Listed[] };
  expect.that(Number.isInteger(groupId), 'A group has no `groupId`.', { expected: 'an integer', actual: groupId });
  const times = (bookingIds ?? []).map(({ teetime }) => String(teetime).slice(0, 19));
  const sent = items.map(({ teetime }) => String(teetime).replace(' ', 'T'));
  const what = 'A group does not name each booking of the request once, with its tee time.';
  expect.equal([...times].sort(), [...sent].sort(), what);
}

async function shapes(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  const single: Reply = (await booking(session, 'v5')).reply;
  expect.succeeds(single, 'A v5 booking is refused as one object.');
  await taken(context, () => group(session, 'v5'), 'an array');
  await taken(context, () => withDetails(session), 'an object with `details`');
  expect.that(true, 'all shapes are taken');
  for (const body of [{ bookings: [await idleBody(session)] }, 7]) {
    await context.refuses({ operation, body }, single, 'A v5 booking of another shape is taken.');
  }
}

async function timeBorders({ session, observe }: RuleContext): Promise<void> {
  const now = session.run.host.now();
  for await (const { timeZone, times } of todaysTeeTimes(session)) {
    const offset = offsetHours(timeZone, now);
    const [utc, local] = [now, now + offset * 3_600_000];
    const [low, high] = [Math.min(utc, local), Math.max(utc, local)];
    // Where even those are shown that are past on either clock, no clock decides.
    if (times.some((time) => time < low)) continue;
    if (times.some((time) => time > low && time < high)) {
      return observe('time.borders', offset < 0 ? 'facility' : 'utc');
    }
  }
  throw new Inconclusive('no-data', 'tee times of today at a facility far from UTC, in the hours between both clocks');
}

/** Rules of how bookings are made. */
export const bookingCreateRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.create.status',
    needs: ['bookings'],
    async run({ session, observe }) {
      const { status } = (await booking(session, 'v5')).reply;
      if (status === 200 || status === 201) observe('success.create-status', status);
    },
  }),
  defineRule({ id: 'bookings.create.shapes', needs: ['bookings'], run: shapes }),
  defineRule({
    id: 'bookings.create.multiple',
    needs: ['bookings'],
    async run(context) {
      const made = await taken(context, () => group(context.session, 'v5'), 'an array');
      isGroup(context, made);
      await context.refuses({ operation, body: [] }, made.reply, 'An array of no booking is taken.');
    },
  }),
  defineRule({
    id: 'bookings.create.with-payment',
    needs: ['bookings'],
    async run(context) {
      const made = await taken(context, () => withDetails(context.session), 'an object with `details`');
      isGroup(context, made);
      await context.refuses({ operation, body: { details: [] } }, made.reply, 'An empty `details` is taken.');
    },
  }),
  defineRule({
    id: 'bookings.create.payment-intent',
    needs: ['bookings'],
    async run(context) {
      const { reply } = await withDetails(context.session);
      const body = { details: [await idleBody(context.session)], paymentIntent: 7 };
      await context.refuses({ operation, body }, reply, 'A `paymentIntent` that is no string is taken.');
    },
  }),
  defineRule({
    id: 'bookings.create.unique-id',
    needs: ['bookings'],
    async run({ session, expect }) {
      const made = [await booking(session, 'v2'), await booking(session, 'v5'), await group(session, 'v5')];
      const ids = [...made, await booking(session, 'v3')].flatMap(({ bookingIds }) => bookingIds);
      expect.equal([...new Set(ids)], ids, 'Two bookings have one identifier.');
      // The numbers of v3 and of v5 may be counted apart.
      for (const groups of [
        [made[2], await withDetails(session).catch(unlessInconclusive)],
        [await booking(session, 'v3'), await group(session, 'v3').catch(unlessInconclusive)],
      ]) {
        const numbers = groups.flatMap((one) => one?.groupId ?? []);
        expect.equal([...new Set(numbers)], numbers, 'Two groups of bookings have one number.');
      }
    },
  }),
  defineRule({
    id: 'bookings.create.atomic',
    needs: ['bookings'],
    async run({ session, probe, observe }) {
      observe('booking.group-failure', (await halfBooked(session, probe)) ? 'earlier-stay' : 'nothing');
    },
  }),
  defineRule({
    id: 'bookings.item.optional-fields',
    needs: ['bookings'],
    async run({ session, probe, observe }) {
      const { sheet } = await idleTeeTime(session);
      const { contactFirstName: _, contactLastName: __, ...rest } = await idleBody(session);
      const reply = await probe({ operation, body: { ...rest, contactName: 'Conformance' } });
      const [id] = idsIn(reply);
      if (!reply.ok || id === undefined) throw new Inconclusive('precondition', 'a booking without a last name');
      const items = (await freshBookings(session, 'v4', sheet.day)) as readonly Listed[];
      const shown = items.find(({ bookingId }) => bookingId === id);
      if (!shown) throw new Inconclusive('precondition', 'the booking without a last name in the list');
      const names = [shown['contactFirstName'], shown['contactLastName']];
      if (names.includes('')) observe('booking-list.empty-fields', 'present');
      else if (names.includes(null)) observe('booking-list.empty-fields', 'null');
      else if (names.includes(undefined)) observe('booking-list.empty-fields', 'absent');
    },
  }),
  defineRule({ id: 'bookings.time-borders', needs: ['bookings'], run: timeBorders }),
  defineRule({
    id: 'bookings.cancel',
    needs: ['bookings'],
    async run({ session, observe }) {
      const { reply, shown } = await canceled(session);
      if (reply.ok && shown === 'CANCELED') observe('booking.cancel', 'delete');
      else if ([404, 405, 501].includes(reply.status)) observe('booking.cancel', 'none');
    },
  }),
];
